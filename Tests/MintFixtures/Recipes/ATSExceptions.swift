import TestPKI

/// Servers that App Transport Security would refuse, one for each of its demands, and the host that an
/// exception was written for.
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
    for name in ["exception-tls10", "exception-tls10-after-its-end"] {
        chain(name, "old.partner.example")
    }
    func weak(_ name: String, _ host: String, after: Bool = false) {
        let leaf = root.issueLeaf(dns: [host], key: .rsa1024("ats museum")) {
            $0.signature = .rsaPKCS1(.sha1)
            if after {
                $0.notBefore = .at("2027-01-01")
                $0.notAfter = .at("2027-06-30T23:59:59Z")
            }
        }
        files.chain("cases/\(name)/chain.pem", [leaf])
    }
    weak("small-key-and-sha1", "www.app.example")
    weak("exception-small-key-and-sha1", "museum.partner.example")
    weak("exception-small-key-and-sha1-after-its-end", "museum.partner.example", after: true)
    // No TLS, and so no certificates.
    for name in ["cleartext", "exception-cleartext", "exception-cleartext-after-its-end"] {
        files.chain("cases/\(name)/chain.pem", [])
    }
    chain("exception-cleartext-with-tls", "elsewhere.example")
}
