import TestPKI

/// One CA; for each pinning mode the certificate in service, its renewal with the same key, and one
/// with another key.
let afnetworking = FixtureRecipe(
    "afnetworking", intent: "the three pinning modes, through renewals with the same key"
) { files in
    let pki = Scenario()
    let root = pki.root("Shop Root", key: .rsa2048("shop root"))
    let issuing = root.issueCA("Shop Issuing", key: .p256("shop issuing"))
    func leaf(_ host: String, key: String, renewed: Bool = false) -> Minted {
        issuing.issueLeaf(
            dns: [host], key: .p256(key),
            notBefore: renewed ? .at("2026-05-01") : nil,
            notAfter: renewed ? .at("2026-10-31T23:59:59Z") : nil)
    }
    let api = leaf("api.shop.example", key: "shop api 2026")
    let images = leaf("images.shop.example", key: "shop images 2026")
    let nextImages = leaf("images.shop.example", key: "shop images 2027", renewed: true)

    files.text("anchors/shop-root.pem", root.pem)
    files.bytes("pins/api-2026.cer", api.der)
    files.text(
        "pins/api-next.csr.pem",
        RequestRecipe(subject: "Shop API, next key", key: .p256("shop api 2027")).pem)
    files.bytes("pins/images-2026.cer", images.der)
    files.bytes("pins/images-2027.cer", nextImages.der)
    func chain(_ name: String, _ leaf: Minted) {
        files.chain("cases/\(name)/chain.pem", [leaf, issuing.certificate])
    }
    chain("none-valid", leaf("www.shop.example", key: "shop www"))
    files.chain(
        "cases/none-invalid/chain.pem", [pki.selfSignedLeaf(dns: ["www.shop.example"])])
    chain("public-key-valid", api)
    chain("public-key-renewed", leaf("api.shop.example", key: "shop api 2026", renewed: true))
    chain("public-key-other", leaf("api.shop.example", key: "shop api stolen name"))
    chain("certificate-valid", images)
    chain(
        "certificate-renewed", leaf("images.shop.example", key: "shop images 2026", renewed: true))
    chain("certificate-next", nextImages)
}
