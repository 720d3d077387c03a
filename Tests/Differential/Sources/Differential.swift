import Foundation

/// `differential VERDICTS PAGE CASES…`: VERDICTS is what `conformance --beside-libcrypto --json`
/// wrote of the same cases; the page of disagreements goes to PAGE. Exit 1 where Hawser is wrong on
/// a hard case.
@main
enum Differential {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: differential VERDICTS PAGE CASES…\n".utf8))
            exit(2)
        }
        let ours = try RunnerCase.read(arguments[0])
        var rows: [Page.Row] = []
        for vector in try Vector.read(Array(arguments.dropFirst(2))) {
            guard let known = ours[vector.id] else {
                FileHandle.standardError.write(Data("no verdict on \(vector.id)\n".utf8))
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
        let page = Page(rows: rows)
        try Data(page.text.utf8).write(to: URL(filePath: arguments[1]))
        let wrong = rows.filter { [.falseAccept, .falseReject].contains($0.standing(of: 0)) }
        print("\(rows.count) cases, \(rows.count(where: \.isDisagreement)) disagreements")
        for row in wrong { print("Hawser is wrong: \(row.vector.id)") }
        exit(wrong.isEmpty ? 0 : 1)
    }
}
