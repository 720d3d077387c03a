import Foundation
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Facts that others assert about pin lists of real projects, out of data that may lie beside the
/// checkout. Skipped, with a word, where the data is absent.
@Suite(
    "facts about pin lists",
    .enabled(
        if: FileManager.default.fileExists(atPath: ForeignImports.shared.path),
        "../shared/packs is absent"))
struct PinPackTests {
    private struct Pin: Decodable {
        let text: String
        let octets: Int
        let valid: Bool
        let hex: String?
        let dud: Bool?
    }

    private struct Entry: Decodable {
        let pattern: String
        let pins: [Pin]
        let matches: [String]
        let does_not_match: [String]
    }

    private struct Domain: Decodable {
        let domain: String
        let enforce: Bool
        let include_subdomains: Bool
        let pins: [Pin]
        let report_uris: [String]
        let refused: String?
    }

    private struct Row: Decodable {
        let id: String
        let kind: String
        let entries: [Entry]?
        let domains: [Domain]?
        let host: String?
        let include_subdomains: Bool?
        let enforce: Bool?
        let pins: [Pin]?
        let argument: String?
        let read_as: String?
        let accepts_server_with_key_X: Bool?
    }

    private static func rows(_ kind: String) throws -> [Row] {
        let text = try String(
            contentsOf: ForeignImports.shared.appending(path: "okhttp-trustkit-curl/pins.ndjson"),
            encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Row.self, from: Data($0.utf8))
        }.filter { $0.kind == kind }
    }

    /// The digests of pins that a key may have.
    private static func digests(_ pins: [Pin]) -> Set<String> {
        Set(
            pins.filter { $0.valid && $0.dud != true }.compactMap(\.hex).map { hex in
                let digits = hex.compactMap(\.hexDigitValue)
                return Base64.encode(
                    stride(from: 0, to: digits.count, by: 2).map {
                        UInt8(digits[$0] << 4 | digits[$0 + 1])
                    })
            })
    }

    private static func duds(_ pins: [Pin]) -> Int { pins.filter { $0.dud == true }.count }

    @Test("OkHttp: which hosts a pattern matches, the pins of each host, duds and other lengths")
    func okhttp() throws {
        var hosts = 0
        for row in try Self.rows("okhttp") {
            let entries = try #require(row.entries)
            let text = PinImports.kotlin(entries.map { ($0.pattern, $0.pins.map(\.text)) })
            guard entries.allSatisfy({ $0.pins.allSatisfy(\.valid) }) else {
                #expect(
                    ForeignImports.refusal { try PinImports.okhttp(text) }?.code == "HX103",
                    "\(row.id)")
                continue
            }
            for version in ["3.13", "4.12", "5"] {
                let model = try PinImports.okhttpModel(text, version)
                let imported = try PinImports.okhttp(text, version)
                for entry in entries {
                    for (host, isMatched) in entry.matches.map({ ($0, true) })
                        + entry.does_not_match.map({ ($0, false) })
                    {
                        let name = "\(row.id) \(version) \(host)"
                        let matching = entries.filter { $0.matches.contains(host) }
                        let wanted = matching.isEmpty ? nil : Self.digests(matching.flatMap(\.pins))
                        #expect(model.behaviour(of: host).digests == wanted, "\(name)")
                        #expect((wanted != nil) == isMatched || matching.count > 0, "\(name)")
                        let asked = PinImports.demanded(host, imported)
                        let isOne = wanted?.count == 1
                        #expect(
                            isOne ? asked?.isSuperset(of: wanted ?? []) == true : asked == wanted,
                            "\(name)")
                        hosts += 1
                    }
                }
                let named = imported.findings.filter { $0.code == .dudPin }.count
                #expect(named == entries.map { Self.duds($0.pins) }.reduce(0, +), "\(row.id)")
                _ = try ForeignImports.table(imported)
            }
        }
        #expect(hosts > 0)
        print("facts of OkHttp: \(hosts) hosts")
    }

    @Test("TrustKit: pins, subdomains and enforcement of each domain")
    func trustKit() throws {
        var domains = 0
        for row in try Self.rows("trustkit") {
            let facts = try #require(row.domains)
            // A name in capitals is a constant of the program.
            let text =
                "[kTSKPinnedDomains: [\n"
                + facts.map { domain in
                    let isConstant = domain.domain == domain.domain.uppercased()
                    return (isConstant ? domain.domain : "\"\(domain.domain)\"")
                        + ": [kTSKEnforcePinning: \(domain.enforce), "
                        + "kTSKIncludeSubdomains: \(domain.include_subdomains), "
                        + "kTSKPublicKeyHashes: ["
                        + domain.pins.map { "\"\($0.text)\"" }.joined(separator: ", ")
                        + "], kTSKReportUris: ["
                        + domain.report_uris.map { "\"\($0)\"" }.joined(separator: ", ") + "]],\n"
                }.joined() + "]]"
            guard facts.allSatisfy({ $0.refused == nil }) else {
                let refusal = ForeignImports.refusal { try PinImports.trustKit(text) }
                #expect(refusal?.code == "HX102", "\(row.id)")
                continue
            }
            let imported = try PinImports.trustKit(text)
            for domain in facts where domain.domain != domain.domain.uppercased() {
                let wanted = Self.digests(domain.pins)
                #expect(PinImports.demanded(domain.domain, imported) == wanted, "\(row.id)")
                #expect(
                    PinImports.demanded("x.\(domain.domain)", imported)
                        == (domain.include_subdomains ? wanted : nil), "\(row.id)")
                domains += 1
            }
            for domain in facts where domain.domain == domain.domain.uppercased() {
                #expect(imported.findings.map(\.code) == [.notLiteral], "\(row.id)")
                domains += 1
            }
            #expect(
                imported.findings.filter { $0.code == .dudPin }.count
                    == facts.map { Self.duds($0.pins) }.reduce(0, +), "\(row.id)")
            _ = try ForeignImports.table(imported)
        }
        #expect(domains > 0)
        print("facts of TrustKit: \(domains) domains")
    }

    @Test("Expensify's list: the pins of each host, which are not enforced")
    func expensify() throws {
        let rows = try Self.rows("pins-json")
        let hosts = try rows.map { row in
            let pins = try #require(row.pins).map { "\"\($0.text)\"" }.joined(separator: ", ")
            return "\"\(try #require(row.host))\": {\"hashes\": [\(pins)], \"notes\": \"\"}"
        }
        let text = """
            {"_comment": "", "enforcePinning": false, "domains": {
            \(hosts.joined(separator: ",\n"))}}
            """
        let imported = try PinImports.json(text)
        let all = try PinImports.json(text, takesAll: true)
        _ = try ForeignImports.table(all)
        for row in rows {
            let host = try #require(row.host)
            #expect(row.enforce == false && row.include_subdomains == false)
            #expect(PinImports.demanded(host, imported) == nil, "\(row.id)")
            #expect(PinImports.demanded(host, all) == Self.digests(row.pins ?? []), "\(row.id)")
            #expect(PinImports.demanded("x.\(host)", all) == nil, "\(row.id)")
        }
        #expect(imported.findings.allSatisfy { $0.code == .pinsOnlyReported })
        #expect(imported.findings.count == rows.count)
        print("facts of pins in JSON: \(rows.count) hosts")
    }

    @Test("curl 7.88.1, as it was measured: which keys a command accepts")
    func curl() throws {
        let key = PinImports.one
        let rows = try Self.rows("curl")
        for row in rows {
            var argument = try #require(row.argument)
            argument = argument.replacing("X without its \"=\"", with: String(key.dropLast()))
            argument = argument.replacing("/X", with: "/\(key)")
            let option =
                argument.hasPrefix("-k --pinnedpubkey ")
                ? "-k --pinnedpubkey '\(argument.dropFirst(18))'" : "--pinnedpubkey '\(argument)'"
            let text = "curl \(option) https://a.example/"
            let model = try PinImports.curlModel(text, "7.88.1")
            let behaviour = try #require(model.behaviour(of: "a.example"), "\(row.id)")
            #expect((model.pinnedKeyFile != nil) == (row.read_as == "file"), "\(row.id)")
            #expect(behaviour.verifies == !argument.hasPrefix("-k"), "\(row.id)")
            // The file of a name that was meant as a hash does not exist, and nothing is accepted.
            let accepts = behaviour.accepts(key: key) ?? false
            #expect(accepts == row.accepts_server_with_key_X, "\(row.id)")
            guard (row.pins ?? []).allSatisfy(\.valid) else {
                #expect(
                    ForeignImports.refusal { try PinImports.curl(text, "7.88.1") }?.code == "HX103",
                    "\(row.id)")
                continue
            }
            let imported = try PinImports.curl(text, "7.88.1")
            guard row.read_as == "hashes" else {
                #expect(imported.findings.map(\.code) == [.missingResource], "\(row.id)")
                continue
            }
            #expect(
                PinImports.demanded("a.example", imported)?.contains(key)
                    == row.accepts_server_with_key_X, "\(row.id)")
            _ = try ForeignImports.table(imported)
        }
        #expect(!rows.isEmpty)
        print("facts of curl: \(rows.count) commands")
    }
}
