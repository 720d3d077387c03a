import TestPKI

/// Upstreams of a proxy: one known only by its key, one by names of several kinds, one below an
/// intermediate that is trusted without its root.
let envoyUpstream = FixtureRecipe(
    "envoy-upstream", intent: "leaf keys, typed names, an intermediate as the anchor, depth"
) { files in
    let pki = Scenario()
    let root = pki.root("Upstream Root", key: .p256("envoy root"))
    let issuing = root.issueCA("Upstream Issuing", key: .p256("envoy issuing"))
    let team = issuing.issueCA("Upstream Team", key: .p256("envoy team"))
    let below = team.issueCA("Upstream Group", key: .p256("envoy group"))
    let sibling = root.issueCA("Other Issuing", key: .p256("envoy sibling"))
    let alone = pki.selfSignedLeaf(dns: ["ledger.upstream.example"], key: .p256("envoy ledger"))

    files.text("anchors/issuing.pem", issuing.pem)
    files.text("pins/ledger.pem", alone.pem)
    files.text(
        "pins/ledger-next.csr.pem",
        RequestRecipe(subject: "Ledger, next key", key: .p256("envoy ledger next")).pem)
    func chain(_ name: String, _ certificates: Minted...) {
        files.chain("cases/\(name)/chain.pem", certificates)
    }
    func named(_ names: [TestGeneralName], by authority: Authority = issuing) -> Minted {
        authority.issueLeaf { $0.extensions.append(.subjectAltName(names)) }
    }
    chain("spki", alone)
    chain(
        "spki-other-key",
        pki.selfSignedLeaf(dns: ["ledger.upstream.example"], key: .p256("envoy other")))
    chain("san-dns", named([.dns("orders.internal.example")]))
    chain("san-uri", named([.uri("spiffe://upstream.example/orders")]))
    chain("san-email", named([.email("orders@upstream.example")]))
    chain("san-none-listed", named([.dns("orders.upstream.example")]))
    chain("intermediate-as-anchor", named([.dns("orders.internal.example")]))
    chain(
        "beside-the-intermediate",
        named([.dns("orders.internal.example")], by: sibling), sibling.certificate,
        root.certificate)
    chain(
        "too-deep", named([.dns("orders.internal.example")], by: below), below.certificate,
        team.certificate)
}
