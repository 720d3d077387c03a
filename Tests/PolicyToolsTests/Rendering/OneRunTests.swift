import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing

/// One run tells everything that is wrong with a file, once.
@Suite struct OneRunTests {
    static let policy = """
        hawser: 1
        default: deny # nothing else is trusted\u{2028}default: { anchors: [system] }
        pins:
          acme:
            keys:
              now: { spki: sha256/teMF6loc22D }
            backups:
              next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
        rules:
          api:
            hosts: ["api.acme.example"]
            anchors: [system]
            anchors: [system]
            pins: [acme]
            owner: team-api
          shop:
            hosts: ["api.acme.example"]
        \tanchors: [system]
            ownr: team-shop

        """

    static func findings(_ text: String) -> [Diagnostic] {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))],
            resources: NoResources(), isDirectory: true)
        return CompilerPipeline.compile(unit, crypto: LibCryptoBackend()).diagnostics
    }

    @Test("a hidden line, a bad pin, a duplicate, a tie, a tab and an unknown key are six findings")
    func six() {
        let found = Self.findings(Self.policy)
        let lines = LineIndex(Array(Self.policy.utf8))
        let places = found.map {
            "\($0.code.rawValue) line \(lines.line(of: Int($0.primary.span.start)) + 1)"
        }
        #expect(
            places == [
                "HW010 line 2", "HW401 line 6", "HW003 line 13", "HW208 line 17", "HW002 line 18",
                "HW004 line 19",
            ])
    }

    @Test("a line that cannot be read adds its own finding and no other")
    func withSyntaxError() {
        let text = Self.policy.replacing(
            "    owner: team-api", with: "    owner: team-api: it\n    note: \"open")
        let codes = Self.findings(text).map(\.code.rawValue)
        #expect(
            codes == ["HW010", "HW401", "HW003", "HW001", "HW001", "HW208", "HW002", "HW004"])
    }
}

private struct NoResources: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        throw ResourceError(code: .notFound, context: "no such file")
    }

    func list(_ folder: String) throws(ResourceError) -> [String] { [] }
}
