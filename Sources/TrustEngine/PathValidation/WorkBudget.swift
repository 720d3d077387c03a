/// The work one evaluation may do, in cost units. One unit stands for about a microsecond of one core
/// of the machine that the figures in `SignatureCost` were measured on.
///
/// Every loop over attacker-shaped input spends from it; running out is a named reject.
package struct WorkBudget: Sendable {
    /// Units that may be spent in all.
    package let limit: Int
    /// Units spent so far; never above `limit`.
    package private(set) var spent = 0
    /// Whether a request for work was refused; it stays refused.
    package private(set) var isExhausted = false
    /// Signatures verified, or charged as verified.
    package var signatures = 0
    /// Candidate paths judged.
    package var paths = 0

    /// A fresh budget.
    package init(limit: Int) { self.limit = limit }

    /// Spends units; false when they are not there, and from then on.
    package mutating func spend(_ units: Int) -> Bool {
        guard !isExhausted, units <= limit - spent else {
            isExhausted = true
            return false
        }
        spent += units
        return true
    }

    /// Spends units, or leaves the work undone.
    package mutating func take(_ units: Int) throws(WorkExhausted) {
        guard spend(units) else { throw WorkExhausted() }
    }
}

/// The budget does not allow what was asked.
package struct WorkExhausted: Error, Hashable, Sendable {}
