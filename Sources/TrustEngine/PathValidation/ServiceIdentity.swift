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

    /// The URI pattern; nil where the text is not a pattern. Policies hold no such text.
    fileprivate var pattern: URIPattern? {
        guard case .uri(let text) = self else { return nil }
        return try? URIPattern(text)
    }

    /// The octets that are compared: the octets of the text, or of the address in network order.
    fileprivate var octets: [UInt8] {
        switch self {
        case .dns(let text), .email(let text), .uri(let text): return Array(text.utf8)
        case .ip(let address): return address.bytes
        }
    }
}

/// Service identity (RFC 9525): whether a certificate presents a name that is wanted.
///
/// Only the subjectAltName counts, never the common name (section 6.1 and appendix A). A wildcard
/// is the whole leftmost label and stands for exactly one label (section 6.3). An address matches
/// only an iPAddress, octet by octet (section 6.5). A malformed presented identifier matches
/// nothing. A name with an underscore, which is not in the preferred syntax, matches exactly the
/// host that it spells, and no wildcard stands before one.
///
/// *Deviation*, stricter: a wildcard needs two labels after it, because a single label is a public
/// suffix (section 7.1 leaves this to implementations; CA/Browser Forum BR 3.2.2.6 forbids it).
package enum ServiceIdentity {
    /// The first presented identifier that matches; nil when none matches, and when the budget does
    /// not allow the walk. Cost: one unit, and one unit for each 512 octets of the extension.
    package static func match(
        _ reference: ReferenceIdentifier, in certificate: Certificate, budget: inout WorkBudget
    ) -> String? {
        let names = certificate.layout.extensions.subjectAltName
        guard budget.spend(1 + Int(names.count) / 512) else { return nil }
        let bytes = certificate.der.span
        let wanted = reference.octets
        let pattern = reference.pattern
        var reader = GeneralNameReader(names)
        while let name = try? reader.next(in: bytes) {
            let content = bytes.extracting(name.content.indices)
            let isMatch: Bool
            switch (reference, name.kind) {
            case (.dns, .dns): isMatch = matchesDNS(content, wanted.span)
            case (.ip, .ip): isMatch = content.octetsEqual(wanted)
            case (.email, .email): isMatch = matchesMailbox(content, wanted.span)
            case (.uri, .uri):
                guard let pattern else { return nil }
                isMatch = pattern.mismatch(content) == nil
            default: isMatch = false
            }
            if isMatch { return text(of: name, in: bytes) }
        }
        return nil
    }

    /// The identifiers that a certificate presents, in its order, for a violation: at most `limit`,
    /// then a text that says how many more there are. Raw text: renderers escape it.
    package static func presentedNames(of certificate: Certificate, limit: Int = 16) -> [String] {
        let bytes = certificate.der.span
        var names: [String] = []
        var more = 0
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
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

    /// Compares DNS names by section 6.3. `wanted` is canonical.
    private static func matchesDNS(_ presented: Span<UInt8>, _ wanted: Span<UInt8>) -> Bool {
        guard let (isWildcard, base) = DNSName.presented(presented) else { return false }
        guard isWildcard else { return DNSName.foldedEqual(presented, wanted) }
        let suffix = presented.extracting(base)
        guard contains(suffix, UInt8(ascii: ".")), !contains(suffix, UInt8(ascii: "_")) else {
            return false
        }
        var firstLabelEnd = 0
        while firstLabelEnd < wanted.count, wanted[firstLabelEnd] != UInt8(ascii: ".") {
            firstLabelEnd += 1
        }
        guard firstLabelEnd > 0, firstLabelEnd < wanted.count else { return false }
        return DNSName.foldedEqual(suffix, wanted.extracting(firstLabelEnd + 1..<wanted.count))
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
