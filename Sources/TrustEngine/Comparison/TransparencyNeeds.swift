/// The number of timestamps, or of log operators, that is wanted of a certificate, in each way of
/// meeting the demand.
package struct TransparencyNeeds: Hashable, Sendable {
    private let numbers: [TransparencyWay: Int]

    init(_ number: (TransparencyWay) -> Int) {
        numbers = Dictionary(
            uniqueKeysWithValues: TransparencyWay.allCases.map { ($0, number($0)) })
    }

    /// The number that is wanted in one way.
    package subscript(way: TransparencyWay) -> Int { numbers[way, default: 0] }

    /// Whether a smaller number is wanted of at least one kind of certificate.
    func isLess(than other: TransparencyNeeds) -> Bool {
        TransparencyWay.allCases.contains { self[$0] < other[$0] }
    }
}
