import TestPKI

/// The machine's store holds a public root and the root of a proxy that mints certificates for
/// every host; the bank has an anchor of its own.
let interceptingProxy = FixtureRecipe(
    "proxy-in-system-store",
    intent: "a locally trusted root does not reach pinned and anchored hosts"
) { files in
    let pki = Scenario()
    let publicRoot = pki.root("Public Root", key: .p256("public root"))
    let issuing = publicRoot.issueCA("Public Issuing", key: .p256("saas issuing"))
    let proxy = pki.root("Inspecting Proxy", key: .rsa2048("inspecting proxy"))
    let bank = pki.root("Bank Root", key: .p256("bank root"))

    files.text("store.pem", publicRoot.pem + proxy.pem)
    files.text("anchors/bank-root.pem", bank.pem)
    files.text("pins/issuing.pem", issuing.pem)
    files.text(
        "pins/spare.csr.pem",
        RequestRecipe(subject: "SaaS spare issuer", key: .p256("saas spare")).pem)
    func throughProxy(_ name: String, _ host: String) {
        files.chain(
            "cases/\(name)/chain.pem", [proxy.issueLeaf(dns: [host]), proxy.certificate])
    }
    throughProxy("default-through-proxy", "news.example")
    throughProxy("anchors-only-through-proxy", "pay.bank.example")
    throughProxy("pinned-through-proxy", "login.saas.example")
    files.chain(
        "cases/anchors-only-direct/chain.pem", [bank.issueLeaf(dns: ["pay.bank.example"])])
    files.chain(
        "cases/pinned-direct/chain.pem",
        [issuing.issueLeaf(dns: ["login.saas.example"]), issuing.certificate])
}
