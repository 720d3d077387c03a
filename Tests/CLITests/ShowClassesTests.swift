import Foundation
import JSONSchemaSupport
import Testing

/// `hawser show PATTERN` and `hawser show --classes`.
@Suite("hawser show for many hosts")
struct ShowClassesTests {
    /// The workshop's policy with a port, a network, an exception and a rule that repeats another.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  intranet:
                    hosts:
                      - "10.0.0.0/8"
                      - "10.1.0.0/16:8443"
                    anchors: [others]
                    owner: network
                  lab:
                    hosts:
                      - "**.acme.example:8443"
                      - "lab.acme.example"
                    anchors: [acme]
                    keys: { rsa-minimum: 4096 }
                    waivers:
                      expired: { tolerance: 7d, reason: lab rig, owner: qa, until: 2026-08-31 }

                """)
        return workshop
    }

    private static func schema() throws -> JSONSchema {
        try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/classes.schema.json"),
                encoding: .utf8))
    }

    @Test(
        "classes are grouped by what is demanded, each with its rule, place and a host",
        arguments: [
            ("all", ["--classes"]), ("all-flat", ["--classes", "--format", "flat"]),
            ("below", ["**.acme.example"]), ("part", ["**.eu.acme.example"]),
            ("port", ["*.acme.example:8443"]), ("network", ["10.1.2.0/24"]),
            ("outside", ["**.elsewhere.example"]),
        ])
    func text(_ name: String, _ question: [String]) throws {
        let run = try Self.workshop().run(["show"] + question + ["--policy", "unit"])
        try expectGolden("show-classes-\(name)", run)
        #expect(run.status == 0 && run.error == "")
    }

    @Test(
        "JSON is of its schema, and `show` says the same of the host that stands for a class",
        arguments: ["--classes", "**.acme.example", "*.acme.example:8443", "10.0.0.0/8"])
    func witnesses(_ question: String) throws {
        let workshop = try Self.workshop()
        let run = try workshop.run("show", question, "--policy", "unit", "--format", "json")
        let document = try JSONDocument(text: run.output)
        #expect(try Self.schema().violations(of: document) == [])
        let classes = document["classes"]?.items ?? []
        #expect(classes.count >= 2)
        for one in classes {
            guard case .string(let host)? = one["witness"]?["host"],
                case .integer(let port)? = one["witness"]?["port"]
            else {
                Issue.record("a class without a host: \(one)")
                continue
            }
            let asked = try workshop.run(
                "show", "\(host):\(port)", "--policy", "unit", "--format", "json")
            let shown = try JSONDocument(text: asked.output)
            #expect(shown["rule"] == one["rule"] && shown["denied"] == one["denied"], "\(host)")
            let selected = shown["patterns"]?.items.first { $0["outcome"] == .string("selected") }
            #expect(selected?["pattern"] == one["pattern"], "\(host)")
            #expect(selected == nil || selected?["location"] == one["location"])
        }
    }

    @Test("a table without places and a compiled table are shown as well")
    func tables() throws {
        let workshop = try Self.workshop()
        _ = try workshop.run("compile", "unit", "-o", "a.table")
        _ = try workshop.run("compile", "unit", "-o", "b.table", "--no-provenance")
        let unit = try workshop.run("show", "--classes", "--policy", "unit")
        #expect(try workshop.run("show", "--classes", "--table", "a.table").output == unit.output)
        let bare = try workshop.run("show", "--classes", "--table", "b.table", "--format", "json")
        #expect(bare.status == 0)
        #expect(try Self.schema().violations(of: JSONDocument(text: bare.output)) == [])
        #expect(!bare.output.contains("policy.yaml"))
    }

    @Test("a group of many classes is cut short and counted, and its flat form is whole")
    func many() throws {
        let workshop = try Workshop()
        var text = "hawser: 1\ndefault: deny\nrules:\n"
        for number in 1...60 {
            text += "  rule-\(number):\n    hosts: [\"h\(number).example\"]\n"
            text += "    anchors: [system]\n"
        }
        try workshop.write("unit/policy.yaml", text)
        let run = try workshop.run("show", "--classes", "--policy", "unit")
        #expect(
            run.output.hasPrefix(
                "every host: 61 classes of hosts, decided by 60 rules and `default` in 2 ways\n")
        )
        #expect(run.output.contains("  and 40 more, which `--format flat` lists\n"))
        let flat = try workshop.run("show", "--classes", "--policy", "unit", "--format", "flat")
        #expect(flat.output.split(separator: "\n").count == 61)
    }

    @Test(
        "what is no pattern is refused, and a host is a host",
        arguments: [
            (["*"], "a name must follow the wildcard"), (["a.*.example"], "leftmost label"),
            (["*.*.example"], "leftmost label"),
            (["https://*.example/"], "this is a URL"), (["10.0.0.1/8"], "neither a host name"),
            (["**.example", "--default"], "ask one"), (["--classes", "--default"], "ask one"),
            (["--classes", "a.example"], "ask one"),
        ])
    func refused(_ question: [String], _ part: String) throws {
        let run = try Self.workshop().run(["show"] + question + ["--policy", "unit"])
        #expect(run.status == 2 && run.output == "", "\(run.transcript)")
        #expect(run.error.contains(part), "\(run.error)")
    }
}
