import TrustEngine

/// The words for a certificate that presents a wanted SPIFFE ID but is not an X509-SVID.
extension SVIDFailure {
    private var flaws: String {
        let flaws = faults.map { fault in
            switch fault {
            case .severalURIs: return "it has \(count) URI names, not one: \(presented)"
            case .ca: return "it is a CA"
            case .keyCertSign: return "its key usage has `keyCertSign`"
            case .crlSign: return "its key usage has `cRLSign`"
            }
        }
        return flaws.joined(separator: "; ")
    }

    /// The presented URIs: the engine ends a long list with a text that counts the others.
    private var presented: String { Words.presentedList(uris) }

    private var count: String {
        // `16 names, and 3 more` are 19.
        guard let last = uris.last, last.hasPrefix("and "), uris.count > 16,
            let more = Int(last.dropFirst(4).prefix { $0 != " " })
        else { return "\(uris.count)" }
        return "\(uris.count - 1 + more)"
    }

    /// What was found, in one sentence.
    var sentence: String {
        "`\(Words.unquoted(Words.shortened(uri, to: 100)))` is wanted and "
            + "presented, but by a certificate that is no X509-SVID: \(flaws)"
    }

    /// The line under the verdict, for a host.
    func headline(of host: String) -> String {
        faults.contains { $0 != .severalURIs }
            ? "the certificate that answers for `\(host)` is made for signing, and such a "
                + "certificate is nobody's identity"
            : "the certificate that answers for `\(host)` names several identities, and a workload "
                + "has exactly one"
    }

    /// The readings, the most serious first.
    var readings: [SideReading] {
        faults.contains { $0 != .severalURIs }
            ? [
                SideSentences.impostor("whoever holds a signing key answers as a workload"),
                .init(.server, "it was given the certificate of an authority"),
            ]
            : [
                SideSentences.impostor(
                    "a certificate made for another workload bears this name too"),
                .init(.server, "whoever issued its certificate gave it more than one URI name"),
            ]
    }

    /// What would change the verdict.
    var repairs: [Repair] {
        [
            Repair(
                "have the workload's certificate issued as an X509-SVID: with "
                    + "`\(Words.unquoted(Words.shortened(uri, to: 100)))` as "
                    + "its one URI name, without the CA bit, `keyCertSign` and `cRLSign`")
        ]
    }
}
