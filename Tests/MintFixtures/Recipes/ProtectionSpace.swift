import TestPKI

/// Two ports of one host with roots of their own, and an address.
let protectionSpace = FixtureRecipe(
    "protection-space", intent: "host and port decide, and the verdict is what a challenge is told"
) { files in
    let pki = Scenario()
    let publicRoot = pki.root("Public Root", key: .p256("public root"))
    let admin = pki.root("Admin Root", key: .p256("protection space admin"))

    files.text("store.pem", publicRoot.pem)
    files.text("anchors/admin-root.pem", admin.pem)
    func chain(_ name: String, _ certificates: Minted...) {
        files.chain("cases/\(name)/chain.pem", certificates)
    }
    let host = ["api.shop.example"]
    chain("any-port", publicRoot.issueLeaf(dns: host))
    chain("admin-port", admin.issueLeaf(dns: host))
    chain("admin-port-public-root", publicRoot.issueLeaf(dns: host))
    chain("any-port-admin-root", admin.issueLeaf(dns: host))
    chain("address", admin.issueLeaf(ips: ["192.0.2.7"]))
    chain("address-as-a-name", admin.issueLeaf(dns: ["192.0.2.7"]))
}
