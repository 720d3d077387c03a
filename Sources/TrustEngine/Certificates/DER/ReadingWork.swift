/// The work of reading or comparing octets that costs more than their number shows. The reader of
/// the octets counts it, and `units` is what a budget pays for it beside the price of the octets.
package struct ReadingWork: Sendable, BitwiseCopyable {
    /// Octets of text that were read one character at a time.
    package var octets = 0
    /// Comparisons of an element of a list with one before it, each some 5 ns.
    package var comparisons = 0

    /// Makes a value without work.
    package init() {}

    /// Cost units (`WorkBudget`), rounded down: names and lists in use cost none.
    ///
    /// Measured on the machine of `SignatureCost`: an octet of a text takes 4 to 8 ns.
    package var units: Int { octets / 128 + comparisons / 200 }
}
