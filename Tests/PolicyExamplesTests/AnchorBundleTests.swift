import PolicyCompiler
import TestPKI
import Testing

/// A file that holds a whole chain, as authorities hand it out, named under `files`.
@Suite("a chain in one file of an anchor set") struct AnchorBundleTests {
    private static let root = Scenario().root("Bundle Root", key: .p256("bundle root"))
    private static let issuing = root.issueCA("Bundle Issuing", key: .p256("bundle issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["www.site.example"])

    /// The certificates of the file, and what the help says.
    private static let rows: [(chain: [Minted], help: String)] = [
        (
            [root.certificate, issuing.certificate],
            "leave `CN=Bundle Root` (certificate 1 of `pem`) here, and name `CN=Bundle Issuing` "
                + "(certificate 2 of `pem`) under `intermediates`"
        ),
        (
            [issuing.certificate, root.certificate],
            "leave `CN=Bundle Root` (certificate 2 of `pem`) here, and name `CN=Bundle Issuing` "
                + "(certificate 1 of `pem`) under `intermediates`"
        ),
        (
            [leaf, issuing.certificate, root.certificate],
            "leave `CN=Bundle Root` (certificate 3 of `pem`) here, and take "
                + "`CN=www.site.example` (certificate 1 of `pem`) out"
        ),
    ]

    @Test("HW304 says where each certificate belongs", arguments: rows)
    func belongs(_ row: (chain: [Minted], help: String)) throws {
        let pem = row.chain.map(\.pem).joined()
        let compilation = InlinePolicy.compile(
            "hawser: 1\ndefault: deny\nanchors:\n  site:\n    pem: |\n" + InlinePolicy.literal(pem)
                + "rules:\n  www:\n    hosts: [\"www.site.example\"]\n    anchors: [site]\n")
        let finding = try #require(compilation.diagnostics.first)
        #expect(finding.code.rawValue == "HW304")
        #expect(finding.help.contains { $0.hasPrefix(row.help) }, "\(finding.help)")
    }
}
