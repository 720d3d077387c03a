import Testing
import TrustEngine

@Suite("instants in whole UTC seconds")
struct UTCInstantTests {
    @Test(
        "text in and out",
        arguments: [
            ("1970-01-01", 0), ("1970-01-01T00:00:01Z", 1), ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T12:00:00Z", 951_825_600), ("0000-01-01", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ])
    func text(text: String, seconds: Int64) throws {
        let instant = try #require(UTCInstant(text: text))
        #expect(instant.secondsSinceEpoch == seconds)
        #expect(UTCInstant(text: instant.description) == instant)
    }

    @Test(
        "refused",
        arguments: [
            "", "1970-1-1", "1970-13-01", "2023-02-29", "1900-02-29", "2100-02-29",
            "2024-01-01T00:00:00",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:60Z", "2024-01-01T00:00:00+00:00", "2024-01-01 00:00:00Z",
            "2024-01-01T00:00:00.Z",
        ])
    func refused(text: String) {
        #expect(UTCInstant(text: text) == nil)
    }

    @Test("a fraction is dropped, LANGUAGE section 12.6")
    func fraction() {
        #expect(
            UTCInstant(text: "2024-01-01T00:00:00.999Z") == UTCInstant(text: "2024-01-01T00:00:00Z")
        )
    }

    @Test(
        "an instant that is moved beyond the range stays at its end",
        arguments: [
            (Int64.max - 1, 2, Int64.max), (Int64.max, 1, Int64.max),
            (Int64.min + 1, -2, Int64.min),
            (Int64.max - 1, 1, Int64.max), (0, -1, -1),
        ] as [(Int64, Int64, Int64)])
    func moved(from start: Int64, by seconds: Int64, to end: Int64) {
        let moved = UTCInstant(secondsSinceEpoch: start).advanced(bySeconds: seconds)
        #expect(moved.secondsSinceEpoch == end)
    }

    @Test("no instant is too far to be written", arguments: [Int64.min, Int64.min + 1, Int64.max])
    func extremes(seconds: Int64) {
        #expect(UTCInstant(secondsSinceEpoch: seconds).description.hasSuffix("Z"))
    }
}
