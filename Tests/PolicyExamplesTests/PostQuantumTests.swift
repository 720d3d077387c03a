import Foundation
import PolicyCompiler
import PolicyTools
import Testing

/// The mistakes that the author of `policies/post-quantum` is most likely to make, and what the
/// command prints for each.
@Suite("mistakes in a policy that demands post-quantum signatures") struct PostQuantumTests {
    static let wrongs: [TwelvePoliciesTests.Wrong] = [
        wrong(
            "types: [mldsa44, mldsa65, mldsa87]",
            becomes: "types: [ml-dsa-44, ml-dsa-65, ml-dsa-87]",
            ["HW103 policy.yaml:30:21", "HW103 policy.yaml:30:32", "HW103 policy.yaml:30:43"],
            says: ["did you mean `mldsa44`?", "did you mean `mldsa87`?"]),
        wrong(
            "schemes: [ml-dsa]", becomes: "schemes: [mldsa65]", ["HW103 policy.yaml:31:29"],
            says: ["`mldsa65` is not a signature scheme", "ml-dsa"]),
        wrong(
            "leaf-types: [mldsa65, mldsa87]", becomes: "leaf-types: [mldsa87, p256]",
            ["HW103 policy.yaml:63:25"],
            says: ["`keys.leaf-types` has `p256`, which `keys.types` does not allow"]),
        wrong(
            "spki-file: pinned/control-next.csr.pem", becomes: "spki-file: pinned/control.csr.pem",
            ["HW402 policy.yaml:21:20"],
            says: ["no real backup", "`control-next` is the key of `control-2026`"]),
        wrong(
            "signatures: { until: 2027-06-30 }", becomes: "signatures: { from: 2027-07-01 }",
            ["HW604 policy.yaml:40:7", "HW004 policy.yaml:40:21"], says: ["never ends"]),
        wrong(
            "extends: post-quantum",
            becomes: "extends: post-quantum\n    keys: { steps: [{ issued-from: 2027-07-01 }] }",
            ["HW004 policy.yaml:38:13"], says: ["`steps` is not a key of `keys`"]),
    ]

    private static func wrong(
        _ right: String, becomes wrong: String, _ errors: [String], says: [String]
    ) -> TwelvePoliciesTests.Wrong {
        .init("post-quantum", right, becomes: wrong, errors, says: says)
    }

    @Test("a wrong version says so at its place, and nothing else", arguments: wrongs)
    func wrong(_ wrong: TwelvePoliciesTests.Wrong) throws {
        try wrong.expectErrors()
    }

    /// The printed text for all of them, to be read as prose.
    @Test func printedAsProse() throws {
        var page = ""
        for wrong in PostQuantumTests.wrongs {
            let compilation = try wrong.compile()
            page += "== \(wrong.wrong)\n"
            page += LintDocument.text(
                compilation.diagnostics, files: compilation.files)
        }
        let place = Recipe.policies.appending(path: "post-quantum/wrong-versions.txt")
        try Golden.hold(page, at: place, "wrong-versions.txt")
    }
}
