import TrustEngine

/// Chains whose names are made to cost whoever compares them. No signature in them needs to be
/// valid.
extension HostileChain {
    static func withHostileNames() -> [Recipe] {
        [
            { foldedNames(octets: 400, count: 8) },
            { foldedNames(octets: 4_000, count: 20) },
            { foldedNames(octets: 30_000, count: 60) },
            { reversedAttributes(octets: 200, count: 6) },
            { reversedAttributes(octets: 1_400, count: 16) },
            { reversedAttributes(octets: 20_000, count: 60) },
            { equalNames(octets: 30_000, count: 120) },
            { shortAttributes(4_000, count: 60) },
            { slowTexts("two-octet characters", tag: 0x1e, [0x4e, 0x2d], octets: 30_000) },
            { slowTexts("characters of four octets", tag: 0x1c, [0, 1, 0xf6, 0], octets: 30_000) },
            {
                slowTexts(
                    "characters of three octets", tag: 0x0c, [0xe4, 0xb8, 0xad], octets: 30_000)
            },
            { slowTexts("blanks", tag: 0x0c, [0x20], octets: 30_000) },
            { slowTexts("octets that are no text", tag: 0x0c, [0xff], octets: 30_000) },
            {
                presentedNames("directory names of 30 octets", octets: 60_000) {
                    .directory(TestName("Ä  \($0)"))
                }
            },
            {
                presentedNames("registered identifiers", octets: 60_000) {
                    .registeredID("1.3.6.1.4.1.32473.\($0)")
                }
            },
            { presentedNames("URIs", octets: 60_000) { .uri("a://\($0)/%20") } },
            { presentedNames("mailboxes", octets: 60_000) { .email("a\($0)@b") } },
            { constrainedDirectoryNames() },
        ]
    }

    /// Self-issued authorities of one name, which each spells in letters of another case.
    private static func foldedNames(octets: Int, count: Int) -> HostileChain {
        mesh("names of \(octets) octets in \(count) letter cases", count: count) { index in
            let text = (0..<octets).map { place -> UInt8 in
                let isUpper = place == octets - 1 - index % octets
                return isUpper ? UInt8(ascii: "N") : UInt8(ascii: "n")
            }
            return TestName(
                TestName.Attribute(type: "2.5.4.3", value: DER.element(0x0c, text)))
        }
    }

    /// Names of one set of 32 attributes, in another order in each.
    private static func reversedAttributes(octets: Int, count: Int) -> HostileChain {
        let each = max(1, octets / 32 - 12)
        let attributes = (0..<32).map { number in
            TestName.Attribute.commonName(
                String(repeating: "n", count: each) + String(UnicodeScalar(UInt8(65 + number))))
        }
        return mesh("names of \(octets) octets in 32 attributes, \(count) orders", count: count) {
            index in
            let turned = Array(attributes[(index % 32)...] + attributes[..<(index % 32)])
            return TestName(relativeNames: [index % 2 == 0 ? turned : turned.reversed()])
        }
    }

    /// One long name, octet by octet the same everywhere.
    private static func equalNames(octets: Int, count: Int) -> HostileChain {
        let name = TestName(String(repeating: "n", count: octets))
        return mesh("\(count) names of \(octets) equal octets", count: count) { _ in name }
    }

    /// Names of many relative names, the last letter in another case.
    private static func shortAttributes(_ attributes: Int, count: Int) -> HostileChain {
        mesh("names of \(attributes) attributes, \(count) times", count: count) { index in
            TestName(
                relativeNames: (0..<attributes).map { [.unit($0 == index ? "U" : "u")] })
        }
    }

    /// An end entity below authorities that all have the name of its issuer and of their own, each
    /// spelt anew: each may have issued each.
    private static func mesh(
        _ title: String, count: Int, _ name: (Int) -> TestName
    ) -> HostileChain {
        let signer = world.root("Mesh", key: .p256("hostile names"))
        let authorities = (0..<count).map { index in
            signer.issueCA("Mesh", key: .p256("hostile names \(index % 8)")) {
                $0.subject = name(index)
                $0.issuer = name(index + 1)
                $0.remove(OID.authorityKeyIdentifier)
                $0.damage = .replaced([UInt8](repeating: 0x42, count: 70))
            }.der
        }
        let leaf = signer.issueLeaf(dns: [host]) { $0.issuer = name(count + 1) }
        return HostileChain(title, [leaf.der] + authorities)
    }

    /// Certificates whose names are made of one character, each of which takes long to read.
    private static func slowTexts(
        _ title: String, tag: UInt8, _ character: [UInt8], octets: Int
    ) -> HostileChain {
        let text = Array(repeatElement(character, count: octets / character.count).joined())
        let strays = (0..<300).map { index in
            root.issueCA("Stray", key: .p256("hostile stray")) {
                $0.subject = TestName(
                    TestName.Attribute(type: "2.5.4.3", value: DER.element(tag, text)),
                    .commonName("\(index)"))
                $0.damage = .replaced([UInt8](repeating: 0x42, count: 70))
            }.der
        }
        return HostileChain(
            "300 names of \(octets) octets: \(title)",
            [root.issueLeaf(dns: ["other.acme.example"]).der] + strays)
    }

    /// An end entity with as many names of one form as fit, below one that constrains such names,
    /// and below as many others that may have issued it.
    private static func presentedNames(
        _ title: String, octets: Int, _ name: (Int) -> TestGeneralName
    ) -> HostileChain {
        var names: [TestGeneralName] = []
        var left = octets
        while left > 0 {
            names.append(name(names.count))
            left -= names[names.count - 1].der.count
        }
        let issuers = (0..<30).map { index in
            root.issueCA("Presenting", key: .p256("hostile presenting")) {
                $0.extensions.append(
                    .nameConstraints(excluded: [name(1_000_000), .dns("x\(index)")]))
            }
        }
        let leaf = issuers[0].issueLeaf(dns: ["other.acme.example"]) {
            $0.set(.subjectAltName(names + [.dns("other.acme.example")]))
        }
        return HostileChain("\(names.count) \(title)", [leaf.der] + issuers.map(\.der))
    }

    /// Permitted and excluded directory names beside the subject's, in another letter case and in
    /// another order of their attributes.
    private static func constrainedDirectoryNames() -> HostileChain {
        let attributes = (0..<32).map { number in
            TestName.Attribute.unit(
                String(repeating: "n", count: 30) + String(UnicodeScalar(UInt8(65 + number))))
        }
        let subtrees = (0..<25).map { index in
            TestGeneralName.directory(
                TestName(relativeNames: [
                    attributes.reversed(), [.commonName("\(index)")],
                ]))
        }
        let issuing = root.issueCA("Constrained", key: .p256("hostile constrained")) {
            $0.extensions.append(.nameConstraints(permitted: subtrees))
        }
        let leaf = issuing.issueLeaf(dns: ["other.acme.example"]) {
            $0.subject = TestName(relativeNames: [attributes])
            $0.set(
                .subjectAltName(
                    (0..<25).map { _ in .directory(TestName(relativeNames: [attributes])) }
                        + [.dns("other.acme.example")]))
        }
        return HostileChain(
            "25 directory names of 32 attributes in 25 subtrees", [leaf.der, issuing.der])
    }
}
