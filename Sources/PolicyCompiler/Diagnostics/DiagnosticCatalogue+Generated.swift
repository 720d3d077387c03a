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
    /// A policy file with a name that would be skipped.
    case policyFileMisnamed = "HW013"
    /// An empty value, list or map.
    case emptyValue = "HW014"
    /// A part of YAML that the language leaves out.
    case yamlFeature = "HW015"
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
    /// A part of the language that this version does not build yet.
    case notSupportedYet = "HW109"
    /// A name that is not an id, or a built-in one.
    case badId = "HW110"
    /// Profiles that extend each other in a circle, or too deep.
    case extendsCycle = "HW111"
    /// A host pattern that is no name or address.
    case badHost = "HW201"
    /// A host pattern in another form than the canonical one.
    case hostNotCanonical = "HW202"
    /// A URL or a part of one where a host pattern is wanted.
    case urlNotHost = "HW203"
    /// A wildcard that is not a whole leftmost label.
    case badWildcard = "HW204"
    /// One pattern in two rules.
    case samePatternTwice = "HW208"
    /// One pattern twice in a rule.
    case patternRepeated = "HW216"
    /// A file that cannot be read, or holds no certificate.
    case anchorUnreadable = "HW301"
    /// A certificate that is not of the kind its anchor set says.
    case anchorKind = "HW304"
    /// A private key among anchors or pins.
    case privateKeyPresent = "HW307"
    /// A digest that is not of the form its field takes.
    case malformedPin = "HW401"
    /// A pin set whose backup is a key in service.
    case noBackupPin = "HW402"
    /// One key pinned twice in a set.
    case duplicatePin = "HW403"
    /// Fields that contradict each other.
    case flagConflict = "HW507"
    /// An identity check on certificates that anyone can make.
    case hollowIdentity = "HW508"
    /// Names are listed but it is not said what they do.
    case identityUnclear = "HW509"
    /// A waiver of a check that the rule lacks.
    case mootWaiver = "HW511"
    /// A waiver without its reason or owner.
    case noReason = "HW602"
    /// A waiver without its last day.
    case exceptionOpenEnded = "HW604"

    /// The severity of every diagnostic with this code.
    package var severity: Diagnostic.Severity {
        switch self {
        case .unusedDefinition, .hostNotCanonical, .patternRepeated, .duplicatePin:
            return .warning
        default:
            return .error
        }
    }
}
