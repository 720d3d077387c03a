import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// The order of `hawser diff`, the terms of new rules, and lists that are never cut.
@Suite("hawser diff by gravity") struct DiffGravityTests {
    private static let head = """
        hawser: 1
        default: deny
        anchors:
          a: { files: [anchors/root.pem] }
        profiles:
          strict: { revocation: { preset: require }, tls: { minimum-version: tls1.3 } }
        rules:

        """

    private static func rule(_ id: String, _ host: String, _ lines: String = "") -> String {
        "  \(id):\n    hosts: [\"\(host)\"]\n    anchors: [a]\n    owner: web\n\(lines)"
    }

    /// Rules for as many hosts, all on the same terms.
    private static func many(_ count: Int) -> String {
        (0..<count).map { rule("r\($0)", "s\($0).aaa.example", "    profile: strict\n") }.joined()
    }

    private static let www = rule("www", "www.bank.example", "    profile: strict\n")

    private static func run(
        _ old: String, _ new: String, _ options: String...
    ) throws -> CommandRun {
        try Workshop(old: head + old, new: head + new).run(
            ["diff", "old", "new", "--at", "2026-11-23"] + options)
    }

    /// Both waivers of a new rule, and an honest new rule.
    private static let waived = rule(
        "vendor", "api.vendor.example",
        """
            profile: strict
            waivers:
              identity: { reason: lab, owner: web, until: 2027-03-31 }
              path: { reason: lab, owner: web, until: 2027-03-31 }

        """)
    private static let honest = rule("vendor", "api.vendor.example", "    profile: strict\n")

    @Test(
        "a new rule that waives path and identity reads otherwise than an honest one",
        arguments: ["text", "markdown", "sarif", "github", "html", "json"])
    func newRule(_ format: String) throws {
        let evil = try Self.run(Self.www, Self.www + Self.waived, "--format", format).output
        let plain = try Self.run(Self.www, Self.www + Self.honest, "--format", format).output
        for path in ["waivers.identity", "waivers.path"] {
            #expect(evil.contains(path), "\(evil)")
            #expect(!plain.contains(path))
        }
        #expect(evil.contains("waived until 2027-03-31"), "\(evil)")
        if format == "json" {
            let schema = CommandRun.repository.appending(path: "grammar/diff.schema.json")
            #expect(
                try JSONSchema(text: String(contentsOf: schema, encoding: .utf8))
                    .violations(of: JSONDocument(text: evil)) == [])
        }
    }

    @Test("a waived path is in the first line, and in the trust surface as anyone")
    func anyone() throws {
        let run = try Self.run(Self.www, Self.www + Self.waived)
        let first = run.output.prefix { $0 != "\n" }
        #expect(
            first.hasPrefix("weaker: `api.vendor.example` accepts anyone (waivers."),
            "\(run.output)")
        let surface = try #require(
            run.output.components(separatedBy: "authorities that could vouch\n").last)
        #expect(surface.hasPrefix("  api.vendor.example: none (deny) ->\n"), "\(surface)")
        #expect(
            surface.contains("      anyone, until 2027-03-31 (`waivers.path`)"), "\(surface)")
        #expect(!surface.contains("1 listed"), "\(surface)")
    }

    @Test("a newly trusted wildcard is not among the hosts of another cause")
    func causes() throws {
        let old = Self.www + Self.rule("shop", "shop.bank.example", "    profile: strict\n")
        let run = try Self.run(
            old,
            Self.rule("www", "www.bank.example", "    tls: { minimum-version: tls1.2 }\n")
                + Self.rule("shop", "shop.bank.example", "    profile: strict\n")
                + Self.rule("all", "**.other.example", "    profile: strict\n"))
        let text = run.output.split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }.joined(separator: " ")
        #expect(
            text.hasPrefix(
                "weaker: 1 host accepts more than before; 1 class of hosts is newly trusted; "
                    + "gravest: `www.bank.example` ("), "\(text)")
    }

    @Test("an opened default comes before every host that accepts more")
    func opened() throws {
        let many = Self.many(30)
        let loose = many.replacing("profile: strict", with: "profile: baseline")
        let workshop = try Workshop(
            old: Self.head + many,
            new: (Self.head + loose).replacing(
                "default: deny", with: "default: { anchors: [a] }"))
        let run = try workshop.run("diff", "old", "new", "--at", "2026-11-23")
        let text = run.output.split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }.joined(separator: " ")
        #expect(
            text.hasPrefix(
                "weaker: 1 class of hosts is newly trusted by `default`; 30 hosts accept more than "
                    + "before; gravest: every other host (deny -> `default`: anchors a;"),
            "\(text)")
    }

    @Test("lines are wrapped to the terminal, but for the last one")
    func columns() throws {
        let many = Self.many(40)
        let run = try Self.run(many, many.replacing("profile: strict", with: "profile: baseline"))
        let lines = run.output.split(separator: "\n")
        #expect(lines.dropLast().allSatisfy { $0.count <= 80 }, "\(run.output)")
        #expect(lines.last?.hasPrefix("compared 41 classes of hosts, ") == true)
        // What changes stands before the hosts, and every host is there.
        let field = try #require(lines.firstIndex { $0.hasPrefix("  - revocation.preset") })
        let hosts = try #require(lines.firstIndex { $0.hasPrefix("  hosts ") })
        #expect(field < hosts)
        for number in 0..<40 { #expect(run.output.contains("s\(number).aaa.example")) }
        #expect(run.output.contains("  decided by  40 rules of web\n"), "\(run.output)")
    }

    @Test(
        "every host of a shared change is named in every format",
        arguments: ["text", "markdown", "sarif", "github", "html", "json"])
    func named(_ format: String) throws {
        let many =
            Self.many(97) + Self.rule("treasury", "treasury.bank.example", "    profile: strict\n")
        let run = try Self.run(
            many, many.replacing("profile: strict", with: "profile: baseline"), "--format", format)
        for host in (0..<97).map({ "s\($0).aaa.example" }) + ["treasury.bank.example"] {
            #expect(run.output.contains(host), "\(host)")
        }
    }
}
