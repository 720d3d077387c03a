import TestPKI

/// A lab with a root of its own, a rig that signs for itself, and an API whose key moved.
let waivers = FixtureRecipe(
    "waivers", intent: "what a waiver tolerates, to its last day and not a second longer"
) { files in
    let pki = Scenario()
    let root = pki.root("Lab Root", key: .p256("lab root"))
    let pinned = root.issueLeaf(dns: ["api.lab.example"], key: .p256("lab api 2026"))
    let moved = root.issueLeaf(dns: ["api.lab.example"], key: .p256("lab api moved"))
    let rig = pki.selfSignedLeaf(dns: ["rig-1.factory.example"])
    let vendor = root.issueLeaf(dns: ["vendor.lab.example"])

    files.text("anchors/lab-root.pem", root.pem)
    files.text("pins/api-2026.pem", pinned.pem)
    files.text(
        "pins/api-spare.csr.pem",
        RequestRecipe(subject: "Lab API, spare key", key: .p256("lab api spare")).pem)
    files.chain("cases/rig-on-its-own/chain.pem", [rig])
    files.chain("cases/rig-after-the-end/chain.pem", [rig])
    files.chain(
        "cases/rig-with-a-chain/chain.pem", [root.issueLeaf(dns: ["rig-7.rigs.lab.example"])])
    files.chain("cases/vendor-within-tolerance/chain.pem", [vendor])
    files.chain("cases/vendor-beyond-tolerance/chain.pem", [vendor])
    files.chain("cases/pins-on-the-move/chain.pem", [moved])
    files.chain("cases/pins-after-the-end/chain.pem", [moved])
}
