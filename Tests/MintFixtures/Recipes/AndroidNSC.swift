import TestPKI

/// What Android's network security configuration says of one domain and what lies below it: pins
/// with an end, a carve-out, and a local CA that is let past the pins.
let androidNSC = FixtureRecipe(
    "android-nsc", intent: "a domain, its subdomains, a carve-out, an end, and a local anchor"
) { files in
    let pki = Scenario()
    let publicRoot = pki.root("Public Root", key: .p256("public root"))
    let issuing = publicRoot.issueCA("App Issuing", key: .p256("nsc issuing"))
    let other = publicRoot.issueCA("Other Issuing", key: .p256("nsc other issuing"))
    let local = pki.root("Debug CA", key: .p256("nsc debug ca"))

    files.text("store.pem", publicRoot.pem)
    files.text("anchors/debug-ca.pem", local.pem)
    files.text("pins/issuing.pem", issuing.pem)
    files.text(
        "pins/spare.csr.pem", RequestRecipe(subject: "App spare key", key: .p256("nsc spare")).pem)
    func chain(_ name: String, _ host: String, by authority: Authority, late: Bool = false) {
        let leaf = authority.issueLeaf(
            dns: [host], notBefore: late ? .at("2027-01-01") : nil,
            notAfter: late ? .at("2027-06-30T23:59:59Z") : nil)
        let isRoot = authority.certificate.recipe.issuer == authority.name
        files.chain(
            "cases/\(name)/chain.pem", isRoot ? [leaf] : [leaf, authority.certificate])
    }
    chain("domain", "app.example", by: issuing)
    chain("subdomain", "a.b.app.example", by: issuing)
    chain("subdomain-not-pinned", "a.b.app.example", by: other)
    chain("nested-domain-config", "cdn.app.example", by: other)
    chain("override-pins", "beta.app.example", by: local)
    chain("override-pins-stranger", "beta.app.example", by: other)
    chain("expired-pins-fail", "app.example", by: other, late: true)
    chain("expired-pins-unpinned", "legacy.app.example", by: other, late: true)
    chain("pins-not-yet-expired", "legacy.app.example", by: other)
    chain("expired-pins-reported", "old.app.example", by: other, late: true)
    chain("not-enforced-yet", "new.app.example", by: other)
    chain("enforced-from-then-on", "new.app.example", by: other, late: true)
}
