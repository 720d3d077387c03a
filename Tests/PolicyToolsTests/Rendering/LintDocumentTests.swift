import PolicyCompiler
import PolicyTools
import Rendering
import Testing

@Suite struct LintDocumentTests {
    /// A policy with a faulty key, and a second file without faults.
    private static let files = [
        SourceFile(path: "a.policy.yaml", bytes: Array("hosts: 1\nhosts: 2\n".utf8)),
        SourceFile(path: "b.policy.yaml", bytes: Array("hawser: 1\n".utf8)),
    ]

    private static func render(_ format: DiagnosticFormat, file: Int) -> String {
        let diagnostic = Diagnostic(
            .duplicateKey, "`hosts` stands twice in one map",
            at: Diagnostic.Label(SourceSpan(file: file, start: 9, end: 14), "again here"),
            labels: [Diagnostic.Label(SourceSpan(file: 0, start: 0, end: 5), "first here")],
            help: ["delete one"])
        return format.render(
            [diagnostic], files: files, trees: [], colour: .plain, version: "1.0.0")
    }

    @Test("a finding is a place, a command, and a failed case")
    func finding() {
        let sarif = Self.render(.sarif, file: 0)
        #expect(sarif.contains("\"startLine\": 2"))
        #expect(sarif.contains("\"relatedLocations\""))
        #expect(sarif.contains("first here"))
        #expect(
            Self.render(.github, file: 0)
                == "::error file=a.policy.yaml,line=2,endLine=2,col=1,endColumn=6,"
                + "title=HW003 duplicate-key::`hosts` stands twice in one map%0Ahelp: delete one\n")
        #expect(
            Self.render(.junit, file: 0) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="hawser" tests="2" failures="1">
                  <testsuite name="a.policy.yaml" tests="1" failures="1">
                    <testcase classname="a.policy.yaml" name="HW003 duplicate-key at line 2">
                      <failure type="error" message="`hosts` stands twice in one map">\
                a.policy.yaml:2:1: error[HW003]: `hosts` stands twice in one map; \
                help: delete one&#10;</failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="b.policy.yaml" tests="1" failures="0">
                    <testcase classname="b.policy.yaml" name="clean"/>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test("a finding of no file has no location, no line, and a suite for the unit")
    func noPlace() {
        #expect(Self.render(.sarif, file: 9).contains("\"locations\": []"))
        #expect(Self.render(.github, file: 9).hasPrefix("::error title=HW003 duplicate-key::"))
        let junit = Self.render(.junit, file: 9)
        #expect(junit.contains("<testsuite name=\"unit\" tests=\"1\" failures=\"1\">"))
        #expect(junit.contains("<testsuites name=\"hawser\" tests=\"3\" failures=\"1\">"))
    }
}
