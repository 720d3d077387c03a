import TestPKI

/// A corporate root and a public one; each vouches for a host inside and for a partner.
let anchorsOnly = FixtureRecipe(
    "anchors-only", intent: "which roots count is what the rule names, and nothing else"
) { files in
    let pki = Scenario()
    let corporate = pki.root("Corp Root", key: .ed25519("corp root"))
    let inside = corporate.issueCA("Corp Issuing", key: .ed25519("corp issuing"))
    let publicRoot = pki.root("Public Root", key: .p256("public root"))
    let outside = publicRoot.issueCA("Public Issuing", key: .p256("public issuing"))

    files.text("anchors/corp-root.pem", corporate.pem)
    files.text("store.pem", publicRoot.pem)
    for (name, authority, host) in [
        ("inside-corp", inside, "wiki.corp.example"),
        ("inside-public", outside, "wiki.corp.example"),
        ("partner-corp", inside, "depot.partners.example"),
        ("partner-public", outside, "depot.partners.example"),
    ] {
        files.chain(
            "cases/\(name)/chain.pem",
            [authority.issueLeaf(dns: [host], key: .ed25519("leaf")), authority.certificate])
    }
}
