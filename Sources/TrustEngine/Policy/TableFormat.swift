// The numbers of the table format, version 1. `grammar/table-format.md` describes every byte. This
// file, the encoder and the decoder follow it.
//
// A table is a head of fixed size, sections, and a seal. The sections of the policy's meaning stand
// together, directly behind their own directory. So the policy digest is one digest over one run of
// bytes. A section that may be dropped or is only commentary does not lie inside this run, and
// nothing inside the run depends on where that section lies.

/// The fixed numbers of the format.
enum TableFormat {
    /// The first octet is outside ASCII, and both line ends follow, as in PNG (RFC 2083 section
    /// 3.1). A table that went through a text conversion is then refused.
    static let magic: [UInt8] = [0x89, 0x48, 0x50, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The version that is written, and the only one that is read. It also names the baseline: a
    /// field that a table does not hold has the value of the baseline of its version
    /// (`grammar/versions.md`).
    static let version: UInt32 = 1

    /// The text "meaning" and a zero octet.
    static let meaningMagic: [UInt8] = [0x6D, 0x65, 0x61, 0x6E, 0x69, 0x6E, 0x67, 0x00]

    static let versionOffset = 8
    static let lengthOffset = 16
    static let meaningEndOffset = 24
    static let policyDigestOffset = 32
    static let droppableDirectoryOffset = 64
    static let directoryEntrySize = 24
    /// Offset of the run that the policy digest covers.
    static let meaningOffset = droppableDirectoryOffset + 4 * directoryEntrySize
    static let meaningDirectoryOffset = meaningOffset + 16
    /// Offset of the first section.
    static let sectionsOffset = meaningDirectoryOffset + 17 * directoryEntrySize
    static let sealSize = 32
    static let smallestTable = sectionsOffset + sealSize

    static let ruleSize = 56
    static let waiverSize = 24
    static let reportModeSize = 16
    static let anchorSetSize = 24
    static let pinSetSize = 40
    static let pinSize = 24
    static let keyMatchSize = 72
    static let annotationSize = 12
    static let locationSize = 16
    static let parentSize = 8

    /// Stands in place of a rule's id, as the number of a text, in the body of `default`.
    static let noText = UInt32.max
}

/// The sections, in the order of the directories.
enum TableSection: UInt32, CaseIterable {
    // Sections outside the policy digest.
    case annotationTexts = 1
    case annotations = 2
    case provenanceTexts = 3
    case provenance = 4
    // Sections of the meaning.
    case texts = 16
    case rules = 17
    case lists = 18
    case requirements = 19
    case identities = 20
    case waivers = 21
    case anchorSets = 22
    case anchors = 23
    case pinSets = 24
    case pins = 25
    case keyMatches = 26
    case nameSlots = 27
    case names = 28
    case addresses = 29
    case anchorGroups = 30
    case reportModes = 31
    case logLists = 32

    static let droppable = allCases.filter { $0.rawValue < 16 }
    static let meaning = allCases.filter { $0.rawValue >= 16 }

    /// Index of the section among all sections.
    var ordinal: Int { Int(rawValue < 16 ? rawValue - 1 : rawValue - 12) }
}

/// The offsets of the sections of one table.
struct TableLayout: Sendable, BitwiseCopyable {
    /// A section's offset and length. A section that was dropped has length 0 and offset 0.
    struct Extent: Sendable, BitwiseCopyable {
        var start: Int
        var count: Int
        var range: Range<Int> { start..<start + count }
        var isAbsent: Bool { start == 0 }
    }

    private var extents = InlineArray<21, Extent>(repeating: Extent(start: 0, count: 0))

    subscript(section: TableSection) -> Extent {
        @inline(__always) get { extents[section.ordinal] }
        set { extents[section.ordinal] = newValue }
    }
}

/// The kinds of things that a free text belongs to, with their numbers in the format.
enum AnnotationSubject: UInt16 {
    case rule = 1
    case anchorSet = 2
    case pinSet = 3
    case pin = 4
    case waiver = 5
    case reportMode = 6
}

/// The kinds of free texts, with their numbers in the format.
enum AnnotationField: UInt16 {
    case owner = 1
    case note = 2
    case reason = 3
    case ticket = 4
}

extension TableDecodingError {
    /// The refusal of bytes that begin neither as a table does nor as an envelope does.
    static func otherBeginning(_ bytes: [UInt8]) -> TableDecodingError {
        guard let found = SignedTable.Unreleased(bytes) else {
            return TableDecodingError(
                code: .notATable, context: "it does not begin as a policy table does")
        }
        let repair =
            found == .table
            ? "compile the policy again" : "compile the policy again and sign the new table"
        return TableDecodingError(
            code: .unsupportedVersion,
            context: "it was written by an unreleased build of Hawser; \(repair)")
    }

    /// The refusal of a version that this program does not read. `format` names the format.
    static func otherVersion(
        _ version: UInt32, of format: String, reads: UInt32
    ) -> TableDecodingError {
        TableDecodingError(
            code: .unsupportedVersion,
            context: "\(format) version \(version), where this program reads version \(reads): "
                + "another version of Hawser wrote it")
    }

    /// The table has no bytes.
    static let empty = TableDecodingError(
        code: .truncated, context: "it is empty: it was not written to its end, or not delivered")

    /// Sections contradict themselves or each other.
    static func malformed(_ context: String) -> TableDecodingError {
        TableDecodingError(code: .malformed, context: context)
    }
}
