import PolicyCompiler
import Rendering
import TrustEngine

// One server that speaks an older TLS version than the others: what to write for it.
extension LintContext {
    /// The way to let a server through for a while that lacks a version, where the floor on TLS
    /// versions is among the fields that a rule weakens; otherwise nothing.
    func versionAdvice(_ fields: [WeakerField], in rule: String) -> [String] {
        let name = ProfileField.tlsMinimumVersion.rawValue
        guard let floor = fields.first(where: { $0.name == name }) else { return [] }
        return [
            "for one server that lacks `\(floor.there)` keep that floor and write `report-only: "
                + "{ tls: { until: \(lastDayOfException) } }` in `\(rule)`: until then demands on TLS, "
                + "from `\(floor.here)` on, are reported and do not reject"
        ]
    }

    /// A last day to propose for an exception: 90 days from now, half of what HW605 allows.
    var lastDayOfException: String {
        Words.day(time.advanced(bySeconds: ExceptionTerm.longest / 2))
    }
}
