import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW417: an entry of `forbidden-keys` that does not hold the key. A digest of a key may be of
    /// an encoding that is not the canonical one, and then forbids only that encoding. An entry by
    /// certificate forbids the certificate and not its key.
    static let forbiddenByDigest = LintRule(.forbiddenByDigest) { context in
        context.parts.layers
            .soundLayers(of: context.bound, where: { !$0.forbiddenKeys.isEmpty })
            .flatMap(\.fields.forbiddenKeys).compactMap(finding)
    }

    private static func finding(_ entry: BoundForbiddenKey) -> Diagnostic? {
        guard let key = entry.key else { return nil }
        let id = "`\(entry.id.value)`"
        let message: String
        let note: String
        if key.matches.contains(where: { $0.kind == .certificate }) {
            message =
                key.matches.count == 1
                ? "\(id) forbids one certificate and not its key"
                : "\(id) forbids \(key.matches.count) certificates and not their keys"
            note =
                "a certificate that differs in anything is another one; whoever has one with an ECDSA "
                + "signature can write that signature in a second way"
        } else if entry.isByDigest {
            message = "\(id) is a digest, which may be of one encoding of the key alone"
            note =
                "the digest of an uncompressed point, or of RSA with the parameters NULL, forbids the "
                + "key in either encoding; the digest of the other encoding forbids that one"
        } else {
            return nil
        }
        return Diagnostic(
            .forbiddenByDigest, message, at: Diagnostic.Label(entry.span),
            help: ["name a file that holds the key: `spki-file: stolen/\(entry.id.value).pem`"],
            notes: [note])
    }
}
