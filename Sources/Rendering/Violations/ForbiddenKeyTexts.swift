import TrustEngine

/// An entry of `forbidden-keys` names a key, in whatever certificate, or one certificate, such as a
/// cross-sign that its issuer revoked and issued again. Of the second kind the same name and key
/// may be on a path in another certificate.
extension ForbiddenKeyTexts {
    /// Whether the entry names one certificate: the digest of a key has a `/` (`KeyMatch.text`).
    private var isOfOneCertificate: Bool { !found.digest.contains("/") }

    private var name: String { Words.name(found.certificate) }

    var headline: String {
        let forbids =
            isOfOneCertificate
            ? "is the certificate that `\(found.entry)` forbids"
            : "holds what `\(found.entry)` forbids"
        return "\(name) \(forbids), `\(found.digest)`\(window)"
    }

    var entry: String? { found.entry }

    func forEndUser(_ situation: Situation) -> String {
        isOfOneCertificate
            ? "the policy forbids a certificate that the path of `\(situation.host)` holds, and "
                + "accepts no path without it"
            : "the policy forbids a key that the certificates of `\(situation.host)` rest on"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        isOfOneCertificate
            ? [
                .impostor("if its key was stolen, the thief may be answering"),
                declared("it still sends a certificate that the policy has withdrawn"),
            ]
            : [
                .impostor("whoever else holds this key can answer with it"),
                declared("it still uses the key"),
            ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        guard isOfOneCertificate else {
            return [
                Repair(
                    "use certificates without \(name): whoever wrote `\(found.entry)` "
                        + "does not trust it"),
                Repair(
                    "if that looks like a mistake, ask them: the entry may protect other hosts, "
                        + "and no other layer takes a key off the list"),
            ]
        }
        guard found.certificate.position > 0 else {
            return [
                Repair(
                    "replace the certificate, and its key too unless whoever wrote "
                        + "`\(found.entry)` says that it is safe")
            ]
        }
        return [
            Repair(
                "have the server send a chain without this certificate: `\(found.entry)` forbids "
                    + "only this certificate of \(name)"),
            Repair(
                "where the server cannot be changed, ask whoever wrote `\(found.entry)` whether "
                    + "`intermediates` of the anchor set may offer its successor: no anchor is "
                    + "added"
            ),
        ]
    }

    /// ` in what was issued from … until …, as the end entity was on …`; empty where the entry has
    /// no window.
    private var window: String {
        guard found.from != nil || found.until != nil else { return "" }
        let start = found.from.map { " from \($0)" } ?? ""
        let end = found.until.map { " until \($0)" } ?? ""
        return " in what was issued\(start)\(end), as the end entity was on \(found.issued)"
    }
}
