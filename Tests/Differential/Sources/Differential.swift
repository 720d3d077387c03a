import Foundation

/// Compares Hawser with libcrypto and swift-certificates. VERDICTS is what `conformance
/// --beside-libcrypto --json` wrote of the same cases, and the page of disagreements goes to PAGE:
///
/// - `differential cases VERDICTS PAGE CASES…`: of vectors with a known right verdict. Exit 1 where
///   Hawser is wrong on a hard case.
/// - `differential classes REASONS VERDICTS PAGE CASES…`: of minted shapes, class by class. Exit 1
///   where a class has no reason, and where Hawser accepts what must be refused.
@main
enum Differential {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("differential: \(error)")
            exit(2)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        switch arguments.first {
        case "cases" where arguments.count >= 4:
            exit(try await cases(arguments[1], page: arguments[2], Array(arguments.dropFirst(3))))
        case "classes" where arguments.count >= 5:
            exit(
                try await classes(
                    Reasons.read(arguments[1]), arguments[2], page: arguments[3],
                    Array(arguments.dropFirst(4))))
        default:
            complain(
                """
                usage: differential cases VERDICTS PAGE CASES…
                       differential classes REASONS VERDICTS PAGE CASES…
                """)
            exit(2)
        }
    }

    private static func cases(
        _ verdicts: String, page path: String, _ cases: [String]
    ) async throws -> Int32 {
        let rows = try await rows(verdicts, cases)
        let page = Page(rows: rows)
        try Data(page.text.utf8).write(to: URL(filePath: path))
        let wrong = rows.filter { [.falseAccept, .falseReject].contains($0.standing(of: 0)) }
        print("\(rows.count) cases, \(rows.count(where: \.isDisagreement)) disagreements")
        for row in wrong { print("Hawser is wrong: \(row.vector.id)") }
        return wrong.isEmpty ? 0 : 1
    }

    private static func classes(
        _ reasons: Reasons, _ verdicts: String, page path: String, _ cases: [String]
    ) async throws -> Int32 {
        let page = ClassPage(rows: try await rows(verdicts, cases), reasons: reasons)
        try Data(page.text.utf8).write(to: URL(filePath: path))
        print("\(page.rows.count) cases, \(page.disagreements) disagreements")
        for row in page.falseAccepts {
            print("accepted, and it must be refused: \(row.vector.id): \(row.vector.subject)")
        }
        for key in page.idleReasons {
            print("no class needs this reason any more: \(key.section.rawValue): \(key.text)")
        }
        let missing = page.classesWithoutReason
        if !missing.isEmpty {
            print("without a reason:\n" + Reasons.stubs(missing))
        }
        return missing.isEmpty && page.falseAccepts.isEmpty ? 0 : 1
    }

    /// Every case with everybody's verdicts.
    private static func rows(_ verdicts: String, _ cases: [String]) async throws -> [Page.Row] {
        let ours = try RunnerCase.read(verdicts)
        var rows: [Page.Row] = []
        for vector in try Vector.read(cases) {
            guard let known = ours[vector.id] else {
                complain("no verdict on \(vector.id)")
                exit(2)
            }
            rows.append(
                Page.Row(
                    vector: vector,
                    verdicts: [
                        PeerVerdict(known.verdict, known.reason),
                        known.libcrypto.map { PeerVerdict($0.verdict, $0.reason) }
                            ?? .declined("was not asked"),
                        await SwiftCertificates.judge(vector),
                    ]))
        }
        return rows
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
