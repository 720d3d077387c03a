import TrustEngine

/// Good chains with revocation evidence that is made to cost: what a server may staple, and what
/// whoever fetches may be given.
extension HostileChain {
    static func withHostileEvidence() -> [Recipe] {
        [
            { longList(100_000) },
            { longList(1_000_000) },
            { manyLists(2_000) },
            { listsOfStrangers() },
            { indirectList(60_000) },
            { manyPoints(1_200) },
            { manySingles(2_000) },
            { slowDelegates() },
            { manyResponses(300) },
            { foreignResponses(300) },
            { responsesOfDelegates(300) },
            { deltaLists(140) },
            { relativePoints(900) },
            { foldedIssuers() },
            { extendedSingles(1_500) },
            { extendedEntries(15_000) },
        ]
    }

    private static let issuing = root.issueCA("Listing", key: .p256("hostile listing"))
    private static let listed = issuing.issueLeaf(dns: [host])
    private static let chain = [listed.der, issuing.der]

    private static func entries(_ count: Int) -> [RevocationListRecipe.Entry] {
        (0..<count).map { index in
            RevocationListRecipe.Entry(
                [0x40] + (0..<7).map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) },
                at: .at("2026-05-01"))
        }
    }

    private static func longList(_ count: Int) -> HostileChain {
        HostileChain(
            "a CRL of \(count) entries", chain,
            evidence: Evidence(crls: [issuing.revocationList { $0.entries = entries(count) }]))
    }

    private static func manyLists(_ count: Int) -> HostileChain {
        HostileChain(
            "\(count) CRLs that nobody signed", chain,
            evidence: Evidence(
                crls: (0..<count).map { number in
                    issuing.revocationList {
                        $0.set(.crlNumber(number))
                        $0.damage = .flippedBit
                    }
                }))
    }

    /// Twenty CRLs by one name that twenty certificates have, each with an expensive key.
    private static func listsOfStrangers() -> HostileChain {
        let signers = (0..<20).map { index -> [UInt8] in
            root.issueCA("Lister", key: .p256("hostile lister \(index)")) {
                $0.spki = rsaKey(bits: 16_384, exponentBits: 17, index)
                $0.remove(OID.subjectKeyIdentifier)
            }.der
        }
        let leaf = issuing.issueLeaf(dns: [host]) {
            $0.extensions.append(
                .distributionPoints([TestPoint(issuer: [.directory("Lister")])]))
        }
        let lists = (0..<20).map { number in
            issuing.revocationList {
                $0.issuer = "Lister"
                $0.set(.crlNumber(number))
                $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
                $0.damage = .replaced([UInt8](repeating: 0x42, count: 2_048))
            }
        }
        return HostileChain(
            "20 CRLs of 20 strangers with RSA-16384", [leaf.der, issuing.der] + signers,
            evidence: Evidence(crls: lists))
    }

    /// Every entry names its certificate's issuer anew, and has the serial number that is looked
    /// for.
    private static func indirectList(_ count: Int) -> HostileChain {
        let leaf = issuing.issueLeaf(dns: [host]) {
            $0.extensions.append(
                .distributionPoints([TestPoint(issuer: [.directory("Hostile Root")])]))
        }
        let list = root.revocationList {
            $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
            $0.entries = (0..<count).map { index in
                RevocationListRecipe.Entry(
                    leaf.recipe.serialOctets, at: .at("2026-05-01"),
                    [.certificateIssuer(TestName("Somebody \(index)"))])
            }
        }
        return HostileChain(
            "an indirect CRL with \(count) issuers", [leaf.der, issuing.der],
            evidence: Evidence(crls: [list]))
    }

    /// Thousands of distribution points against thousands of names of one.
    private static func manyPoints(_ count: Int) -> HostileChain {
        let names = (0..<count).map { TestGeneralName.uri("http://crl.example/\($0)") }
        let leaf = issuing.issueLeaf(dns: [host]) {
            $0.extensions.append(.distributionPoints(names.map { TestPoint(.full([$0])) }))
        }
        let others = (0..<count).map { TestGeneralName.uri("http://crl.example/other/\($0)") }
        return HostileChain(
            "\(count) distribution points and as many names", [leaf.der, issuing.der],
            evidence: Evidence(crls: [
                issuing.revocationList {
                    $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.name = .full(others) }))
                }
            ]))
    }

    private static func manySingles(_ count: Int) -> HostileChain {
        HostileChain(
            "a staple with \(count) answers about the certificate", chain,
            evidence: Evidence(
                stapledOCSP: issuing.ocspResponse(for: listed) {
                    $0.singles = Array(repeating: $0.singles[0], count: count)
                }))
    }

    /// Responses about the certificate that nobody signed, none of which can be skipped.
    private static func manyResponses(_ count: Int) -> HostileChain {
        HostileChain(
            "\(count) responses that nobody signed", chain,
            evidence: Evidence(
                ocspResponses: (0..<count).map { number in
                    issuing.ocspResponse(for: listed) {
                        $0.extensions = [.raw("1.3.6.1.4.1.32473.6", DER.integer(number))]
                        $0.damage = .flippedBit
                    }
                }))
    }

    /// Long responses about other certificates, with certificates of long names.
    private static func foreignResponses(_ count: Int) -> HostileChain {
        let other = issuing.issueLeaf(dns: ["other.acme.example"])
        let delegate = issuing.issueResponder(
            TestName(String(repeating: "ü", count: 15_000)), key: .p256("hostile delegate"))
        return HostileChain(
            "\(count) responses about others, with 8 long certificates each", chain,
            evidence: Evidence(
                ocspResponses: (0..<count).map { number in
                    issuing.ocspResponse(for: other, by: delegate) {
                        $0.certificates = Array(repeating: delegate.der, count: 8)
                        $0.extensions = [.raw("1.3.6.1.4.1.32473.6", DER.integer(number))]
                    }
                }))
    }

    /// Responses by the hash of a key that eight certificates of each response may have.
    private static func responsesOfDelegates(_ count: Int) -> HostileChain {
        let delegates = (0..<8).map {
            issuing.issueResponder("Delegate", key: .p256("hostile delegate \($0)"))
        }
        return HostileChain(
            "\(count) responses with 8 delegates each", chain,
            evidence: Evidence(
                ocspResponses: (0..<count).map { number in
                    issuing.ocspResponse(for: listed, by: delegates[0]) {
                        $0.responder = .key(.p256("hostile nobody"))
                        $0.certificates = delegates.map(\.der)
                        $0.extensions = [.raw("1.3.6.1.4.1.32473.6", DER.integer(number))]
                    }
                }))
    }

    /// Delta CRLs that each continue all others, of a long name and a long distribution point.
    private static func deltaLists(_ count: Int) -> HostileChain {
        let long = TestName(String(repeating: "n", count: 20_000))
        let issuer = root.issueCA(long, key: .p256("hostile deltas"))
        let leaf = issuer.issueLeaf(dns: [host])
        let lists = (0..<count).map { number in
            issuer.revocationList {
                $0.set(.crlNumber(number + 2))
                $0.set(.deltaIndicator(base: 1))
                let text = (0..<20_000).map { $0 == number ? UInt8(0x4e) : UInt8(0x6e) }
                $0.issuer = TestName(
                    TestName.Attribute(type: "2.5.4.3", value: DER.element(0x0c, text)))
            }
        }
        return HostileChain(
            "\(count) delta CRLs of a name of 20,000 octets", [leaf.der, issuer.der],
            evidence: Evidence(crls: lists))
    }

    /// Answers with as many extensions as are read, each of which is compared with those before it.
    private static func extendedSingles(_ count: Int) -> HostileChain {
        HostileChain(
            "a staple with \(count) answers of 16 extensions", chain,
            evidence: Evidence(
                stapledOCSP: issuing.ocspResponse(for: listed) {
                    $0.singles[0].extensions = (0..<16).map {
                        .raw("1.3.6.1.4.1.32473.8.\($0)", [])
                    }
                    $0.singles = Array(repeating: $0.singles[0], count: count)
                }))
    }

    /// Entries of an indirect CRL with as many extensions as are read.
    private static func extendedEntries(_ count: Int) -> HostileChain {
        let added = (0..<16).map { TestExtension.raw("1.3.6.1.4.1.32473.8.\($0)", []) }
        let list = issuing.revocationList {
            $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
            $0.entries = entries(count).map {
                RevocationListRecipe.Entry($0.serial, at: $0.date, added)
            }
        }
        return HostileChain(
            "an indirect CRL with \(count) entries of 16 extensions", chain,
            evidence: Evidence(crls: [list]))
    }

    /// Distribution points with relative names, below issuers with long names.
    private static func relativePoints(_ count: Int) -> HostileChain {
        let long = TestName(String(repeating: "n", count: 20_000))
        let issuer = root.issueCA(long, key: .p256("hostile relative"))
        let leaf = issuer.issueLeaf(dns: [host]) {
            $0.extensions.append(
                .distributionPoints(
                    (0..<count).map { TestPoint(.relative(.unit("\($0)"))) }))
        }
        return HostileChain(
            "\(count) relative points below a name of 20,000 octets", [leaf.der, issuer.der],
            evidence: Evidence(
                crls: (0..<20).map { number in
                    issuer.revocationList {
                        $0.set(.crlNumber(number))
                        $0.set(
                            .issuingDistributionPoint(
                                TestIssuingPoint { $0.name = .relative(.unit("none")) }))
                    }
                }))
    }

    /// CRLs and distribution points whose issuers are spelt in other letters each time.
    private static func foldedIssuers() -> HostileChain {
        func name(_ index: Int) -> TestName {
            let text = (0..<6_000).map { $0 == 5_999 - index ? UInt8(0x4e) : UInt8(0x6e) }
            return TestName(TestName.Attribute(type: "2.5.4.3", value: DER.element(0x0c, text)))
        }
        let leaf = issuing.issueLeaf(dns: [host]) {
            $0.extensions.append(
                .distributionPoints((0..<9).map { TestPoint(issuer: [.directory(name($0))]) }))
        }
        let lists = (0..<200).map { number in
            issuing.revocationList {
                $0.issuer = name(1_000 + number)
                $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
                $0.damage = .flippedBit
            }
        }
        return HostileChain(
            "200 CRLs of issuers of 6,000 octets in other letter cases", [leaf.der, issuing.der],
            evidence: Evidence(crls: lists))
    }

    /// Delegates that the issuer vouches for, each with an expensive key and the responder's name.
    public static func slowDelegates() -> HostileChain {
        let delegates = (0..<60).map { index in
            issuing.issueResponder("Delegate", key: .p256("hostile delegate")) {
                $0.spki = rsaKey(bits: 16_384, exponentBits: 17, index)
                $0.remove(OID.subjectKeyIdentifier)
            }
        }
        return HostileChain(
            "a staple with 60 delegates with RSA-16384", chain,
            evidence: Evidence(
                stapledOCSP: issuing.ocspResponse(for: listed, by: delegates[0]) {
                    $0.certificates = delegates.map(\.der)
                    $0.damage = .replaced([UInt8](repeating: 0x42, count: 2_048))
                }))
    }
}
