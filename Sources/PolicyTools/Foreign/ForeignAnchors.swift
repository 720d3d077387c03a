import PolicyCompiler
import TrustEngine

/// Certificates that a file of another system names, as anchor sets of a policy.
struct ForeignAnchors {
    /// What a text with certificates holds.
    enum Found {
        case certificates([Certificate])
        /// The text has a block with a private key.
        case privateKey
        /// The text has no certificate, or one that cannot be read.
        case unreadable(String)
    }

    private(set) var sets: [WrittenPolicy.AnchorSet] = []
    private(set) var files: [(name: String, certificates: [[UInt8]])] = []
    /// The sets of a bundle, by its certificates.
    private var known: [[[UInt8]]: [String]] = [:]

    /// The certificates of a PEM text. Nothing of a private key is kept.
    static func read(_ bytes: [UInt8]) -> Found {
        let blocks: [PEMBlock]
        do throws(PEMError) {
            blocks = try PEM.decode(bytes.span)
        } catch {
            return .unreadable(error.problem.rawValue)
        }
        if blocks.containsPrivateKey { return .privateKey }
        var certificates: [Certificate] = []
        for block in blocks where PEM.certificateLabels.contains(block.label) {
            do throws(CertificateError) {
                certificates.append(try Certificate(der: block.der))
            } catch {
                return .unreadable(error.context)
            }
        }
        return certificates.isEmpty
            ? .unreadable("it holds no certificate in PEM") : .certificates(certificates)
    }

    /// The ids of the sets with certificates: a set for each kind of certificate among them.
    mutating func ids(
        of certificates: [Certificate], named name: String, note: String, _ ids: inout WrittenIDs
    ) -> [String] {
        let key = certificates.map(\.der)
        if let made = known[key] { return made }
        var made: [String] = []
        for kind in ["root", "intermediate", "leaf"] {
            var seen: Set<[UInt8]> = []
            let members = certificates.filter {
                Self.kind(of: $0) == kind && seen.insert($0.der).inserted
            }
            guard !members.isEmpty else { continue }
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
    mutating func nothing(_ note: String) -> String {
        if !sets.contains(where: \.acceptsNothing) {
            sets.append(WrittenPolicy.AnchorSet(id: "nothing", acceptsNothing: true, note: note))
        }
        return "nothing"
    }

    private static func kind(of certificate: Certificate) -> String {
        guard certificate.layout.extensions.isCA || certificate.isRootOfVersion1 else {
            return "leaf"
        }
        return certificate.isSelfIssued ? "root" : "intermediate"
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
