import PolicyCompiler
import TrustEngine

extension TestExpectation {
    /// What a case expects, each by its key under `expect`.
    var values: [(key: String, value: ExpectedValue)] {
        func list(_ bound: BoundList<String>?) -> ExpectedValue? {
            bound.map { .list($0.items.map { .scalar($0.value) }) }
        }
        let known: [(String, ExpectedValue?)] = [
            ("rule", rule.map { .scalar($0.value) }),
            ("pattern", pattern.map { .scalar($0.value.canonicalText) }),
            ("anchors", list(anchors)), ("pins", list(pins)),
            ("verdict", verdict.map { .scalar($0.value.rawValue) }),
            ("violations", list(violations)), ("reported", list(reported)),
            ("notices", list(notices)),
        ]
        return known.compactMap { key, value in value.map { (key, $0) } }
            + fields.map { ($0.name.value, $0.value.value) }
    }
}
