/// The work that one evaluation may do, in cost units. A unit is about one microsecond of one core
/// of the machine on which the numbers of `SignatureCost` were measured.
///
/// Every loop over octets that an attacker can choose spends units. An exhausted budget is a reject
/// with a reason of its own.
package struct WorkBudget: Sendable {
    /// Units that may be spent.
    package let limit: Int
    /// Units that are spent; never above `limit`.
    package private(set) var spent = 0
    /// Whether a request for units was refused. Once true it stays true.
    package private(set) var isExhausted = false
    /// Signatures verified, or charged as verified.
    package var signatures = 0
    /// Candidate paths judged.
    package var paths = 0

    /// Makes a budget of which nothing is spent.
    package init(limit: Int) { self.limit = limit }

    /// Spends units. Returns false when there are not enough, and then for every later request.
    package mutating func spend(_ units: Int) -> Bool {
        guard !isExhausted, units <= limit - spent else {
            isExhausted = true
            return false
        }
        spent += units
        return true
    }

    /// Does what `times` calls of `spend(units)` do, at the cost of one: where the budget ends
    /// before the last call, the units of the calls before that are spent, and the answer is false.
    /// `units` is positive.
    package mutating func spend(_ units: Int, times: Int) -> Bool {
        guard !isExhausted else { return false }
        let allowed = min(times, (limit - spent) / units)
        spent += units * allowed
        isExhausted = allowed < times
        return !isExhausted
    }

    /// Spends units, or throws when there are not enough.
    package mutating func take(_ units: Int) throws(WorkExhausted) {
        guard spend(units) else { throw WorkExhausted() }
    }
}

/// The budget does not allow the work.
package struct WorkExhausted: Error, Hashable, Sendable {}
