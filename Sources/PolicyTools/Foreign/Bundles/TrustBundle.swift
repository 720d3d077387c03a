import PolicyCompiler
import TrustEngine

/// A bundle of CA certificates for every program of a cluster: `Bundle` of trust-manager, or
/// `ClusterTrustBundle` of Kubernetes.
///
/// Sources: `pkg/apis/trust/v1alpha1/types_bundle.go` of cert-manager/trust-manager: the sources of
/// a bundle are united, and `useDefaultCAs` adds the CAs of a Linux distribution. Kubernetes,
/// "Cluster trust bundles": `trustBundle` is PEM, and each block is a certificate.
///
/// The objects state anchors and nothing else. Every host is judged by them.
struct TrustBundle {
    /// The certificates in PEM, with their places.
    private(set) var texts: [(text: String, range: Range<Int>)] = []
    private(set) var usesDefaults = false

    /// Reads a file.
    ///
    /// - Throws: HX101, HX501, and HX502 for a source that is not in the file.
    static func read(_ bytes: [UInt8]) throws(ForeignError) -> TrustBundle {
        var bundle = TrustBundle()
        var isFound = false
        let documents = try DocumentNode.documents(bytes)
        // A file with comments only has no anchors.
        if documents.isEmpty { return bundle }
        for document in documents {
            let version = document.value("apiVersion")?.text ?? ""
            switch document.value("kind")?.text {
            case "Bundle" where version.hasPrefix("trust.cert-manager.io/"):
                isFound = true
                try bundle.takeBundle(document)
            case "ClusterTrustBundle" where version.hasPrefix("certificates.k8s.io/"):
                isFound = true
                guard let text = document.value("spec")?.value("trustBundle") else {
                    throw ForeignError(
                        .configurationRefused, "`spec.trustBundle` is required",
                        at: document.range.prefix(1))
                }
                bundle.texts.append((try text.requireText("trustBundle"), text.range))
            default: continue
            }
        }
        guard isFound else {
            throw ForeignError(
                .configurationRefused, "the file has no `Bundle` and no `ClusterTrustBundle`",
                at: 0..<0)
        }
        return bundle
    }

    private mutating func takeBundle(_ document: DocumentNode) throws(ForeignError) {
        let sources = document.value("spec")?.value("sources")
        for source in try sources?.requireItems("sources", upTo: 100) ?? [] {
            for entry in source.entries {
                switch entry.key {
                case "useDefaultCAs":
                    usesDefaults =
                        try entry.value.requireFlag("useDefaultCAs") || usesDefaults
                case "inLine":
                    texts.append((try entry.value.requireText("inLine"), entry.value.range))
                default:
                    throw ForeignError(
                        .certificatesMissing,
                        "the source `\(entry.key.prefix(60))` is not in the file",
                        at: entry.keyRange, help: ["write the certificates as `inLine`"])
                }
            }
        }
    }

    /// The policy that a file means.
    static func meaning(of file: ForeignFile) throws(ForeignError) -> ForeignImport {
        try read(file.source.bytes).policy(file.source)
    }

    /// The policy that the bundle means.
    private func policy(_ source: SourceFile) throws(ForeignError) -> ForeignImport {
        var anchors = ForeignAnchors()
        var ids = WrittenIDs()
        var body = WrittenPolicy.Body()
        if usesDefaults { body.anchors.append("system") }
        for (text, range) in texts {
            switch ForeignCertificates.read(Array(text.utf8)) {
            case .certificates(let members):
                body.anchors += anchors.ids(
                    of: members, named: "bundle",
                    note: "\(source.path):\(source.line(of: range))", &ids)
            case .privateKey:
                throw ForeignError(
                    .configurationRefused,
                    "a private key stands among the CA certificates; nothing of it was kept",
                    at: range, help: ["take it out of the object, and replace the key"])
            case .unreadable(let words):
                throw ForeignError(
                    .configurationRefused, "the CA certificates cannot be read: \(words)",
                    at: range)
            }
        }
        var policy = WrittenPolicy()
        if !body.anchors.isEmpty { policy.defaultBody = body }
        policy.anchorSets = anchors.sets
        return ForeignImport(policy: policy, files: anchors.files, findings: [])
    }
}
