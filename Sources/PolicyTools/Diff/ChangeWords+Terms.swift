import Rendering
import TrustEngine

extension ChangeWords {
    /// The terms on which hosts are newly trusted that a reader must know: every exception in
    /// force, and every field that is weaker than the usual profile. Empty where the old policy
    /// trusted the hosts, or the new one denies them.
    func terms(_ usual: @autoclosure () -> UsualProfile, at time: UTCInstant) -> [PolicyDiff.Term] {
        guard old.body == nil, let body = new.body else { return [] }
        let usual = usual()
        let weaker = ChangeWords.withPreset(
            RequirementOrder(body.requirements, usual.requirements).fields()
                .filter { $0.leaning == .weaker || $0.path == ChangeWords.preset }
                .map { (PolicyDiff.Source.rules, plain($0)) }
        ).filter { !$0.1.relation.isNoWeaker }.map { PolicyDiff.Term($0.1, usual: usual.name) }
        return exceptions(at: time).map { PolicyDiff.Term($0, usual: nil) } + identity(body)
            + weaker
    }

    /// The waivers and report modes of the new rule that are in force.
    private func exceptions(at time: UTCInstant) -> [PolicyDiff.Field] {
        new.exceptions(at: time).map { path, text in
            PolicyDiff.Field(path: path, relation: .weaker, from: "enforced", to: text, remarks: [])
        }.sorted { (FieldGravity.rank($0.path), $0.path) < (FieldGravity.rank($1.path), $1.path) }
    }

    /// The names by which a certificate is accepted, if the rule lists names.
    private func identity(_ body: BehaviourBody) -> [PolicyDiff.Term] {
        let identity = body.identity
        guard identity.reference != .host else { return [] }
        let names =
            identity.dns + identity.ip.map(\.description) + identity.email + identity.uri
        return [
            PolicyDiff.Term(
                PolicyDiff.Field(
                    path: "identity.reference",
                    relation: identity.reference == .listed ? .weaker : .stricter, from: "host",
                    to: "\(identity.reference.name): \(names.joined(separator: ", "))",
                    remarks: []), usual: nil)
        ]
    }
}
