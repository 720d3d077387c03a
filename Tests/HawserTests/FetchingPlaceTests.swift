import Testing
import TrustEngine

@testable import Hawser

/// Which URLs and addresses are asked.
@Suite("places that evidence is fetched from") struct FetchingPlaceTests {
    private func url(_ text: String) -> EvidenceURL? {
        try? EvidenceURL(text, ports: [80, 8080])
    }

    @Test(
        "URLs that are fetched, in one spelling",
        arguments: [
            ("http://crl.example/a.crl", "http://crl.example/a.crl"),
            ("HTTP://CRL.Example:80/A.crl?x=%20", "http://crl.example/A.crl?x=%20"),
            ("http://crl.example", "http://crl.example/"),
            ("http://crl.example?q", "http://crl.example/?q"),
            ("http://crl.example.:8080/", "http://crl.example:8080/"),
            ("http://192.0.2.7/x", "http://192.0.2.7/x"),
            ("http://[2001:DB8:0::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ])
    func taken(_ given: String, _ expected: String) {
        #expect(url(given)?.text == expected)
    }

    @Test(
        "URLs that are not",
        arguments: [
            "", "http://", "http:///x", "https://crl.example/", "ldap://crl.example/",
            "crl.example",
            "ftp://crl.example/", "file:///etc/passwd", "http:crl.example", "http:/crl.example/",
            "http://user@crl.example/", "http://a:b@crl.example/", "http://crl.example#@other/",
            "http://crl.example/a#b", "http://crl.example\\@other.example/",
            "http://crl.example:0/",
            "http://crl.example:22/", "http://crl.example:443/", "http://crl.example:/",
            "http://crl.example:80a/", "http://crl.example:080808/", "http://crl.example:-80/",
            "http://crl.example:65616/", "http://127.1/", "http://0x7f.0.0.1/",
            "http://2130706433/",
            "http://0177.0.0.1/", "http://[::1/", "http://[127.0.0.1]/", "http://[fe80::1%25lo]/",
            "http://[::1]x/", "http://a b/", "http://crl.example/\r\nHost: other", "http://a..b/",
            "http://b\u{FC}cher.example/", "http://crl.example/\u{7F}",
            "http://crl.example/" + String(repeating: "a", count: 2_048),
        ])
    func refused(_ text: String) {
        #expect(url(text) == nil)
    }

    @Test("an OCSP request in a URL: RFC 6960 appendix A.1, posted from 255 octets on")
    func getting() throws {
        let place = try #require(url("http://ocsp.example/base"))
        #expect(place.asking([0xFB, 0xFF, 0xBF])?.text == "http://ocsp.example/base/%2B%2F%2B%2F")
        #expect(place.asking([0x30, 0x00])?.text == "http://ocsp.example/base/MAA%3D")
        #expect(place.asking([0x30])?.text == "http://ocsp.example/base/MA%3D%3D")
        #expect(url("http://ocsp.example/?q")?.asking([0x30, 0x00]) == nil)
        let longest = (0..<400).last { place.asking([UInt8](repeating: 0, count: $0)) != nil }
        let octets = try #require(longest)
        let text = try #require(place.asking([UInt8](repeating: 0, count: octets))?.text)
        #expect(text.utf8.count < 255 && text.utf8.count > 240)
    }

    // MARK: Addresses

    @Test("every range of the tables is read")
    func tables() { #expect(AddressVetting.rangeCount == 29) }

    @Test(
        "addresses that are not asked",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
            "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
            "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255", "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1",
            "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
            "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "100::1", "2001::1",
            "2001:0:7f00:1::", "2001:10::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1",
            "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1",
        ])
    func refusedAddress(_ text: String) throws {
        let address = try #require(IPAddress(text: text))
        #expect(AddressVetting().problem(address) != nil)
    }

    @Test(
        "addresses that are",
        arguments: [
            "8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1",
            "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111",
            "2a00:1450::1", "2003::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
        ])
    func takenAddress(_ text: String) throws {
        let address = try #require(IPAddress(text: text))
        #expect(AddressVetting().problem(address) == nil)
    }

    @Test("a network that the caller vouches for is asked, in every form of its addresses")
    func allowed() throws {
        let vetting = AddressVetting(allowed: [try #require(AddressRange("10.1.0.0/16"))])
        for (text, isAsked) in [
            ("10.1.2.3", true), ("10.2.0.1", false), ("::ffff:10.1.2.3", true),
            ("64:ff9b::a01:203", true), ("64:ff9b::a02:1", false), ("::1", false),
        ] {
            let address = try #require(IPAddress(text: text))
            #expect((vetting.problem(address) == nil) == isAsked, "\(text)")
        }
    }

    @Test(
        "networks and what is none",
        arguments: [
            ("127.0.0.1", true), ("10.0.0.0/8", true), ("::1", true), ("2001:db8::/32", true),
            ("0.0.0.0/0", true), ("10.0.0.1/8", false), ("10.0.0.0/33", false),
            ("10.0.0.0/", false),
            ("10.0.0.0/8/8", false), ("10.0.0.0/-1", false), ("10.0.0.0/+8", false), ("", false),
            ("example", false), ("2001:db8::/129", false),
        ])
    func ranges(_ text: String, _ isRange: Bool) {
        #expect((AddressRange(text) != nil) == isRange)
    }
}
