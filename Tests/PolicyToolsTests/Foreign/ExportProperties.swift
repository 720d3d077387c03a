import Foundation
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// Random policies and their exports: what the format can say is not lost, and each loss can be
/// found again at its host by the model of the format and by the policy's own lookup.
@Suite("random policies exported") struct ExportProperties {
    private static let seed: UInt64 = 5_050
    /// The policies of each of the ten properties, here and in `ExportFormatProperties`: 10,000 in
    /// all in a full run.
    static var rounds: Int {
        Sample.isWhole ? 1_000 : 60
    }

    private static let names = [
        "a.example", "b.a.example", "c.b.a.example", "d.example", "x.d.example", "e.example",
    ]
    private static let hosts =
        names + names.flatMap { ["q.\($0)", "r.q.\($0)"] } + ["other.example"]
    private static let digests = [Exports.one, Exports.two, Exports.three]

    /// A policy, of whose parts an Android file has a word for each if `isSayable`.
    private static func policy(_ random: inout SplitMix, isSayable: Bool, leaf: Bool) -> String {
        var text =
            Bool.random(using: &random) ? "default: deny\n" : "default: { anchors: [system] }\n"
        let position = leaf ? ", at: leaf" : ""
        text += "pins:\n"
        for (number, digest) in digests.enumerated() {
            let spare = digests[(number + 1) % 3]
            text += "  p\(number):\n    keys: { live: { spki: sha256/\(digest)\(position) } }\n"
            text += "    backups: { spare: { spki: sha256/\(spare)\(position) } }\n"
        }
        text += "rules:\n"
        for (number, name) in names.enumerated() where number == 0 || Bool.random(using: &random) {
            var patterns = ["\"\(name)\""]
            if Bool.random(using: &random) { patterns.append("\"**.\(name)\"") }
            if !isSayable {
                if Bool.random(using: &random) { patterns.removeFirst() }
                if Bool.random(using: &random) { patterns.append("\"*.\(name)\"") }
                if patterns.isEmpty { patterns = ["\"\(name):8443\""] }
            }
            text += "  r\(number):\n    hosts: [\(patterns.joined(separator: ", "))]\n"
            text += "    anchors: [system]\n"
            switch Int.random(in: 0..<4, using: &random) {
            case 0: break
            case 1 where !isSayable: text += "    pins: [p0, p2]\n"
            default: text += "    pins: [p\(Int.random(in: 0..<3, using: &random))]\n"
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                text +=
                    "    waivers:\n      cleartext: { reason: x, owner: web, until: 9999-12-31 }\n"
            }
        }
        return text
    }

    /// What both sides can be asked: cleartext, whether somebody is trusted, and the pins.
    private struct Projection: Hashable {
        var permitsCleartext = false
        var trustsSystem = false
        var pins: Set<Set<String>> = []
    }

    private static func projection(
        _ rules: DatedRules, _ host: CanonicalHost, _ port: UInt16
    ) -> Projection {
        guard let body = rules.body(of: rules.decision(host, port: port), at: .at("2026-06-01"))
        else { return Projection() }
        return Projection(
            permitsCleartext: body.waivers.contains { $0.tolerance == .cleartext },
            trustsSystem: body.anchors == ["system"],
            pins: Set(
                body.pins.compactMap { id in
                    rules.contents.pinSets.first { $0.id == id }.map { Set($0.keyDigests) }
                }))
    }

    private static func projection(_ model: NSCModel, _ host: String) -> Projection {
        let behaviour = model.behaviour(of: host)
        return Projection(
            permitsCleartext: behaviour.permitsCleartext,
            trustsSystem: behaviour.anchors.contains { $0.source == .system },
            pins: behaviour.digests.isEmpty ? [] : [Set(behaviour.digests)])
    }

    @Test("Android: what the file can say is equal")
    func sayable() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        for _ in 0..<Self.rounds {
            let text = Self.policy(&random, isSayable: true, leaf: false)
            let answer = try Exports.answer(text, to: "nsc")
            #expect(answer.loss.relation == .equal, "\(text)\n\(answer.loss.lines)")
            let imported = try ForeignImports.nsc(Exports.file(answer))
            let table = try ForeignImports.table(imported)
            let relation = try DiffQuestion(
                DiffSide("policy", Exports.table(text)), DiffSide("file", table),
                since: .at("2026-06-01")
            ).compare(crypto: ForeignImports.crypto).relation
            #expect(relation == .equal, "\(text)")
        }
    }

    @Test("Android: each loss is found again by the model, and nothing else is lost")
    func lossesOfAndroid() throws {
        var random = SplitMix(state: Self.seed + 1)
        print("seed \(Self.seed + 1)")
        for _ in 0..<Self.rounds {
            let text = Self.policy(&random, isSayable: false, leaf: false)
            let table = try Exports.table(text)
            let answer = try Exports.question(table, to: "nsc")
                .answer(over: nil, crypto: ForeignImports.crypto)
            let rules = DatedRules(table, below: "", crypto: ForeignImports.crypto)
            let model = NSCModel(
                try NSCReader.read(answer.file.octets, isDebuggable: false), NSCModel.App())
            for line in answer.loss.lines {
                let witness = line.witness
                #expect(
                    Self.projection(rules, witness.host, witness.port)
                        != Self.projection(model, witness.host.text),
                    "\(line.field) at \(witness.text)\n\(text)")
            }
            let isLossless = answer.loss.relation == .equal
            for host in Self.hosts {
                let isSame =
                    Self.projection(rules, .name(host), 443) == Self.projection(model, host)
                #expect(isSame || !isLossless, "\(host)\n\(text)\n\(Exports.file(answer))")
            }
        }
    }

    @Test("Apple: each loss of pins and cleartext is found again by the model")
    func lossesOfApple() throws {
        var random = SplitMix(state: Self.seed + 2)
        print("seed \(Self.seed + 2)")
        for _ in 0..<Self.rounds {
            let text = Self.policy(&random, isSayable: false, leaf: true)
            let table = try Exports.table(text)
            let answer = try Exports.question(table, to: "ats-pins")
                .answer(over: nil, crypto: ForeignImports.crypto)
            let rules = DatedRules(table, below: "", crypto: ForeignImports.crypto)
            let model = ATSModel(try ATSReader.read(answer.file.octets))
            func projected(_ host: String) -> Projection {
                let behaviour = model.behaviour(of: host)
                let pins = [behaviour.leafPins, behaviour.authorityPins]
                    .compactMap { $0 }.filter { !$0.isEmpty }.map { Set($0) }
                return Projection(
                    permitsCleartext: behaviour.permitsCleartext, trustsSystem: true,
                    pins: Set(pins))
            }
            let fields = answer.loss.lines.filter {
                $0.field.hasPrefix("pins") || $0.field == "waivers.cleartext"
                    || $0.field == "decision"
            }
            for line in fields {
                let host = line.witness.host
                #expect(
                    Self.projection(rules, host, line.witness.port) != projected(host.text),
                    "\(line.field) at \(line.witness.text)\n\(text)")
            }
            for host in Self.hosts
            where Self.projection(rules, .name(host), 443) != projected(host) {
                #expect(!fields.isEmpty, "\(host)\n\(text)\n\(Exports.file(answer))")
            }
        }
    }

    @Test("the export of an import means what the file means")
    func importsAndBack() throws {
        var random = SplitMix(state: Self.seed + 3)
        print("seed \(Self.seed + 3)")
        for _ in 0..<Self.rounds {
            let text = Self.policy(&random, isSayable: true, leaf: false)
            let file = try Exports.file(Exports.answer(text, to: "nsc"))
            let policy = try ForeignImports.nsc(file).policy.text
            let body = policy.split(separator: "hawser: 1\n", maxSplits: 1).last.map(String.init)
            let again = try Exports.check(body ?? "", to: "nsc", file)
            #expect(again.relation == .equal, "\(file)\n\(again.lines)")
        }
    }
}
