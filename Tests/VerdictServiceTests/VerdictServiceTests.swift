import Foundation
import Hawser
import JSONSchemaSupport
import Rendering
import TestPKI
import Testing
import TrustEngine
import VerdictService

@Suite("The answers of a service")
struct VerdictServiceTests {
    @Test("only an accept has a status of success")
    func statuses() throws {
        let world = try ServiceWorld()
        for endpoint in [Endpoint.evaluate, .explain] {
            let accept = world.ask(endpoint)
            #expect(accept.status == 200)
            #expect(try accept.document()["verdict"] == .string("accept"))
            let rejects: [[(String, String?)]] = [
                [("host", "\"www.service.example\"")],
                [("host", "\"not a host\"")],
                [("host", "\"\"")],
                [("chain", "[]")],
                [("chain", "[\"\"]")],
                [("chain", "[\"AAAA\"]")],
                [("tls", #"{"state":"not-supplied"}"#)],
                [("tls", nil)],
                [("tls", #"{"state":"cleartext"}"#), ("chain", nil)],
            ]
            for changes in rejects {
                let reject = world.ask(endpoint, changes)
                #expect(reject.status == 403, "\(changes)")
                #expect(try reject.document()["verdict"] == .string("reject"), "\(changes)")
            }
        }
    }

    @Test("a verdict has the members of an explanation, and the epoch")
    func verdictShape() throws {
        let world = try ServiceWorld()
        let schema = try JSONSchema(text: ServiceWorld.grammar("trace.schema.json"))
        for changes in [[], [("host", "\"other.service.example\"")]] as [[(String, String?)]] {
            let verdict = world.ask(.evaluate, changes)
            let explanation = world.ask(.explain, changes)
            #expect(verdict.status == explanation.status)
            guard case .object(var members) = try verdict.document(),
                case .object(let whole) = try explanation.document()
            else {
                Issue.record("no objects")
                continue
            }
            #expect(schema.violations(of: .object(whole)) == [])
            #expect(members["schema"] == .string("hawser/verdict/1"))
            #expect(members["store"] == .string("tested"))
            #expect(members["epoch"] == .integer(1))
            #expect(members["revision"] == .null)
            // An explanation has no commands where there is none to run.
            for name in ["id", "line", "commands", "store", "epoch", "revision"] {
                members[name] = nil
            }
            // What else a verdict has is what the explanation says under the same name.
            for (name, value) in members where name != "schema" {
                #expect(whole[name] == value, "\(name)")
            }
            let left = Set(whole.keys).subtracting(members.keys)
            #expect(left == ["assumptions", "repairs", "steps"])
            #expect(verdict.fields.map(\.name) == ["hawser-epoch"])
        }
    }

    @Test("a port with a fraction of zeros is a whole number, as JSON Schema has it")
    func port() throws {
        let world = try ServiceWorld()
        #expect(world.ask(.evaluate, [("port", "443.0")]).text == world.ask(.evaluate).text)
    }

    /// As every way in: no port is assumed where another port may have another rule.
    @Test("a verdict without a port where the port may decide is none")
    func portUnknown() throws {
        let host = ServiceWorld.host
        #expect(try ServiceWorld().ask(.evaluate, [("port", nil)]).status == 200)
        let ported = try ServiceWorld(hosts: ["\(host):443"])
        let answer = ported.ask(.evaluate, [("port", nil)])
        #expect(answer.status == 400)
        #expect(try answer.document()["code"] == .string("port-unknown"))
        #expect(ported.ask(.evaluate).status == 200)
        // To read, and not to act on.
        #expect(ported.ask(.explain, [("port", nil)]).status == 200)
    }

    @Test("an explanation is what the command prints")
    func explanation() throws {
        let world = try ServiceWorld()
        let explanation = world.store.explain(ServiceWorld.request)
        #expect(world.ask(.explain).text == TraceJSON.render(explanation))
        let assumed = world.ask(.explain, [("port", nil)])
        #expect(
            try assumed.document()["assumptions"]
                == .array([.string("port 443 is assumed, as none was given")]))
    }

    @Test("a rule is what the command prints")
    func shownRule() throws {
        let world = try ServiceWorld()
        for host in [ServiceWorld.host, "other.service.example"] {
            let answer = world.service.answer(.show, body: Array(#"{"host":"\#(host)"}"#.utf8))
            let rule = EffectiveRule(
                table: world.store.snapshot.engine.table, host: try CanonicalHost(text: host),
                port: 443, crypto: EngineLoader.makeBackend(rememberedSignatures: 0))
            #expect(answer.status == 200)
            #expect(answer.text == RuleFields.renderJSON(rule))
        }
        let bad = world.service.answer(.show, body: Array(#"{"host":"a b"}"#.utf8))
        #expect(bad.status == 400)
        #expect(try bad.document()["pointer"] == .string("/host"))
    }

    @Test("the clock is the service's, and `time` counts in an explanation alone")
    func clock() throws {
        let world = try ServiceWorld()
        let late: (String, String?) = ("time", "\"2090-01-01\"")
        #expect(world.ask(.explain, [late]).status == 403)
        #expect(world.ask(.explain, [("time", "\"\(Scenario.judgedAt)\"")]).status == 200)
        let refused = world.ask(.evaluate, [late])
        #expect(refused.status == 400)
        #expect(try refused.document()["pointer"] == .string("/time"))
    }

    @Test("PEM and base64 of DER are one chain, and a private key is refused")
    func pem() throws {
        let world = try ServiceWorld()
        func quoted(_ text: String) -> String {
            "\"" + text.replacingOccurrences(of: "\n", with: "\\n") + "\""
        }
        let pem = ServiceWorld.leaf.pem + ServiceWorld.issuing.pem
        #expect(world.ask(.evaluate, [("chain", quoted(pem))]).text == world.ask(.evaluate).text)
        #expect(world.ask(.evaluate, [("chain", quoted("notes\n" + pem + "more\n"))]).status == 200)
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let refused = world.ask(.evaluate, [("chain", quoted(pem + key))])
        #expect(refused.status == 400)
        #expect(refused.text.contains("PRIVATE KEY"))
        #expect(world.ask(.evaluate, [("chain", "\"no PEM\"")]).status == 400)
    }

    @Test("evidence stands in the body and counts")
    func evidence() throws {
        let world = try ServiceWorld(fields: [
            "revocation: { preset: require, sources: [crl] }"
        ])
        #expect(world.ask(.evaluate).status == 403)
        let lists = ServiceWorld.lists.map { "\"\($0)\"" }.joined(separator: ",")
        let body = "{\"crls\":[\(lists)]}"
        let answer = world.ask(.evaluate, [("evidence", body)])
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("a stale table rejects, and the service is not ready")
    func stale() throws {
        let passed = Monitor<Int64>(0)
        let world = try ServiceWorld { configuration in
            configuration.staleness = .reject(after: .seconds(60))
            configuration.steadyClock = { .seconds(passed.withLock { $0 }) }
            configuration.clock = {
                UTCInstant(
                    secondsSinceEpoch: Scenario.judgedAt.secondsSinceEpoch
                        + passed.withLock { $0 })
            }
        }
        #expect(world.ask(.evaluate).status == 200)
        #expect(world.service.answer(.ready, body: []).status == 200)
        passed.withLock { $0 = 61 }
        let answer = world.ask(.evaluate)
        #expect(answer.status == 403)
        #expect(answer.text.contains("\"table-stale\""))
        let ready = world.service.answer(.ready, body: [])
        #expect(ready.status == 503)
        #expect(try ready.document()["reason"] == .string("table-stale"))
        #expect(world.service.answer(.health, body: []).status == 200)
    }

    @Test("says whether it is ready, and why not")
    func ready() throws {
        let world = try ServiceWorld()
        let ready = world.service.answer(.ready, body: [])
        #expect(ready.status == 200)
        #expect(try ready.document()["ready"] == .bool(true))
        let stopping = world.service.answer(.ready, body: [], isStopping: true)
        #expect(stopping.status == 503)
        #expect(try stopping.document()["reason"] == .string("stopping"))
        #expect(world.service.answer(.health, body: []).status == 200)
        _ = world.store.offer([1, 2, 3], origin: "test")
        let refused = try world.service.answer(.ready, body: []).document()
        #expect(refused["ready"] == .bool(true))
        #expect(refused["refused"]?["code"] != nil)
    }

    @Test("a reject has the line of a log, and the command to run next")
    func line() throws {
        let world = try ServiceWorld { $0.policyPath = "/etc/acme/policies" }
        let reject = try world.ask(.evaluate, [("host", "\"other.service.example\"")]).document()
        let id = try #require(reject["id"]?.text)
        let command = "hawser show other.service.example:443 --policy /etc/acme/policies"
        #expect(reject["commands"]?.items.map(\.text) == [command])
        let line = try #require(reject["line"]?.text)
        #expect(line.hasPrefix("reject other.service.example:443: no-applicable-rule: "))
        #expect(line.hasSuffix(" side=policy id=\(id) next=\"\(command)\""))
        let explained = try world.ask(.explain, [("host", "\"other.service.example\"")]).document()
        #expect(explained["commands"]?.items.map(\.text) == [command])
        let accept = try world.ask(.evaluate).document()
        #expect(accept["line"] == .null && accept["commands"]?.items.isEmpty == true)
        #expect(accept["id"]?.text != nil)
    }

    @Test("counts verdicts in OpenMetrics")
    func metrics() throws {
        let world = try ServiceWorld()
        _ = world.ask(.evaluate)
        _ = world.ask(.explain)
        _ = world.ask(.evaluate, [("host", "\"other.service.example\"")])
        _ = world.ask(.evaluate, [("port", "0")])
        let answer = world.service.answer(.metrics, body: [])
        #expect(answer.mediaType.hasPrefix("application/openmetrics-text; version=1.0.0"))
        let lines = answer.text.split(separator: "\n").map(String.init)
        #expect(lines.last == "# EOF")
        #expect(lines.contains("# TYPE hawser_store_verdicts counter"))
        #expect(
            lines.contains(#"hawser_store_verdicts_total{store="tested",verdict="accept"} 2"#))
        #expect(
            lines.contains(#"hawser_store_verdicts_total{store="tested",verdict="reject"} 1"#))
        let labels = #"store="tested",rule="none",violation="no-applicable-rule""#
        #expect(lines.contains("hawser_store_rejects_total{\(labels)} 1"))
        // The name of a family is without the ending of its samples.
        #expect(!lines.contains { $0.hasPrefix("# ") && $0.contains("_total ") })
    }
}

@Suite("Bodies that are refused")
struct RefusedBodyTests {
    /// A change of the members, the code of the refusal, and the place that it names.
    static let mistakes: [([(String, String?)], String, String?)] = [
        ([("host", nil)], "malformed", ""),
        ([("host", "7")], "malformed", "/host"),
        ([("host", "null")], "malformed", "/host"),
        ([("port", "0")], "malformed", "/port"),
        ([("port", "65536")], "malformed", "/port"),
        ([("port", "443.5")], "malformed", "/port"),
        ([("port", "4e2")], "malformed", "/port"),
        ([("port", "-443")], "malformed", "/port"),
        ([("port", "\"443\"")], "malformed", "/port"),
        ([("chain", nil)], "malformed", ""),
        ([("chain", "{}")], "malformed", "/chain"),
        ([("chain", "[\"AAAA\",\"A\"]")], "malformed", "/chain/1"),
        ([("chain", "[7]")], "malformed", "/chain/0"),
        ([("chain", "[\"AA AA\"]")], "malformed", "/chain/0"),
        ([("tls", "{}")], "malformed", "/tls"),
        ([("tls", #"{"state":"trusted"}"#)], "malformed", "/tls/state"),
        ([("tls", #"{"state":"observed","version":"tls9"}"#)], "malformed", "/tls/version"),
        ([("tls", #"{"state":"observed","vers":"tls1.3"}"#)], "malformed", "/tls/vers"),
        ([("tls", #"{"state":"enforced","rule":"api"}"#)], "malformed", "/tls"),
        (
            [("tls", #"{"state":"enforced","rule":"api","policyDigest":"sha256:0"}"#)],
            "malformed", "/tls/policyDigest"
        ),
        ([("tls", #"{"state":"cleartext"}"#)], "malformed", "/chain"),
        ([("evidence", "[]")], "malformed", "/evidence"),
        ([("evidence", #"{"crls":["?"]}"#)], "malformed", "/evidence/crls/0"),
        ([("evidence", #"{"file":"/etc/passwd"}"#)], "malformed", "/evidence/file"),
        ([("a/b~c", "1")], "malformed", "/a~1b~0c"),
        ([("url", "\"http://127.0.0.1/\"")], "malformed", "/url"),
        ([("\\u0068ost", "\"x\"")], "malformed", "/\\u0068ost"),
    ]

    @Test("each is told with its place", arguments: mistakes.indices)
    func mistake(_ index: Int) throws {
        let (changes, code, pointer) = Self.mistakes[index]
        let world = try ServiceWorld()
        let answer = world.ask(.evaluate, changes)
        let document = try answer.document()
        #expect(answer.status == 400, "\(answer.text)")
        #expect(document["schema"] == .string("hawser/problem/1"))
        #expect(document["code"] == .string(code), "\(answer.text)")
        #expect(document["pointer"] == pointer.map { .string($0) }, "\(answer.text)")
    }

    @Test("a member that stands there twice is refused")
    func doubled() throws {
        let world = try ServiceWorld()
        var body = ServiceWorld.body()
        body.removeLast()
        body += Array(",\"host\":\"other.service.example\"}".utf8)
        let answer = world.service.answer(.evaluate, body: body)
        #expect(answer.status == 400)
        #expect(try answer.document()["pointer"] == .string("/host"))
    }

    @Test(
        "what is deep, wide, empty or no JSON is refused",
        arguments: [
            "", " ", "null", "[]", "7", "\"host\"", "{", "{}}", "{\"host\":}", "\u{FEFF}{}",
            "{\"host\":\"\\ud800\",\"chain\":[],}",
            "{\"x\":" + String(repeating: "[", count: 100_000),
            "{\"x\":" + String(repeating: "{\"x\":", count: 50_000),
            "{" + (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}",
            "{\"host\":\"a.example\",\"chain\":["
                + [String](repeating: "\"\"", count: 100_000).joined(separator: ",") + "]}",
        ])
    func hostile(_ text: String) throws {
        let world = try ServiceWorld()
        for endpoint in [Endpoint.evaluate, .explain, .show] {
            let answer = world.service.answer(endpoint, body: Array(text.utf8))
            #expect(answer.status == 400, "\(text.prefix(40))")
        }
    }

    @Test("octets that are not UTF-8 are refused")
    func notUTF8() throws {
        let world = try ServiceWorld()
        let body = Array("{\"host\":\"".utf8) + [0xFF] + Array("\",\"chain\":[]}".utf8)
        #expect(world.service.answer(.evaluate, body: body).status == 400)
    }

    /// Nothing that is cut off or changed is accepted, unless it asks the same question.
    @Test("no prefix and no changed body is accepted")
    func damaged() throws {
        let world = try ServiceWorld()
        let whole = ServiceWorld.body()
        let asked = try AskedQuestion(whole, for: .evaluate)
        for length in stride(from: 0, to: whole.count, by: 7) {
            let answer = world.service.answer(.evaluate, body: Array(whole[..<length]))
            #expect(answer.status == 400)
        }
        let seed: UInt64 = 0x5EED
        var random = SplitMix(state: seed)
        for _ in 0..<2_000 {
            var body = whole
            body[Int(random.next() % UInt64(body.count))] = UInt8(random.next() & 0xFF)
            let answer = world.service.answer(.evaluate, body: body)
            #expect([200, 400, 403].contains(answer.status))
            guard answer.status == 200 else { continue }
            let read = try AskedQuestion(body, for: .evaluate)
            // The TLS version may have become another that the rule allows too, and a chain may end
            // with another certificate than the one that is needed; the end entity is the same.
            #expect(read.host.lowercased() == asked.host, "seed \(seed)")
            #expect(read.chain.first == asked.chain.first, "seed \(seed)")
        }
    }
}

@Suite("The OpenAPI document")
struct OpenAPITests {
    @Test("names every endpoint with its method, and every problem with its status")
    func complete() throws {
        let document = try JSONDocument(text: ServiceWorld.grammar("serve.openapi.json"))
        guard case .object(let paths)? = document["paths"] else {
            Issue.record("no paths")
            return
        }
        #expect(Set(paths.keys) == Set(Endpoint.allCases.map(\.rawValue)))
        for endpoint in Endpoint.allCases {
            let operation = try #require(
                paths[endpoint.rawValue]?[endpoint.method.rawValue.lowercased()])
            guard case .object(let responses)? = operation["responses"] else {
                Issue.record("no responses of \(endpoint)")
                continue
            }
            for code in ServiceProblem.Code.allCases {
                switch code {
                // These are told of requests that ask no operation.
                case .notFound, .method: continue
                case .mediaType where endpoint.method == .get: continue
                default: break
                }
                #expect(responses[String(code.status)] != nil, "\(endpoint) \(code)")
            }
        }
        let text = try ServiceWorld.grammar("serve.openapi.json")
        for code in ServiceProblem.Code.allCases where ![.notFound, .method].contains(code) {
            #expect(text.contains("\"\(code.rawValue)\""), "\(code)")
        }
        for schema in [
            VerdictResponder.verdictSchema, VerdictResponder.readySchema,
            VerdictResponder.healthSchema,
            ServiceProblem.schema, TraceJSON.schema,
        ] {
            #expect(text.contains("\"const\": \"\(schema)\""), "\(schema)")
        }
    }
}
