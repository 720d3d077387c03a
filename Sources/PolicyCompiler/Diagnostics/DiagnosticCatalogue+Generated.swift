// Generated from grammar/diagnostics.yaml by `swift run generate-tables`. Do not edit.

/// A code of the diagnostic catalogue.
package enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
    /// The text is not YAML at this place.
    case syntaxError = "HW001"
    /// A tab stands where indentation is wanted.
    case tabIndent = "HW002"
    /// A key stands twice in one map.
    case duplicateKey = "HW003"
    /// A key that the language does not have.
    case unknownKey = "HW004"
    /// A plain word that other YAML readers take for something else than text.
    case ambiguousScalar = "HW005"
    /// An alias, an anchor or a merge key.
    case aliasOrMerge = "HW006"
    /// A second document in one file.
    case manyDocuments = "HW007"
    /// A byte order mark, a carriage return of its own, or bytes that are not UTF-8.
    case encoding = "HW008"
    /// A tag.
    case explicitTag = "HW009"
    /// A character that editors hide or that ends a line unseen.
    case hiddenText = "HW010"
    /// A documented limit is passed.
    case limits = "HW011"
    /// A path that leaves the unit.
    case pathLeavesUnit = "HW012"
    /// A file of the unit with a name that would be skipped.
    case policyFileMisnamed = "HW013"
    /// An empty value, list or map.
    case emptyValue = "HW014"
    /// A part of YAML that the language leaves out.
    case yamlFeature = "HW015"
    /// Typographic quotes around a value.
    case typographicQuotes = "HW016"
    /// A mark of a shell or a template in a text.
    case notExpanded = "HW017"
    /// The language version is missing or is not one this engine knows.
    case noVersion = "HW101"
    /// A map, list or text where another is wanted.
    case wrongType = "HW102"
    /// A value outside those the field allows.
    case unknownValue = "HW103"
    /// One name is defined twice in a unit.
    case duplicateId = "HW104"
    /// A name that nothing defines.
    case danglingReference = "HW105"
    /// A named thing that nothing uses.
    case unusedDefinition = "HW106"
    /// A required key is missing.
    case missingKey = "HW108"
    /// A name that is not an id, or a built-in one.
    case badId = "HW110"
    /// Profiles or anchor sets that build on each other in a circle, or too deep.
    case extendsCycle = "HW111"
    /// A host pattern that is neither a name nor an address.
    case badHost = "HW201"
    /// A host pattern in another form than the canonical one.
    case hostNotCanonical = "HW202"
    /// A URL or a part of one where a host pattern is wanted.
    case urlNotHost = "HW203"
    /// A wildcard that is not a whole leftmost label.
    case badWildcard = "HW204"
    /// A wildcard over a public suffix.
    case publicSuffixWildcard = "HW205"
    /// A wildcard beside whose name something weaker holds.
    case apexUncovered = "HW206"
    /// A wildcard of one label beside a host that lies deeper.
    case depthSurprise = "HW207"
    /// One pattern in two rules.
    case samePatternTwice = "HW208"
    /// A rule that decides no host.
    case shadowedRule = "HW209"
    /// A rule that could be deleted without a change for any host.
    case redundantRule = "HW210"
    /// A narrower pattern that demands less than the wildcard around it.
    case weakerInside = "HW211"
    /// An address that only public CAs are trusted for.
    case ipLiteral = "HW212"
    /// A private name or address that public CAs are trusted for.
    case privateNamePublicRoots = "HW213"
    /// A default that demands less than every rule.
    case weakDefault = "HW214"
    /// A name that mixes scripts, or looks like another of the policy.
    case mixedScriptIdn = "HW215"
    /// One pattern twice in a rule.
    case patternRepeated = "HW216"
    /// A pattern that decides no host.
    case unreachablePattern = "HW217"
    /// A pattern that a wider one of the same rule covers.
    case coveredPattern = "HW218"
    /// A network of every address.
    case everyAddress = "HW219"
    /// A name one letter from one used often.
    case nearMissName = "HW220"
    /// A file that cannot be read, or does not hold what its field wants.
    case anchorUnreadable = "HW301"
    /// An anchor outside its dates.
    case anchorExpired = "HW302"
    /// An anchor that ends soon.
    case anchorExpiring = "HW303"
    /// A certificate that is not of the kind its anchor set says.
    case anchorKind = "HW304"
    /// An anchor with a key or a signature that proves nothing.
    case weakAnchor = "HW305"
    /// An anchor that its set names twice.
    case duplicateAnchor = "HW306"
    /// A private key among anchors or pins.
    case privateKeyPresent = "HW307"
    /// A host that no anchor of its rule may vouch for.
    case nameConstraintsExclude = "HW309"
    /// A rule's only anchor that ends before its pins or exceptions.
    case loneAnchorEnding = "HW310"
    /// An entry of `only` or `exclude` that matches no member.
    case unmatchedEntry = "HW311"
    /// An anchor at which no path can end.
    case anchorDeadEnd = "HW312"
    /// A set of anchors at none of which a path can end.
    case anchorSetDeadEnd = "HW313"
    /// A root of version 1, which cannot say that it is a CA.
    case version1Root = "HW314"
    /// An excluded CA through which a path still reaches another anchor.
    case excludedStillReached = "HW315"
    /// A certificate of an anchor set that does not meet demands on its issuer.
    case issuanceBreach = "HW316"
    /// A certificate of an anchor set that the rule's demands on issuers refuse.
    case issuanceRefused = "HW317"
    /// A certificate that its file does not trust for servers.
    case leftOutByUse = "HW318"
    /// Terms of a set that another set of the rule undoes.
    case mootTerms = "HW319"
    /// Terms of a set that the machine's store may undo.
    case termsBesideSystem = "HW320"
    /// A digest that is not of the form its field takes.
    case malformedPin = "HW401"
    /// A pin set whose backup is a key in service.
    case noBackupPin = "HW402"
    /// One key pinned twice in a set.
    case duplicatePin = "HW403"
    /// A pin set without `enforce-until`.
    case pinNoEnd = "HW404"
    /// A pin set past its `enforce-until`.
    case pinExpired = "HW405"
    /// A pin set whose `enforce-until` is near.
    case pinExpiring = "HW406"
    /// Pins that no path to the anchors can meet.
    case pinAnchorConflict = "HW407"
    /// Pins of end entities alone.
    case leafOnlyPins = "HW408"
    /// A digest that belongs to no key.
    case placeholderPin = "HW409"
    /// Pins that open by themselves.
    case pinOpenOnExpiry = "HW412"
    /// A backup that may be the key in service.
    case incomparableBackup = "HW413"
    /// The only key in service, of a certificate about to end.
    case loneKeyEnding = "HW414"
    /// A warning that comes after the day it warns of.
    case warnFromLate = "HW415"
    /// A pinned certificate that a renewal replaces within months.
    case leafCertificatePin = "HW416"
    /// A forbidden key that no file holds.
    case forbiddenByDigest = "HW417"
    /// A pin that another entry of its set makes void.
    case voidPin = "HW418"
    /// Evidence is demanded of a certificate that names no source of it.
    case hardFailNoSource = "HW502"
    /// Fields that contradict each other.
    case flagConflict = "HW507"
    /// An identity check on certificates that anyone can make.
    case hollowIdentity = "HW508"
    /// Names are listed but it is not said what they do.
    case identityUnclear = "HW509"
    /// A rule that demands less than its profile.
    case weakerThanProfile = "HW510"
    /// A waiver, or report-only, of a check that the rule lacks.
    case mootWaiver = "HW511"
    /// An anchor whose limits are ignored.
    case ignoredLimits = "HW512"
    /// A waiver, or report-only, that is in force.
    case exceptionInForce = "HW513"
    /// One certificate that stands for every host of a wildcard.
    case listedOnWildcard = "HW514"
    /// Demands that nothing can meet together.
    case unmeetableDemand = "HW515"
    /// A signature scheme that no allowed key can make.
    case idleScheme = "HW516"
    /// Revocation evidence that is required and passes unseen.
    case requireNothing = "HW517"
    /// Certificates for clients, asked of public CAs.
    case publicClientAuth = "HW518"
    /// Revocation only by OCSP, of issuers that publish none.
    case ocspNotPublished = "HW519"
    /// A log list that is too old.
    case logListStale = "HW520"
    /// A log list that will soon be too old.
    case logListAgeing = "HW521"
    /// A list of suites without one of a version that is accepted.
    case versionWithoutSuite = "HW522"
    /// CRLite filters for certificates beyond the leaf.
    case filtersBeyondLeaf = "HW523"
    /// CRLite filters for private CAs.
    case filtersOfPrivateAnchors = "HW524"
    /// CRLite filters without a demand for timestamps.
    case filtersWithoutTimestamps = "HW525"
    /// A rule that nobody owns.
    case noOwner = "HW601"
    /// A waiver without its reason or owner.
    case noReason = "HW602"
    /// A waiver, or report-only, past its last day.
    case exceptionEnded = "HW603"
    /// A waiver, or report-only, without its last day.
    case exceptionOpenEnded = "HW604"
    /// A waiver, or report-only, that lasts for more than 180 days.
    case exceptionTooLong = "HW605"
    /// A date more than 50 years away.
    case farDate = "HW606"
    /// An allowance past its last day.
    case allowanceEnded = "HW607"
    /// An allowance that lasts for more than 180 days.
    case allowanceTooLong = "HW608"
    /// An allowance that no change needs.
    case allowanceUnused = "HW609"
    /// An ignore comment that hides nothing.
    case unusedSuppression = "HW701"
    /// An ignore comment without its code, its reason or its date.
    case bareSuppression = "HW702"
    /// An ignore comment past its date.
    case suppressionEnded = "HW703"
    /// An ignore comment with a code that does not exist.
    case unknownCode = "HW704"
    /// An ignore comment for something that cannot be hidden.
    case notSuppressible = "HW705"
    /// A rule that no case of the tests asks.
    case untestedRule = "HW801"
    /// A test that cannot test what it says.
    case emptyTest = "HW802"
    /// Hosts that accept what they refused before the change.
    case weakerThanBase = "HW803"
    /// An assertion that is about nothing.
    case staleAssertion = "HW804"
    /// An assertion that does not hold.
    case refutedAssertion = "HW805"
    /// A file that is not in canonical layout.
    case notFormatted = "HW901"
    /// Rules that stand in another order than they decide.
    case unsortedRules = "HW902"
    /// The file of another system cannot be read.
    case foreignSyntax = "HX101"
    /// The target system refuses the file.
    case targetRefuses = "HX102"
    /// A pin that is not a SHA-256 digest.
    case foreignPin = "HX103"
    /// The certificates of a resource are missing.
    case missingResource = "HX104"
    /// A part of the file that the target system ignores.
    case ignoredByTarget = "HX201"
    /// An entry that matches no host.
    case matchesNoHost = "HX202"
    /// A value whose effect is not documented.
    case doubtfulInTarget = "HX203"
    /// A part that only debuggable apps read.
    case debugOnly = "HX204"
    /// CAs that the device's user adds are trusted.
    case userAnchors = "HX301"
    /// Anchors for which the pins do not hold.
    case overriddenPins = "HX302"
    /// Pins that end at midnight on the device.
    case localExpiration = "HX303"
    /// Cleartext is permitted.
    case permitsCleartext = "HX304"
    /// TLS below 1.2 is permitted.
    case permitsOldTls = "HX305"
    /// App Transport Security is switched off.
    case switchedOff = "HX306"
    /// App Transport Security is off for some loads.
    case partlySwitchedOff = "HX307"
    /// A demand for certificate transparency is not in the policy.
    case transparencyNotTaken = "HX308"
    /// A list of pins without a spare key.
    case onePin = "HX309"
    /// Hosts for which nobody is trusted.
    case hostsWithoutAnchors = "HX310"
    /// A part of the source that is not a literal.
    case notLiteral = "HX401"
    /// A second list of pins in one file.
    case secondList = "HX402"
    /// A pin that no key has.
    case dudPin = "HX403"
    /// A pin by SHA-1.
    case sha1Pin = "HX404"
    /// A pin that never matches.
    case pinNeverMatches = "HX405"
    /// Pins that are reported and not enforced.
    case pinsOnlyReported = "HX406"
    /// Verification is switched off.
    case verificationOff = "HX407"
    /// An option that the policy does not have.
    case optionNotTaken = "HX408"
    /// A list that its readers take differently.
    case readersDiffer = "HX409"
    /// A private key in the file.
    case privateKey = "HX410"
    /// An option without effect on trust.
    case noEffectOnTrust = "HX411"
    /// The target system refuses the configuration.
    case configurationRefused = "HX501"
    /// CA certificates that the file does not hold.
    case certificatesMissing = "HX502"
    /// Any certificate is accepted.
    case nothingVerified = "HX503"
    /// The name of the server is not checked.
    case noNameChecked = "HX504"
    /// A rule for names that a policy cannot state.
    case nameNotTaken = "HX505"
    /// A demand of the file that the policy does not have.
    case demandNotTaken = "HX506"
    /// Hosts that the file does not name.
    case hostsUnknown = "HX507"
    /// Two entries for the same hosts.
    case sameHostsTwice = "HX508"
    /// Expired certificates are accepted.
    case permitsExpired = "HX509"
    /// A reference to CA certificates that is invalid.
    case invalidReference = "HX510"
    /// A context that judges clients.
    case clientsJudged = "HX511"
    /// A bundle that is due for renewal.
    case bundleRefresh = "HX512"
    /// A key that is not an anchor of TLS.
    case keyOfAnotherUse = "HX513"
    /// A field that is only proposed.
    case provisionalField = "HX514"
    /// A cluster without TLS.
    case sendsCleartext = "HX515"
    /// A trust store that cannot be read.
    case storeUnreadable = "HX601"
    /// A store with a private or secret key.
    case storeWithKey = "HX602"
    /// A store whose certificates are encrypted.
    case storeLocked = "HX603"
    /// A password that does not fit the store.
    case storePassword = "HX604"
    /// A store whose digest is not checked.
    case storeNotChecked = "HX605"
    /// An entry of a trust store that is left out.
    case storeEntryLeftOut = "HX606"
    /// A store without a trusted certificate.
    case storeWithoutAnchors = "HX607"
    /// A certdata.txt that cannot be read.
    case certdataSyntax = "HX611"
    /// Records of certdata.txt that do not find each other.
    case certdataUnpaired = "HX612"
    /// A distrusted certificate that the policy cannot name.
    case certdataDistrustUnnamed = "HX613"
    /// A distrust date in the wrong record.
    case certdataMisplacedDate = "HX614"
    /// A part of certdata.txt that this version does not know.
    case certdataUnknown = "HX615"
    /// Certificates of certdata.txt that are not for servers.
    case certdataNotForServers = "HX616"
    /// An entry of Chrome's list that permits every name of a type.
    case chromeOpenType = "HX621"
    /// `to` names no format that is exported.
    case unknownExportFormat = "HX701"
    /// An option that the format of the export does not take.
    case exportOption = "HX702"
    /// A path that is not exported to.
    case exportPath = "HX703"
    /// Two exports write one file.
    case twoExportsOfOneFile = "HX704"

    /// The severity of every diagnostic with this code.
    package var severity: Diagnostic.Severity {
        switch self {
        case .notExpanded, .unusedDefinition, .hostNotCanonical, .apexUncovered, .depthSurprise,
            .redundantRule, .weakerInside, .ipLiteral, .privateNamePublicRoots, .weakDefault,
            .mixedScriptIdn, .patternRepeated, .unreachablePattern, .coveredPattern, .nearMissName,
            .anchorExpiring, .duplicateAnchor, .unmatchedEntry, .anchorSetDeadEnd, .version1Root,
            .excludedStillReached, .issuanceRefused, .leftOutByUse, .mootTerms, .duplicatePin,
            .pinNoEnd, .pinExpiring, .pinOpenOnExpiry, .incomparableBackup, .loneKeyEnding,
            .warnFromLate, .leafCertificatePin, .voidPin, .hardFailNoSource, .weakerThanProfile,
            .listedOnWildcard, .idleScheme, .requireNothing, .publicClientAuth, .ocspNotPublished,
            .logListAgeing, .filtersBeyondLeaf, .filtersOfPrivateAnchors,
            .filtersWithoutTimestamps, .noOwner, .exceptionTooLong, .farDate, .allowanceTooLong,
            .unusedSuppression, .ignoredByTarget, .matchesNoHost, .doubtfulInTarget, .userAnchors,
            .overriddenPins, .localExpiration, .permitsCleartext, .permitsOldTls, .switchedOff,
            .partlySwitchedOff, .transparencyNotTaken, .onePin, .notLiteral, .dudPin, .sha1Pin,
            .pinNeverMatches, .pinsOnlyReported, .verificationOff, .optionNotTaken, .readersDiffer,
            .nothingVerified, .noNameChecked, .nameNotTaken, .demandNotTaken, .hostsUnknown,
            .sameHostsTwice, .permitsExpired, .invalidReference, .provisionalField,
            .storeEntryLeftOut, .certdataUnpaired, .certdataDistrustUnnamed,
            .certdataMisplacedDate, .certdataUnknown, .chromeOpenType:
            return .warning
        case .loneAnchorEnding, .issuanceBreach, .termsBesideSystem, .leafOnlyPins,
            .forbiddenByDigest, .ignoredLimits, .exceptionInForce, .untestedRule, .notFormatted,
            .unsortedRules, .debugOnly, .hostsWithoutAnchors, .noEffectOnTrust, .clientsJudged,
            .bundleRefresh, .keyOfAnotherUse, .sendsCleartext, .storeNotChecked,
            .certdataNotForServers:
            return .info
        default:
            return .error
        }
    }

    /// The command that finds this code.
    package var finder: Finder {
        switch self {
        case .notExpanded, .publicSuffixWildcard, .apexUncovered, .depthSurprise, .shadowedRule,
            .redundantRule, .weakerInside, .ipLiteral, .privateNamePublicRoots, .weakDefault,
            .mixedScriptIdn, .unreachablePattern, .coveredPattern, .everyAddress, .nearMissName,
            .anchorExpired, .anchorExpiring, .weakAnchor, .duplicateAnchor,
            .nameConstraintsExclude, .loneAnchorEnding, .anchorDeadEnd, .excludedStillReached,
            .issuanceBreach, .issuanceRefused, .leftOutByUse, .mootTerms, .termsBesideSystem,
            .pinNoEnd, .pinExpired, .pinExpiring, .pinAnchorConflict, .leafOnlyPins,
            .placeholderPin, .pinOpenOnExpiry, .incomparableBackup, .loneKeyEnding, .warnFromLate,
            .leafCertificatePin, .forbiddenByDigest, .voidPin, .hardFailNoSource,
            .weakerThanProfile, .ignoredLimits, .exceptionInForce, .listedOnWildcard,
            .unmeetableDemand, .idleScheme, .requireNothing, .publicClientAuth, .ocspNotPublished,
            .logListStale, .logListAgeing, .filtersBeyondLeaf, .filtersOfPrivateAnchors,
            .filtersWithoutTimestamps, .noOwner, .exceptionEnded, .exceptionTooLong, .farDate,
            .unusedSuppression, .bareSuppression, .suppressionEnded, .unknownCode,
            .notSuppressible, .notFormatted, .unsortedRules:
            return .lint
        case .allowanceEnded, .allowanceTooLong, .allowanceUnused:
            return .diff
        case .weakerThanBase:
            return .base
        case .untestedRule, .emptyTest:
            return .test
        case .staleAssertion, .refutedAssertion:
            return .assert
        case .foreignSyntax, .targetRefuses, .foreignPin, .missingResource, .ignoredByTarget,
            .matchesNoHost, .doubtfulInTarget, .debugOnly, .userAnchors, .overriddenPins,
            .localExpiration, .permitsCleartext, .permitsOldTls, .switchedOff, .partlySwitchedOff,
            .transparencyNotTaken, .onePin, .hostsWithoutAnchors, .notLiteral, .secondList,
            .dudPin, .sha1Pin, .pinNeverMatches, .pinsOnlyReported, .verificationOff,
            .optionNotTaken, .readersDiffer, .privateKey, .noEffectOnTrust, .configurationRefused,
            .certificatesMissing, .nothingVerified, .noNameChecked, .nameNotTaken, .demandNotTaken,
            .hostsUnknown, .sameHostsTwice, .permitsExpired, .invalidReference, .clientsJudged,
            .bundleRefresh, .keyOfAnotherUse, .provisionalField, .sendsCleartext, .storeUnreadable,
            .storeWithKey, .storeLocked, .storePassword, .storeNotChecked, .storeEntryLeftOut,
            .storeWithoutAnchors, .certdataSyntax, .certdataUnpaired, .certdataDistrustUnnamed,
            .certdataMisplacedDate, .certdataUnknown, .certdataNotForServers, .chromeOpenType:
            return .import
        case .unknownExportFormat, .exportOption, .exportPath, .twoExportsOfOneFile:
            return .export
        default:
            return .check
        }
    }

    /// The code's name in words: `duplicate-key`.
    package var slug: String {
        switch self {
        case .syntaxError: return "syntax-error"
        case .tabIndent: return "tab-indent"
        case .duplicateKey: return "duplicate-key"
        case .unknownKey: return "unknown-key"
        case .ambiguousScalar: return "ambiguous-scalar"
        case .aliasOrMerge: return "alias-or-merge"
        case .manyDocuments: return "many-documents"
        case .encoding: return "encoding"
        case .explicitTag: return "explicit-tag"
        case .hiddenText: return "hidden-text"
        case .limits: return "limits"
        case .pathLeavesUnit: return "path-leaves-unit"
        case .policyFileMisnamed: return "policy-file-misnamed"
        case .emptyValue: return "empty-value"
        case .yamlFeature: return "yaml-feature"
        case .typographicQuotes: return "typographic-quotes"
        case .notExpanded: return "not-expanded"
        case .noVersion: return "no-version"
        case .wrongType: return "wrong-type"
        case .unknownValue: return "unknown-value"
        case .duplicateId: return "duplicate-id"
        case .danglingReference: return "dangling-reference"
        case .unusedDefinition: return "unused-definition"
        case .missingKey: return "missing-key"
        case .badId: return "bad-id"
        case .extendsCycle: return "extends-cycle"
        case .badHost: return "bad-host"
        case .hostNotCanonical: return "host-not-canonical"
        case .urlNotHost: return "url-not-host"
        case .badWildcard: return "bad-wildcard"
        case .publicSuffixWildcard: return "public-suffix-wildcard"
        case .apexUncovered: return "apex-uncovered"
        case .depthSurprise: return "depth-surprise"
        case .samePatternTwice: return "same-pattern-twice"
        case .shadowedRule: return "shadowed-rule"
        case .redundantRule: return "redundant-rule"
        case .weakerInside: return "weaker-inside"
        case .ipLiteral: return "ip-literal"
        case .privateNamePublicRoots: return "private-name-public-roots"
        case .weakDefault: return "weak-default"
        case .mixedScriptIdn: return "mixed-script-idn"
        case .patternRepeated: return "pattern-repeated"
        case .unreachablePattern: return "unreachable-pattern"
        case .coveredPattern: return "covered-pattern"
        case .everyAddress: return "every-address"
        case .nearMissName: return "near-miss-name"
        case .anchorUnreadable: return "anchor-unreadable"
        case .anchorExpired: return "anchor-expired"
        case .anchorExpiring: return "anchor-expiring"
        case .anchorKind: return "anchor-kind"
        case .weakAnchor: return "weak-anchor"
        case .duplicateAnchor: return "duplicate-anchor"
        case .privateKeyPresent: return "private-key-present"
        case .nameConstraintsExclude: return "name-constraints-exclude"
        case .loneAnchorEnding: return "lone-anchor-ending"
        case .unmatchedEntry: return "unmatched-entry"
        case .anchorDeadEnd: return "anchor-dead-end"
        case .anchorSetDeadEnd: return "anchor-set-dead-end"
        case .version1Root: return "version-1-root"
        case .excludedStillReached: return "excluded-still-reached"
        case .issuanceBreach: return "issuance-breach"
        case .issuanceRefused: return "issuance-refused"
        case .leftOutByUse: return "left-out-by-use"
        case .mootTerms: return "moot-terms"
        case .termsBesideSystem: return "terms-beside-system"
        case .malformedPin: return "malformed-pin"
        case .noBackupPin: return "no-backup-pin"
        case .duplicatePin: return "duplicate-pin"
        case .pinNoEnd: return "pin-no-end"
        case .pinExpired: return "pin-expired"
        case .pinExpiring: return "pin-expiring"
        case .pinAnchorConflict: return "pin-anchor-conflict"
        case .leafOnlyPins: return "leaf-only-pins"
        case .placeholderPin: return "placeholder-pin"
        case .pinOpenOnExpiry: return "pin-open-on-expiry"
        case .incomparableBackup: return "incomparable-backup"
        case .loneKeyEnding: return "lone-key-ending"
        case .warnFromLate: return "warn-from-late"
        case .leafCertificatePin: return "leaf-certificate-pin"
        case .forbiddenByDigest: return "forbidden-by-digest"
        case .voidPin: return "void-pin"
        case .hardFailNoSource: return "hard-fail-no-source"
        case .flagConflict: return "flag-conflict"
        case .hollowIdentity: return "hollow-identity"
        case .identityUnclear: return "identity-unclear"
        case .weakerThanProfile: return "weaker-than-profile"
        case .mootWaiver: return "moot-waiver"
        case .ignoredLimits: return "ignored-limits"
        case .exceptionInForce: return "exception-in-force"
        case .listedOnWildcard: return "listed-on-wildcard"
        case .unmeetableDemand: return "unmeetable-demand"
        case .idleScheme: return "idle-scheme"
        case .requireNothing: return "require-nothing"
        case .publicClientAuth: return "public-client-auth"
        case .ocspNotPublished: return "ocsp-not-published"
        case .logListStale: return "log-list-stale"
        case .logListAgeing: return "log-list-ageing"
        case .versionWithoutSuite: return "version-without-suite"
        case .filtersBeyondLeaf: return "filters-beyond-leaf"
        case .filtersOfPrivateAnchors: return "filters-of-private-anchors"
        case .filtersWithoutTimestamps: return "filters-without-timestamps"
        case .noOwner: return "no-owner"
        case .noReason: return "no-reason"
        case .exceptionEnded: return "exception-ended"
        case .exceptionOpenEnded: return "exception-open-ended"
        case .exceptionTooLong: return "exception-too-long"
        case .farDate: return "far-date"
        case .allowanceEnded: return "allowance-ended"
        case .allowanceTooLong: return "allowance-too-long"
        case .allowanceUnused: return "allowance-unused"
        case .unusedSuppression: return "unused-suppression"
        case .bareSuppression: return "bare-suppression"
        case .suppressionEnded: return "suppression-ended"
        case .unknownCode: return "unknown-code"
        case .notSuppressible: return "not-suppressible"
        case .untestedRule: return "untested-rule"
        case .emptyTest: return "empty-test"
        case .weakerThanBase: return "weaker-than-base"
        case .staleAssertion: return "stale-assertion"
        case .refutedAssertion: return "refuted-assertion"
        case .notFormatted: return "not-formatted"
        case .unsortedRules: return "unsorted-rules"
        case .foreignSyntax: return "foreign-syntax"
        case .targetRefuses: return "target-refuses"
        case .foreignPin: return "foreign-pin"
        case .missingResource: return "missing-resource"
        case .ignoredByTarget: return "ignored-by-target"
        case .matchesNoHost: return "matches-no-host"
        case .doubtfulInTarget: return "doubtful-in-target"
        case .debugOnly: return "debug-only"
        case .userAnchors: return "user-anchors"
        case .overriddenPins: return "overridden-pins"
        case .localExpiration: return "local-expiration"
        case .permitsCleartext: return "permits-cleartext"
        case .permitsOldTls: return "permits-old-tls"
        case .switchedOff: return "switched-off"
        case .partlySwitchedOff: return "partly-switched-off"
        case .transparencyNotTaken: return "transparency-not-taken"
        case .onePin: return "one-pin"
        case .hostsWithoutAnchors: return "hosts-without-anchors"
        case .notLiteral: return "not-literal"
        case .secondList: return "second-list"
        case .dudPin: return "dud-pin"
        case .sha1Pin: return "sha1-pin"
        case .pinNeverMatches: return "pin-never-matches"
        case .pinsOnlyReported: return "pins-only-reported"
        case .verificationOff: return "verification-off"
        case .optionNotTaken: return "option-not-taken"
        case .readersDiffer: return "readers-differ"
        case .privateKey: return "private-key"
        case .noEffectOnTrust: return "no-effect-on-trust"
        case .configurationRefused: return "configuration-refused"
        case .certificatesMissing: return "certificates-missing"
        case .nothingVerified: return "nothing-verified"
        case .noNameChecked: return "no-name-checked"
        case .nameNotTaken: return "name-not-taken"
        case .demandNotTaken: return "demand-not-taken"
        case .hostsUnknown: return "hosts-unknown"
        case .sameHostsTwice: return "same-hosts-twice"
        case .permitsExpired: return "permits-expired"
        case .invalidReference: return "invalid-reference"
        case .clientsJudged: return "clients-judged"
        case .bundleRefresh: return "bundle-refresh"
        case .keyOfAnotherUse: return "key-of-another-use"
        case .provisionalField: return "provisional-field"
        case .sendsCleartext: return "sends-cleartext"
        case .storeUnreadable: return "store-unreadable"
        case .storeWithKey: return "store-with-key"
        case .storeLocked: return "store-locked"
        case .storePassword: return "store-password"
        case .storeNotChecked: return "store-not-checked"
        case .storeEntryLeftOut: return "store-entry-left-out"
        case .storeWithoutAnchors: return "store-without-anchors"
        case .certdataSyntax: return "certdata-syntax"
        case .certdataUnpaired: return "certdata-unpaired"
        case .certdataDistrustUnnamed: return "certdata-distrust-unnamed"
        case .certdataMisplacedDate: return "certdata-misplaced-date"
        case .certdataUnknown: return "certdata-unknown"
        case .certdataNotForServers: return "certdata-not-for-servers"
        case .chromeOpenType: return "chrome-open-type"
        case .unknownExportFormat: return "unknown-export-format"
        case .exportOption: return "export-option"
        case .exportPath: return "export-path"
        case .twoExportsOfOneFile: return "two-exports-of-one-file"
        }
    }

    /// The title, in lower case and without a full stop.
    package var title: String {
        switch self {
        case .syntaxError: return "the text is not YAML at this place"
        case .tabIndent: return "a tab stands where indentation is wanted"
        case .duplicateKey: return "a key stands twice in one map"
        case .unknownKey: return "a key that the language does not have"
        case .ambiguousScalar:
            return "a plain word that other YAML readers take for something else than text"
        case .aliasOrMerge: return "an alias, an anchor or a merge key"
        case .manyDocuments: return "a second document in one file"
        case .encoding:
            return "a byte order mark, a carriage return of its own, or bytes that are not UTF-8"
        case .explicitTag: return "a tag"
        case .hiddenText: return "a character that editors hide or that ends a line unseen"
        case .limits: return "a documented limit is passed"
        case .pathLeavesUnit: return "a path that leaves the unit"
        case .policyFileMisnamed: return "a file of the unit with a name that would be skipped"
        case .emptyValue: return "an empty value, list or map"
        case .yamlFeature: return "a part of YAML that the language leaves out"
        case .typographicQuotes: return "typographic quotes around a value"
        case .notExpanded: return "a mark of a shell or a template in a text"
        case .noVersion: return "the language version is missing or is not one this engine knows"
        case .wrongType: return "a map, list or text where another is wanted"
        case .unknownValue: return "a value outside those the field allows"
        case .duplicateId: return "one name is defined twice in a unit"
        case .danglingReference: return "a name that nothing defines"
        case .unusedDefinition: return "a named thing that nothing uses"
        case .missingKey: return "a required key is missing"
        case .badId: return "a name that is not an id, or a built-in one"
        case .extendsCycle:
            return "profiles or anchor sets that build on each other in a circle, or too deep"
        case .badHost: return "a host pattern that is neither a name nor an address"
        case .hostNotCanonical: return "a host pattern in another form than the canonical one"
        case .urlNotHost: return "a URL or a part of one where a host pattern is wanted"
        case .badWildcard: return "a wildcard that is not a whole leftmost label"
        case .publicSuffixWildcard: return "a wildcard over a public suffix"
        case .apexUncovered: return "a wildcard beside whose name something weaker holds"
        case .depthSurprise: return "a wildcard of one label beside a host that lies deeper"
        case .samePatternTwice: return "one pattern in two rules"
        case .shadowedRule: return "a rule that decides no host"
        case .redundantRule: return "a rule that could be deleted without a change for any host"
        case .weakerInside:
            return "a narrower pattern that demands less than the wildcard around it"
        case .ipLiteral: return "an address that only public CAs are trusted for"
        case .privateNamePublicRoots:
            return "a private name or address that public CAs are trusted for"
        case .weakDefault: return "a default that demands less than every rule"
        case .mixedScriptIdn:
            return "a name that mixes scripts, or looks like another of the policy"
        case .patternRepeated: return "one pattern twice in a rule"
        case .unreachablePattern: return "a pattern that decides no host"
        case .coveredPattern: return "a pattern that a wider one of the same rule covers"
        case .everyAddress: return "a network of every address"
        case .nearMissName: return "a name one letter from one used often"
        case .anchorUnreadable:
            return "a file that cannot be read, or does not hold what its field wants"
        case .anchorExpired: return "an anchor outside its dates"
        case .anchorExpiring: return "an anchor that ends soon"
        case .anchorKind: return "a certificate that is not of the kind its anchor set says"
        case .weakAnchor: return "an anchor with a key or a signature that proves nothing"
        case .duplicateAnchor: return "an anchor that its set names twice"
        case .privateKeyPresent: return "a private key among anchors or pins"
        case .nameConstraintsExclude: return "a host that no anchor of its rule may vouch for"
        case .loneAnchorEnding:
            return "a rule's only anchor that ends before its pins or exceptions"
        case .unmatchedEntry: return "an entry of `only` or `exclude` that matches no member"
        case .anchorDeadEnd: return "an anchor at which no path can end"
        case .anchorSetDeadEnd: return "a set of anchors at none of which a path can end"
        case .version1Root: return "a root of version 1, which cannot say that it is a CA"
        case .excludedStillReached:
            return "an excluded CA through which a path still reaches another anchor"
        case .issuanceBreach:
            return "a certificate of an anchor set that does not meet demands on its issuer"
        case .issuanceRefused:
            return "a certificate of an anchor set that the rule's demands on issuers refuse"
        case .leftOutByUse: return "a certificate that its file does not trust for servers"
        case .mootTerms: return "terms of a set that another set of the rule undoes"
        case .termsBesideSystem: return "terms of a set that the machine's store may undo"
        case .malformedPin: return "a digest that is not of the form its field takes"
        case .noBackupPin: return "a pin set whose backup is a key in service"
        case .duplicatePin: return "one key pinned twice in a set"
        case .pinNoEnd: return "a pin set without `enforce-until`"
        case .pinExpired: return "a pin set past its `enforce-until`"
        case .pinExpiring: return "a pin set whose `enforce-until` is near"
        case .pinAnchorConflict: return "pins that no path to the anchors can meet"
        case .leafOnlyPins: return "pins of end entities alone"
        case .placeholderPin: return "a digest that belongs to no key"
        case .pinOpenOnExpiry: return "pins that open by themselves"
        case .incomparableBackup: return "a backup that may be the key in service"
        case .loneKeyEnding: return "the only key in service, of a certificate about to end"
        case .warnFromLate: return "a warning that comes after the day it warns of"
        case .leafCertificatePin:
            return "a pinned certificate that a renewal replaces within months"
        case .forbiddenByDigest: return "a forbidden key that no file holds"
        case .voidPin: return "a pin that another entry of its set makes void"
        case .hardFailNoSource:
            return "evidence is demanded of a certificate that names no source of it"
        case .flagConflict: return "fields that contradict each other"
        case .hollowIdentity: return "an identity check on certificates that anyone can make"
        case .identityUnclear: return "names are listed but it is not said what they do"
        case .weakerThanProfile: return "a rule that demands less than its profile"
        case .mootWaiver: return "a waiver, or report-only, of a check that the rule lacks"
        case .ignoredLimits: return "an anchor whose limits are ignored"
        case .exceptionInForce: return "a waiver, or report-only, that is in force"
        case .listedOnWildcard: return "one certificate that stands for every host of a wildcard"
        case .unmeetableDemand: return "demands that nothing can meet together"
        case .idleScheme: return "a signature scheme that no allowed key can make"
        case .requireNothing: return "revocation evidence that is required and passes unseen"
        case .publicClientAuth: return "certificates for clients, asked of public CAs"
        case .ocspNotPublished: return "revocation only by OCSP, of issuers that publish none"
        case .logListStale: return "a log list that is too old"
        case .logListAgeing: return "a log list that will soon be too old"
        case .versionWithoutSuite:
            return "a list of suites without one of a version that is accepted"
        case .filtersBeyondLeaf: return "CRLite filters for certificates beyond the leaf"
        case .filtersOfPrivateAnchors: return "CRLite filters for private CAs"
        case .filtersWithoutTimestamps: return "CRLite filters without a demand for timestamps"
        case .noOwner: return "a rule that nobody owns"
        case .noReason: return "a waiver without its reason or owner"
        case .exceptionEnded: return "a waiver, or report-only, past its last day"
        case .exceptionOpenEnded: return "a waiver, or report-only, without its last day"
        case .exceptionTooLong: return "a waiver, or report-only, that lasts for more than 180 days"
        case .farDate: return "a date more than 50 years away"
        case .allowanceEnded: return "an allowance past its last day"
        case .allowanceTooLong: return "an allowance that lasts for more than 180 days"
        case .allowanceUnused: return "an allowance that no change needs"
        case .unusedSuppression: return "an ignore comment that hides nothing"
        case .bareSuppression: return "an ignore comment without its code, its reason or its date"
        case .suppressionEnded: return "an ignore comment past its date"
        case .unknownCode: return "an ignore comment with a code that does not exist"
        case .notSuppressible: return "an ignore comment for something that cannot be hidden"
        case .untestedRule: return "a rule that no case of the tests asks"
        case .emptyTest: return "a test that cannot test what it says"
        case .weakerThanBase: return "hosts that accept what they refused before the change"
        case .staleAssertion: return "an assertion that is about nothing"
        case .refutedAssertion: return "an assertion that does not hold"
        case .notFormatted: return "a file that is not in canonical layout"
        case .unsortedRules: return "rules that stand in another order than they decide"
        case .foreignSyntax: return "the file of another system cannot be read"
        case .targetRefuses: return "the target system refuses the file"
        case .foreignPin: return "a pin that is not a SHA-256 digest"
        case .missingResource: return "the certificates of a resource are missing"
        case .ignoredByTarget: return "a part of the file that the target system ignores"
        case .matchesNoHost: return "an entry that matches no host"
        case .doubtfulInTarget: return "a value whose effect is not documented"
        case .debugOnly: return "a part that only debuggable apps read"
        case .userAnchors: return "CAs that the device's user adds are trusted"
        case .overriddenPins: return "anchors for which the pins do not hold"
        case .localExpiration: return "pins that end at midnight on the device"
        case .permitsCleartext: return "cleartext is permitted"
        case .permitsOldTls: return "TLS below 1.2 is permitted"
        case .switchedOff: return "App Transport Security is switched off"
        case .partlySwitchedOff: return "App Transport Security is off for some loads"
        case .transparencyNotTaken:
            return "a demand for certificate transparency is not in the policy"
        case .onePin: return "a list of pins without a spare key"
        case .hostsWithoutAnchors: return "hosts for which nobody is trusted"
        case .notLiteral: return "a part of the source that is not a literal"
        case .secondList: return "a second list of pins in one file"
        case .dudPin: return "a pin that no key has"
        case .sha1Pin: return "a pin by SHA-1"
        case .pinNeverMatches: return "a pin that never matches"
        case .pinsOnlyReported: return "pins that are reported and not enforced"
        case .verificationOff: return "verification is switched off"
        case .optionNotTaken: return "an option that the policy does not have"
        case .readersDiffer: return "a list that its readers take differently"
        case .privateKey: return "a private key in the file"
        case .noEffectOnTrust: return "an option without effect on trust"
        case .configurationRefused: return "the target system refuses the configuration"
        case .certificatesMissing: return "CA certificates that the file does not hold"
        case .nothingVerified: return "any certificate is accepted"
        case .noNameChecked: return "the name of the server is not checked"
        case .nameNotTaken: return "a rule for names that a policy cannot state"
        case .demandNotTaken: return "a demand of the file that the policy does not have"
        case .hostsUnknown: return "hosts that the file does not name"
        case .sameHostsTwice: return "two entries for the same hosts"
        case .permitsExpired: return "expired certificates are accepted"
        case .invalidReference: return "a reference to CA certificates that is invalid"
        case .clientsJudged: return "a context that judges clients"
        case .bundleRefresh: return "a bundle that is due for renewal"
        case .keyOfAnotherUse: return "a key that is not an anchor of TLS"
        case .provisionalField: return "a field that is only proposed"
        case .sendsCleartext: return "a cluster without TLS"
        case .storeUnreadable: return "a trust store that cannot be read"
        case .storeWithKey: return "a store with a private or secret key"
        case .storeLocked: return "a store whose certificates are encrypted"
        case .storePassword: return "a password that does not fit the store"
        case .storeNotChecked: return "a store whose digest is not checked"
        case .storeEntryLeftOut: return "an entry of a trust store that is left out"
        case .storeWithoutAnchors: return "a store without a trusted certificate"
        case .certdataSyntax: return "a certdata.txt that cannot be read"
        case .certdataUnpaired: return "records of certdata.txt that do not find each other"
        case .certdataDistrustUnnamed: return "a distrusted certificate that the policy cannot name"
        case .certdataMisplacedDate: return "a distrust date in the wrong record"
        case .certdataUnknown: return "a part of certdata.txt that this version does not know"
        case .certdataNotForServers: return "certificates of certdata.txt that are not for servers"
        case .chromeOpenType: return "an entry of Chrome's list that permits every name of a type"
        case .unknownExportFormat: return "`to` names no format that is exported"
        case .exportOption: return "an option that the format of the export does not take"
        case .exportPath: return "a path that is not exported to"
        case .twoExportsOfOneFile: return "two exports write one file"
        }
    }
}
