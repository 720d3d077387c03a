import Rendering
import Testing
import TrustEngine

/// The numbered lines of a policy, beside the places that a page cites.
@Suite struct PolicySourceViewTests {
    /// The marked text at a place of a file.
    private func marked(_ text: String, line: Int, _ columns: Range<Int>) -> String {
        var view = PolicySourceView([PolicySourceFile(path: "policy.yaml", text: text)])
        _ = view.link(
            Provenance.Location(file: "policy.yaml", line: line, column: columns.lowerBound),
            before: columns.upperBound)
        return HTML.joined(view.text(of: "policy.yaml", line: line)).markup
    }

    @Test(
        "lines end where locations count them",
        arguments: [
            "a: 1\nwrong: 2\nc\n", "a: 1\r\nwrong: 2\r\nc\r\n", "a: 1\r\nwrong: 2\nc\n",
            "a: 1\nwrong: 2\r\nc\n", "a: 1\r\nwrong: 2",
        ])
    func lines(_ text: String) {
        #expect(marked(text, line: 2, 1..<6) == "<mark>wrong</mark>: 2")
    }

    @Test("a mark beyond its line, and marks that meet, mark what is there")
    func beyond() {
        #expect(marked("a\nb\n", line: 1, 9..<12) == "a")
        #expect(marked("a\nb\n", line: 3, 2..<3) == "")
        #expect(marked("abc\n", line: 1, 2..<12) == "a<mark>bc</mark>")
    }
}
