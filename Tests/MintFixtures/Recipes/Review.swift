import TestPKI

// The policy that the pull requests of `policies/review` change, and the two pull requests that
// change certificates. These two are minted too, since a patch holds the certificates' octets.

private let pki = Scenario()
private let meridian = pki.root("Meridian Bank Root", key: .p256("review meridian root"))
private let stranger = pki.root("Blue Harbour Root", key: .p256("review stranger root"))

/// The roots of a vendored bundle, each below a comment with its name, as such bundles are.
private func publicRoot(_ name: String) -> [String] {
    let root = pki.root(TestName(name), key: .p256("review \(name)"))
    return ["", "# \(name)"] + lines(root.pem)
}

private let fir = publicRoot("Fir Public Root")
private let hazel = publicRoot("Hazel Public Root")
private let juniper = publicRoot("Juniper Public Root")
private let linden = publicRoot("Linden Public Root")
private let oak = publicRoot("Oak Public Root")
private let rowan = publicRoot("Rowan Public Root")
private let willow = publicRoot("Willow Public Root")

let review = FixtureRecipe(
    "review", intent: "a policy whose pull requests are reviewed; two of them change anchor files"
) { files in
    let orchard = pki.root("Orchard Root", key: .p256("review orchard root"))
    let issuing = meridian.issueCA(
        "Meridian Issuing 2026", key: .p256("review meridian issuing 2026"))

    files.text("base/anchors/orchard-root.pem", orchard.pem)
    files.text("base/anchors/meridian-bank.pem", meridian.pem)
    files.text("base/pins/meridian-issuing-2026.pem", issuing.pem)
    for (name, subject) in [
        ("issuing-2027", "Meridian Issuing 2027"), ("offline", "Meridian, offline key"),
    ] {
        files.text(
            "base/pins/meridian-\(name).csr.pem",
            RequestRecipe(subject: TestName(subject), key: .p256("review meridian \(name)")).pem)
    }
    files.text(
        "base/anchors/public-roots.pem",
        (["# The list of 2026-02"] + [fir, hazel, juniper, linden].joined())
            .map { $0 + "\n" }.joined())

    files.text(
        "06-anchor-file-swapped/change.patch",
        patch(
            "anchors/meridian-bank.pem",
            [.removed(lines(meridian.pem)), .added(lines(stranger.pem))]))
    files.text(
        "08-bundle-vendored-again/change.patch",
        patch(
            "anchors/public-roots.pem",
            [
                .removed(["# The list of 2026-02"]), .added(["# The list of 2026-05"]),
                .kept(fir), .removed(hazel), .kept(juniper + linden),
                .added(oak + rowan + willow),
            ]))
}

private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
}

/// A run of lines in a patch.
private enum Run {
    case kept([String])
    case removed([String])
    case added([String])
}

/// The patch of one file, told whole: one hunk from its first line to its last.
private func patch(_ path: String, _ runs: [Run]) -> String {
    var old = 0
    var new = 0
    var body: [String] = []
    for run in runs {
        switch run {
        case .kept(let lines):
            old += lines.count
            new += lines.count
            body += lines.map { " " + $0 }
        case .removed(let lines):
            old += lines.count
            body += lines.map { "-" + $0 }
        case .added(let lines):
            new += lines.count
            body += lines.map { "+" + $0 }
        }
    }
    let head = [
        "diff --git a/\(path) b/\(path)", "--- a/\(path)", "+++ b/\(path)",
        "@@ -1,\(old) +1,\(new) @@",
    ]
    return (head + body).map { $0 + "\n" }.joined()
}
