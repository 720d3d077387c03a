import TestPKI

/// A company between two roots, a partner's root that has expired, meters that vouch for
/// themselves, and a public root that the policy leaves out.
let anchorTerms = FixtureRecipe(
    "anchor-terms", intent: "each anchor vouches on the terms of its own set"
) { files in
    let pki = Scenario()
    let old = pki.root("Corp Root 2016", key: .rsa2048("corp 2016"))
    let new = pki.root("Corp Root 2026", key: .p256("corp 2026"))
    let oldIssuing = old.issueCA("Corp Issuing 3", key: .p256("corp issuing 3"))
    let newIssuing = new.issueCA("Corp Issuing 4", key: .p256("corp issuing 4"))
    let partner = pki.root("Partner Root", key: .p256("partner root")) {
        $0.notAfter = .at("2026-03-31T23:59:59Z")
    }
    let retired = pki.root("Retired Public Root", key: .p256("retired public root"))
    let publicRoot = pki.root("Public Root", key: .p256("public root"))
    let meter = pki.selfSignedLeaf(dns: ["7.meter.corp.example"], key: .p256("meter 7"))
    let forged = pki.selfSignedLeaf(dns: ["7.meter.corp.example"], key: .p256("not meter 7"))

    files.text("store.pem", publicRoot.pem + retired.pem)
    files.text("anchors/retired.pem", retired.pem)
    files.text("anchors/corp-2016.pem", old.pem)
    files.text("anchors/corp-2026.pem", new.pem)
    files.text("anchors/corp-2026-signed-by-2016.pem", old.crossSign(new).pem)
    files.text("anchors/partner/root.pem", partner.pem)
    files.text("pins/meter-7.pem", meter.pem)
    files.text(
        "pins/spare.csr.pem",
        RequestRecipe(subject: "a spare meter", key: .p256("a spare meter")).pem)
    files.chain(
        "cases/old-in-time/chain.pem",
        [oldIssuing.issueLeaf(dns: ["www.corp.example"]), oldIssuing.certificate])
    files.chain(
        "cases/old-too-late/chain.pem",
        [
            oldIssuing.issueLeaf(dns: ["www.corp.example"], notBefore: .at("2026-07-01")),
            oldIssuing.certificate,
        ])
    files.chain(
        "cases/new/chain.pem",
        [
            newIssuing.issueLeaf(dns: ["www.corp.example"], notBefore: .at("2026-07-01")),
            newIssuing.certificate,
        ])
    files.chain(
        "cases/cross-sign-unsent/chain.pem",
        [newIssuing.issueLeaf(dns: ["legacy.corp.example"]), newIssuing.certificate])
    files.chain(
        "cases/partner/chain.pem", [partner.issueLeaf(dns: ["api.partner.corp.example"])])
    files.chain(
        "cases/partner-strays/chain.pem",
        [partner.issueLeaf(dns: ["api.partner.corp.example", "pay.corp.example"])])
    files.chain(
        "cases/retired-root/chain.pem",
        [retired.issueLeaf(dns: ["news.example"]), retired.certificate])
    files.chain("cases/meter/chain.pem", [meter])
    files.chain("cases/meter-forged/chain.pem", [forged])
}
