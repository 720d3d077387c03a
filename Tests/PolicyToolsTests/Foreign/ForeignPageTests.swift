import PolicyCompiler
import PolicyTools
import Testing

/// The pages of the codes of `import`: each bad example has the page's code, and each good example
/// has not and can be imported.
@Suite("pages of the codes of import") struct ForeignPageTests {
    static let codes = DiagnosticCode.allCases.filter { $0.finder == .import }

    private static func found(_ text: String) -> [DiagnosticCode] {
        do {
            let imported =
                text.hasPrefix("<key>")
                ? try ForeignImports.ats(text) : try ForeignImports.nsc(text)
            return imported.findings.map(\.code)
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
