import TestPKI

/// Servers that App Transport Security would refuse, one for each of its demands, and the host that
/// an exception was written for.
let atsExceptions = FixtureRecipe(
    "ats-exceptions", intent: "what App Transport Security demands, and each exception with its end"
) { files in
    let pki = Scenario()
    let root = pki.root("Public Root", key: .rsa2048("ats root"))
    files.text("store.pem", root.pem)
    func chain(
        _ name: String, _ host: String, _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) {
        files.chain("cases/\(name)/chain.pem", [root.issueLeaf(dns: [host], change)])
    }
    for name in ["tls13", "tls12", "tls12-without-forward-secrecy", "tls11"] {
        chain(name, "www.app.example")
    }
    chain("exception-forward-secrecy", "api.vendor.example")
    func renew(_ recipe: inout CertificateRecipe) {
        recipe.notBefore = .at("2027-01-01")
        recipe.notAfter = .at("2027-06-30T23:59:59Z")
    }
    chain("exception-tls10", "old.partner.example")
    chain("exception-tls10-after-its-end", "old.partner.example", renew)
    func weak(_ name: String, _ host: String, after: Bool = false) {
        let leaf = root.issueLeaf(dns: [host], key: .rsa1024("ats museum")) {
            $0.signature = .rsaPKCS1(.sha1)
            if after { renew(&$0) }
        }
        files.chain("cases/\(name)/chain.pem", [leaf])
    }
    weak("small-key-and-sha1", "www.app.example")
    weak("exception-small-key-and-sha1", "museum.partner.example")
    weak("exception-small-key-and-sha1-after-its-end", "museum.partner.example", after: true)
    chain("exception-cleartext-with-tls", "elsewhere.example")
}
