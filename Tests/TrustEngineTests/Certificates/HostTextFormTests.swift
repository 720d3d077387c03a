import Testing

@testable import TrustEngine

/// The one pass over a host's octets beside the obvious way: an address is read first, then a dot
/// at the end is removed, then `DNSName.problem` decides, then letters are folded.
@Suite("the text of a host, read in words")
struct HostTextFormTests {
    /// The canonical host by the obvious way; nil for no host.
    private static func obvious(_ text: String) -> CanonicalHost? {
        var octets = Array(text.utf8)
        if let address = IPAddress(text: text) { return .address(address.unmapped) }
        if octets.contains(UInt8(ascii: ":")) { return nil }
        if octets.last == UInt8(ascii: ".") { octets.removeLast() }
        guard DNSName.problem(octets.span) == nil else { return nil }
        return .name(String(decoding: octets.map(DNSName.folded), as: UTF8.self))
    }

    private static func agrees(_ text: String) -> Bool {
        let expected = obvious(text)
        let form = HostTextForm(text.utf8.span)
        let isForm: Bool
        switch expected {
        case .name(let name):
            isForm =
                name.utf8.elementsEqual(text.utf8)
                ? form == .canonicalName : form == .name(count: name.utf8.count)
        case .address, nil: isForm = form == .other
        }
        return isForm && (try? CanonicalHost(text: text)) == expected
    }

    /// A name of so many octets, in labels of seven.
    private static func name(_ count: Int) -> [UInt8] {
        var octets = (0..<count).map { $0 % 8 == 7 ? UInt8(ascii: ".") : UInt8(ascii: "a") }
        if count > 0 { octets[count - 1] = UInt8(ascii: "b") }
        return octets
    }

    @Test("every octet of ASCII at every place of names of every kind of length")
    func everyOctet() {
        for count in [0, 1, 2, 7, 8, 9, 15, 16, 17, 33, 62, 63, 64, 65] {
            for position in 0..<count {
                for octet in UInt8(0)..<0x80 {
                    var octets = HostTextFormTests.name(count)
                    octets[position] = octet
                    let text = String(decoding: octets, as: UTF8.self)
                    guard !HostTextFormTests.agrees(text) else { continue }
                    Issue.record("\(octets)")
                    return
                }
            }
        }
    }

    @Test(
        "numbers, dots, hyphens and octets beyond ASCII",
        arguments: [
            "", ".", "..", "a", "a.", "a..", ".a", "service.example.1", "service.example.0x1f",
            "service.example.0X1F", "service.example.0xg", "service.example.1a",
            "service.example.0x", "service.example.123.", "10.20.30.40", "100.200.100.200",
            "100.200.100.256",
            "100.200.100.200.", "2001:db8::1:2:3", "::ffff:192.0.2.1", "service.example:443",
            "service.example-", "service.example-.", "-service.example", "service-.example",
            "service.-example", "SERVICE.Example.", "service.exämple.com", "s\u{212A}rvice.example",
            "service.example\u{0}", "_service._tcp.example",
        ])
    func rows(_ text: String) {
        #expect(HostTextFormTests.agrees(text))
    }

    @Test("the same hosts, in the same form, for 60,000 random texts")
    func random() {
        var random = RandomPolicies(seed: 20_261_123)
        let odd = Array("AZ019-_xX[]:/@`{ é\u{7F}\u{0}\u{212A}")
        var names = 0
        for _ in 0..<60_000 {
            let count = random.number(0...9) == 0 ? random.number(0...270) : random.number(0...40)
            let text = String(
                (0..<count).map { _ -> Character in
                    switch random.number(0...60) {
                    case 0: random.pick(odd)
                    case 1...6: "."
                    case 7: "-"
                    case 8: "7"
                    default: Character(Unicode.Scalar(UInt8(random.number(0x61...0x7A))))
                    }
                })
            if HostTextFormTests.obvious(text) != nil { names += 1 }
            guard !HostTextFormTests.agrees(text) else { continue }
            Issue.record("`\(text)`")
            return
        }
        #expect(names > 10_000)
    }
}
