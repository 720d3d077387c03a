import TestPKI

/// A public CA whose issuing key is pinned, its successor on the key from the safe, and another
/// public CA that any machine trusts.
let startup = FixtureRecipe(
    "startup-pin-files", intent: "pins with a backup, on the accepted path and nowhere else"
) { files in
    let pki = Scenario()
    let root = pki.root("Public Root", key: .p256("public root"))
    let otherRoot = pki.root("Other Public Root", key: .p256("other public root"))
    let issuing = root.issueCA("Public Issuing 2026", key: .p256("acme issuing 2026"))
    let rekeyed = root.issueCA("Public Issuing 2027", key: .p256("acme offline"))
    let other = otherRoot.issueCA("Other Issuing", key: .p256("other issuing"))
    let names = ["api.acme.example"]

    files.text("store.pem", root.pem + otherRoot.pem)
    files.text("pins/issuing-2026.pem", issuing.pem)
    files.text(
        "pins/offline.csr.pem",
        RequestRecipe(subject: "Acme spare key", key: .p256("acme offline")).pem)
    files.chain(
        "cases/pinned-issuer/chain.pem", [issuing.issueLeaf(dns: names), issuing.certificate])
    files.chain(
        "cases/backup-in-service/chain.pem", [rekeyed.issueLeaf(dns: names), rekeyed.certificate])
    files.chain(
        "cases/other-issuer/chain.pem", [other.issueLeaf(dns: names), other.certificate])
    files.chain(
        "cases/pin-sent-along/chain.pem",
        [other.issueLeaf(dns: names), other.certificate, issuing.certificate])
    // A certificate for a day after `enforce-until`.
    files.chain(
        "cases/overdue/chain.pem",
        [
            issuing.issueLeaf(
                dns: names, notBefore: .at("2027-06-01"), notAfter: .at("2027-08-31T23:59:59Z")),
            issuing.certificate,
        ])
    files.chain(
        "cases/any-other-host/chain.pem",
        [other.issueLeaf(dns: ["www.acme.example"]), other.certificate])
}
