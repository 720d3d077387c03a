import TestPKI

/// A new root that an old one cross-signed, two tiers of CAs, and whatever else servers send.
let tangledChain = FixtureRecipe(
    "tangled-chain", intent: "every way to an anchor is tried, whatever the order and the company"
) { files in
    let pki = Scenario()
    let root = pki.root("Root 2026", key: .p256("root 2026"))
    let retired = pki.root("Root 2016", key: .p256("root 2016"))
    let policyCA = root.issueCA("Policy CA", key: .p256("policy ca"))
    let issuing = policyCA.issueCA("Issuing CA", key: .p256("issuing ca"))
    let stranger = pki.root("Stranger", key: .p256("stranger"))
    let leaf = issuing.issueLeaf(dns: ["www.tangled.example"])

    files.text("anchors/root-2026.pem", root.pem)
    files.chain(
        "cases/shuffled/chain.pem",
        [leaf, policyCA.certificate, issuing.certificate, policyCA.certificate])
    files.text(
        "cases/junk/chain.pem",
        leaf.pem + stranger.pem
            + PEMWriter.block("CERTIFICATE", Array("not a certificate at all".utf8))
            + issuing.pem + policyCA.pem)
    // The issuing CA as the retired root knew it: the search comes back from there.
    files.chain(
        "cases/cross-sign/chain.pem",
        [
            leaf, retired.crossSign(issuing), retired.certificate, issuing.certificate,
            policyCA.certificate,
        ])
    // The direct certificate of the issuing CA is the shorter way, and has expired.
    files.chain(
        "cases/expired-cross-sign/chain.pem",
        [
            leaf, root.crossSign(issuing) { $0.notAfter = .at("2026-01-31T23:59:59Z") },
            issuing.certificate, policyCA.certificate,
        ])
    let pair = Authority.pair("Left CA", "Right CA", in: pki)
    files.chain(
        "cases/loop/chain.pem",
        [pair.one.issueLeaf(dns: ["www.tangled.example"]), pair.oneByOther, pair.otherByOne])
}

extension Authority {
    /// Two authorities that signed each other and that nobody else signed.
    fileprivate static func pair(
        _ one: TestName, _ other: TestName, in pki: Scenario
    ) -> (one: Authority, oneByOther: Minted, otherByOne: Minted) {
        let first = pki.root(one, key: .p256("loop one"))
        let second = pki.root(other, key: .p256("loop other"))
        return (first, second.crossSign(first), first.crossSign(second))
    }
}
