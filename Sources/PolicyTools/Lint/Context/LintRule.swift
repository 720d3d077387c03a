package import PolicyCompiler

/// How much `lint` reports.
package enum LintLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Errors and warnings.
    case `default`
    /// As `default`, and the demands of an organisation in which each rule has an owner are errors.
    case strict
    /// Also remarks, and the findings that ignore comments hide.
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

/// The subject of a code: in the catalogue, the hundreds of its number.
package enum LintGroup: Int, Hashable, Sendable, CaseIterable {
    case text = 0
    case schema, hosts, anchors, pins, demands, exceptions, suppressions, tests, layout
    /// Files of other systems: the codes of `import`, which begin with `HX`.
    case imports

    /// The group of a code.
    package init(_ code: DiagnosticCode) {
        guard code.finder != .import else {
            self = .imports
            return
        }
        let hundreds = code.rawValue.utf8.dropFirst(2).first.map { Int($0) - 0x30 } ?? 0
        self = LintGroup(rawValue: hundreds) ?? .text
    }

    /// The name that `hawser rule` prints.
    package var name: String { String(describing: self) }
}

/// One rule of the linter: its search, and the level at which it reports. Each rule is a value in
/// its own file under `Rules/` and is named in `LintRules.all`. Its severity, title and page are in
/// the catalogue.
package struct LintRule: Sendable {
    /// The code of all its findings.
    package let code: DiagnosticCode
    /// The first level at which it reports. Rules that the catalogue calls remarks begin at
    /// `audit`.
    package let level: LintLevel
    /// Whether `--level strict` makes its findings errors.
    package let isErrorWhenStrict: Bool
    /// Finds what the rule looks for. The findings are in any order, each at its span.
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
