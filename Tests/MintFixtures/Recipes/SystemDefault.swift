import TestPKI

/// A public root in the machine's store, and a private root that is trusted only for one host.
let systemDefault = FixtureRecipe(
    "system-default", intent: "hosts that no rule names get what the machine gives, and no more"
) { files in
    let pki = Scenario()
    let publicRoot = pki.root("Public Root", key: .p256("public root"))
    let own = pki.root("Lab Root", key: .p256("system default lab root"))

    files.text("store.pem", publicRoot.pem)
    files.text("anchors/lab-root.pem", own.pem)
    files.chain(
        "cases/unlisted-public/chain.pem", [publicRoot.issueLeaf(dns: ["news.example"])])
    files.chain("cases/unlisted-own-root/chain.pem", [own.issueLeaf(dns: ["news.example"])])
    files.chain("cases/listed-own-root/chain.pem", [own.issueLeaf(dns: ["ci.lab.example"])])
    files.chain(
        "cases/listed-public/chain.pem", [publicRoot.issueLeaf(dns: ["ci.lab.example"])])
}
