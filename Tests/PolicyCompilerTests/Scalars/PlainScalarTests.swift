import PolicyCompiler
import Testing
import TrustEngine

@Suite("Integers, durations, dates, ids, text, object identifiers, paths")
struct PlainScalarTests {
    private func problem(_ scan: () throws -> Void) throws -> ScalarProblem {
        try #require(throws: ScalarProblem.self) { try scan() }
    }

    @Test("an integer names its field's range")
    func integer() throws {
        #expect(try IntegerScanner.scan("3072", for: "keys.rsa-minimum", in: 2048...16_384) == 3072)
        let found = try problem {
            _ = try IntegerScanner.scan("1024", for: "keys.rsa-minimum", in: 2048...16_384)
        }
        #expect(found.message == "`keys.rsa-minimum` takes 2048 to 16384; found 1024")
    }

    @Test(
        "LANGUAGE 11: units of a duration",
        arguments: [
            ("90s", 90), ("15min", 900), ("26h", 93_600), ("1d", 86_400),
            ("3652425d", DurationScanner.longest),
        ] as [(String, Int64)])
    func duration(text: String, seconds: Int64) throws {
        #expect(try DurationScanner.scan(text, for: "field") == seconds)
    }

    @Test("`m` is refused, naming `min`; bounds are named in units")
    func durationProblems() throws {
        let months = try problem { _ = try DurationScanner.scan("6m", for: "field") }
        #expect(months.message.hasPrefix("`6m` has the unit `m`"))
        #expect(months.help.first?.contains("`6min`") == true)
        #expect(months.range == 1..<2)
        let bound = try problem {
            _ = try DurationScanner.scan("25h", for: "validity.clock-skew", in: 0...86_400)
        }
        #expect(bound.message == "`validity.clock-skew` takes `0s` to `24h`; found `25h`")
    }

    @Test("LANGUAGE 11.1: a bare date is the whole UTC day")
    func wholeDay() throws {
        let day = try DateScanner.scan("2026-03-01")
        #expect(day.firstSecond.description == "2026-03-01T00:00:00Z")
        #expect(day.lastSecond.description == "2026-03-01T23:59:59Z")
        let second = try DateScanner.scan("2026-03-01T12:00:00Z")
        #expect(second.firstSecond == second.lastSecond)
        #expect(second.firstSecond.description == "2026-03-01T12:00:00Z")
    }

    @Test(
        "RFC 3339: the repair of a date",
        arguments: [
            ("2026-07-01T00:30:00+02:00", "the same instant is `2026-06-30T22:30:00Z`"),
            ("2026-07-01T00:30:00-02:00", "the same instant is `2026-07-01T02:30:00Z`"),
            ("2026-07-01T00:30:00", "write `2026-07-01T00:30:00Z` if it is UTC"),
            ("2026-7-1", "write `2026-07-01`"),
            ("2026-02-29", "the last day of that month is `2026-02-28`"),
            ("2026-07-01T24:00:00Z", "a bare date is the whole day: `2026-07-01`"),
        ])
    func dateRepairs(text: String, help: String) throws {
        let found = try problem { _ = try DateScanner.scan(text) }
        #expect(found.help.first == help)
    }

    @Test(
        "RFC 3339 section 5.6: a number of a date that is out of range is named and marked",
        arguments: [
            ("2026-13-01", "month 13", 5..<7), ("2026-00-01", "month 0", 5..<7),
            ("2026-07-32", "day 32", 8..<10), ("2026-07-00", "day 0", 8..<10),
            ("2026-07-01T24:00:00Z", "hour 24", 11..<13),
            ("2026-07-01T23:60:00Z", "minute 60", 14..<16),
            ("2026-07-01T23:59:60Z", "second 60", 17..<19),
        ] as [(String, String, Range<Int>)])
    func numberOfADate(text: String, named: String, range: Range<Int>) throws {
        let found = try problem { _ = try DateScanner.scan(text) }
        #expect(found.message.hasPrefix("`\(text)` has the \(named); "))
        #expect(found.range == range)
    }

    @Test("LANGUAGE 3: the nearest id, and where a bad one goes wrong")
    func id() throws {
        let found = try problem { _ = try IDScanner.scan("Acme_Api", style: .plain) }
        #expect(found.help == ["write for example `acme-api`"])
        #expect(found.range == 0..<1)
        #expect(try IDScanner.scan("no", style: .doubleQuoted) == "no")
    }

    @Test("LANGUAGE 1.2: only a plain scalar is ambiguous")
    func ambiguous() throws {
        let found = try problem {
            _ = try FreeTextScanner.scan("No", for: "note", style: .plain)
        }
        #expect(found.code == .ambiguousScalar)
        #expect(found.help == ["quote it: `\"No\"`"])
        #expect(try FreeTextScanner.scan("No", for: "note", style: .singleQuoted) == "No")
        #expect(try FreeTextScanner.scan("12", for: "note", style: .literal) == "12")
    }

    @Test(
        "LANGUAGE 1.6: text of 1,000 octets is taken, one more is not; `pem` has a limit of its own"
    )
    func textLimit() throws {
        let text = String(repeating: "é", count: 500)
        #expect(try FreeTextScanner.scan(text, for: "note", style: .plain) == text)
        let found = try problem {
            _ = try FreeTextScanner.scan(text + "a", for: "note", style: .plain)
        }
        #expect(found.code == .limits)
        #expect(found.message == "`note` has 1001 octets; the limit is 1000")
        #expect(found.range == 1_000..<1_001)
        // The limit is inside a character, and the range begins before it.
        let cut = try problem {
            _ = try FreeTextScanner.scan("a" + text, for: "note", style: .plain)
        }
        #expect(cut.range == 999..<1_001)
        #expect(
            try FreeTextScanner.scan(
                text + "a", for: "pem", style: .literal, limit: FreeTextScanner.pemLimit
            ).utf8.count == 1_001)
    }

    @Test(
        "X.690 section 8.19: the octets of an object identifier",
        arguments: [
            ("1.3.6.1.5.5.7.3.1", [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]),
            ("2.5.29.37", [0x55, 0x1D, 0x25]),
            ("2.999.3", [0x88, 0x37, 0x03]),
            ("1.2.840.113549", [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]),
            ("0.0", [0x00]),
        ] as [(String, [UInt8])])
    func objectIdentifier(text: String, octets: [UInt8]) throws {
        #expect(try ObjectIdentifierScanner.scan(text) == octets)
    }

    @Test(
        "LANGUAGE 2.5: a path is resolved against the file that names it",
        arguments: [
            ("a.pem", "policy.yaml", "a.pem", false),
            ("a.pem", "teams/search/s.policy.yaml", "teams/search/a.pem", false),
            ("../../a.pem", "teams/search/s.policy.yaml", "a.pem", false),
            ("./x/../a.pem", "teams/s.policy.yaml", "teams/a.pem", false),
            ("bundles/", "teams/s.policy.yaml", "teams/bundles", true),
            ("./", "policy.yaml", "", true),
        ])
    func path(text: String, file: String, path: String, isFolder: Bool) throws {
        let scanned = try RelativePathScanner.scan(text, namedIn: file)
        #expect(scanned.path == path)
        #expect(scanned.isFolder == isFolder)
    }

    @Test("LANGUAGE 2.5: the step that leaves the unit is marked")
    func pathLeaves() throws {
        let found = try problem {
            _ = try RelativePathScanner.scan("../../../a.pem", namedIn: "teams/x.policy.yaml")
        }
        #expect(found.code == .pathLeavesUnit)
        #expect(found.range == 3..<5)
    }

    @Test("LANGUAGE 7: the domain of an e-mail address is folded, its local part is not")
    func email() throws {
        let scanned = try EmailScanner.scan("Ca.Ops@BÜCHER.example")
        #expect(scanned.canonicalText == "Ca.Ops@xn--bcher-kva.example")
        #expect(scanned.unicodeText == "Ca.Ops@bücher.example")
        #expect(!scanned.isCanonical)
    }

    @Test("RFC 3986 6.2.2.1: scheme and host of a URI pattern are folded, nothing else is")
    func uri() throws {
        #expect(
            try URIPatternScanner.scan("HTTPS://Ann@IDP.Example:443/Ns%2F")
                == "https://Ann@idp.example:443/Ns%2F")
        #expect(
            try URIPatternScanner.scan("SPIFFE://Mesh.Example/Ns/**")
                == "spiffe://mesh.example/Ns/**")
    }
}
