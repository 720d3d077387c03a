import PolicyCompiler
import PolicyTools
import Testing

/// Examples in helps: none names a wider anchor set than the policy has.
@Suite("lint: examples in helps") struct ExampleInHelpTests {
    @Test("HW108: the example of a default names a set of the unit, and none where there is none")
    func exampleOfDefault() {
        func help(_ set: String, _ anchors: String) -> [String] {
            MarkedLint(
                "hawser: 1\n\(set)rules:\n  api: { hosts: [\"api.acme.example\"], anchors: [\(anchors)] }\n"
            ).lint().compilation.diagnostics.filter { $0.code == .missingKey }.flatMap(\.help)
        }
        #expect(
            help("anchors:\n  acme: { files: [corp.pem], owner: pki }\n", "acme") == [
                "write `default: deny`, or a body such as `default: { anchors: [acme] }`"
            ])
        #expect(
            help("", "system") == [
                "write `default: deny`, or a body such as `default: { anchors: [system] }`"
            ])
        #expect(help("", "web-pki") == ["write `default: deny`"])
    }
}
