import TrustEngine

extension NotX509SVIDTexts {
    private var uri: String { "`\(Words.unquoted(Words.shortened(failure.uri, to: 100)))`" }

    /// Whether the certificate is made for signing, and does not only have several URI names.
    private var isOfSigner: Bool { failure.faults.contains { $0 != .severalURIs } }

    var headline: String {
        "\(uri) is wanted and presented, but by a certificate that is not an X509-SVID: \(flaws)"
    }

    private var flaws: String {
        let flaws = failure.faults.map { fault in
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
    private var presented: String { Words.presentedList(failure.uris) }

    private var count: String {
        // `16 names, and 3 more` are 19.
        guard let last = failure.uris.last, last.hasPrefix("and "), failure.uris.count > 16,
            let more = Int(last.dropFirst(4).prefix { $0 != " " })
        else { return "\(failure.uris.count)" }
        return "\(failure.uris.count - 1 + more)"
    }

    /// Section 5.2 makes every demand; section 2 is only about the names.
    var citation: String {
        failure.faults == [.severalURIs] ? "X509-SVID §2" : "X509-SVID §5.2"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the certificate that answers for `\(situation.host)` "
            + (isOfSigner
                ? "is made for signing, so it cannot be an identity"
                : "names several identities, and a workload has exactly one")
    }

    func readings(_ situation: Situation) -> [SideReading] {
        guard situation.misplacedEndEntity == nil else { return [.wrongOrder] }
        return isOfSigner
            ? [
                .impostor("whoever holds a signing key answers as a workload"),
                declared("it was given the certificate of an authority"),
            ]
            : [
                .impostor("a certificate made for another workload bears this name too"),
                declared("whoever issued its certificate gave it more than one URI name"),
            ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have the workload's certificate issued as an X509-SVID: with \(uri) as its one "
                    + "URI name, without the CA bit, `keyCertSign` and `cRLSign`")
        ]
    }
}
