import Testing
import TrustEngine

@Suite("ASN.1 times (RFC 5280 section 4.1.2.5)")
struct ASN1TimeTests {
    @Test(
        "both types, their one form each",
        arguments: [
            ("4.1.2.5.1 year 50 and up is 19YY", 0x17, "500101000000Z", "1950-01-01T00:00:00Z"),
            ("4.1.2.5.1 year below 50 is 20YY", 0x17, "491231235959Z", "2049-12-31T23:59:59Z"),
            ("4.1.2.5.2 year of four digits", 0x18, "20500101000000Z", "2050-01-01T00:00:00Z"),
            ("4.1.2.5 no end of time", 0x18, "99991231235959Z", "9999-12-31T23:59:59Z"),
            ("4.1.2.5.2 before 2050 is read", 0x18, "20200229120000Z", "2020-02-29T12:00:00Z"),
            ("4.1.2.5.1 seconds are needed", 0x17, "2001010000Z", nil),
            ("4.1.2.5.1 Z is needed", 0x17, "2001010000000", nil),
            ("4.1.2.5.1 no offset", 0x17, "200101000000+0000", nil),
            ("4.1.2.5.2 no fraction", 0x18, "20500101000000.5Z", nil),
            ("4.1.2.5.2 an offset of the right length", 0x18, "205001010000+01", nil),
            ("no 30 February", 0x17, "200230000000Z", nil),
            ("no leap second", 0x17, "161231235960Z", nil),
            ("no letter among the digits", 0x17, "2001010000o0Z", nil),
            ("no sign", 0x18, "-0500101000000Z", nil),
            ("another type", 0x16, "500101000000Z", nil),
            ("empty", 0x17, "", nil),
        ] as [(String, UInt8, String, String?)])
    func forms(row: (name: String, tag: UInt8, text: String, expected: String?)) {
        let bytes = [row.tag, UInt8(row.text.utf8.count)] + Array(row.text.utf8)
        var reader = DERReader(bytes.span)
        let instant = try? ASN1Time.instant(reader.next(in: bytes.span), in: bytes.span)
        #expect(instant?.description == row.expected, "\(row.name)")
    }

    @Test(
        "a day that does not exist is another problem than another form",
        arguments: [
            ("200230000000Z", DERError.Problem.noSuchTime), ("200101240000Z", .noSuchTime),
            ("200001000000Z", .noSuchTime), ("161231235960Z", .noSuchTime),
            ("200101000000+0100", .badTime), ("2001010000Z", .badTime), ("20010100000aZ", .badTime),
        ])
    func problems(_ text: String, _ expected: DERError.Problem) {
        let bytes = [0x17, UInt8(text.utf8.count)] + Array(text.utf8)
        var reader = DERReader(bytes.span)
        do throws(DERError) {
            _ = try ASN1Time.instant(reader.next(in: bytes.span), in: bytes.span)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.problem == expected, "\(text)")
        }
    }
}
