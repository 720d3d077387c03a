/// A name that the certificate should present (RFC 9525 section 2: reference identifier).
package enum ReferenceIdentifier: Hashable, Sendable {
    /// A DNS name in canonical form: ASCII lower case, no dot at its end.
    case dns(String)
    /// An address.
    case ip(IPAddress)
    /// A mailbox. The local part is as written, the domain in lower case.
    case email(String)
    /// A URI pattern of LANGUAGE section 11, such as `spiffe://mesh.example/ns/pay/*`.
    case uri(String)

    /// The identifier of a request's host.
    package init(_ host: CanonicalHost) {
        switch host {
        case .name(let name): self = .dns(name)
        case .address(let address): self = .ip(address)
        }
    }

    /// The identifier as text, for verdicts.
    package var text: String {
        switch self {
        case .dns(let text), .email(let text), .uri(let text): return text
        case .ip(let address): return address.description
        }
    }

    /// Whether the identifier is a `spiffe://` pattern, which an X509-SVID alone meets (LANGUAGE
    /// section 7). The scheme of a pattern in a table is in lower case.
    package var isOfSPIFFE: Bool {
        guard case .uri(let text) = self else { return false }
        return text.hasPrefix("spiffe://")
    }

    /// The URI pattern; nil where the text is not a pattern. Policies hold no such text.
    fileprivate var pattern: URIPattern? {
        guard case .uri(let text) = self else { return nil }
        return try? URIPattern(text)
    }
}

/// Service identity (RFC 9525): whether a certificate presents a name that is wanted.
///
/// Only the subjectAltName counts, never the common name (section 6.1 and appendix A). A wildcard
/// is the whole leftmost label and stands for exactly one label (section 6.3). An address matches
/// only an iPAddress, octet by octet (section 6.5). A malformed presented identifier matches
/// nothing. A name with an underscore, which is not in the preferred syntax, matches exactly the
/// host that it spells, and never behind a wildcard.
///
/// *Deviation*, stricter: a wildcard needs two labels after it, because a single label is a public
/// suffix (section 7.1 leaves this to implementations; CA/Browser Forum BR 3.2.2.6 forbids it).
package enum ServiceIdentity {
    /// The first presented identifier that matches; nil when none matches, and when the budget does
    /// not allow the walk. Cost: one unit, and one unit for each 512 octets of the extension.
    package static func match(
        _ reference: ReferenceIdentifier, in certificate: Certificate, budget: inout WorkBudget
    ) -> GeneralName? {
        let names = certificate.layout.extensions.subjectAltName
        guard budget.spend(1 + Int(names.count) / 512) else { return nil }
        switch reference {
        case .dns(let text): return first(matchingDNS: text.utf8.span, in: certificate)
        case .email(let text), .uri(let text):
            return first(matching: reference, text.utf8.span, in: certificate)
        case .ip(let address):
            let octets = address.bytes
            return first(matching: reference, octets.span, in: certificate)
        }
    }

    /// The first dNSName that matches a canonical name. A name is compared where its length fits:
    /// it is as long as the wanted one, or stands behind a wildcard for all but the first label.
    private static func first(
        matchingDNS wanted: Span<UInt8>, in certificate: Certificate
    ) -> GeneralName? {
        let der = certificate.der
        let bytes = der.span
        let firstLabelEnd = firstLabelEnd(of: wanted)
        let count = wanted.count
        let wildcardCount = count &- firstLabelEnd &+ 1
        // Names of one length differ in their first octets more often than not. These are compared
        // first, unless a wildcard may have the length too.
        let comparesStart = count >= 8 && wildcardCount != count
        let start = comparesStart ? wanted.number64(at: 0) : 0
        var reader = DERReader(certificate.layout.extensions.subjectAltName)
        while !reader.isAtEnd, let element = try? reader.next(in: bytes) {
            if element.count == count {
                // What differs in more than the case of letters is another name.
                guard
                    !comparesStart
                        || (bytes.number64(at: element.contentStart) ^ start)
                            & ~OctetWord.caseBits == 0
                else { continue }
            } else if element.count != wildcardCount {
                continue
            }
            guard element.tag == GeneralNameReader.dnsName,
                matchesDNS(
                    bytes.extracting(element.contentStart..<element.end), wanted,
                    firstLabelEnd: firstLabelEnd)
            else { continue }
            return GeneralName(kind: .dns, content: element.content)
        }
        return nil
    }

    /// The first presented identifier that matches. `wanted` are the octets that are compared: the
    /// octets of the text, or of the address in network order. A DNS name has its own walk.
    private static func first(
        matching reference: ReferenceIdentifier, _ wanted: Span<UInt8>, in certificate: Certificate
    ) -> GeneralName? {
        let bytes = certificate.der.span
        let pattern = reference.pattern
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
            let content = bytes.extracting(name.content.indices)
            let isMatch: Bool
            switch (reference, name.kind) {
            case (.ip, .ip): isMatch = content.octetsEqual(wanted)
            case (.email, .email): isMatch = matchesMailbox(content, wanted)
            case (.uri, .uri):
                guard let pattern else { return nil }
                isMatch = pattern.mismatch(content) == nil
            default: isMatch = false
            }
            if isMatch { return name }
        }
        return nil
    }

    /// The identifiers that a certificate presents, in its order, for a violation: at most `limit`,
    /// then a text that says how many more there are. `kind` limits them to one form of name. Raw
    /// text: renderers escape it.
    package static func presentedNames(
        of certificate: Certificate, only kind: GeneralName.Kind? = nil, limit: Int = 16
    ) -> [String] {
        let bytes = certificate.der.span
        var names: [String] = []
        var more = 0
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
            if let kind, name.kind != kind { continue }
            if names.count < limit {
                names.append(text(of: name, in: bytes))
            } else {
                more += 1
            }
        }
        return more == 0 ? names : names + ["and \(more) more"]
    }

    /// A general name as raw text, at most 256 octets of it.
    package static func text(of name: GeneralName, in bytes: Span<UInt8>) -> String {
        let content = bytes.extracting(name.content.indices)
        switch name.kind {
        case .dns, .email, .uri:
            let shown = bytes.copied(
                ByteRange(start: Int(name.content.start), count: min(256, content.count)))
            return String(decoding: shown, as: UTF8.self) + (content.count > 256 ? "…" : "")
        case .ip:
            return IPAddress(bytes: content)?.description
                ?? "an iPAddress of \(content.count) octets"
        case .directory:
            return DistinguishedName.text(content)
        case .registeredID:
            return ObjectIdentifier.text(of: content)
        case .otherName, .x400Address, .ediPartyName:
            return name.kind.name
        }
    }

    // MARK: - One name each

    /// Where the first label of a name ends: at its first dot, or at its end.
    private static func firstLabelEnd(of name: Span<UInt8>) -> Int {
        var end = 0
        while end < name.count, name[end] != UInt8(ascii: ".") { end += 1 }
        return end
    }

    /// Compares DNS names by section 6.3. `wanted` is canonical; its first label ends at
    /// `firstLabelEnd`. The octets are compared first, as most names of a certificate differ in
    /// their length already.
    private static func matchesDNS(
        _ presented: Span<UInt8>, _ wanted: Span<UInt8>, firstLabelEnd: Int
    ) -> Bool {
        guard presented.count > 2, presented[0] == UInt8(ascii: "*") else {
            return DNSName.foldedEqual(presented, wanted)
                && DNSName.presented(presented)?.isWildcard == false
        }
        guard firstLabelEnd > 0, firstLabelEnd < wanted.count,
            DNSName.foldedEqual(
                presented.extracting(1..<presented.count),
                wanted.extracting(firstLabelEnd..<wanted.count)),
            let (isWildcard, base) = DNSName.presented(presented), isWildcard
        else { return false }
        let suffix = presented.extracting(base)
        return contains(suffix, UInt8(ascii: ".")) && !contains(suffix, UInt8(ascii: "_"))
    }

    /// Compares mailboxes by RFC 5280 section 7.5: the local part exactly, the domain in lower
    /// case.
    private static func matchesMailbox(_ presented: Span<UInt8>, _ wanted: Span<UInt8>) -> Bool {
        guard presented.count == wanted.count, let at = Mailbox.separator(presented),
            Mailbox.separator(wanted) == at
        else { return false }
        return presented.extracting(0..<at).octetsEqual(wanted.extracting(0..<at))
            && DNSName.foldedEqual(
                presented.extracting(at..<presented.count), wanted.extracting(at..<wanted.count))
    }

    private static func contains(_ bytes: Span<UInt8>, _ octet: UInt8) -> Bool {
        for index in bytes.indices where bytes[index] == octet { return true }
        return false
    }
}
