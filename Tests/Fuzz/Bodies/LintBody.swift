import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import TrustEngine

/// Policy text through the linter: every finding can be shown, and a mended policy stays a policy.
enum LintBody {
    private static let time = UTCInstant(secondsSinceEpoch: 1_780_315_200)

    static func run(_ bytes: [UInt8]) {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: bytes)], resources: PolicyBody.Files(),
            isDirectory: true)
        var options = LintOptions(time: time)
        options.level = .audit
        let result = Linter.lint(unit, options, crypto: LibCryptoBackend())
        for finding in result.findings {
            for span in [finding.primary.span] + finding.labels.map(\.span) {
                require(
                    span.start >= 0 && span.start <= span.end && Int(span.end) <= bytes.count,
                    "a span lies inside its file")
            }
        }
        var report = FindingReport()
        report.add(result, below: "unit")
        let answer = FindingAnswer(report, version: "0")
        for format in FindingAnswer.writers.formats {
            _ = FindingAnswer.writers[format]?(answer, AnswerStyle(colour: .terminal))
        }
        let mended = LintFixes.apply(to: unit, options, .safe, crypto: LibCryptoBackend())
        // For text that is not a policy a fix may be left out: the text has no meaning to keep.
        if !result.compilation.diagnostics.contains(where: { $0.severity == .error }) {
            require(mended.refused.isEmpty, "a safe fix keeps the meaning")
        }
        let all = LintFixes.apply(to: unit, options, .all, crypto: LibCryptoBackend())
        guard let before = result.compilation.policy else { return }
        guard let after = all.result.compilation.policy else {
            fatalError("does not hold: a policy that compiled compiles after its fixes")
        }
        func table(_ policy: CheckedPolicy) -> PolicyTable {
            CompilerPipeline.table(of: policy, crypto: LibCryptoBackend())
        }
        require(
            LintFixes.weakened(by: all.applied, table(before), table(after), since: time).isEmpty,
            "no fix makes a host weaker that it does not name")
    }

    /// Something for most rules to find.
    static let seed = Array(
        """
        hawser: 1
        default: { anchors: [system] }
        anchors:
          acme: { files: [root.pem] }
          idle: { files: [root.pem] }
        profiles:
          strict: { keys: { rsa-minimum: 3072 } }
        rules:
          all: { hosts: ["**.acme.example"], anchors: [acme], profile: strict }
          api:
            # hawser:ignore HW211 until=2026-12-31 -- moving
            hosts:
              - API.acme.example
              - "api.acme.example"   # twice
            anchors: [acme]
            owner: no
          net: { hosts: ["192.0.2.0/31", "*.com"], anchors: [acme] } # hawser:ignore HW999
          one: { hosts: ["192.0.2.0", "192.0.2.1", "xn--cme-5cd.example", "b.internal"], anchors: [system] }

        """.utf8)
}
