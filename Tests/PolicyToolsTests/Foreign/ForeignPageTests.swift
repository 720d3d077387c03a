import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// The pages of the codes of `import`: each bad example has the page's code, and each good example
/// has not and can be imported.
@Suite("pages of the codes of import") struct ForeignPageTests {
    static let codes = DiagnosticCode.allCases.filter { $0.finder == .import }

    /// Imports an example as the file that it looks like.
    private static func imported(_ text: String) throws -> ForeignImport {
        if text.hasPrefix("<key>") { return try ForeignImports.ats(text) }
        if text.hasPrefix("BEGINDATA") { return try CertdataFixtures.imported(text) }
        if text.contains("\"CACertificates") { return try ChromeEnterpriseTests.imported(text) }
        if text.hasPrefix("apiVersion: gateway") { return try ForeignImports.gateway(text) }
        if text.hasPrefix("- name: ") { return try ForeignImports.envoy(text) }
        if text.hasPrefix("{ \"keys\"") { return try ForeignImports.spiffe(text) }
        if text.hasPrefix("{") { return try PinImports.json(text) }
        if text.hasPrefix("curl") { return try PinImports.curl(text) }
        if text.contains("CertificatePinner") { return try PinImports.okhttp(text) }
        if text.hasPrefix("$ base64 -d") { return try store(text) }
        return try ForeignImports.nsc(text)
    }

    /// A store in the lines of base64 up to `END`, and the command that imports it.
    private static func store(_ text: String) throws -> ForeignImport {
        let lines = text.split(separator: "\n").dropFirst()
        let octets = Base64.decode(lines.prefix { $0 != "END" }.joined().utf8)
        return try StoreFixtures.imported(
            try #require(octets), text.contains(" --changeit ") ? StoreFixtures.changeit : nil,
            takesAll: text.contains(" --all-certificates "))
    }

    private static func found(_ text: String) -> [DiagnosticCode] {
        do {
            return try imported(text).findings.map(\.code)
        } catch let error as ForeignError {
            return [error.code]
        } catch {
            return []
        }
    }

    @Test("bad has it", arguments: codes)
    func bad(_ code: DiagnosticCode) {
        #expect(Self.found(code.page.bad).contains(code), "\(Self.found(code.page.bad))")
    }

    @Test("good has not, and is imported", arguments: codes)
    func good(_ code: DiagnosticCode) {
        let found = Self.found(code.page.good)
        #expect(!found.contains(code))
        #expect(found.allSatisfy { $0.severity < .error }, "\(found)")
    }

    @Test("there are codes, and none is of a policy")
    func codesAreOfImports() {
        #expect(Self.codes.count > 10)
        #expect(Self.codes.allSatisfy { $0.rawValue.hasPrefix("HX") })
        let others = DiagnosticCode.allCases.filter {
            $0.finder != .import && $0.finder != .export
        }
        #expect(others.allSatisfy { $0.rawValue.hasPrefix("HW") })
    }
}
