package import PolicyCompiler

/// How much `lint` says.
package enum LintLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Errors and warnings.
    case `default`
    /// The same, and what an organisation with an owner for each rule holds itself to is an error.
    case strict
    /// Remarks too, and what ignore comments hide.
    case audit

    package static func < (left: LintLevel, right: LintLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .default: return 0
        case .strict: return 1
        case .audit: return 2
        }
    }
}

/// What a code is about; in the catalogue the hundreds of its number.
package enum LintGroup: Int, Hashable, Sendable, CaseIterable {
    case text = 0
    case schema, hosts, anchors, pins, demands, exceptions, suppressions, tests, layout

    /// The group of a code.
    package init(_ code: DiagnosticCode) {
        let hundreds = code.rawValue.utf8.dropFirst(2).first.map { Int($0) - 0x30 } ?? 0
        self = LintGroup(rawValue: hundreds) ?? .text
    }

    /// As `hawser rule` writes it.
    package var name: String { String(describing: self) }
}

/// One rule of the linter: what it looks for and when it speaks. A rule is a value in a file of its own
/// under `Rules/`, named in `LintRules.all`; its severity, title and page are in the catalogue.
package struct LintRule: Sendable {
    /// The code of everything that it finds.
    package let code: DiagnosticCode
    /// The first level at which it speaks. What the catalogue calls a remark begins at `audit`.
    package let level: LintLevel
    /// Whether `--level strict` makes its findings errors.
    package let isErrorWhenStrict: Bool
    /// Finds it. In any order; each at its token.
    let find: @Sendable (LintContext) -> [Diagnostic]

    init(
        _ code: DiagnosticCode, isErrorWhenStrict: Bool = false,
        _ find: @escaping @Sendable (LintContext) -> [Diagnostic]
    ) {
        self.code = code
        self.level = code.severity == .info ? .audit : .default
        self.isErrorWhenStrict = isErrorWhenStrict
        self.find = find
    }
}
