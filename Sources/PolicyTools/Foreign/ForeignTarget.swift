package import PolicyCompiler
package import TrustEngine

/// A format of another system that policies are exported to: a reader, which is the model of the
/// format, and a writer.
///
/// To add a format: a type with these parts in a folder of `Foreign`, its line in
/// `ForeignTargets.all`, its word in `grammar/exports.schema.json`, its row in
/// `grammar/exports.md`. Nothing else compares a file with a policy: the loss of an export and the
/// answer of `export --check` are comparisons with the policy that `read` returns.
package protocol ForeignTarget: Sendable {
    /// The word of `to` in `exports.yaml` and of `--to`.
    static var name: String { get }
    /// The file in words, with its article: `an Android Network Security Configuration`.
    static var title: String { get }
    /// The system that reads the file, as sentences name it: `Android`.
    static var system: String { get }
    /// The options that the format takes.
    static var options: [ForeignOption] { get }
    /// The name that the file usually has.
    static var usualFile: String { get }
    /// The demands of a policy that the file cannot state for any host: paths of fields. A path
    /// stands for the fields below it, too.
    static var unstated: [String] { get }
    /// Whether the strictest and the weakest reading of a file differ.
    static var hasBounds: Bool { get }
    /// Whether the format states the names that each anchor may vouch for. Then policies are
    /// compared without the anchor sets that cannot vouch for the hosts of a rule.
    static var limitsAnchorsByName: Bool { get }

    /// - Parameter options: the values that were given; each option has a default.
    init(_ options: [ForeignOption: Int])

    /// The policy that a file means.
    ///
    /// - Throws: for a file that cannot be read, and for one that its system refuses.
    func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport

    /// Writes the file whose meaning is the nearest to a policy.
    ///
    /// Where the format has no words for the policy, the file is stricter rather than weaker if the
    /// order of behaviours decides, and otherwise has the demands of the pattern itself. The same
    /// policy over the result gives the result again.
    ///
    /// - Parameter existing: the file to replace; nil if there is none. A format that is a part of
    ///   a file keeps the other parts octet by octet.
    /// - Throws: where the existing file cannot be read.
    func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile
}

extension ForeignTarget {
    package static var hasBounds: Bool { false }
    package static var limitsAnchorsByName: Bool { false }
    package static var options: [ForeignOption] { [] }
}

/// An option of a format: a key of an entry of `exports.yaml`, and an option of the command.
package enum ForeignOption: String, Hashable, Sendable, CaseIterable {
    /// The `targetSdkVersion` of an Android app.
    case targetSDK = "target-sdk"

    /// The values that the option takes.
    package var range: ClosedRange<Int> {
        switch self {
        case .targetSDK: return 1...10_000
        }
    }
}

/// A file of another system with the files that it names.
package struct ForeignFile: Sendable {
    package let source: SourceFile
    /// The octets of a file by its path from the folder of `source`; nil if there is none.
    package let companion: @Sendable (_ path: String) -> [UInt8]?

    package init(
        _ source: SourceFile,
        companion: @escaping @Sendable (_ path: String) -> [UInt8]? = { _ in nil }
    ) {
        self.source = source
        self.companion = companion
    }
}

/// Which policy stands for a file whose meaning depends on the device.
package enum ForeignBound: Hashable, Sendable {
    /// No device accepts less than the policy.
    case strictest
    /// No device accepts more than the policy.
    case weakest
}

/// A file that an export writes.
package struct ExportedFile: Sendable {
    package let octets: [UInt8]
    /// The files that it names, by their paths from its folder.
    package let companions: [(path: String, octets: [UInt8])]
    /// Parts of the existing file that the new file does not have, each in a few words.
    package let dropped: [String]
    /// Whether the existing file has the mark that an export leaves.
    package let wasExported: Bool

    package init(
        _ octets: [UInt8], companions: [(path: String, octets: [UInt8])] = [],
        dropped: [String] = [], wasExported: Bool = false
    ) {
        self.octets = octets
        self.companions = companions
        self.dropped = dropped
        self.wasExported = wasExported
    }
}

/// A difference between a file and the policy that its import writes.
package struct ForeignGap: Hashable, Sendable {
    package let code: DiagnosticCode
    /// The message of the finding.
    package let message: String
    /// Patterns; empty where no pattern is named.
    package let hosts: [String]
    /// Whether it is for every host that no entry names, too.
    package let others: Bool
    /// How the file compares with the policy.
    package let file: Relation
    /// The octets of the file.
    package let range: Range<Int>
}

/// The mark by which an export knows a file that it wrote.
package enum ExportMark {
    /// The words of the mark.
    package static let words = "Written by `hawser export` from"

    /// The lines of the mark, for a comment of any format.
    package static func lines(_ policy: ExportedPolicy) -> [String] {
        var lines = [
            "\(words) \(safe(policy.name)).",
            "Change the policy and export it again; changes of this file are overwritten.",
        ]
        if let next = policy.nextChange {
            lines.append("The policy next changes this file at \(next): export it again then.")
        }
        return lines
    }

    /// Whether a text has the mark.
    package static func isIn(_ text: some Collection<UInt8>) -> Bool {
        Array(text).firstRange(of: Array(words.utf8)) != nil
    }

    /// A text that ends no comment: printable ASCII without two hyphens behind each other.
    private static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars.prefix(200) {
            let isPlain = scalar.value > 0x20 && scalar.value < 0x7F
            let isHyphen = scalar == "-" && safe.hasSuffix("-")
            safe.unicodeScalars.append(
                isPlain && !isHyphen && !"<>&*`".unicodeScalars.contains(scalar) ? scalar : "_")
        }
        return safe
    }
}
