import CHawserABI
import Hawser
import Synchronization
import TrustEngine

/// A candidate that is judged beside a store.
final class HeldShadow: Sendable {
    private let comparison: ShadowStore<PolicyStore, PolicyStore>
    private let candidate: ServedPolicy
    /// The gate of the program's function.
    private let gate: CallbackGate
    /// Number of requests when the candidate was closed.
    private let withoutCandidate = Atomic<UInt64>(0)

    /// Makes a shadow. The options were read from C.
    init(of active: PolicyStore, candidate: ServedPolicy, _ options: ShadowOptions) {
        gate = options.gate
        self.candidate = candidate
        let function = options.function
        comparison = ShadowStore(
            active: active, candidate: candidate.policy, configuration: options.configuration
        ) { function.tell($0) }
    }

    /// Compares the candidate's verdict with a verdict that was given.
    func compare(_ verdict: Verdict, of request: TrustRequest, by snapshot: PolicySnapshot) {
        _ = gate.pass {
            let isCompared: Void? = candidate.whileOpen {
                comparison.observe(verdict, of: request, by: snapshot)
            }
            if isCompared == nil { withoutCandidate.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    /// Ends the comparison, and waits until no function of the program runs for it. Inside a
    /// function of the program it does not wait.
    func end() { gate.shut() }

    /// The name of the candidate.
    var candidateName: String { candidate.policy.configuration.name }

    /// The outcome of the comparisons, in numbers.
    var counts: hawser_shadow_counts {
        let counters = comparison.counters
        var counts = hawser_shadow_counts()
        counts.agreements = counters.agreements
        counts.stricter = counters.disagreements[.stricter] ?? 0
        counts.weaker = counters.disagreements[.weaker] ?? 0
        counts.violations = counters.disagreements[.violations] ?? 0
        counts.reported = counters.disagreements[.reported] ?? 0
        counts.over_limit = counters.overLimit
        counts.passed_over = counters.passedOver
        counts.without_candidate = withoutCandidate.load(ordering: .relaxed)
        if let active = counters.activePolicy, let other = counters.candidatePolicy {
            counts.has_compared = 1
            active.copy(into: &counts.active_policy)
            other.copy(into: &counts.candidate_policy)
        }
        return counts
    }
}

/// The options of a shadow from C, read into Swift types.
struct ShadowOptions {
    private(set) var configuration = ShadowStore<PolicyStore, PolicyStore>.Configuration()
    private(set) var function = unsafe CallbackDisagreements(nil, context: nil)
    /// The gate of the function.
    let gate = CallbackGate()

    /// Reads the options; NULL gives the defaults.
    init(_ pointer: UnsafePointer<hawser_shadow_options>?) throws(CallFailure) {
        guard unsafe pointer != nil else { return }
        let options = try unsafe CheckedStruct(pointer, "options").value
        switch unsafe Int(options.level) {
        case HAWSER_SHADOW_VIOLATIONS: configuration.level = .violations
        case HAWSER_SHADOW_VERDICT: configuration.level = .verdict
        case HAWSER_SHADOW_REPORTED: configuration.level = .reported
        default:
            throw unsafe .value("options.level", options.level, allowed: "HAWSER_SHADOW_*, 0 to 2")
        }
        guard unsafe options.reserved == 0 else {
            throw unsafe .value("options.reserved", options.reserved, allowed: "0")
        }
        if unsafe options.one_in != 0 { configuration.comparesOneIn = unsafe options.one_in }
        if unsafe options.per_minute != 0 {
            configuration.perMinute = unsafe Int(options.per_minute)
        }
        let seed = try unsafe CInput.octets(
            options.seed, limit: CInput.limitName, "options.seed")
        configuration.seed = seed ?? []
        unsafe function = CallbackDisagreements(options.function, context: options.context)
    }
}

/// Hands disagreements to a function of the program, if there is one.
///
/// SAFETY: the function may be called from any thread, as `hawser_disagreement_function` demands.
/// The context is only passed on.
@safe struct CallbackDisagreements: @unchecked Sendable {
    private let function: hawser_disagreement_function?
    private let context: UnsafeMutableRawPointer?

    init(_ function: hawser_disagreement_function?, context: UnsafeMutableRawPointer?) {
        unsafe self.function = function
        unsafe self.context = context
    }

    /// Hands over a disagreement. The caller must have passed the shadow's gate.
    func tell(_ disagreement: ShadowDisagreement) {
        guard let function = unsafe function else { return }
        unsafe disagreement.kind.rawValue.withCString { kind in
            unsafe disagreement.json.withCString { json in
                CallbackGate.callback { unsafe function(context, kind, json) }
            }
        }
    }
}
