import PolicyCompiler
package import TrustEngine

/// A request and its verdict, to be written as a folder with a case (`grammar/test.schema.json`).
package struct CapturedCase: Sendable {
    /// The name of the file with the request; the other names are this command's own.
    package static let requestName = TestFile.requestName
    package static let chainName = "chain.pem"
    package static let stapleName = "staple.ocsp"
    package static let timestampsName = "sct-list.bin"
    package static let evidenceName = "evidence"
    package static let storeName = "system.pem"

    package let host: CanonicalHost
    package let port: UInt16
    package let time: UTCInstant
    /// Nil for a connection without TLS.
    package let tls: TLSParameters?
    package let verdict: Verdict
    /// The rule as a case expects it: `default` and `deny` where no pattern matches.
    package let rule: String
    /// The pattern that decides, in canonical text.
    package let pattern: String?
    /// The assumed answers of the checks that programs register, by their names.
    package let assumed: [(name: String, passes: Bool)]
    /// Whether the case has a staple, a list of timestamps, and a folder of further evidence.
    package var hasStaple = false
    package var hasTimestamps = false
    package var hasEvidence = false
    /// The path of the file that stands for the machine's store, from the folder of the test file.
    package var storePath: String?
    /// What a reader should know, one sentence or name each: who answered, by which policy.
    package var remarks: [String] = []
    /// What the file of the store holds.
    package var storeRemark: String?

    package init(
        host: CanonicalHost, port: UInt16, time: UTCInstant, tls: TLSParameters?, verdict: Verdict,
        rule: String, pattern: String?, assumed: [(name: String, passes: Bool)]
    ) {
        self.host = host
        self.port = port
        self.time = time
        self.tls = tls
        self.verdict = verdict
        self.rule = rule
        self.pattern = pattern
        self.assumed = assumed
    }

    /// The ids of the failures that an accept lets through.
    private var reported: [String] {
        guard case .accept(let acceptance) = verdict.outcome else { return [] }
        return acceptance.reported.map(\.violation.id)
    }

    /// The text of `request.yaml`.
    package func text() -> String {
        var lines = remarks.flatMap { CapturedCase.comment($0) }
        lines.append("host: \(YAMLText.quoted(host.text))")
        if port != 443 { lines.append("port: \(port)") }
        lines.append("at: \(time.description)")
        if let tls {
            lines.append("chain: \(CapturedCase.chainName)")
            let parameters: [(String, String?)] = [
                ("tls", tls.version?.name), ("cipher-suite", tls.cipherSuite),
                ("group", tls.group), ("signature-scheme", tls.signatureScheme), ("alpn", tls.alpn),
            ]
            for case (let key, let value?) in parameters {
                lines.append("\(key): \(YAMLText.scalar(value))")
            }
        } else {
            lines.append("tls: none")
        }
        if hasStaple { lines.append("staple: \(CapturedCase.stapleName)") }
        if hasTimestamps { lines.append("sct-list: \(CapturedCase.timestampsName)") }
        if hasEvidence { lines.append("evidence: \(CapturedCase.evidenceName)") }
        if !assumed.isEmpty {
            let answers = assumed.map { "\($0.name): \($0.passes ? "pass" : "fail")" }
            lines.append("assume: { \(answers.joined(separator: ", ")) }")
        }
        if let storePath {
            lines += storeRemark.map { CapturedCase.comment($0) } ?? []
            lines.append("system: \(YAMLText.scalar(storePath))")
        }
        lines.append("expect:")
        lines.append("  verdict: \(verdict.isAccept ? "accept" : "reject")")
        if !verdict.violations.isEmpty {
            lines.append("  violations: \(YAMLText.list(verdict.violations.map(\.id)))")
        }
        if !reported.isEmpty { lines.append("  reported: \(YAMLText.list(reported))") }
        lines.append("  rule: \(YAMLText.scalar(rule))")
        if let pattern { lines.append("  pattern: \(YAMLText.quoted(pattern))") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A comment of one or more lines that fit the width of files.
    private static func comment(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in escaped(text).split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return (lines + [line]).filter { !$0.isEmpty }.map { "# \($0)" }
    }

    /// Text for a comment: whatever is not plain ASCII could end the comment or be hidden in it.
    private static func escaped(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if " "..."~" ~= scalar {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return shown
    }

    /// Columns of a comment without its mark.
    private static let width = 96
}
