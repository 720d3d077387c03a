import TrustEngine

/// Good chains with revocation evidence that is made to cost: what a server may staple, and what
/// whoever fetches may be given.
extension HostileChain {
    static func withHostileEvidence() -> [HostileChain] {
        [
            longList(100_000), longList(1_000_000), manyLists(2_000), listsOfStrangers(),
            indirectList(60_000), manyPoints(1_200), manySingles(2_000), slowDelegates(),
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
