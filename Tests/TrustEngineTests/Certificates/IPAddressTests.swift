import Testing
import TrustEngine

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "text in, canonical text out",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"),
            ("2001:DB8::1", "2001:db8::1"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::ffff:c000:201", "::ffff:192.0.2.1"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func canonical(text: String, expected: String) {
        #expect(IPAddress(text: text)?.description == expected)
    }

    @Test(
        "no address",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.4.", "1.2.3.0x4", "127.1",
            "+1.2.3.4", "1..2.3", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
            "1::2::3", "12345::", "g::", "::1%eth0", "[::1]", "1:2:3:4:5:6:7:8::",
            "::1:2:3:4:5:6:7:8", "1.2.3.4::", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", ":1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:", " 1.2.3.4", "1:2:3:4:5:6:7:8:", "::1.2.3.4:5",
        ])
    func refused(text: String) {
        #expect(IPAddress(text: text) == nil)
    }

    @Test("octets in and out", arguments: ["192.0.2.1", "2001:db8::abcd", "::"])
    func octets(text: String) throws {
        let address = try #require(IPAddress(text: text))
        let again = IPAddress(bytes: address.bytes.span)
        #expect(again == address)
        #expect(address.bytes.count == (address.isIPv4 ? 4 : 16))
    }

    @Test("other numbers of octets are no address", arguments: [0, 1, 3, 5, 8, 15, 17, 32])
    func wrongCount(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        let address = IPAddress(bytes: bytes.span)
        #expect(address == nil)
    }

    @Test(
        "networks",
        arguments: [
            ("10.0.0.0", 8, "10.255.1.2", true), ("10.0.0.0", 8, "11.0.0.0", false),
            ("0.0.0.0", 0, "203.0.113.9", true), ("192.0.2.1", 32, "192.0.2.1", true),
            ("192.0.2.1", 32, "192.0.2.0", false), ("2001:db8::", 32, "2001:db8:ffff::1", true),
            ("2001:db8::", 65, "2001:db8::7fff:0:0:0", true),
            ("2001:db8::", 65, "2001:db8::8000:0:0:0", false), ("::", 0, "2001:db8::", true),
            ("2001:db8::", 64, "2001:db8::8000:0:0:0", true), ("::", 0, "10.0.0.1", false),
            ("2001:db8::1", 128, "2001:db8::1", true), ("2001:db8::1", 128, "2001:db8::", false),
        ])
    func networks(row: (network: String, prefix: Int, address: String, isInside: Bool)) throws {
        let network = try #require(IPAddress(text: row.network))
        let address = try #require(IPAddress(text: row.address))
        #expect(network.contains(address, prefix: row.prefix) == row.isInside)
    }

    @Test("a mapped address is its IPv4 address, RFC 4291 section 2.5.5.2")
    func mapped() throws {
        let address = try #require(IPAddress(text: "::ffff:192.0.2.1"))
        #expect(address.isIPv4Mapped)
        #expect(address.unmapped == IPAddress(text: "192.0.2.1"))
        let other = try #require(IPAddress(text: "::1:ffff:192.0.2.1"))
        #expect(!other.isIPv4Mapped)
        #expect(other.unmapped == other)
    }

    @Test(
        "lengths of masks",
        arguments: [
            ("255.255.255.0", 24), ("0.0.0.0", 0), ("255.255.255.255", 32), ("255.0.255.0", nil),
            ("ffff::", 16), ("ffff:ffff:ffff:ffff:8000::", 65), ("::1", nil), ("::", 0),
        ] as [(String, Int?)])
    func maskLengths(text: String, expected: Int?) throws {
        let mask = try #require(IPAddress(text: text))
        #expect(mask.maskLength == expected)
    }
}
