import PolicyCompiler
import TrustEngine

/// Certificates that a file of another system names, as anchor sets of a policy.
struct ForeignAnchors {
    private(set) var sets: [WrittenPolicy.AnchorSet] = []
    private(set) var files: [(name: String, certificates: [[UInt8]])] = []
    /// The sets of a bundle, by its certificates.
    private var known: [[[UInt8]]: [String]] = [:]

    /// The ids of the sets with certificates: a set for each kind of certificate among them.
    mutating func ids(
        of certificates: [Certificate], named name: String, note: String, _ ids: inout WrittenIDs
    ) -> [String] {
        let key = certificates.map(\.der)
        if let made = known[key] { return made }
        var made: [String] = []
        var seen: Set<[UInt8]> = []
        for (kind, members) in Self.byKind(certificates.filter { seen.insert($0.der).inserted }) {
            let id = ids.id(name)
            let file = "anchors/\(id).pem"
            files.append((file, members.map(\.der)))
            sets.append(WrittenPolicy.AnchorSet(id: id, files: [file], kind: kind, note: note))
            made.append(id)
        }
        known[key] = made
        return made
    }

    /// The set that no certificate meets.
    mutating func nothing(_ note: String) -> String { sets.nothing(note) }

    /// The certificates by the kind of the set that each needs, in their order.
    static func byKind(
        _ certificates: [Certificate]
    ) -> [(kind: AnchorKind, members: [Certificate])] {
        [AnchorKind.root, .intermediate, .leaf].compactMap { kind in
            let members = certificates.filter { AnchorKind(of: $0) == kind }
            return members.isEmpty ? nil : (kind, members)
        }
    }
}

extension AnchorKind {
    /// The kind of the set that a certificate of a file needs.
    init(of certificate: Certificate) {
        guard certificate.layout.extensions.isCA || certificate.isRootOfVersion1 else {
            self = .leaf
            return
        }
        self = certificate.isSelfIssued ? .root : .intermediate
    }
}

extension [WrittenPolicy.AnchorSet] {
    /// The id of the set that no certificate meets, which is added where it is missing.
    mutating func nothing(_ note: String) -> String {
        if !contains(where: \.acceptsNothing) {
            append(WrittenPolicy.AnchorSet(id: "nothing", acceptsNothing: true, note: note))
        }
        return "nothing"
    }
}

/// Identity, names and patterns that files of other systems list, as the language has them. Nil for
/// a text that the language has no word for.
enum ForeignNames {
    static func dns(_ text: String) -> String? {
        guard let scanned = try? ExactNameScanner.scan(text) else { return nil }
        return scanned.canonicalText
    }

    static func uri(_ text: String) -> String? {
        guard !text.contains("*") else { return nil }
        return try? URIPatternScanner.scan(text)
    }

    /// The pattern of every URI below a prefix that ends with `/`.
    static func uris(below prefix: String) -> String? {
        guard prefix.hasSuffix("/"), !prefix.contains("*") else { return nil }
        return try? URIPatternScanner.scan(prefix + "**")
    }

    static func email(_ text: String) -> String? {
        (try? EmailScanner.scan(text))?.canonicalText
    }

    static func ip(_ text: String) -> String? {
        guard let address = IPAddress(text: text), ForeignHosts.exact(text) != nil else {
            return nil
        }
        return "\(address)" == text ? text : nil
    }

    /// The pattern of a host on a port; every port without one.
    static func pattern(_ host: String, port: Int?) -> String? {
        guard let exact = ForeignHosts.exact(host) else { return nil }
        guard let port, (1...65_535).contains(port) else { return port == nil ? exact : nil }
        return exact.contains(":") ? "[\(exact)]:\(port)" : "\(exact):\(port)"
    }
}
