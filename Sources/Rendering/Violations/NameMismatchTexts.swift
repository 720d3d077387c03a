import TrustEngine

extension NameMismatchTexts {
    var headline: String {
        "wanted \(Words.list(wanted)), the certificate presents "
            + (presented.isEmpty ? "no name at all" : Words.presentedList(presented))
            + URISentences.mismatch(presented: presented, patterns: wanted)
            + NameSentences.mismatch(presented: presented, wanted: wanted)
    }

    func addition(_ situation: Situation) -> String? {
        situation.facts.ownAnchor.map(OwnAnchorSentences.clause) ?? additionOfOrder(situation)
    }

    /// The presented name that was meant for a wanted one and never counts.
    private var mistake: String? { NameSentences.mistake(presented: presented, wanted: wanted) }

    func forEndUser(_ situation: Situation) -> String {
        let host = situation.host
        if let sentence = situation.wrongOrder { return sentence }
        if situation.facts.isAuthorityAlone { return AuthorityAsServer.forEndUser(situation) }
        guard mistake == nil else {
            return "the certificate that answers for `\(host)` has its name in a form that never "
                + "counts"
        }
        guard presented.isEmpty else {
            return wanted == [host]
                ? "the certificate that answers for `\(host)` is for another name"
                : "the certificate that answers for `\(host)` is for none of the names that "
                    + "\(situation.rule) wants"
        }
        if let subject = situation.firstSubject,
            wanted.contains(where: { Words.shortSubject(subject).lowercased() == "cn=\($0)" })
        {
            return "the certificate of `\(host)` has the name only as its common name, which does "
                + "not count: names count in subjectAltName alone"
        }
        return "the certificate that answers for `\(host)` presents no name that could count"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        guard situation.misplacedEndEntity == nil else { return [.wrongOrder] }
        let lacks = declared("its certificate lacks the name")
        if let ownAnchor = situation.facts.ownAnchor {
            return [OwnAnchorSentences.reading(ownAnchor), lacks]
        }
        if situation.facts.isAuthorityAlone { return [AuthorityAsServer.reading] }
        guard mistake == nil else {
            return [declared("whoever issued its certificate wrote the name wrongly")]
        }
        return [.impostor("another server may be answering"), lacks]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        reject.facts.ownAnchor.flatMap(OwnAnchorSentences.change)
    }

    func repairs(_ reject: Reject) -> [Repair] {
        if let ownAnchor = reject.facts.ownAnchor {
            return OwnAnchorSentences.repairs(ownAnchor, reject)
        }
        // A CA's certificate is never issued for a host.
        if reject.facts.isAuthorityAlone {
            guard !reject.violations.contains(where: { $0.kind == .selfSignedLeaf }) else {
                return []
            }
            let name = reject.outline.certificates.first.flatMap { step -> String? in
                guard case .read(let subject, _) = step.status else { return nil }
                return "`\(Words.shortSubject(subject))`"
            }
            return AuthorityAsServer.repairs(name ?? "the authority's", host: reject.host)
        }
        if let mistake {
            return [
                Repair(
                    "have the certificate issued anew for "
                        + wanted.prefix(3).map { "`\($0)`" }.joined(separator: " or ")
                        + ": the name that it has, "
                        + "`\(Words.unquoted(Words.shortened(mistake, to: 100)))`"
                        + ", never counts, for any host")
            ]
        }
        // Where the rule lists names other than the host, a request for another host does not help.
        guard wanted == [reject.host] else {
            return [
                Repair(
                    "have the certificate issued for "
                        + wanted.prefix(3).map { "`\($0)`" }.joined(separator: " or ")),
                Repair(
                    "ask whoever owns \(reject.ruleName) whether the presented name is right: "
                        + "its `identity` lists the names that each of its hosts must present"),
            ]
        }
        // An address that is presented as a DNS name does not identify the host.
        let names = presented.filter {
            $0 != reject.host && $0.utf8.allSatisfy(NameMismatchTexts.isPlain)
        }
        .prefix(3)
        guard !names.isEmpty else {
            return [Repair("have the certificate issued for `\(reject.host)` too")]
                + otherName([], reject)
        }
        return [
            Repair(
                "see whether `\(reject.host)` is the host that was meant: what answers has a "
                    + "certificate for " + names.map { "`\($0)`" }.joined(separator: " or ")
                    + ", and may be somebody else's server",
                brief: "see whether that is the host you meant: it may be somebody else's server",
                kind: .caution),
            Repair(
                "if `\(reject.host)` was meant, have the certificate issued for it too",
                brief: "if it was, have the certificate issued for that host too"),
        ] + reject.byName + otherName(Array(names), reject)
    }

    /// Words about `identity`, for a name of the same domain and where nothing else is wrong. No
    /// lines are offered: a server chooses which of its certificates it presents, and the name in
    /// it may belong to a stranger or to another service.
    private func otherName(_ names: [String], _ reject: Reject) -> [Repair] {
        guard reject.reachesAnchor, reject.entries.count == 1, !reject.trustsPublicAuthorities
        else { return [] }
        // Where a certificate presents one URI and nothing else, its service has no other name.
        let only = presented.count == 1 ? presented.first.flatMap(listedURI) : nil
        let name = names.first { isExactName($0, reject.host) && sharesDomain($0, reject.host) }
        guard let name = name ?? only else { return [] }
        return [
            Repair(
                "or, if whoever runs `\(reject.host)` says that `\(name)` is the same service, let "
                    + "`identity` list that name, \(reject.place); `reference: listed` with "
                    + "`\(name == only ? "uri" : "dns"): [\"\(name)\"]` wants it in place of "
                    + "`\(reject.host)`", kind: .change)
        ]
    }

    /// A presented name where it is a URI that a policy can list as it is.
    private func listedURI(_ name: String) -> String? {
        guard URIPattern.isCanonical(name), !name.contains("*"), name.utf8.count <= 200,
            name.utf8.allSatisfy({ NameMismatchTexts.isPlain($0) || $0 == UInt8(ascii: "/") })
        else { return nil }
        return name
    }

    /// Whether a presented name is a DNS name without a wildcard, in the form in which a policy has
    /// it.
    private func isExactName(_ text: String, _ host: String) -> Bool {
        guard text != host, case .name(let name)? = try? CanonicalHost(text: text) else {
            return false
        }
        return name == text
    }

    /// Whether the host and a name end with the same two labels or more, and these labels are not a
    /// public suffix.
    private func sharesDomain(_ name: String, _ host: String) -> Bool {
        let shared = zip(
            host.split(separator: ".").reversed(), name.split(separator: ".").reversed()
        ).prefix { $0 == $1 }.map(\.0)
        let domain = shared.reversed().joined(separator: ".")
        return shared.count >= 2 && !PublicSuffixes.contains(Array(domain.utf8).span)
    }

    /// Whether a byte is a letter, a digit or a sign of names, so that the text can be pasted into
    /// a policy unchanged.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"),
            UInt8(ascii: ":"):
            return true
        default: return false
        }
    }
}

extension Reject {
    /// Whether an anchor set of the rule holds public authorities, or whether that is not known.
    fileprivate var trustsPublicAuthorities: Bool {
        guard let table = judgingTable else { return true }
        let sets = (0..<table.anchorSetCount).lazy.map { table.anchorSet(at: $0) }
        return anchors.contains { id in
            id != PinnedKeys.setID
                && (sets.first { $0.id == id }?.groups.contains(where: \.isPublic) ?? true)
        }
    }
}
