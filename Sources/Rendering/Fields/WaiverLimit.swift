import PolicyReading
package import TrustEngine

extension Waiver.Tolerance {
    /// The key that only this kind of waiver has, with its value, in the flow form of a policy:
    /// `tolerance: 14d`; nil for a kind without one.
    package var limitText: String? {
        limit.map { "\($0.key): \(FlowText.render($0.value))" }
    }
}
