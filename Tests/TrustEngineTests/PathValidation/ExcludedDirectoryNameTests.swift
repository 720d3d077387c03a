import Testing
import TrustEngine

/// What an excluded directoryName subtree holds (RFC 5280 sections 4.2.1.10 and 7.1, RFC 4518).
/// Every row is judged as a subject and as a subjectAltName.
@Suite("excluded directory names (RFC 5280 section 7.1, RFC 4518)")
struct ExcludedDirectoryNameTests {
    /// What an exclusion comes to for one name.
    enum Answer: Equatable {
        case excluded, outside, notCompared

        init(_ outcome: NameConstraintOutcome) {
            switch outcome {
            case .permitted: self = .outside
            case .violated: self = .excluded
            case .notEvaluated: self = .notCompared
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: [UInt8]
        let subtree: [UInt8]
        let answer: Answer

        init(_ description: String, _ name: [UInt8], _ subtree: [UInt8], _ answer: Answer) {
            self.testDescription = description
            self.name = name
            self.subtree = subtree
            self.answer = answer
        }

        /// Two common names in UTF8String.
        init(_ description: String, _ name: String, _ subtree: String, _ answer: Answer) {
            self.init(description, DER.commonName(name), DER.commonName(subtree), answer)
        }
    }

    // MARK: Parts of names

    private static let utf8: UInt8 = 0x0C
    private static let numeric: UInt8 = 0x12
    private static let printable: UInt8 = 0x13
    private static let teletex: UInt8 = 0x14
    private static let ia5: UInt8 = 0x16
    private static let universal: UInt8 = 0x1C
    private static let bmp: UInt8 = 0x1E

    private static let commonName: [UInt8] = [0x55, 4, 3]
    private static let serialNumber: [UInt8] = [0x55, 4, 5]
    private static let country: [UInt8] = [0x55, 4, 6]
    private static let organization: [UInt8] = [0x55, 4, 10]
    private static let postalAddress: [UInt8] = [0x55, 4, 16]
    private static let telephone: [UInt8] = [0x55, 4, 20]
    private static let x121: [UInt8] = [0x55, 4, 24]
    private static let uniqueIdentifier: [UInt8] = [0x55, 4, 45]
    private static let domain: [UInt8] = [
        0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x19,
    ]
    private static let email: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1]
    /// A type of somebody's own, 1.3.6.1.4.1.32473.1.
    private static let foreign: [UInt8] = [0x2B, 6, 1, 4, 1, 0x81, 0xFD, 0x59, 1]

    /// A name of one attribute.
    private static func one(_ type: [UInt8], _ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        DER.sequence(DER.attribute(type, DER.element(tag, value)))
    }

    private static func one(_ type: [UInt8], _ tag: UInt8, _ value: String) -> [UInt8] {
        one(type, tag, Array(value.utf8))
    }

    private static func one(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        one(commonName, tag, value)
    }

    private static func pair(_ type: [UInt8], _ value: String) -> [UInt8] {
        DER.sequence(DER.element(0x06, type), DER.text(utf8, value))
    }

    /// A name of relative names, each of several attributes.
    private static func name(_ sets: [[UInt8]]...) -> [UInt8] {
        DER.element(0x30, sets.flatMap { DER.element(0x31, $0.flatMap { $0 }) })
    }

    private static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    // MARK: Rows

    private static let letters: [Row] = [
        Row("the same octets", "évil", "évil", .excluded),
        Row("2.2: case beyond ASCII", "évil", "ÉVIL", .excluded),
        Row("2.2: case of Greek, with a final sigma", "σίγμας", "ΣΊΓΜΑΣ", .excluded),
        Row("2.2: case of Cyrillic", "злой", "ЗЛОЙ", .excluded),
        Row("another letter", "èvil", "évil", .outside),
        Row("no accent", "evil", "évil", .outside),
        Row("2.2: sharp s is ss", "Straße", "STRASSE", .excluded),
        Row("2.2: long s is s", "evi\u{17F}", "evis", .excluded),
        Row("2.2: dotless i is a letter of its own", "ev\u{131}l", "EVIL", .outside),
        Row("2.2: capital I with a dot is i and a dot", "ev\u{130}l", "evi\u{307}l", .excluded),
        Row("2.2: capital I with a dot is no i", "ev\u{130}l", "evil", .outside),
        Row("2.3: decomposed and composed", "e\u{301}vil", "évil", .excluded),
        Row("2.3: decomposed capital", "E\u{301}vil", "évil", .excluded),
        Row(
            "2.3: marks in another order", "q\u{307}\u{323}", "q\u{323}\u{307}", .excluded),
        Row(
            "2.3: marks of one class keep their order", "q\u{307}\u{308}", "q\u{308}\u{307}",
            .outside),
        Row("2.3: full width", "Ｅｖｉｌ （１）", "evil (1)", .excluded),
        Row("2.3: half width", "ｶﾞ", "ガ", .excluded),
        Row("2.3: a ligature in a word", "of\u{FB01}ce", "OFFICE", .excluded),
        Row("2.3: a ligature is its letters", "\u{FB03}", "FFI", .excluded),
        Row("2.3: a sign of three letters", "№ ½ ™", "no 1⁄2 tm", .excluded),
        Row("2.3: letters of mathematics", "𝐄𝓿𝖎𝕝", "evil", .excluded),
        Row("2.3: circled letters", "Ⓔⓥⓘⓛ", "evil", .excluded),
        Row("2.3: Hangul by its parts", "\u{1112}\u{1161}\u{11AB}", "한", .excluded),
        Row("2.3: another syllable", "\u{1112}\u{1161}", "한", .outside),
        Row("2.3: Thai sara am", "ก\u{E33}", "ก\u{E4D}\u{E32}", .excluded),
        Row("2.3: a Kangxi radical", "\u{2F42}", "文", .excluded),
        Row("2.3: a compatibility ideograph", "\u{F90A}", "金", .excluded),
        Row("2.3: an Arabic presentation form", "\u{FEE1}", "\u{645}", .excluded),
        Row("2.3: the longest decomposition", "\u{FDFA}", "صلى الله عليه وسلم", .excluded),
        Row("2.2: Kelvin and Angstrom", "\u{212A}\u{212B}", "kå", .excluded),
        Row("other scripts that look alike are other letters", "еvil", "evil", .outside),
    ]

    private static let insignificant: [Row] = [
        Row("2.2: soft hyphen", "ev\u{AD}il", "evil", .excluded),
        Row("2.2: soft hyphen in the subtree", "evil", "e\u{AD}vil", .excluded),
        Row("2.2: zero width joiner", "ev\u{200D}il", "evil", .excluded),
        Row("2.2: zero width non-joiner", "ev\u{200C}il", "evil", .excluded),
        Row("2.2: zero width space", "ev\u{200B}il", "evil", .excluded),
        Row("2.2: word joiner, byte order mark", "ev\u{2060}\u{FEFF}il", "evil", .excluded),
        Row("2.2: variation selector", "evil\u{FE0F}", "evil", .excluded),
        Row("2.2: Mongolian variation selector", "evil\u{180B}", "evil", .excluded),
        Row("2.2: combining grapheme joiner", "e\u{34F}vil", "evil", .excluded),
        Row("2.2: a direction mark", "\u{202E}evil\u{202C}", "evil", .excluded),
        Row("2.2: object replacement", "ev\u{FFFC}il", "evil", .excluded),
        Row("2.2: tags", "evil\u{E0041}", "evil", .excluded),
        Row("2.2: controls are nothing, in ASCII too", "e\u{1}v\u{7F}il\u{0}", "evil", .excluded),
        Row("2.2: controls that are space", "e\tv\ni\u{85}l", "e v i l", .excluded),
        Row("2.2: space of other widths", "e\u{3000}v\u{A0}i\u{2003}l", "e v i l", .excluded),
        Row("2.6.1: space at the ends", "  evil\u{A0}", "evil", .excluded),
        Row("2.6.1: space inside", "ev   il", "ev il", .excluded),
        Row("2.6.1: space or none", "ev il", "evil", .outside),
        Row("2.6.1: space around what is nothing", "ev \u{AD} il", "ev il", .excluded),
        Row("2.6.1: space alone", " \u{3000} ", "", .excluded),
        Row("2.6.1: space that a decomposition makes", "evil\u{B4}", "evil \u{301}", .excluded),
    ]

    private static let unprepared: [Row] = [
        Row("2.4: unassigned in Unicode 3.2", "evil \u{1F600}", "good", .notCompared),
        Row("2.4: unassigned in the subtree", "good", "evil \u{1E9E}", .notCompared),
        Row("2.4: assigned nowhere", "\u{50000}", "evil", .notCompared),
        Row("2.4: private use", "\u{E000}", "evil", .notCompared),
        Row("2.4: replacement character", "evil\u{FFFD}", "evil", .notCompared),
        Row(
            "2.4: no character", one(utf8, [0xEF, 0xB7, 0x90]), one(utf8, "evil".bytes),
            .notCompared),
        Row("not prepared, and the same octets", "\u{1F600}", "\u{1F600}", .excluded),
        Row("2.1: UTF-8 cut short", one(utf8, [0xC3]), one(utf8, "evil".bytes), .notCompared),
        Row(
            "2.1: UTF-8 too long", one(utf8, [0xC1, 0xA5]), one(utf8, "e".bytes), .notCompared),
        Row(
            "2.1: PrintableString beyond ASCII", one(printable, [0xE9]), one(utf8, "é".bytes),
            .notCompared),
        Row(
            "2.1: TeletexString beyond ASCII", one(teletex, [0xE9]), one(utf8, "É".bytes),
            .notCompared),
        Row(
            "2.1: TeletexString with an accent before its letter",
            one(teletex, [0xC2] + "evil".bytes), one(utf8, "évil".bytes), .notCompared),
        Row(
            "2.1: TeletexString that shifts", one(teletex, [0x1B, 0x24] + "evil".bytes),
            one(utf8, "good".bytes), .notCompared),
        Row(
            "2.1: BMPString of odd length", one(bmp, [0, 0x65, 0]), one(utf8, "e".bytes),
            .notCompared),
        Row(
            "2.1: BMPString with half a pair", one(bmp, [0xD8, 0x3D]), one(utf8, "e".bytes),
            .notCompared),
        Row(
            "2.1: UniversalString beyond Unicode", one(universal, [0, 0x11, 0, 0]),
            one(utf8, "e".bytes), .notCompared),
        Row("no string type", one(0x04, "evil".bytes), one(utf8, "good".bytes), .notCompared),
        Row(
            "a string in pieces", one(0x2C, DER.element(0x0C, "evil".bytes)),
            one(utf8, "good".bytes), .notCompared),
        Row("no string type on either side", one(0x04, [1]), one(0x04, [2]), .notCompared),
        Row("no string type, and the same octets", one(0x04, [1]), one(0x04, [1]), .excluded),
    ]

    private static let types: [Row] = [
        Row("PrintableString", one(printable, "EVIL".bytes), one(utf8, "evil".bytes), .excluded),
        Row("IA5String", one(ia5, "EVIL".bytes), one(utf8, "evil".bytes), .excluded),
        Row("BMPString", one(bmp, utf16("ÉVIL")), one(utf8, "évil".bytes), .excluded),
        Row("BMPString, another", one(bmp, utf16("ÉVIL")), one(utf8, "évil!".bytes), .outside),
        Row(
            "UniversalString", one(universal, [0, 0, 0, 0xC9, 0, 0, 0, 0x76]),
            one(bmp, utf16("e\u{301}V")), .excluded),
        Row(
            "TeletexString in ASCII", one(teletex, "Evil Ltd".bytes), one(utf8, "evil ltd".bytes),
            .excluded),
        Row(
            "TeletexString in ASCII, another", one(teletex, "Good Ltd".bytes),
            one(utf8, "evil ltd".bytes), .outside),
        Row(
            "serialNumber", one(serialNumber, printable, "a 1"),
            one(serialNumber, utf8, "A\u{AD}  1"), .excluded),
        Row(
            "domainComponent", one(domain, ia5, "Evil"), one(domain, utf8, "evil"), .excluded),
        Row(
            "domainComponent, another", one(domain, ia5, "good"), one(domain, ia5, "evil"),
            .outside),
        Row(
            "RFC 5280 section 7.3: domainComponent beyond ASCII", one(domain, utf8, "évil"),
            one(domain, ia5, "xn--vil-9la"), .notCompared),
        Row(
            "emailAddress", one(email, ia5, "Ann@EVIL.example"),
            one(email, utf8, "ann@evil.example"), .excluded),
        Row(
            "RFC 4518 2.6.2: x121Address", one(x121, numeric, "12 34"), one(x121, numeric, "1234"),
            .excluded),
        Row(
            "x121Address, another", one(x121, numeric, "1234"), one(x121, numeric, "1235"),
            .outside),
        Row(
            "RFC 4518 2.6.3: telephoneNumber", one(telephone, printable, "+44 20-7946"),
            one(telephone, utf8, "+44\u{2011}207 946"), .excluded),
        Row(
            "a hyphen elsewhere is a hyphen", one(organization, utf8, "e-vil"),
            one(organization, utf8, "evil"), .outside),
        Row(
            "a type of somebody's own", one(foreign, utf8, "ÉVIL"), one(foreign, utf8, "évil"),
            .excluded),
        Row(
            "a type of somebody's own, another", one(foreign, utf8, "a"), one(foreign, utf8, "b"),
            .outside),
        Row("another type", one(organization, utf8, "évil"), DER.commonName("évil"), .outside),
        Row(
            "another type with what cannot be prepared", one(organization, utf8, "\u{FFFD}"),
            DER.commonName("evil"), .outside),
        Row(
            "postalAddress, a list of strings",
            one(postalAddress, 0x30, DER.text(utf8, "ÉVIL")),
            one(postalAddress, 0x30, DER.text(utf8, "évil")), .notCompared),
        Row(
            "x500UniqueIdentifier", one(uniqueIdentifier, 0x03, [0, 1]),
            one(uniqueIdentifier, 0x03, [0, 1]), .excluded),
    ]

    private static let names: [Row] = [
        Row(
            "the subtree is the first relative names",
            name([pair(country, "de")], [pair(organization, "ÉVIL")], [pair(commonName, "a")]),
            name([pair(country, "DE")], [pair(organization, "évil")]), .excluded),
        Row(
            "the first differs",
            name([pair(country, "fr")], [pair(organization, "évil")]),
            name([pair(country, "de")], [pair(organization, "évil")]), .outside),
        Row(
            "the first differs, the second cannot be prepared",
            name([pair(country, "fr")], [pair(organization, "\u{FFFD}")]),
            name([pair(country, "de")], [pair(organization, "évil")]), .outside),
        Row(
            "the first cannot be prepared, the second differs",
            name([pair(country, "\u{FFFD}")], [pair(organization, "good")]),
            name([pair(country, "de")], [pair(organization, "évil")]), .outside),
        Row(
            "the first is equal, the second cannot be prepared",
            name([pair(country, "de")], [pair(organization, "\u{FFFD}")]),
            name([pair(country, "de")], [pair(organization, "évil")]), .notCompared),
        Row(
            "the name ends first",
            name([pair(country, "de")]),
            name([pair(country, "de")], [pair(organization, "évil")]), .outside),
        Row(
            "what cannot be prepared lies below the subtree",
            name([pair(country, "de")], [pair(organization, "\u{FFFD}")]),
            name([pair(country, "DE")]), .excluded),
        Row(
            "a set in another order",
            name([pair(commonName, "évil"), pair(organization, "Straße")]),
            name([pair(organization, "STRASSE"), pair(commonName, "ÉVIL")]), .excluded),
        Row(
            "a set and a part of it",
            name([pair(commonName, "évil"), pair(organization, "b")]),
            name([pair(commonName, "ÉVIL")]), .outside),
        Row(
            "a part and the set",
            name([pair(commonName, "évil")]),
            name([pair(commonName, "ÉVIL"), pair(organization, "b")]), .outside),
        Row(
            "a set, one of which cannot be prepared",
            name([pair(commonName, "évil"), pair(organization, "\u{FFFD}")]),
            name([pair(organization, "b"), pair(commonName, "ÉVIL")]), .notCompared),
        Row(
            "a set, one of which differs and one cannot be prepared",
            name([pair(commonName, "good"), pair(organization, "\u{FFFD}")]),
            name([pair(organization, "b"), pair(commonName, "ÉVIL")]), .outside),
        Row(
            "the empty subtree holds everything",
            name([pair(commonName, "\u{FFFD}")]), DER.sequence(), .excluded),
    ]

    static let rows = letters + insignificant + unprepared + types + names

    @Test("an excluded subtree", arguments: rows)
    func excluded(_ row: Row) throws {
        let constraint = Names.constraints(excluded: [Names.directory(row.subtree)])
        let subject = try Answer(outcome(constraint) { $0.subject = row.name })
        #expect(subject == row.answer)
        let alternative = try Answer(
            outcome(constraint) {
                $0.extensions = [Names.subjectAltName([Names.directory(row.name)])]
            })
        #expect(alternative == row.answer)
    }

    @Test("a permitted subtree is compared as names are, and never by more", arguments: rows)
    func permitted(_ row: Row) throws {
        let constraint = Names.constraints(permitted: [Names.directory(row.subtree)])
        let found = try Answer(outcome(constraint) { $0.subject = row.name })
        let isInside = DistinguishedName.isInside(row.name.span, base: row.subtree.span)
        #expect(found == (isInside ? .outside : .excluded))
        // What exact comparison finds inside is excluded where it is excluded.
        if isInside { #expect(row.answer != .outside) }
    }

    private func outcome(
        _ constraint: [UInt8], budget limit: Int = 1_000,
        _ change: (inout CertificateSketch) -> Void
    ) throws -> NameConstraintOutcome {
        var constrainer = CertificateSketch()
        constrainer.extensions = [constraint]
        var sketch = CertificateSketch()
        sketch.subject = DER.sequence()
        change(&sketch)
        var budget = WorkBudget(limit: limit)
        return try NameConstraints.check(
            sketch.certificate(), isEndEntity: true, under: constrainer.certificate(),
            budget: &budget)
    }

    @Test("a pair of values costs by its octets, and hostile names end in the budget")
    func budget() throws {
        func units(
            _ name: [UInt8], _ subtrees: [[UInt8]], limit: Int = 50_000
        ) throws -> Int {
            var constrainer = CertificateSketch()
            constrainer.extensions = [
                Names.constraints(excluded: subtrees.map(Names.directory))
            ]
            var sketch = CertificateSketch()
            sketch.subject = name
            var budget = WorkBudget(limit: limit)
            let outcome = try NameConstraints.check(
                sketch.certificate(), isEndEntity: true, under: constrainer.certificate(),
                budget: &budget)
            if budget.isExhausted {
                #expect(
                    outcome
                        == .notEvaluated(
                            problem: "comparing names with constraints takes too much work"))
            }
            return budget.isExhausted ? budget.limit : budget.spent
        }
        // One name, one relative name, one pair of values of five octets each.
        #expect(
            try units(DER.commonName("good."), [DER.commonName("evil.")]) == 1 + 1 + (1 + 10 / 4))
        // Another type is not prepared.
        #expect(
            try units(Self.one(Self.organization, Self.utf8, "good."), [DER.commonName("evil.")])
                == 1 + 1)
        // The longest decomposition there is.
        let long = String(repeating: "\u{FDFA}", count: 2_000)
        #expect(
            try units(DER.commonName(long + "a"), [DER.commonName(long + "b")]) > 12_000 / 4)
        let subtrees = (0..<8).map { DER.commonName(long + "é\($0)") }
        #expect(try units(DER.commonName(long), subtrees, limit: 10_000) == 10_000)
        // Every pair of a set is of one type.
        let wide = Self.name((0..<32).map { Self.pair(Self.commonName, "good \($0)") })
        let sets = (0..<50).map { tree in
            Self.name((0..<32).map { Self.pair(Self.commonName, "evil \(tree) \($0)") })
        }
        #expect(try units(wide, sets) > 50 * 32)
    }

    @Test("the outcome names both sides")
    func texts() throws {
        let constraint = Names.constraints(excluded: [Names.directory(DER.commonName("ÉVIL"))])
        #expect(
            try outcome(constraint) { $0.subject = DER.commonName("évil") }
                == .violated(name: "CN=évil", subtree: "CN=ÉVIL", isExcluded: true))
        #expect(
            try outcome(constraint) { $0.subject = DER.commonName("\u{1F600}") }
                == .notEvaluated(
                    problem: "`CN=\u{1F600}` cannot be compared with the excluded `CN=ÉVIL`: one "
                        + "holds text that RFC 4518 does not prepare"))
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
