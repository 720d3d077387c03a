import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Messages that print what to write: whoever writes just that, and nothing else, has a policy that
/// compiles in a few steps.
@Suite("messages that are followed") struct FollowedMessagesTests {
    private static let files: [String: [UInt8]] = [
        "anchors/corp.pem": MarkedLint.files["corp.pem"] ?? [],
        "anchors/kept.pem": MarkedLint.files["corp.pem"] ?? [],
        "anchors/retired.pem": MarkedLint.files["other.pem"] ?? [],
        "pins/now.pem": MarkedLint.files["corp.pem"] ?? [],
        "pins/next.pem": MarkedLint.files["other.pem"] ?? [],
        "pins/issuing-2026.pem": MarkedLint.files["corp.pem"] ?? [],
        "pins/offline.pem": MarkedLint.files["other.pem"] ?? [],
        "stolen/ca.pem": MarkedLint.files["other.pem"] ?? [],
    ]

    @Test(
        "an empty map, list or value",
        arguments: [
            "rules: {}", "rules: { api: {} }", "rules: { api: }",
            "rules: { api: { hosts: [], anchors: [] } }",
            "rules: { api: { hosts: [\"api.acme.example\"] } }",
            "rules: { api: { hosts: , anchors: [system] } }",
            "rules: { api: { anchors: [system] } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: {} } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [system], report-only: {}, waivers: {} } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [system], tls: {}, keys: {}, path: {} } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [system], revocation: { causes: {} } } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [system], identity: {}, forbidden-keys: {} } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [system], waivers: { identity: {} } } }",
            "anchors: {}", "anchors: { corp: {} }", "anchors: { corp: { files: [] } }",
            "anchors: { corp: { files: [anchors/corp.pem], constraints: {} } }",
            "pins: {}", "pins: { api: {} }", "pins: { api: { keys: {}, backups: {} } }",
            "pins: { api: { backups: { next: {} } } }",
            "profiles: {}", "profiles: { strict: {} }", "profiles: { strict: { validity: {} } }",
        ])
    func empties(_ start: String) {
        var text = "hawser: 1\ndefault: deny\n\(start)\n"
        var told: [String] = []
        for _ in 0..<12 {
            let diagnostics = CompilerPipeline.check(
                MarkedLint(text).unit(Self.files), crypto: LibCryptoBackend()
            ).diagnostics
            guard let first = diagnostics.first(where: { $0.severity == .error }) else { return }
            told.append("\(first.code.rawValue) \(first.message); \(first.help)")
            guard let next = Self.followed(first, in: text), next != text else { break }
            text = next
        }
        Issue.record("\(told.joined(separator: "\n"))\n\(text)")
    }

    @Test(
        "no help proposes the machine's store to an author who wrote something else",
        arguments: [
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: acme } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: {} } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: { acme: 1 } } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [] } }",
            "rules: { api: { hosts: [\"api.acme.example\"] } }",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [[acme]] } }",
            "rules: { api: [acme] }", "rules: { api: }", "rules: []", "rules: [api]",
            "rules: { api: { hosts: [\"api.acme.example\"], anchors: [more] } }\n  more: { include: acme }",
        ])
    func narrow(_ rest: String) {
        let parts = rest.split(separator: "\n", maxSplits: 1).map(String.init)
        for sets in ["anchors:\n  acme: { files: [anchors/corp.pem] }\n", ""] {
            let more = sets.isEmpty || parts.count == 1 ? "" : parts[1] + "\n"
            let text = "hawser: 1\ndefault: deny\n\(sets)\(more)\(parts[0])\n"
            let found = CompilerPipeline.check(
                MarkedLint(text).unit(Self.files), crypto: LibCryptoBackend()
            ).diagnostics
            let help = found.flatMap(\.help).joined(separator: "\n")
            #expect(!found.isEmpty && !help.contains("system"), "\(text)\n\(help)")
            let named = found.contains {
                $0.code == .wrongType && $0.message.contains("takes a list")
            }
            if named, !sets.isEmpty { #expect(help.contains("[acme]"), "\(help)") }
        }
    }

    @Test("the help for a list gives back what was written")
    func list() {
        for (written, wanted) in [
            ("hosts: api.acme.example", "`hosts: [\"api.acme.example\"]`"),
            ("pins: ours", "`pins: [ours]`"), ("anchors: system", "`anchors: [system]`"),
        ] {
            let found = CompilerPipeline.check(
                MarkedLint("hawser: 1\ndefault: deny\nrules: { api: { \(written) } }\n").unit(),
                crypto: LibCryptoBackend()
            ).diagnostics
            let help = found.flatMap(\.help).joined(separator: "\n")
            #expect(help.contains("write it as a list: \(wanted)"), "\(help)")
        }
    }

    @Test("an empty default is a default that is written")
    func emptyDefault() {
        let text = "hawser: 1\ndefault: {}\n"
        let found = CompilerPipeline.check(
            MarkedLint(text).unit(), crypto: LibCryptoBackend()
        ).diagnostics
        #expect(found.first?.help.first?.contains("`default: deny`") == true, "\(found)")
    }

    /// The text with the example of a diagnostic's help in it.
    private static func followed(_ diagnostic: Diagnostic, in text: String) -> String? {
        guard let help = diagnostic.help.first,
            let example = help.split(separator: "`", omittingEmptySubsequences: false)
                .dropFirst().first
        else { return nil }
        var bytes = Array(text.utf8)
        let span = diagnostic.primary.span
        var (start, end) = (Int(span.start), Int(span.end))
        if diagnostic.code == .emptyValue {
            if bytes[start..<end].first.map({ [0x7B, 0x5B].contains($0) }) ?? false {
                while start > 0, [0x20, 0x3A].contains(bytes[start - 1]) { start -= 1 }
                while start > 0, ![0x20, 0x0A].contains(bytes[start - 1]) { start -= 1 }
            } else {
                while end < bytes.count, [0x20, 0x3A].contains(bytes[end]) { end += 1 }
            }
            bytes.replaceSubrange(start..<end, with: Array(example.utf8))
        } else if [.missingKey, .noReason, .exceptionOpenEnded].contains(diagnostic.code) {
            guard let brace = bytes[end...].firstIndex(of: 0x7B) else { return nil }
            bytes.replaceSubrange(brace...brace, with: Array("{ \(example), ".utf8))
        } else if diagnostic.code == .danglingReference, example.hasPrefix("anchors: {") {
            bytes += Array("\(example)\n".utf8)
        } else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
