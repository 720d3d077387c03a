import Testing

@testable import Rendering

@Suite("wrapping")
struct TextWrapTests {
    @Test("no line is wider than its room, and no word is lost", arguments: [20, 40, 80, 100])
    func widths(_ columns: Int) {
        let text =
            "the certificate `CN=\(String(repeating: "x", count: 253))` ended on a day, and "
            + "`\(String(repeating: "漢", count: 30))` is wide"
        let lines = TextWrap.lines(text, first: columns, rest: columns - 8)
        #expect(TextWrap.columns(lines[0]) <= columns)
        #expect(lines.dropFirst().allSatisfy { TextWrap.columns($0) <= columns - 8 })
        let joined = lines.joined().filter { $0 != " " }
        #expect(joined == text.filter { $0 != " " })
    }

    @Test("no line begins as a command of a log reader")
    func commands() {
        let text = String(repeating: "x", count: 30) + " ::error file=x:: ##[error]boo"
        for columns in 20...60 {
            for line in TextWrap.lines(text, first: columns, rest: columns).dropFirst() {
                #expect(!line.hasPrefix("::") && !line.hasPrefix("##"), "\(columns): \(line)")
            }
        }
    }

    @Test("a command stays one command for a shell")
    func shell() {
        let lines = TextWrap.command(
            "hawser explain 'a b' --policy /a/path --chain chain.pem --fetch", columns: 30)
        #expect(
            lines == [
                "hawser explain 'a b' \\", "    --policy /a/path \\", "    --chain chain.pem \\",
                "    --fetch",
            ] || lines.dropLast().allSatisfy { $0.hasSuffix(" \\") })
        #expect(lines.allSatisfy { $0.count(where: { $0 == "'" }).isMultiple(of: 2) })
        #expect(lines.joined().filter { $0 != "\\" }.split(separator: " ").count == 9)
    }

    @Test("a line of policy breaks outside quotes, and a comment stays a comment")
    func policy() {
        let line = "  expired: { tolerance: 670d, reason: \"being renewed soon\", owner: OWNER }"
        let lines = TextWrap.policyLine(line, columns: 40)
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.count <= 40 && $0.hasPrefix("  ") })
        #expect(lines.contains { $0.contains("\"being renewed soon\"") })
        let comment = TextWrap.policyLine("  # hawser: ignore HW211 because it is so", columns: 20)
        #expect(comment.count > 1 && comment.allSatisfy { $0.hasPrefix("  #") })
    }

    @Test("the middle of a long text is left out")
    func middle() {
        #expect(TextWrap.shortened("abcdefghij", to: 7) == "abc…hij")
        #expect(TextWrap.shortened("abc", to: 7) == "abc")
    }
}
