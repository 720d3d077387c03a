package import TrustEngine

/// The question of `diff`: what a change of policy does from an instant on.
package struct DiffQuestion: Sendable {
    package let old: DiffSide
    package let new: DiffSide
    /// The instant from which on the policies are compared.
    package let since: UTCInstant
    package let options: Options

    /// What the answer depends on besides the two policies.
    package struct Options: Sendable {
        /// The folder of the unit, where it is another one than was asked for.
        package let unit: String?
        /// The folders of other units that the change deletes or moves.
        package let goneUnits: [String]
        /// The team that proposes the change.
        package let author: String?
        /// The machine's store; nil if its authorities are not counted.
        package let store: StoreCertificates?
        /// The file of allowances; nil if none is given.
        package let allowances: Allowances?

        package init(
            unit: String? = nil, goneUnits: [String] = [], author: String? = nil,
            store: StoreCertificates? = nil, allowances: Allowances? = nil
        ) {
            self.unit = unit
            self.goneUnits = goneUnits
            self.author = author
            self.store = store
            self.allowances = allowances
        }
    }

    package init(
        _ old: DiffSide, _ new: DiffSide, since: UTCInstant, options: Options = Options()
    ) {
        self.old = old
        self.new = new
        self.since = since
        self.options = options
    }
}
