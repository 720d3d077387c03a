import Testing
import TrustEngine

/// `DNSName` judges eight octets at a time. These tests judge octet by octet and compare.
@Suite("DNS names, eight octets at a time")
struct DNSNameTests {
    /// The rule as RFC 1034 section 3.5 and RFC 1123 section 2.1 write it.
    private func isInPreferredSyntax(_ name: [UInt8]) -> Bool {
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return name.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                    && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { octet in
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-*".utf8
                            .contains(octet)
                    }
            }
    }

    /// What `DNSName.isPlain` says, by its description.
    private func isPlain(_ name: [UInt8]) -> Bool {
        let edges = Array(".-".utf8)
        return (8...63).contains(name.count)
            && name.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) }
            && !edges.contains(name[0]) && !edges.contains(name[name.count - 1])
            && !zip(name, name.dropFirst()).contains {
                edges.contains($0) && edges.contains($1)
            }
    }

    private func lowercased(_ octets: [UInt8]) -> [UInt8] {
        octets.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }

    @Test("each octet at each position of names of 1 to 30 octets")
    func octets() {
        for length in 1...30 {
            let name = (0..<length).map { $0 % 7 == 3 ? UInt8(ascii: ".") : UInt8(ascii: "a") }
            for position in 0..<length {
                for octet in UInt8.min...UInt8.max {
                    var changed = name
                    changed[position] = octet
                    #expect(
                        DNSName.isInPreferredSyntax(changed.span) == isInPreferredSyntax(changed),
                        "\(changed)")
                    #expect(DNSName.isPlain(changed.span) == isPlain(changed), "\(changed)")
                    #expect(
                        DNSName.foldedEqual(name.span, changed.span)
                            == (lowercased(name) == lowercased(changed)), "\(changed)")
                }
            }
        }
    }

    @Test("dots, hyphens and letters in every order, at every offset of a word")
    func edges() {
        let kinds = Array(".-a*".utf8)
        for pattern in 0..<4096 {
            let middle = (0..<6).map { kinds[pattern >> (2 * $0) & 3] }
            for offset in 0..<9 {
                let name =
                    Array(repeating: UInt8(ascii: "x"), count: offset) + middle + Array("yz".utf8)
                #expect(
                    DNSName.isInPreferredSyntax(name.span) == isInPreferredSyntax(name), "\(name)")
                #expect(DNSName.isPlain(name.span) == isPlain(name), "\(name)")
                // A plain name is in the preferred syntax and has no asterisk: the name is not
                // looked at again.
                #expect(
                    !DNSName.isPlain(name.span)
                        || isInPreferredSyntax(name) && !name.contains(UInt8(ascii: "*")),
                    "\(name)")
            }
        }
    }

    @Test("lengths of labels and of names", arguments: [62, 63, 64, 65, 250, 253, 254])
    func lengths(_ length: Int) {
        let label = Array(repeating: UInt8(ascii: "a"), count: length)
        #expect(DNSName.isInPreferredSyntax(label.span) == (length <= 63))
        let labels = (0..<length).map { $0 % 60 == 59 ? UInt8(ascii: ".") : UInt8(ascii: "a") }
        #expect(DNSName.isInPreferredSyntax(labels.span) == isInPreferredSyntax(labels))
        #expect(DNSName.isPlain(label.span) == isPlain(label))
        #expect(DNSName.isPlain(labels.span) == isPlain(labels))
    }

    @Test("every two octets are equal, or equal in lower case, or neither")
    func pairs() {
        for left in UInt8.min...UInt8.max {
            for right in UInt8.min...UInt8.max {
                let one = Array("seven--".utf8) + [left]
                let other = Array("SEVEN--".utf8) + [right]
                #expect(
                    DNSName.foldedEqual(one.span, other.span)
                        == (lowercased([left]) == lowercased([right])), "\(left) \(right)")
            }
        }
    }

    @Test(
        "plain hosts are dNSNames alone, in the preferred syntax, without a wildcard",
        arguments: [
            ([Names.dns("api.example")], true),
            ([Names.dns("api.example"), Names.dns("a-b.example.org")], true),
            ([Names.dns("api.example"), Names.dns("*.example")], false),
            ([Names.dns("api_.example")], false),
            ([Names.dns("api.example"), Names.dns("")], false),
            ([Names.dns("api.example"), Names.email("a@b.example")], false),
        ])
    func plainHosts(_ names: [[UInt8]], _ arePlain: Bool) throws {
        var sketch = CertificateSketch()
        sketch.extensions = [Names.subjectAltName(names)]
        #expect(try sketch.certificate().layout.extensions.presentsPlainHosts == arePlain)
    }
}
