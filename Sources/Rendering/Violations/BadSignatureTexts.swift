import TrustEngine

/// Anybody can make a key and write the issuer's name, so the words accuse nobody's CA.
extension BadSignatureTexts {
    private var name: String { Words.name(certificate) }

    var headline: String {
        guard let keyType, let signatureKind else {
            return "the signature on \(name) does not verify under the key of \(Words.name(issuer))"
        }
        let holder: String
        switch issuer.origin {
        case .anchor, .offered: holder = "that the policy holds"
        case .presented: holder = "that the server sent"
        }
        return
            "the signature on \(name) is not by the key of \(Words.name(issuer)) \(holder): that "
            + "key is `\(keyType)`, the signature is `\(signatureKind)`"
    }

    /// The clause that the key identifiers add.
    func addition(_ situation: Situation) -> String? {
        guard keyType == nil else { return nil }
        switch namedKey(situation.facts) {
        case .another: return "it names another key of \(Words.name(issuer)) as its signer"
        case .same: return "it names this very key as its signer, so it was altered or forged"
        case .unknown: return nil
        }
    }

    func forEndUser(_ situation: Situation) -> String {
        "the signature on \(name) is not by the key of \(Words.name(issuer)) that was found"
    }

    var isOfStranger: Bool { true }

    /// Which key the certificate names. A signature of another kind is by another key, whatever the
    /// certificate names.
    private func namedKey(_ facts: RequestFacts) -> NamedKey {
        guard keyType == nil else { return .another }
        return facts.namedKeys[RequestFacts.SignerPair(certificate, issuer)] ?? .unknown
    }

    /// When the certificate names another key than the issuer at hand has, the issuer's certificate
    /// is an old one, and its holder must replace it.
    func readings(_ situation: Situation) -> [SideReading] {
        let issuerName = Words.name(issuer)
        let key = namedKey(situation.facts)
        let altered = declared("the certificate was altered, or somebody forged it")
        let other = declared(
            key == .another
                ? "somebody else may have signed it: anybody can write a name"
                : "the certificate was altered, or somebody else signed it")
        if let set = certificate.setOfPolicy, issuer.setOfPolicy != nil {
            return [
                .init(
                    .policy,
                    "`\(set)` has \(name) and \(issuerName), and the signature does not fit the "
                        + "key"), altered,
            ]
        }
        guard key != .same else {
            return [altered, .init(.server, "it sends a damaged certificate")]
        }
        switch issuer.origin {
        case .anchor(let set) where set == AnchorSetContents.system.id:
            return [other, .init(.thisMachine, "its store may hold an old \(issuerName)")]
        case .anchor(let set):
            return [
                other, .init(.policy, "`\(set)` may hold an old \(issuerName), with another key"),
            ]
        case .offered(let set):
            return [
                other, .init(.policy, "`\(set)` may offer an old \(issuerName), with another key"),
            ]
        case .presented:
            return [
                other,
                .init(
                    .server,
                    key == .another
                        ? "it sends a \(issuerName) with another key than the one that signed"
                        : "it sends a damaged certificate"),
            ]
        }
    }

    func repairs(_ reject: Reject) -> [Repair] {
        if certificate.setOfPolicy != nil, let set = issuer.setOfPolicy {
            return reject.mismatchedRepairs(name, Words.name(issuer), set)
        }
        let altered = [reject.altered(certificate)]
        let steps: [Repair]
        switch namedKey(reject.facts) {
        case .same: steps = altered
        case .another: steps = reject.newKeyRepairs(issuer)
        case .unknown: steps = reject.newKeyRepairs(issuer) + altered
        }
        return reject.forgedCautions(certificate) + steps + [Reject.refusing]
    }
}

extension Reject {
    /// Whom to ask where two certificates of the policy itself do not fit.
    fileprivate func mismatchedRepairs(_ name: String, _ issuer: String, _ set: String) -> [Repair]
    {
        let owner = owners.anchors(set)
        return [
            Repair(
                "ask \(owner.asked) which of both is old: the signature on \(name) is not by the "
                    + "key of \(issuer), and both are in \(placed([set]))",
                brief: "ask \(owner.asked) which is old: \(name) or \(issuer)")
        ]
    }

    /// Whom to ask whether an authority has a new key, which the policy or the server lacks.
    fileprivate func newKeyRepairs(_ issuer: CertificateReference) -> [Repair] {
        let name = Words.name(issuer)
        let sent = Repair(
            "or have the server send the certificate of \(name) whose key signed: that trusts "
                + "nothing new",
            brief: "or have the server send the \(name) whose key signed")
        switch issuer.origin {
        case .anchor(let set) where set == AnchorSetContents.system.id:
            return [
                Repair(
                    "see whether the store of this machine has an old \(name)",
                    brief: "see whether the store of this machine has an old \(name)")
            ]
        case .anchor(let set):
            let owner = owners.anchors(set)
            return [
                Repair(
                    "ask \(owner.asked) whether the root was replaced: \(name) may have a new key, "
                        + "which is not in \(placed([set])); they take it from its authority, "
                        + "never from this connection",
                    brief: "ask \(owner.asked) whether the root was replaced (a new key)")
            ]
        case .offered(let set):
            let owner = owners.anchors(set)
            return [
                Repair(
                    "ask \(owner.asked) whether its \(name) is an old one, with another key: it "
                        + "stands under `intermediates` of \(placed([set]))",
                    brief: "ask \(owner.asked) whether its \(name) is an old one"), sent,
            ]
        case .presented:
            return [
                Repair(
                    "ask whoever runs the server whether \(name) has a new key: it may send the "
                        + "old certificate of it",
                    brief: "have the server send the \(name) whose key signed")
            ]
        }
    }
}
