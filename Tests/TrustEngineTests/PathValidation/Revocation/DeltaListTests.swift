import TestPKI
import Testing
import TrustEngine

/// Delta CRLs (RFC 5280 section 5.2.4 and 6.3.3(c), (h), (i), (k)).
@Suite("status by delta CRL") struct DeltaListTests {
    private static let acme = RevocationAcme()
    private static let issuing = acme.issuing
    private static let leaf = acme.leaf

    /// The same authority after it changed its key: its name under the same root, another key.
    private static let rekeyed = acme.root.issueCA(
        "Issuing R", key: .p256("revocation issuing, second key"))

    /// A complete CRL with number 5.
    private static func base(
        _ revoked: [Minted] = [], _ reason: RevocationReason? = nil, by signer: Authority = issuing,
        with change: (inout RevocationListRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        signer.revocationList(revoked, reason: reason) {
            $0.set(.crlNumber(5))
            change(&$0)
        }
    }

    /// A delta CRL with number 7 from base 4, a day old and good for five more.
    private static func delta(
        _ revoked: [Minted] = [], _ reason: RevocationReason? = nil, by signer: Authority = issuing,
        with change: (inout RevocationListRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        signer.revocationList(revoked, reason: reason) {
            $0.thisUpdate = .day(-1)
            $0.nextUpdate = .day(5)
            $0.set(.crlNumber(7))
            $0.set(.deltaIndicator(base: 4))
            change(&$0)
        }
    }

    private static let rows: [StatusRow] = [
        StatusRow(
            "5.2.4 a delta alone", ["not-covered baseMissing"], acme.world(lists: [delta()])),
        StatusRow("a delta and its base", ["good", "good"], acme.world(lists: [base(), delta()])),
        StatusRow("in the other order", ["good", "good"], acme.world(lists: [delta(), base()])),
        StatusRow(
            "6.3.3(i) listed in the delta", ["good", "revoked superseded"],
            acme.world(lists: [base(), delta([leaf], .superseded)])),
        StatusRow(
            "6.3.3(i) listed in a delta alone", ["revoked superseded"],
            acme.world(lists: [delta([leaf], .superseded)])),
        StatusRow(
            "6.3.3(j) listed in the base", ["revoked superseded", "revoked superseded"],
            acme.world(lists: [base([leaf], .superseded), delta()])),
        StatusRow(
            "6.3.3(k) a hold that the delta lifts", ["good", "good"],
            acme.world(lists: [base([leaf], .certificateHold), delta([leaf], .removeFromCRL)])),
        StatusRow(
            "a hold that the delta does not mention",
            ["revoked certificateHold", "revoked certificateHold"],
            acme.world(lists: [base([leaf], .certificateHold), delta()])),
        StatusRow(
            "a hold in the delta", ["good", "revoked certificateHold"],
            acme.world(lists: [base(), delta([leaf], .certificateHold)])),
        StatusRow(
            "5.3.1 only a hold can be lifted",
            ["revoked keyCompromise", "revoked keyCompromise"],
            acme.world(lists: [base([leaf], .keyCompromise), delta([leaf], .removeFromCRL)])),
        StatusRow(
            "5.2.4(c) a delta from a later base", ["good", "not-covered baseMissing"],
            acme.world(lists: [base(), delta { $0.set(.deltaIndicator(base: 6)) }])),
        StatusRow(
            "a hold is not lifted by a delta from a later base",
            ["revoked certificateHold", "not-covered baseMissing"],
            acme.world(
                lists: [
                    base([leaf], .certificateHold),
                    delta([leaf], .removeFromCRL) { $0.set(.deltaIndicator(base: 6)) },
                ])),
        StatusRow(
            "5.2.4(d) a delta that is not newer", ["good", "not-covered baseMissing"],
            acme.world(lists: [base(), delta { $0.set(.crlNumber(5)) }])),
        StatusRow(
            "5.2.4(b) a delta of another scope", ["good", "not-covered baseMissing"],
            acme.world(
                lists: [
                    base(),
                    delta {
                        $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isForUsers = true }))
                    },
                ])),
        StatusRow(
            "6.3.3(c)(3) a delta with another key identifier", ["good", "not-covered baseMissing"],
            acme.world(lists: [base(), delta { $0.set(.authorityKeyIdentifier([1, 2, 3])) }])),
        StatusRow(
            "a base without a number", ["good", "not-covered baseMissing"],
            acme.world(
                lists: [base { $0.extensions.removeAll { $0.oid == "2.5.29.20" } }, delta()])),
        StatusRow(
            "5.2.4 a stale base with a current delta", ["good", "good"],
            acme.world(lists: [base { $0.nextUpdate = .day(-2) }, delta()])),
        StatusRow(
            "a hold in a stale base with a current delta",
            ["revoked certificateHold", "revoked certificateHold"],
            acme.world(
                lists: [base([leaf], .certificateHold) { $0.nextUpdate = .day(-2) }, delta()])),
        StatusRow(
            "a stale delta beside a current base", ["good", "stale expired"],
            acme.world(lists: [base(), delta { $0.nextUpdate = .day(0).advanced(bySeconds: -1) }])),
        StatusRow(
            "a stale base is not made current by a stale delta",
            ["stale expired", "stale expired"],
            acme.world(
                lists: [
                    base { $0.nextUpdate = .day(-2) },
                    delta { $0.nextUpdate = .day(0).advanced(bySeconds: -1) },
                ])),
        StatusRow(
            "a hold is not lifted by a stale delta", ["revoked certificateHold", "stale expired"],
            acme.world(
                lists: [
                    base([leaf], .certificateHold),
                    delta([leaf], .removeFromCRL) {
                        $0.nextUpdate = .day(0).advanced(bySeconds: -1)
                    },
                ])),
        StatusRow(
            "revoked in a stale delta", ["good", "revoked superseded"],
            acme.world(
                lists: [
                    base(),
                    delta([leaf], .superseded) { $0.nextUpdate = .day(0).advanced(bySeconds: -1) },
                ])),
        StatusRow(
            "the newest of two deltas decides", ["good", "good", "good"],
            acme.world(
                lists: [
                    base(), delta([leaf], .certificateHold),
                    delta([leaf], .removeFromCRL) { $0.set(.crlNumber(8)) },
                ])),
        StatusRow(
            "the newest of two deltas lifts a hold of the base, whatever their order",
            ["good", "good", "good"],
            acme.world(
                lists: [
                    base([leaf], .certificateHold),
                    delta([leaf], .removeFromCRL) { $0.set(.crlNumber(8)) }, delta(),
                ])),
        StatusRow(
            "a delta that somebody else signed", ["good", "malformed badSignature"],
            acme.world(lists: [base(), delta([leaf]) { $0.damage = .otherMessage }])),
        StatusRow(
            "the maximum age counts from the delta", ["good", "good"],
            acme.world(lists: [base(), delta()]).with { $0.maximumAge = 86_400 }),
        StatusRow(
            "a stale base is not made current by a delta over the maximum age",
            ["stale expired", "stale tooOld"],
            acme.world(lists: [base { $0.nextUpdate = .day(-2) }, delta()])
                .with { $0.maximumAge = 86_399 }),
        StatusRow(
            "a hold in a stale base is kept in force by a delta over the maximum age",
            ["revoked certificateHold", "stale tooOld"],
            acme.world(
                lists: [base([leaf], .certificateHold) { $0.nextUpdate = .day(-2) }, delta()]
            ).with { $0.maximumAge = 86_399 }),
        StatusRow(
            "a hold is not lifted by a delta over the maximum age",
            ["revoked certificateHold", "stale tooOld"],
            acme.world(
                lists: [base([leaf], .certificateHold), delta([leaf], .removeFromCRL)]
            ).with { $0.maximumAge = 86_399 }),
    ]

    // MARK: Deltas below the rule's floor

    /// A world whose rule demands SHA-384, with a base that meets it.
    private static func demanding(
        _ deltas: [[UInt8]], base revoked: [Minted] = [], _ reason: RevocationReason? = nil,
        with change: (inout RevocationListRecipe) -> Void = { _ in }
    ) -> StatusWorld {
        let base = base(revoked, reason) {
            $0.signature = .ecdsa(.sha384)
            change(&$0)
        }
        return acme.world(lists: [base] + deltas).with { $0.minimumHash = .sha384 }
    }

    /// A delta that meets the floor, with number 7.
    private static func strong(
        _ revoked: [Minted] = [], _ reason: RevocationReason? = nil
    ) -> [UInt8] {
        delta(revoked, reason) { $0.signature = .ecdsa(.sha384) }
    }

    /// A delta that falls short of the floor, with number 8.
    private static func weak(
        _ revoked: [Minted] = [], _ reason: RevocationReason? = nil
    ) -> [UInt8] {
        delta(revoked, reason) { $0.set(.crlNumber(8)) }
    }

    private static let rowsOfFloors: [StatusRow] = [
        StatusRow(
            "a stale base is made current by a delta that vouches, below a newer one that does not",
            ["good", "good", "not-covered baseMissing"],
            demanding([strong(), weak()]) { $0.nextUpdate = .day(-2) }),
        StatusRow(
            "a stale base is not made current by a delta below the floor",
            ["stale expired", "not-covered baseMissing"],
            demanding([weak()]) { $0.nextUpdate = .day(-2) }),
        StatusRow(
            "a hold is lifted where a delta that vouches and the newest one lift it",
            ["good", "good", "not-covered baseMissing"],
            demanding(
                [strong([leaf], .removeFromCRL), weak([leaf], .removeFromCRL)], base: [leaf],
                .certificateHold)),
        StatusRow(
            "a hold is not lifted where the newest delta keeps it",
            ["revoked certificateHold", "revoked certificateHold", "not-covered baseMissing"],
            demanding([strong([leaf], .removeFromCRL), weak()], base: [leaf], .certificateHold)),
        StatusRow(
            "a hold is not lifted by a delta below the floor alone",
            ["revoked certificateHold", "not-covered baseMissing"],
            demanding([weak([leaf], .removeFromCRL)], base: [leaf], .certificateHold)),
    ]

    // MARK: Two keys of one name

    /// A world in which both certificates of the authority are at hand.
    private static func twoKeys(_ lists: [[UInt8]]) -> StatusWorld {
        acme.world(lists: lists).with { $0.chain.append(rekeyed.der) }
    }

    /// Takes out what names the key, so that only the signature tells one key's CRLs from the
    /// other's.
    private static func nameless(_ recipe: inout RevocationListRecipe) {
        recipe.extensions.removeAll { $0.oid == OID.authorityKeyIdentifier }
    }

    /// Names one key, whoever signs.
    private static func misnamed(_ recipe: inout RevocationListRecipe) {
        recipe.set(.authorityKeyIdentifier(issuing.key.keyIdentifier))
    }

    /// RFC 5280 section 5.2.4: a delta and its base are signed by one key. Section 6.3.3(c)
    /// compares names, scopes and key identifiers, which two keys of one name can share.
    private static let rowsOfTwoKeys: [StatusRow] = [
        StatusRow(
            "5.2.4 a delta by the issuer's other key", ["good", "not-covered baseMissing"],
            twoKeys([base(with: nameless), delta(by: rekeyed, with: nameless)])),
        StatusRow(
            "5.2.4 in the other order", ["not-covered baseMissing", "good"],
            twoKeys([delta(by: rekeyed, with: nameless), base(with: nameless)])),
        StatusRow(
            "6.3.3(c)(3) equal key identifiers do not make one key of two",
            ["good", "not-covered baseMissing"],
            twoKeys([base(with: misnamed), delta(by: rekeyed, with: misnamed)])),
        StatusRow(
            "5.2.4 a base by the issuer's other key", ["good", "not-covered baseMissing"],
            twoKeys([base(by: rekeyed, with: nameless), delta(with: nameless)])),
        StatusRow(
            "5.2.4 both by the issuer's other key", ["good", "good"],
            twoKeys([base(by: rekeyed, with: nameless), delta(by: rekeyed, with: nameless)])),
        StatusRow(
            "a hold is not lifted by the other key's delta",
            ["revoked certificateHold", "not-covered baseMissing"],
            twoKeys([
                base([leaf], .certificateHold, with: nameless),
                delta([leaf], .removeFromCRL, by: rekeyed, with: nameless),
            ])),
        StatusRow(
            "a stale base is not made current by the other key's delta",
            ["stale expired", "not-covered baseMissing"],
            twoKeys([
                base {
                    nameless(&$0)
                    $0.nextUpdate = .day(-2)
                }, delta(by: rekeyed, with: nameless),
            ])),
        StatusRow(
            "a delta by either key revokes by itself (LANGUAGE 12.5)",
            ["good", "revoked superseded"],
            twoKeys([base(with: nameless), delta([leaf], .superseded, by: rekeyed, with: nameless)])
        ),
    ]

    // MARK: A signer that may only revoke

    /// A CA of the issuer's name that a CA beside the path issued.
    private static let beside = acme.root.issueCA("Beside R", key: .p256("revocation beside"))
    private static let namesake = beside.issueCA(
        "Issuing R", key: .p256("revocation namesake"))

    /// A world in which the namesake and the CA above it are at hand.
    private static func withNamesake(_ lists: [[UInt8]]) -> StatusWorld {
        acme.world(lists: lists).with { $0.chain += [namesake.der, beside.der] }
    }

    /// LANGUAGE section 12.5: a delta CRL vouches only where its signer may.
    private static let rowsOfNamesakes: [StatusRow] = [
        StatusRow(
            "a delta and its base by a signer that may only revoke",
            ["malformed not-appointed", "not-covered baseMissing"],
            withNamesake([base(by: namesake), delta(by: namesake)])),
        StatusRow(
            "a stale base is not made current by a delta of a signer that may only revoke",
            ["stale expired", "not-covered baseMissing"],
            withNamesake([
                base(by: namesake) { $0.nextUpdate = .day(-2) }, delta(by: namesake),
            ])),
        StatusRow(
            "a hold of a signer that may only revoke is not lifted by its delta",
            ["revoked certificateHold", "not-covered baseMissing"],
            withNamesake([
                base([leaf], .certificateHold, by: namesake),
                delta([leaf], .removeFromCRL, by: namesake),
            ])),
        StatusRow(
            "a hold of the issuer is not lifted by a delta of a signer that may only revoke",
            ["revoked certificateHold", "not-covered baseMissing"],
            withNamesake([
                base([leaf], .certificateHold, with: nameless),
                delta([leaf], .removeFromCRL, by: namesake, with: nameless),
            ])),
        StatusRow(
            "revoked in a delta of a signer that may only revoke",
            ["good", "revoked superseded"],
            withNamesake([base(), delta([leaf], .superseded, by: namesake)])),
    ]

    @Test(
        "each rule has its answer",
        arguments: rows + rowsOfFloors + rowsOfTwoKeys + rowsOfNamesakes)
    func answers(row: StatusRow) throws {
        let words = try row.world.judge().words
        #expect(words == row.expected)
    }
}
