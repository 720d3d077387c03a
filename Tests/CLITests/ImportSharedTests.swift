import Foundation
import Testing
import TrustEngine

/// Where the data is.
private enum SharedStores {
    static let folder = CommandRun.repository.appending(path: "../shared").standardized
    static let stores = folder.appending(path: "chrome-root-store")
    static let sites = folder.appending(path: "revoked-sites/sites.ndjson")
    static let logList = folder.appending(path: "data/log_list.json")
    static let isThere = [stores, sites, logList].allSatisfy {
        FileManager.default.fileExists(atPath: $0.path)
    }
}

/// `hawser import chrome-root-store` with real stores and real chains, out of data that may lie
/// beside the checkout. Skipped, with a word, where the data is absent.
@Suite(
    "hawser import chrome-root-store, real stores",
    .enabled(if: SharedStores.isThere, "../shared/chrome-root-store is absent"))
struct ImportSharedTests {
    private struct Root: Decodable {
        /// Nil for some additional anchors, whose certificates are not known.
        let sha256: String?
        let certificate: String?
        let constraints: [Constraints]

        struct Constraints: Decodable {
            let sct_not_after_sec: Int64?
            let max_version_exclusive: String?
        }
    }

    private struct Site: Decodable {
        let host: String
        let time: String
        let chain: [String]
    }

    private static func rows<Row: Decodable>(_ url: URL) throws -> [Row] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Row.self, from: Data($0.utf8))
        }
    }

    private static func pem(_ certificates: [String]) -> String {
        certificates.map { text in
            var lines = "-----BEGIN CERTIFICATE-----\n"
            var rest = Substring(text)
            while !rest.isEmpty {
                lines += "\(rest.prefix(64))\n"
                rest = rest.dropFirst(64)
            }
            return lines + "-----END CERTIFICATE-----\n"
        }.joined()
    }

    /// A folder with the texts of two versions and the certificates that are known.
    private static func workshop() throws -> (Workshop, [Root]) {
        let workshop = try Workshop()
        let roots: [Root] = try rows(SharedStores.stores.appending(path: "crs39.ndjson"))
        let old: [Root] = try rows(SharedStores.stores.appending(path: "crs17-distrusted.ndjson"))
        try workshop.write("roots.pem", pem((roots + old).compactMap(\.certificate)))
        for name in ["crs39-rewritten", "crs17-excerpt"] {
            try workshop.write(
                "\(name).textproto",
                String(
                    contentsOf: SharedStores.stores.appending(path: "\(name).textproto"),
                    encoding: .utf8))
        }
        return (workshop, roots)
    }

    private static func run(_ store: String, _ folder: String, _ workshop: Workshop) throws {
        let run = try workshop.run(
            "import", "chrome-root-store", store, "--certificates", "roots.pem", "-o", folder,
            "--log-list", SharedStores.logList.path)
        #expect(run.status == 0 && run.error.isEmpty, "\(run.transcript)")
        // The list is half a year older than the chains.
        let path = workshop.folder.appending(path: "\(folder)/policy.yaml")
        let policy = try String(contentsOf: path, encoding: .utf8)
        let line = "    log-list: log_list.json\n"
        #expect(policy.contains(line))
        try workshop.write(
            "\(folder)/policy.yaml",
            policy.replacingOccurrences(of: line, with: line + "    log-list-maximum-age: 400d\n"))
        #expect(try workshop.run("check", folder).status == 0)
        #expect(try workshop.run("fmt", "--check", folder).status == 0)
    }

    @Test("every root with its certificate, every constraint that holds for the newest Chrome")
    func numbers() throws {
        let (workshop, roots) = try Self.workshop()
        try Self.run("crs39-rewritten.textproto", "crs39", workshop)
        let policy = try String(
            contentsOf: workshop.folder.appending(path: "crs39/policy.yaml"), encoding: .utf8)
        let lines = policy.split(separator: "\n")
        let text = try String(
            contentsOf: SharedStores.stores.appending(path: "crs39-rewritten.textproto"),
            encoding: .utf8)
        let named = roots.filter { root in
            root.sha256.map { text.contains("\"\($0)\"") } ?? false
        }
        #expect(named.count == 67)
        #expect(lines.count { $0.hasPrefix("      - anchors/chrome-") } == named.count)
        #expect(lines.count { $0 == "    standard: web-pki" } == named.count)
        let limits = named.flatMap(\.constraints).filter { $0.max_version_exclusive == nil }
            .compactMap(\.sct_not_after_sec)
        #expect(limits.count == 29)
        // One second less than Chrome's: the compared times have lost their milliseconds.
        #expect(
            lines.filter { $0.hasPrefix("      sct: ") }.map(String.init).sorted()
                == limits.map { "      sct: { until: \(UTCInstant(secondsSinceEpoch: $0 - 1)) }" }
                .sorted())
        for digest in named.compactMap(\.sha256) {
            #expect(policy.contains("-\(digest.prefix(8)).pem\n"), "\(digest)")
        }
        // The anchors that Chrome distrusted in version 17, as of November 2024.
        try Self.run("crs17-excerpt.textproto", "crs17", workshop)
        let old = try String(
            contentsOf: workshop.folder.appending(path: "crs17/policy.yaml"), encoding: .utf8)
        #expect(
            old.components(separatedBy: "      sct: { until: 2024-11-11T23:59:58Z }\n").count == 5)
    }

    private static let hosts = [
        "revokersa.itrus.cn", "certdemo-ev-revoked-rsa.tls.d-trust.net",
        "revoked.evident.ca23.ssl.buypass.no",
    ]

    private static func explain(
        _ host: String, _ folder: String, _ workshop: Workshop
    ) throws -> CommandRun {
        let sites: [Site] = try rows(SharedStores.sites)
        let site = try #require(sites.first { $0.host == host })
        try workshop.write("chain.pem", pem(site.chain))
        return try workshop.run(
            "explain", host, "--policy", folder, "--chain", "chain.pem", "--at", site.time,
            "--tls-version", "tls1.3", "--format", "json")
    }

    private struct Answer: Decodable {
        struct Violation: Decodable { let id: String }
        let verdict: String
        let violations: [Violation]?
    }

    @Test("three real chains; with its root's date moved one is refused, and for that alone")
    func chains() throws {
        let (workshop, _) = try Self.workshop()
        try Self.run("crs39-rewritten.textproto", "crs39", workshop)
        for host in Self.hosts {
            let run = try Self.explain(host, "crs39", workshop)
            #expect(run.status == 0, "\(run.transcript)")
            #expect(run.output.contains("\"sct\""), "the constraint is among the checks")
        }
        // The leaf of Buypass has timestamps of 2025-10-31T07:56:32Z, and its root's date is the
        // end of that day. In the copy it is the end of the day before.
        let path = workshop.folder.appending(path: "crs39-rewritten.textproto")
        let text = try String(contentsOf: path, encoding: .utf8)
        let digest = "edf7ebbca27a2a384d387b7d4010c666e2edb4843e4c29b4ae1d5b9332e6b24d"
        let root = try #require(text.range(of: digest))
        let date = try #require(
            text.range(of: "1761955199", range: root.upperBound..<text.endIndex))
        try workshop.write(
            "moved.textproto", text.replacingCharacters(in: date, with: "1761868799"))
        try Self.run("moved.textproto", "moved", workshop)
        let refused = try Self.explain(Self.hosts[2], "moved", workshop)
        #expect(refused.status == 1)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(refused.output.utf8))
        #expect(answer.verdict == "reject")
        #expect(answer.violations?.map(\.id) == ["anchor-constraint-not-met"])
        for host in Self.hosts.prefix(2) {
            #expect(try Self.explain(host, "moved", workshop).status == 0)
        }
    }
}
