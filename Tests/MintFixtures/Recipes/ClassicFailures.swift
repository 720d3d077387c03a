import TestPKI

/// One good chain, and the five ways in which it usually goes wrong.
let classicFailures = FixtureRecipe(
    "classic-failures", intent: "five failures that everybody meets, told apart"
) { files in
    let pki = Scenario()
    let root = pki.root("Site Root", key: .p256("site root"))
    let issuing = root.issueCA("Site Issuing", key: .p256("site issuing"), pathLength: 0)
    let staging = pki.root("Staging Root", key: .p256("staging root"))
    let host = "www.site.example"
    let good = issuing.issueLeaf(dns: [host])

    files.text("anchors/site-root.pem", root.pem)
    files.text("anchors/staging-root.pem", staging.pem)
    files.chain("cases/good/chain.pem", [good, issuing.certificate])
    files.chain("cases/issuer-not-found/chain.pem", [good])
    files.chain("cases/self-signed/chain.pem", [pki.selfSignedLeaf(dns: [host])])
    files.chain(
        "cases/unknown-root/chain.pem", [staging.issueLeaf(dns: [host]), staging.certificate])
    files.chain("cases/expired/chain.pem", [good, issuing.certificate])
    files.chain(
        "cases/not-yet-valid/chain.pem",
        [
            issuing.issueLeaf(
                dns: [host], notBefore: .at("2026-09-01"), notAfter: .at("2027-02-28T23:59:59Z")),
            issuing.certificate,
        ])
    files.chain(
        "cases/wrong-name/chain.pem",
        [
            issuing.issueLeaf(dns: ["mail.site.example", "*.mail.site.example"]),
            issuing.certificate,
        ])
    files.chain("cases/nobody-asked/chain.pem", [good, issuing.certificate])
}
