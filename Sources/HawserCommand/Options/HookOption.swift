import PolicyTools
import Rendering

/// An option of a command that hooks call, read without the argument parser. Entering the parser
/// takes over a millisecond, several times the rest of a start.
///
/// The lists of these options are held to the parser's own by a test. A word that needs an
/// explanation is left to the parser.
struct HookOption<Call>: Sendable {
    /// With their dashes.
    let names: [String]
    let isFlag: Bool
    /// Takes a value, which is empty for a flag. False if the parser must report a mistake.
    let take: @Sendable (_ call: inout Call, _ value: String) -> Bool

    static func flag(
        _ name: String, _ set: @escaping @Sendable (inout Call) -> Void
    ) -> HookOption {
        HookOption(names: [name], isFlag: true) { call, _ in
            set(&call)
            return true
        }
    }

    /// An option with any text.
    static func text(
        _ names: String..., set: @escaping @Sendable (inout Call, String) -> Void
    ) -> HookOption {
        HookOption(names: names, isFlag: false) { call, value in
            set(&call, value)
            return true
        }
    }

    /// An option with one of the words of a list.
    static func word<Value: RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ set: @escaping @Sendable (inout Call, Value) -> Void
    ) -> HookOption {
        HookOption(names: [name], isFlag: false) { call, value in
            guard let value = Value(rawValue: value) else { return false }
            set(&call, value)
            return true
        }
    }

    /// Reads arguments: the paths go to `path`. Nil where the parser must read them.
    static func read(
        _ arguments: ArraySlice<String>, into call: Call, by options: [HookOption],
        path: (inout Call, String) -> Void
    ) -> Call? {
        var call = call
        var rest = arguments
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != InputFile.standardInput else {
                path(&call, argument)
                continue
            }
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = options.first(where: { $0.names.contains(String(parts[0])) }) else {
                return nil
            }
            var value = parts.count == 2 ? String(parts[1]) : nil
            if option.isFlag {
                guard value == nil else { return nil }
            } else {
                value = value ?? rest.popFirst()
                guard let value, !value.hasPrefix("-") else { return nil }
            }
            guard option.take(&call, value ?? "") else { return nil }
        }
        return call
    }
}

/// A command that prints findings.
protocol FindingCall: SendableMetatype {
    var paths: [String] { get set }
    var format: NamedFormat { get set }
    /// The values of `--output`.
    var outputs: [String] { get set }
    var colour: Report.ColourChoice { get set }
}

extension HookOption where Call: FindingCall {
    /// The options of `AnswerOptions`.
    static var answer: [HookOption] {
        [
            HookOption(names: ["--format"], isFlag: false) { call, value in
                guard let format = NamedFormat(value), FindingAnswer.formats.contains(format)
                else { return false }
                call.format = format
                return true
            },
            .text("-o", "--output") { $0.outputs.append($1) },
            .word("--color") { $0.colour = $1 },
        ]
    }
}
