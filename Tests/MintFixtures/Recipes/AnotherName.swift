import TestPKI

/// A host whose server presents the certificate of another name of ours.
let anotherName = FixtureRecipe(
    "another-name", intent: "another expected name instead of a check that is switched off"
) { files in
    let root = Scenario().root("Site Root", key: .p256("another name root"))
    files.text("anchors/site-root.pem", root.pem)
    for (name, presented) in [
        ("mail-for-www", ["mail.site.example"]),
        ("www-for-www", ["www.site.example"]),
        ("stranger-for-www", ["www.stranger.example"]),
        ("both-names", ["legacy.site.example", "old.site.example"]),
        ("one-of-both-names", ["legacy.site.example"]),
    ] {
        files.chain("cases/\(name)/chain.pem", [root.issueLeaf(dns: presented)])
    }
}
