// The numbers of the table format, version 1. `grammar/table-format.md` describes every byte; this
// file, the encoder and the decoder are held to it.
//
// A table is a head of fixed size, sections, and a seal. The sections that carry the policy's meaning
// stand together, directly behind their own directory, so that the policy digest is one digest over
// one run of bytes: nothing that may be dropped or that is only commentary lies inside that run, and
// nothing inside it says where the commentary lies.

/// Fixed numbers of the format.
enum TableFormat {
    /// First octet beyond ASCII and both line ends, as in PNG (RFC 2083 section 3.1): a table that
    /// went through a text conversion is no table.
    static let magic: [UInt8] = [0x89, 0x48, 0x57, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    /// "meaning" and a zero octet.
    static let meaningMagic: [UInt8] = [0x6D, 0x65, 0x61, 0x6E, 0x69, 0x6E, 0x67, 0x00]

    static let versionOffset = 8
    static let lengthOffset = 16
    static let meaningEndOffset = 24
    static let policyDigestOffset = 32
    static let droppableDirectoryOffset = 64
    static let directoryEntrySize = 24
    /// Where the run that the policy digest covers begins.
    static let meaningOffset = droppableDirectoryOffset + 4 * directoryEntrySize
    static let meaningDirectoryOffset = meaningOffset + 16
    /// Where the first section begins.
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

    /// In place of the text number of a rule's id: this is the body of `default`.
    static let noText = UInt32.max
}

/// The sections, in the order in which directories list them.
enum TableSection: UInt32, CaseIterable {
    // Outside the policy digest.
    case annotationTexts = 1
    case annotations = 2
    case provenanceTexts = 3
    case provenance = 4
    // The meaning.
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

    /// Position among all sections.
    var ordinal: Int { Int(rawValue < 16 ? rawValue - 1 : rawValue - 12) }
}

/// Where each section of one table lies.
struct TableLayout: Sendable, BitwiseCopyable {
    /// A section's first byte and its length; a section that was dropped has length 0 and start 0.
    struct Extent: Sendable, BitwiseCopyable {
        var start: Int
        var count: Int
        var range: Range<Int> { start..<start + count }
        var isAbsent: Bool { start == 0 }
    }

    private var extents = InlineArray<21, Extent>(repeating: Extent(start: 0, count: 0))

    subscript(section: TableSection) -> Extent {
        get { extents[section.ordinal] }
        set { extents[section.ordinal] = newValue }
    }
}

/// The kinds of thing that a free text can belong to; numbers of the format.
enum AnnotationSubject: UInt16 {
    case rule = 1
    case anchorSet = 2
    case pinSet = 3
    case pin = 4
    case waiver = 5
    case reportMode = 6
}

/// Which free text it is; numbers of the format.
enum AnnotationField: UInt16 {
    case owner = 1
    case note = 2
    case reason = 3
    case ticket = 4
}

extension TableDecodingError {
    /// Other first bytes than those of a table.
    static let notATable = TableDecodingError(
        code: .notATable, context: "it does not begin as a policy table does")

    /// Sections that contradict themselves or each other.
    static func malformed(_ context: String) -> TableDecodingError {
        TableDecodingError(code: .malformed, context: context)
    }
}
