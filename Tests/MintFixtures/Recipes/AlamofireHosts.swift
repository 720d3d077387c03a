import TestPKI

/// A shop's root, the key of its API, and hosts at several depths; for the composite also a
/// certificate that fails one of its parts at a time.
let alamofireManager = FixtureRecipe(
    "alamofire-manager", intent: "every host has its own answer, and a host without one is refused"
) { files in
    let pki = Scenario()
    let root = pki.root("Shop Root", key: .p256("manager shop root"))
    let issuing = root.issueCA("Shop Issuing", key: .p256("manager shop issuing"))
    func leaf(_ host: String, key: String? = nil) -> Minted {
        issuing.issueLeaf(dns: [host], key: .p256(key ?? "manager \(host)"))
    }
    let api = leaf("api.shop.example", key: "manager api 2026")

    files.text("anchors/shop-root.pem", root.pem)
    files.bytes("pins/api-2026.cer", api.der)
    files.text(
        "pins/api-next.csr.pem",
        RequestRecipe(subject: "Shop API, next key", key: .p256("manager api 2027")).pem)
    func chain(_ name: String, _ leaf: Minted) {
        files.chain("cases/\(name)/chain.pem", [leaf, issuing.certificate])
    }
    chain("composite-both", api)
    chain("composite-other-key", leaf("api.shop.example", key: "manager api other"))
    chain("composite-other-name", leaf("www.shop.example", key: "manager api 2026"))
    chain("wildcard-one-label", leaf("eu.img.shop.example"))
    chain("wildcard-two-labels", leaf("a.eu.img.shop.example"))
    chain("host-without-evaluator", leaf("shop.example"))
}
