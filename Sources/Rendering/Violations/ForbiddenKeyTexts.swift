import TrustEngine

/// The words of a violation of `forbidden-keys`. An entry names a key, in whatever certificate, or
/// one certificate, such as a cross-sign that its issuer revoked and issued again. Of the second
/// kind the same name and key may be on a path in another certificate.
extension ForbiddenKeyFound {
    /// Whether the entry names one certificate: the digest of a key has a `/` (`KeyMatch.text`).
    private var isOfOneCertificate: Bool { !digest.contains("/") }

    /// What was found, in one sentence.
    var sentence: String {
        let name = Words.name(certificate)
        let forbids =
            isOfOneCertificate
            ? "is the certificate that `\(entry)` forbids" : "holds what `\(entry)` forbids"
        return "\(name) \(forbids), `\(digest)`\(window)"
    }

    /// The line under the verdict, for a host.
    func headline(of host: String) -> String {
        isOfOneCertificate
            ? "the policy forbids a certificate that the path of `\(host)` holds, and no path "
                + "without it is accepted"
            : "the policy forbids a key that the certificates of `\(host)` rest on"
    }

    /// The readings, the most serious first.
    var readings: [SideReading] {
        isOfOneCertificate
            ? [
                SideSentences.impostor("if its key was stolen, the thief may be answering"),
                .init(.server, "it still sends a certificate that the policy has withdrawn"),
            ]
            : [
                SideSentences.impostor("whoever else holds this key can answer with it"),
                .init(.server, "it still uses the key"),
            ]
    }

    /// What would change the verdict.
    var repairs: [Repair] {
        let name = Words.name(certificate)
        guard isOfOneCertificate else {
            return [
                Repair(
                    "use certificates that \(name) is no part of: whoever wrote `\(entry)` does not "
                        + "trust it"),
                Repair(
                    "if that looks like a mistake, ask them: the entry may protect other hosts, and "
                        + "no other layer takes a key off the list"),
            ]
        }
        guard certificate.position > 0 else {
            return [
                Repair(
                    "replace the certificate, and its key too unless whoever wrote `\(entry)` says "
                        + "that it is safe")
            ]
        }
        return [
            Repair(
                "have the server send a chain without this certificate: `\(entry)` forbids it "
                    + "alone, and no other certificate of \(name)"),
            Repair(
                "where the server cannot be changed, ask whoever wrote `\(entry)` whether "
                    + "`intermediates` of the anchor set may offer its successor: no anchor is added"
            ),
        ]
    }

    /// ` in what was issued from … until …, as the end entity was on …`; empty where the entry has
    /// no window.
    private var window: String {
        guard from != nil || until != nil else { return "" }
        let start = from.map { " from \($0)" } ?? ""
        let end = until.map { " until \($0)" } ?? ""
        return " in what was issued\(start)\(end), as the end entity was on \(issued)"
    }
}
