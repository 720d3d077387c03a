import TrustEngine

/// Sorts the certificates of a trust store into anchor sets of a policy: by kind, and by the last
/// instant at which a certificate below the anchor may begin.
struct AnchorFiles {
    /// The terms that the anchors of one set share.
    private struct Terms: Hashable {
        let kind: AnchorKind
        let issuedUntil: UTCInstant?
    }

    /// The first id.
    private let name: String
    private let standard: String?
    private let crypto: any CryptoBackend
    private var ids = WrittenIDs()
    private var order: [Terms] = []
    private var paths: [Terms: [String]] = [:]
    private var known: Set<Digest> = []
    private(set) var files: [(name: String, certificates: [[UInt8]])] = []

    init(named name: String, standard: String?, crypto: any CryptoBackend) {
        self.name = name
        self.standard = standard
        self.crypto = crypto
    }

    /// Adds an anchor. A certificate that is there already is not added again.
    mutating func add(
        _ certificate: Certificate, named alias: String, kind: AnchorKind,
        issuedUntil: UTCInstant? = nil
    ) {
        let digest = crypto.digest(.sha256, of: certificate.der.span)
        guard known.insert(digest).inserted else { return }
        let subject = certificate.subjectText.split(separator: ",").first.map(String.init) ?? ""
        let path = "anchors/\(ids.id(alias.isEmpty ? subject : alias)).pem"
        files.append((path, [certificate.der]))
        let terms = Terms(kind: kind, issuedUntil: issuedUntil)
        if paths[terms] == nil { order.append(terms) }
        paths[terms, default: []].append(path)
    }

    /// The sets, each with a note from `note`, which gets the number of its certificates.
    func sets(note: (Int) -> String) -> [WrittenPolicy.AnchorSet] {
        var ids = WrittenIDs()
        return order.map { terms in
            var words = [name]
            switch terms.kind {
            case .root: break
            case .intermediate: words.append("intermediates")
            case .leaf: words.append("servers")
            }
            if let until = terms.issuedUntil {
                words.append("until-\(until.description.prefix(10))")
            }
            let paths = paths[terms] ?? []
            var set = WrittenPolicy.AnchorSet(
                id: ids.id(words.joined(separator: "-")), files: paths, note: note(paths.count))
            set.kind = terms.kind
            set.standard = standard
            set.issuedUntil = terms.issuedUntil
            return set
        }
    }
}
