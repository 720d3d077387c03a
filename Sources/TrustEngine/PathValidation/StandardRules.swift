/// Judges one certificate in its role on a path by the demands of a standard (see
/// `StandardDemand`).
///
/// Path validation (RFC 5280 section 6) demands less than section 4 demands of CAs. Judged here are
/// the demands that section 4 states as MUST and that real certificates meet. *Deviations*, all
/// more lenient, are in `Deviations.md`. A pure function of the certificate, its role and its
/// issuer.
package struct StandardRules {
    /// The role of a certificate on a path.
    package enum Role: Hashable, Sendable {
        case endEntity, intermediate, anchor
    }

    /// A demand that is not met, and the value that was found instead: raw text, empty where the
    /// value is absent.
    package struct Flaw: Hashable, Sendable {
        package let demand: StandardDemand
        package let found: String

        fileprivate init(_ demand: StandardDemand, found: String) {
            self.demand = demand
            self.found = found
        }

        /// The flaw of a certificate that alone does not meet a demand.
        fileprivate init(_ demand: StandardDemand, of certificate: Certificate) {
            self.init(demand, found: StandardRules.found(demand, certificate))
        }
    }

    private let certificate: Certificate
    private let role: Role
    private let standard: Standard
    /// Whether name constraints in this certificate bind.
    private let constraintsBind: Bool
    private var flaws: [Flaw] = []

    private var extensions: CertificateExtensions {
        @inline(__always) get { certificate.layout.extensions }
    }

    /// The facts that the demands need about the certificates before and after a certificate on its
    /// path.
    package struct Neighbours: Sendable, BitwiseCopyable {
        /// Whether the next certificate of the path, the issuer, has a subjectKeyIdentifier.
        package let issuerHasKeyIdentifier: Bool
        /// Whether the certificate before, which was issued, has a keyIdentifier in its
        /// authorityKeyIdentifier.
        package let issuedHasKeyIdentifier: Bool

        /// The neighbours of a certificate; nil where it has none.
        package init(issuer: Certificate?, issued: Certificate?) {
            issuerHasKeyIdentifier =
                issuer.map { !$0.layout.extensions.subjectKeyIdentifier.isEmpty } ?? false
            issuedHasKeyIdentifier =
                issued.map { !$0.layout.extensions.authorityKeyIdentifier.isEmpty } ?? false
        }

        /// The neighbours of the certificate at a position of a path. No certificate is copied.
        init(of position: Int, on path: CandidatePath, in pool: CertificatePool) {
            issuerHasKeyIdentifier =
                position + 1 < path.count
                && !path.certificate(at: position + 1, in: pool).layout.extensions
                    .subjectKeyIdentifier.isEmpty
            issuedHasKeyIdentifier =
                position > 0
                && !path.certificate(at: position - 1, in: pool).layout.extensions
                    .authorityKeyIdentifier.isEmpty
        }
    }

    /// The demands that a certificate does not meet; nil where the budget does not allow the work.
    /// Cost: one unit for every 128 octets of an end entity's names, the same again for each common
    /// name, and one unit for each wildcard among the names.
    package static func flaws(
        of certificate: Certificate, at role: Role, neighbours: Neighbours,
        standard: Standard, constraintsBind: Bool, budget: inout WorkBudget
    ) -> [Flaw]? {
        var rules = StandardRules(certificate, role, standard, constraintsBind)
        forEachLasting(certificate, at: role) { rules.add($0) }
        rules.judgeProfile(neighbours)
        rules.judgeConstraints(&budget)
        if role == .endEntity {
            rules.judgeNames(&budget)
            if standard == .webPKI { rules.judgeServer(&budget) }
        } else if standard == .webPKI {
            rules.judgeAuthority()
        }
        return budget.isExhausted ? nil : rules.flaws
    }

    /// The demands that a certificate does not meet where no standard judges it, because it is
    /// trusted as itself: every critical extension is one that evaluation acts on, and, a demand of
    /// issuance, no list is empty.
    package static func flaws(ofCertificateAlone certificate: Certificate) -> [Flaw] {
        var flaws: [Flaw] = []
        forEachLasting(certificate, at: .anchor) { demand in
            if demand.isUnprocessedExtension || demand == .sequenceEmpty {
                flaws.append(Flaw(demand, of: certificate))
            }
        }
        return flaws
    }

    /// Calls `body` with each demand of both standards that the certificate alone does not meet.
    /// The certificate does not meet it on any path, whatever stands beside it. The serial number
    /// of an anchor is not judged: its certificate carries a name and a key, and a root in use has
    /// the number 0.
    package static func forEachLasting(
        _ certificate: Certificate, at role: Role, _ body: (StandardDemand) -> Void
    ) {
        let extensions = certificate.layout.extensions
        let critical = extensions.critical
        if role != .anchor, let problem = serialProblem(certificate) { body(problem) }
        if critical.contains(.authorityKeyIdentifier) { body(.authorityKeyIdentifierCritical) }
        if critical.contains(.subjectKeyIdentifier) { body(.subjectKeyIdentifierCritical) }
        if critical.contains(.authorityInfoAccess) { body(.authorityInfoAccessCritical) }
        if extensions.isCA || (role == .anchor && certificate.isRootOfVersion1) {
            if isEmpty(certificate.layout.subject, certificate) { body(.subjectEmpty) }
        } else if extensions.present.contains(.nameConstraints) {
            body(.nameConstraintsWithoutCA)
        }
        if hasKeyUsageBeyondSignatures(certificate) { body(.mldsaKeyUsage) }
        var hasEmptyList = false
        forEachEmptyList(extensions) { _ in hasEmptyList = true }
        if hasEmptyList { body(.sequenceEmpty) }
        // RFC 3280 left this choice to the CA, and certificates that assert certificate policies
        // are issued so: there the constraint binds whether it is critical or not. Where the
        // certificate asserts no certificate policies, a constraint that is not critical is a flaw:
        // somebody meant it to be ignored.
        let uncritical = extensions.present.subtracting(critical)
        guard extensions.certificatePolicies.isEmpty else { return }
        if uncritical.contains(.policyConstraints) { body(.policyConstraintsNotCritical) }
        if uncritical.contains(.inhibitAnyPolicy) { body(.inhibitAnyPolicyNotCritical) }
    }

    private init(
        _ certificate: Certificate, _ role: Role, _ standard: Standard, _ constraintsBind: Bool
    ) {
        self.certificate = certificate
        self.role = role
        self.standard = standard
        self.constraintsBind = constraintsBind
    }

    private mutating func add(_ demand: StandardDemand, found: String? = nil) {
        flaws.append(
            found.map { Flaw(demand, found: $0) } ?? Flaw(demand, of: certificate))
    }

    // MARK: RFC 5280

    private mutating func judgeProfile(_ neighbours: Neighbours) {
        let uncritical = extensions.present.subtracting(extensions.critical)
        if Self.isEmpty(certificate.layout.issuer, certificate) { add(.issuerEmpty) }
        judgeKeyIdentifiers(neighbours)
        if role == .anchor, certificate.isRootOfVersion1 { add(.rootOfVersion1) }
        // A certificate that issued another and is not a CA is refused for that reason anyway.
        if role == .endEntity, !extensions.isCA,
            extensions.keyUsage & KeyUsageBit.keyCertSign != 0
        {
            add(.certSignWithoutCA)
        }
        // Section 6.1.4(k) allows this in an intermediate, and certificates in use need it.
        if extensions.isCA, uncritical.contains(.basicConstraints),
            role == .anchor || standard == .webPKI
        {
            add(.basicConstraintsNotCritical)
        }
        if standard == .rfc5280, constraintsBind, extensions.isCA,
            uncritical.contains(.nameConstraints)
        {
            add(.nameConstraintsNotCritical)
        }
    }

    /// Judges the form of name constraints. They bind whatever their form is.
    private mutating func judgeConstraints(_ budget: inout WorkBudget) {
        guard constraintsBind, extensions.present.contains(.nameConstraints),
            let name = NameConstraints.nameWithLeadingDot(of: certificate, budget: &budget)
        else { return }
        add(.nameConstraintLeadingDot, found: name)
    }

    /// Judges key identifiers by sections 4.2.1.1 and 4.2.1.2. *Deviation*, more lenient: where
    /// neither the issuer nor the issued certificate has a key identifier none is demanded, because
    /// names and the signature bind the two.
    private mutating func judgeKeyIdentifiers(_ neighbours: Neighbours) {
        let isUsed =
            neighbours.issuerHasKeyIdentifier || extensions.present.contains(.subjectKeyIdentifier)
        if isUsed, extensions.authorityKeyIdentifier.isEmpty, !certificate.isSelfIssued {
            add(.authorityKeyIdentifierMissing)
        }
        if neighbours.issuedHasKeyIdentifier, extensions.subjectKeyIdentifier.isEmpty {
            add(.subjectKeyIdentifierMissing)
        }
    }

    // MARK: Names of an end entity

    private mutating func judgeNames(_ budget: inout WorkBudget) {
        let subjectIsEmpty = Self.isEmpty(certificate.layout.subject, certificate)
        if subjectIsEmpty, !extensions.critical.contains(.subjectAltName) {
            add(.subjectAltNameNotCritical)
        }
        if standard == .webPKI, !subjectIsEmpty, extensions.critical.contains(.subjectAltName) {
            add(.subjectAltNameCritical)
        }
        guard budget.spend(costOfNames), !extensions.presentsPlainHosts else { return }
        let der = certificate.der
        let bytes = der.span
        var seen: Set<StandardDemand> = []
        var reader = GeneralNameReader(extensions.subjectAltName)
        while !budget.isExhausted, let name = try? reader.next(in: bytes) {
            if let demand = problem(name, bytes, &budget), seen.insert(demand).inserted {
                add(demand, found: ServiceIdentity.text(of: name, in: bytes))
            }
            if standard == .webPKI, name.kind != .dns, name.kind != .ip,
                seen.insert(.subjectAltNameForm).inserted
            {
                add(.subjectAltNameForm, found: ServiceIdentity.text(of: name, in: bytes))
            }
        }
    }

    /// The demand that one presented name does not meet; nil when it meets all.
    private func problem(
        _ name: GeneralName, _ bytes: Span<UInt8>, _ budget: inout WorkBudget
    ) -> StandardDemand? {
        guard name.kind == .dns else {
            return Self.isOfItsForm(name, bytes) ? nil : .subjectAltNameSyntax
        }
        let content = bytes.extracting(name.content.indices)
        if standard == .webPKI, content.count > 0, content[0] == UInt8(ascii: "*"),
            let presented = DNSName.presented(content), presented.isWildcard, budget.spend(1),
            PublicSuffixes.isSpanned(byWildcardOver: content.extracting(presented.base))
        {
            return .wildcardOverPublicSuffix
        }
        return DNSName.isInPreferredSyntax(content) ? nil : .dnsNameSyntax
    }

    /// Whether an address, mailbox or URI is well-formed. No other form has a syntax of its own
    /// here. A valid mailbox or URI that is never compared is still valid: a quoted local part, an
    /// address literal (RFC 2821 section 4.1.2), a later version of IP (RFC 3986 section 3.2.2).
    private static func isOfItsForm(_ name: GeneralName, _ bytes: Span<UInt8>) -> Bool {
        let content = bytes.extracting(name.content.indices)
        switch name.kind {
        case .ip: return IPAddress(bytes: content) != nil
        case .email: return isMailbox(content)
        case .uri: return (try? URIText(content)) != nil || hasLaterAddress(content)
        case .dns, .otherName, .x400Address, .directory, .ediPartyName, .registeredID: return true
        }
    }

    /// Whether printable ASCII has an `@` with something before and behind it.
    private static func isMailbox(_ text: Span<UInt8>) -> Bool {
        var separator: Int?
        for index in text.indices {
            guard (0x20...0x7E).contains(text[index]) else { return false }
            if text[index] == UInt8(ascii: "@") { separator = index }
        }
        guard let separator else { return false }
        return separator > 0 && separator + 1 < text.count
    }

    /// Whether a URI has an IP literal of a later version: `://[v`.
    private static func hasLaterAddress(_ text: Span<UInt8>) -> Bool {
        let mark: [UInt8] = Array("://[v".utf8)
        guard text.count > mark.count else { return false }
        for start in 0...text.count - mark.count
        where text.extracting(start..<start + mark.count).octetsEqual(mark) {
            return true
        }
        return false
    }

    /// Cost units of one walk over the presented names.
    private var costOfNames: Int { Int(extensions.subjectAltName.count) / 128 }

    // MARK: Baseline Requirements

    /// Judges the key by BR sections 6.1.5 and 7.1.3.1. *Deviation*: key types and sizes are the
    /// policy's to say (`keys`). The baseline of policies has BR's sizes and also allows Ed25519,
    /// Ed448 and ML-DSA.
    private mutating func judgeKey() {
        let key = certificate.layout.publicKey
        if key.type == .dsa { add(.keyOutsideStandard, found: KeyType.dsa.name) }
        if case .rsaPSS = key.material { add(.keyOutsideStandard, found: "RSASSA-PSS") }
        if key.type == .rsa, key.bits % 8 != 0 { add(.rsaSizeNotWholeOctets, found: "\(key.bits)") }
    }

    private mutating func judgeServer(_ budget: inout WorkBudget) {
        let layout = certificate.layout
        judgeKey()
        if layout.version != 3 { add(.versionNot3, found: "\(layout.version)") }
        if layout.hasUniqueIdentifiers { add(.uniqueIdentifierPresent) }
        if !extensions.present.contains(.subjectAltName) { add(.subjectAltNameMissing) }
        if extensions.isCA { add(.endEntityIsCA) }
        if extensions.critical.contains(.extendedKeyUsage) { add(.extendedKeyUsageCritical) }
        if extensions.authorityKeyNamesIssuer { add(.authorityKeyIdentifierForm) }
        let strays = Self.strayPurposes.filter { certificate.names(purpose: $0) }
        if let stray = strays.first {
            add(.purposeBesideServer, found: ObjectIdentifier.purposeName(stray.span))
        }
        judgeCommonNames(&budget)
    }

    /// Judges common names by BR section 7.1.4.3: a common name is a copy of a dNSName, character
    /// for character, or an address in its canonical text. *Deviation*, more lenient: a common name
    /// is judged only where a name is presented that it could copy, so not when only addresses and
    /// wildcards are presented. No name is ever matched with a common name.
    private mutating func judgeCommonNames(_ budget: inout WorkBudget) {
        guard extensions.present.contains(.subjectAltName) else { return }
        let der = certificate.der
        let bytes = der.span
        var attributes = DistinguishedName.AttributeReader(certificate.layout.subject, in: bytes)
        while let attribute = attributes.next(in: bytes) {
            guard attribute.isOf(ObjectIdentifier.commonName, in: bytes) else { continue }
            guard budget.spend(costOfNames) else { return }
            let text = AttributeText.string(of: attribute.value, in: bytes) ?? "(no text)"
            guard presents(Array(text.utf8)) else {
                add(
                    .commonNameNotPresented,
                    found: text.count > 256 ? text.prefix(256) + "…" : text)
                return
            }
        }
    }

    private func presents(_ commonName: [UInt8]) -> Bool {
        let bytes = certificate.der.span
        var hasPlainName = false
        var reader = GeneralNameReader(extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
            let content = bytes.extracting(name.content.indices)
            switch name.kind {
            case .dns:
                if content.octetsEqual(commonName) { return true }
                if DNSName.problem(content) == nil { hasPlainName = true }
            case .ip:
                guard let address = IPAddress(bytes: content) else { continue }
                if Array(address.description.utf8) == commonName { return true }
            default: continue
            }
        }
        return !hasPlainName && DNSName.problem(commonName.span) == nil
    }

    /// Judges a root by its profile. *Deviation*, more lenient: BR 2.0's demands on intermediates
    /// are not made, because intermediates in use are older.
    private mutating func judgeAuthority() {
        judgeKey()
        if extensions.isCA, !extensions.present.contains(.keyUsage) { add(.keyUsageOfCAMissing) }
        guard role == .anchor, certificate.isSelfIssued else { return }
        if extensions.present.contains(.extendedKeyUsage) { add(.extendedKeyUsageOfRoot) }
        guard extensions.present.contains(.authorityKeyIdentifier) else { return }
        if extensions.authorityKeyNamesIssuer { add(.authorityKeyIdentifierForm) }
        let der = certificate.der
        let bytes = der.span
        let authority = bytes.extracting(extensions.authorityKeyIdentifier.indices)
        if authority.isEmpty
            || !authority.octetsEqual(bytes.extracting(extensions.subjectKeyIdentifier.indices))
        {
            add(.authorityKeyIdentifierOfRoot)
        }
    }

    /// The purposes that an end entity must not have (BR section 7.1.2.7.10).
    private static let strayPurposes = [
        ObjectIdentifier.anyExtendedKeyUsage, ObjectIdentifier.codeSigning,
        ObjectIdentifier.emailProtection, ObjectIdentifier.timeStamping,
        ObjectIdentifier.ocspSigning,
    ]

    // MARK: Reading

    /// Octets of the longest serial number.
    private static let maximumSerialLength = 20

    /// Judges the serial number by section 4.1.2.2. *Deviation*, more lenient: a leading zero octet
    /// that only keeps the number positive does not count; some CAs read the limit so.
    private static func serialProblem(_ certificate: Certificate) -> StandardDemand? {
        let serial = certificate.layout.serial
        let first = certificate.der[Int(serial.start)]
        if first >= 0x80 || (first == 0 && serial.count == 1) { return .serialNotPositive }
        return Int(serial.count) - (first == 0 ? 1 : 0) > maximumSerialLength
            ? .serialTooLong : nil
    }

    /// Judges the key usage of an ML-DSA key by RFC 9881 section 5: where the extension is present,
    /// it has a bit of signatures and no other bit. A keyUsage without any bit is not read at all.
    private static func hasKeyUsageBeyondSignatures(_ certificate: Certificate) -> Bool {
        certificate.layout.publicKey.isMLDSA
            && certificate.layout.extensions.keyUsage & ~KeyUsageBit.ofSignatures != 0
    }

    /// Calls `body` with the name of each extension whose list is empty. Only the extensions are
    /// asked whose empty list the parser reads.
    private static func forEachEmptyList(
        _ extensions: CertificateExtensions, _ body: (StaticString) -> Void
    ) {
        func ask(_ member: ExtensionSet, _ list: ByteRange, _ name: StaticString) {
            if extensions.present.contains(member), list.isEmpty { body(name) }
        }
        ask(.authorityInfoAccess, extensions.authorityInfoAccess, "authorityInfoAccess")
        ask(.certificatePolicies, extensions.certificatePolicies, "certificatePolicies")
        ask(.extendedKeyUsage, extensions.extendedKeyUsage, "extKeyUsage")
        ask(.subjectAltName, extensions.subjectAltName, "subjectAltName")
        ask(.tlsFeatures, extensions.tlsFeatures, "tlsFeature")
    }

    private static func isEmpty(_ name: ByteRange, _ certificate: Certificate) -> Bool {
        DistinguishedName.isEmpty(certificate.der.span.extracting(name.indices))
    }

    /// The text that is shown for a demand that a certificate alone does not meet.
    private static func found(_ demand: StandardDemand, _ certificate: Certificate) -> String {
        switch demand {
        case .serialNotPositive, .serialTooLong:
            let octets = certificate.serialBytes
            return Hexadecimal.encode(Array(octets.prefix(24))) + (octets.count > 24 ? "…" : "")
        case .sequenceEmpty:
            var names: [String] = []
            forEachEmptyList(certificate.layout.extensions) { names.append($0.description) }
            return names.joined(separator: ", ")
        case .mldsaKeyUsage:
            let usage = certificate.layout.extensions.keyUsage
            return KeyUsageBit.ofEncryption.filter { usage & $0.bit != 0 }.map(\.name)
                .joined(separator: ", ")
        default: return ""
        }
    }
}

extension StandardDemand {
    /// Whether the demand keeps an extension from being critical that evaluation does not act on.
    package var isUnprocessedExtension: Bool {
        self == .authorityKeyIdentifierCritical || self == .subjectKeyIdentifierCritical
            || self == .authorityInfoAccessCritical
    }
}
