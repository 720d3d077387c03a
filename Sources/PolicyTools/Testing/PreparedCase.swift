package import PolicyCompiler
package import TrustEngine

/// A case with everything that it names, read and ready to be asked any number of times.
package struct PreparedCase: Sendable {
    /// A request for the engine.
    package struct Judged: Sendable {
        package let request: TrustRequest
        /// The index of the inputs of its engine in `PolicyTester.inputs`.
        package let inputs: Int
        /// What a receipt says of how fresh the table was.
        package let freshness: TableFreshness?
    }

    package let test: TestCase
    package let host: CanonicalHost
    package let port: UInt16
    package let time: UTCInstant
    /// Nil for a case that is only about the policy.
    package let judged: Judged?
    /// The file that stands for the machine's store, from the unit's root.
    package let system: String?
}

/// A request that a receipt recorded.
package struct RecordedCase: Sendable {
    package let request: TrustRequest
    package let freshness: TableFreshness?

    package init(request: TrustRequest, freshness: TableFreshness?) {
        self.request = request
        self.freshness = freshness
    }
}

/// Why a receipt cannot be asked again. Lower case, no full stop.
package struct RecordedCaseProblem: Error, Hashable, Sendable {
    package let context: String

    package init(_ context: String) { self.context = context }
}

/// Reads the receipt in a line of a file (from 1; nil where the file has one alone). Receipts are
/// not known here.
package typealias ReceiptReading =
    @Sendable (_ octets: [UInt8], _ line: Int?, _ engine: Engine) -> Result<
        RecordedCase, RecordedCaseProblem
    >
