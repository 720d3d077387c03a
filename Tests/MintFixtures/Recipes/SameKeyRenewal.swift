import TestPKI

/// One key through three certificates: in service, renewed, and long expired; and a stranger's key
/// under the same name.
let sameKeyRenewal = FixtureRecipe(
    "same-key-renewal", intent: "a pinned key outlives its certificates, and dates still count"
) { files in
    let pki = Scenario()
    let key = TestKey.p256("renewal device")
    func own(_ from: String, _ to: String, key: TestKey = key) -> Minted {
        pki.selfSignedLeaf(dns: ["device.plant.example"], key: key) {
            $0.notBefore = .at(from)
            $0.notAfter = .at(to)
        }
    }
    let first = own("2026-03-01", "2026-08-31T23:59:59Z")
    files.bytes("pins/device.cer", first.der)
    files.text(
        "pins/device-next.csr.pem",
        RequestRecipe(subject: "Device, next key", key: .p256("renewal device next")).pem)
    files.chain("cases/in-service/chain.pem", [first])
    files.chain(
        "cases/renewed/chain.pem", [own("2026-08-01", "2027-07-31T23:59:59Z")])
    files.chain(
        "cases/backup-key/chain.pem",
        [own("2026-08-01", "2027-07-31T23:59:59Z", key: .p256("renewal device next"))])
    files.chain("cases/expired/chain.pem", [first])
    files.chain("cases/expired-within-tolerance/chain.pem", [first])
    files.chain("cases/expired-beyond-tolerance/chain.pem", [first])
    files.chain(
        "cases/other-key/chain.pem",
        [own("2026-03-01", "2026-08-31T23:59:59Z", key: .p256("renewal stranger"))])
}
