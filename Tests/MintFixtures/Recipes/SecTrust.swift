import TestPKI

/// A certificate that is its own anchor, beside one that shares its name or its key; and for each
/// result that Apple's evaluation can have, a server that gets it.
let secTrust = FixtureRecipe(
    "sectrust", intent: "anchors of one's own, a certificate that is its own anchor, eight results"
) { files in
    let pki = Scenario()
    let root = pki.root("Public Root", key: .p256("public root"))
    let own = pki.root("Own Root", key: .p256("sectrust own root"))
    let printer = pki.selfSignedLeaf(
        dns: ["printer.office.example"], key: .p256("sectrust printer"))
    let nas = own.issueLeaf(dns: ["nas.office.example"], key: .p256("sectrust nas"))

    files.text("store.pem", root.pem)
    files.text("anchors/own-root.pem", own.pem)
    files.text("anchors/printer.pem", printer.pem)
    files.text("anchors/nas.pem", nas.pem)
    func chain(_ name: String, _ certificates: [Minted]) {
        files.chain("cases/\(name)/chain.pem", certificates)
    }
    chain("own-anchor-self-signed", [printer])
    chain("own-anchor-issued", [nas])
    chain(
        "own-anchor-same-key",
        [
            pki.selfSignedLeaf(dns: ["printer.office.example"], key: .p256("sectrust printer")) {
                $0.notAfter = .at("2026-12-31T23:59:59Z")
            }
        ])
    // The device's certificate vouches for itself and for nothing below it.
    let asIssuer = pki.root(nas.recipe.subject, key: nas.key)
    chain(
        "own-anchor-vouches-for-no-other",
        [
            asIssuer.issueLeaf(
                dns: ["nas.office.example"], subject: "Below", key: .p256("below nas")), nas,
        ])

    chain("invalid", [])
    chain("proceed", [own.issueLeaf(dns: ["wiki.office.example"])])
    chain("deny", [own.issueLeaf(dns: ["elsewhere.example"])])
    chain("unspecified", [root.issueLeaf(dns: ["www.shop.example"])])
    chain("recoverable-expired", [root.issueLeaf(dns: ["www.shop.example"])])
    chain("recoverable-name", [root.issueLeaf(dns: ["mail.shop.example"])])
    chain("recoverable-root", [own.issueLeaf(dns: ["www.shop.example"]), own.certificate])
    chain(
        "fatal",
        [root.issueLeaf(dns: ["www.shop.example"]) { $0.damage = .flippedBit }])
    // Ten authorities that signed each other, for longer than anybody should look.
    let mesh = (0..<10).map {
        pki.root(TestName("Mesh \($0)"), key: .p256("sectrust mesh \($0)"))
    }
    let crossed = mesh.flatMap { issuer in
        mesh.filter { $0.name != issuer.name }.map { issuer.crossSign($0) }
    }
    chain("other-error", [mesh[0].issueLeaf(dns: ["www.shop.example"])] + crossed)
}
