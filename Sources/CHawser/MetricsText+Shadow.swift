import CHawserABI
import Hawser

extension MetricsText {
    /// Adds what a store counted, its shadow's numbers included.
    mutating func add(_ store: ServedPolicy) {
        add(store.policy, store.metrics, store.verdicts)
        guard let shadow = store.shadow else { return }
        let counts = shadow.counts
        for (outcome, count) in [
            ("agreement", counts.agreements), ("stricter", counts.stricter),
            ("weaker", counts.weaker), ("violations", counts.violations),
            ("reported", counts.reported),
        ] {
            let labels = [
                ("store", store.policy.state.name), ("candidate", shadow.candidateName),
                ("outcome", outcome),
            ]
            add(counter: "hawser_shadow_comparisons", labels, Double(count))
        }
    }
}
