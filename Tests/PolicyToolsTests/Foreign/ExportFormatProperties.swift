import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// Random policies exported to lists of pins, to curl and to Chrome's enterprise policies: what the
/// format can say is not lost, and each loss can be found again at its host by the model of the
/// format and by the policy's own lookup.
@Suite("random policies exported to pins, curl and Chrome") struct ExportFormatProperties {
    private static let seed: UInt64 = 5_060
    private static let digests = [
        "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=",
        "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=",
        "dz3B4PSNsDfUW4DQU55c/axCVfaNG2XNMPXpEevgawE=",
    ]
    private static let names = [
        "a.example", "b.a.example", "c.b.a.example", "d.example", "x.d.example", "e.example",
    ]
    private static let hosts =
        names + names.flatMap { ["q.\($0)", "r.q.\($0)"] } + ["other.example"]
    private static let time = UTCInstant.at("2026-06-01")

    private static func chance(_ of: Int, _ random: inout SplitMix) -> Bool {
        Int.random(in: 0..<of, using: &random) == 0
    }

    private static func pins(at position: String) -> String {
        var text = "pins:\n"
        for (number, digest) in digests.enumerated() {
            let spare = digests[(number + 1) % 3]
            text +=
                "  p\(number):\n    keys: { live: { spki: sha256/\(digest), at: \(position) } }\n"
            text += "    backups: { spare: { spki: sha256/\(spare), at: \(position) } }\n"
        }
        return text
    }

    private static func rules(_ table: PolicyTable) -> DatedRules {
        DatedRules(table, below: "", crypto: ForeignImports.crypto)
    }

    // MARK: JSON

    /// The keys of which one must be in the chain, and whether it must be the server's own; nil for
    /// a host without pins.
    private struct Pins: Hashable {
        let keys: Set<String>
        var isOfLeaf = false
    }

    private static func pins(
        _ rules: DatedRules, _ host: CanonicalHost, _ port: UInt16
    ) -> [Pins]? {
        guard let body = rules.body(of: rules.decision(host, port: port), at: time) else {
            return nil
        }
        return body.pins.compactMap { id in
            rules.contents.pinSets.first { $0.id == id }
        }.map { set in
            Pins(
                keys: Set(set.keyDigests), isOfLeaf: set.keys.allSatisfy { $0.position == .leaf })
        }
    }

    private static func listed(_ model: PinsJSONModel, _ host: String) -> [Pins] {
        model.behaviour(of: host).digests.map { [Pins(keys: $0)] } ?? []
    }

    /// A policy, of which a list has words for each part if `isSayable`.
    private static func pinned(_ random: inout SplitMix, isSayable: Bool) -> String {
        var text = "default: { anchors: [system] }\n"
        if !isSayable, chance(4, &random) { text = "default: deny\n" }
        text += pins(at: !isSayable && chance(4, &random) ? "leaf" : "any") + "rules:\n"
        let used = isSayable ? ["a.example", "d.example", "e.example"] : names
        for (number, name) in used.enumerated() where number == 0 || chance(2, &random) {
            var patterns: [String]
            switch Int.random(in: 0..<3, using: &random) {
            case 0: patterns = [name]
            case 1: patterns = [name, "**.\(name)"]
            default: patterns = ["*.\(name)"]
            }
            if !isSayable {
                if chance(3, &random) { patterns.append("**.\(name)") }
                if chance(4, &random) { patterns = ["\(name):8443"] }
            }
            let quoted = Set(patterns).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            text += "  r\(number):\n    hosts: [\(quoted)]\n    anchors: [system]\n"
            if !isSayable, chance(5, &random) {
                text += "    pins: [p0, p2]\n"
            } else if !chance(5, &random) {
                text += "    pins: [p\(Int.random(in: 0..<3, using: &random))]\n"
            }
        }
        return text
    }

    @Test("JSON: what the list can say is equal")
    func listOfSayable() throws {
        var random = SplitMix(state: Self.seed)
        for _ in 0..<ExportProperties.rounds {
            let text = Self.pinned(&random, isSayable: true)
            let answer = try Exports.answer(text, to: "pins-json")
            #expect(answer.loss.relation == .equal, "\(text)\n\(answer.loss.lines)")
        }
    }

    @Test("JSON: each loss is found again by the model, and nothing else is lost")
    func lossesOfList() throws {
        var random = SplitMix(state: Self.seed + 1)
        for _ in 0..<ExportProperties.rounds {
            let text = Self.pinned(&random, isSayable: false)
            let table = try Exports.table(text)
            let answer = try Exports.question(table, to: "pins-json")
                .answer(over: nil, crypto: ForeignImports.crypto)
            let rules = Self.rules(table)
            let model = PinsJSONModel(try PinsJSONReader.read(answer.file.octets))
            for line in answer.loss.lines {
                let witness = line.witness
                let listed = Self.listed(model, witness.host.text)
                #expect(
                    Self.pins(rules, witness.host, witness.port) != listed,
                    "\(line.field) at \(witness.text)\n\(text)\n\(Exports.file(answer))")
            }
            guard answer.loss.relation == .equal else { continue }
            for host in Self.hosts {
                #expect(
                    Self.pins(rules, .name(host), 443) == Self.listed(model, host),
                    "\(host)\n\(text)\n\(Exports.file(answer))")
            }
        }
    }

    // MARK: curl

    private static let pki = Scenario()
    private static let corp = pki.root("Corp Root", key: .p256("export-properties-corp"))
    private static let lab = pki.root("Lab Root", key: .p256("export-properties-lab"))
    private static let files = ["corp.pem": corp.der, "lab.pem": lab.der]

    /// What both sides can be asked about curl.
    private struct Settings: Hashable {
        var trustsSystem = false
        var anchors: Set<[UInt8]> = []
        var pins: [Pins] = []
        var needsTLS13 = false
    }

    private static func settings(
        _ rules: DatedRules, _ host: CanonicalHost, _ port: UInt16
    ) -> Settings? {
        guard let body = rules.body(of: rules.decision(host, port: port), at: time) else {
            return nil
        }
        var settings = Settings(pins: pins(rules, host, port) ?? [])
        settings.needsTLS13 = body.requirements.tls.minimumVersion == .tls13
        for set in rules.contents.anchorSets where body.anchors.contains(set.id) {
            if set.namesSystemStore { settings.trustsSystem = true }
            for group in set.groups {
                if case .members(let members) = group.source {
                    settings.anchors.formUnion(members)
                }
            }
        }
        return settings
    }

    private static func settings(
        _ model: CurlModel, _ host: String, _ file: ExportedFile
    ) throws -> Settings {
        let behaviour = try #require(model.behaviour(of: host))
        var settings = Settings()
        settings.trustsSystem = behaviour.anchors == nil
        if let path = behaviour.anchors {
            let octets = try #require(file.companions.first { $0.path == path }?.octets)
            settings.anchors = Set(
                try PEM.decode(octets.span).map { try Certificate(der: $0.der).der })
        }
        if case .hashes(let hashes)? = behaviour.pinnedKey {
            settings.pins = [Pins(keys: Set(hashes), isOfLeaf: true)]
        }
        settings.needsTLS13 = behaviour.minimumTLS == "1.3"
        return settings
    }

    /// A policy, whose rules demand the same if `isSayable`.
    private static func servers(_ random: inout SplitMix, isSayable: Bool) -> String {
        var text = "default: deny\nanchors:\n  corp: { files: [corp.pem] }\n"
        text += pins(at: !isSayable && chance(3, &random) ? "any" : "leaf") + "rules:\n"
        func demands() -> String {
            var text = "    anchors: [\(chance(2, &random) ? "system" : "corp")]\n"
            if !isSayable, chance(4, &random) { text = "    anchors: [corp, system]\n" }
            if !chance(3, &random) {
                text += "    pins: [p\(Int.random(in: 0..<3, using: &random))]\n"
            }
            if chance(3, &random) { text += "    tls: { minimum-version: tls1.3 }\n" }
            return text
        }
        let shared = demands()
        for (number, name) in names.enumerated() where number == 0 || chance(2, &random) {
            let stars = chance(2, &random) ? "" : "**."
            text += "  r\(number):\n    hosts: [\"\(stars)\(name)\"]\n"
            text += isSayable ? shared : demands()
        }
        return text
    }

    @Test("curl: settings that all hosts share are equal")
    func settingsOfSayable() throws {
        var random = SplitMix(state: Self.seed + 2)
        for _ in 0..<ExportProperties.rounds {
            let text = Self.servers(&random, isSayable: true)
            let table = try Exports.table(text, files: Self.files)
            var patterns: [String] = []
            table.forEachPattern { pattern, _ in patterns.append(pattern.canonicalText) }
            let answer = try Exports.question(table, to: "curl", hosts: patterns)
                .answer(over: nil, crypto: ForeignImports.crypto)
            #expect(
                answer.loss.relation == .equal,
                "\(text)\n\(Exports.file(answer))\n\(answer.loss.lines) \(answer.loss.gaps)")
        }
    }

    /// The fields of the language in which settings differ.
    private static func differences(_ meant: Settings?, _ written: Settings) -> [String] {
        guard let meant else { return ["decision"] }
        var fields: [String] = []
        let areEqual =
            meant.trustsSystem == written.trustsSystem && meant.anchors == written.anchors
        if !areEqual { fields.append("anchors") }
        if meant.pins != written.pins { fields.append("pins") }
        if meant.needsTLS13 != written.needsTLS13 { fields.append("tls.minimum-version") }
        return fields
    }

    /// Whether the hosts of a line have a host, which some of the policy's patterns may match.
    private static func has(
        _ hosts: PolicyDiff.HostText, _ name: String, _ patterns: [HostPattern]
    ) throws -> Bool {
        func matches(_ pattern: HostPattern) -> Bool { pattern.matches(.name(name), port: 443) }
        guard let text = hosts.pattern else { return !patterns.contains(where: matches) }
        #expect(hosts.omitted == 0)
        return try matches(HostPatternScanner.scan(text).pattern)
            && !hosts.exceptions.contains { matches(try HostPatternScanner.scan($0).pattern) }
    }

    @Test("curl: each loss is found again by the model, and nothing else is lost")
    func lossesOfSettings() throws {
        var random = SplitMix(state: Self.seed + 3)
        for _ in 0..<ExportProperties.rounds {
            let text = Self.servers(&random, isSayable: false)
            let table = try Exports.table(text, files: Self.files)
            var patterns: [HostPattern] = []
            table.forEachPattern { pattern, _ in patterns.append(pattern) }
            let answer = try Exports.question(table, to: "curl")
                .answer(over: nil, crypto: ForeignImports.crypto)
            let rules = Self.rules(table)
            let model = CurlModel(
                try CurlReader.read(answer.file.octets),
                CurlModel.Version(splitsAtSemicolons: false))
            for line in answer.loss.lines {
                let witness = line.witness
                let settings = try Self.settings(model, witness.host.text, answer.file)
                #expect(
                    Self.settings(rules, witness.host, witness.port) != settings,
                    "\(line.field) at \(witness.text)\n\(text)\n\(Exports.file(answer))")
            }
            for host in Self.hosts {
                let written = try Self.settings(model, host, answer.file)
                let meant = Self.settings(rules, .name(host), 443)
                for field in Self.differences(meant, written) {
                    let isLost = try answer.loss.lines.contains {
                        try $0.field.hasPrefix(field)
                            && $0.hosts.contains { try Self.has($0, host, patterns) }
                    }
                    #expect(isLost, "\(field) of \(host)\n\(text)\n\(Exports.file(answer))")
                }
            }
        }
    }

    // MARK: Chrome

    /// An anchor that may vouch for a host, with the names that it may vouch for at all.
    private struct Voucher: Hashable {
        let der: [UInt8]
        /// Patterns, of which none lies in another; nil for every name.
        let names: Set<String>?
    }

    /// What both sides can be asked about Chrome; nil where the host is denied.
    private struct Trust: Hashable {
        var trustsSystem = false
        var vouchers: Set<Voucher> = []
    }

    private static func reduced(_ patterns: [HostPattern]) -> Set<String> {
        Set(
            patterns.filter { one in
                !patterns.contains { $0 != one && $0.covers(one) }
            }.map(\.canonicalText))
    }

    private static func trust(
        _ rules: DatedRules, _ host: CanonicalHost, _ port: UInt16
    ) -> Trust? {
        guard let body = rules.body(of: rules.decision(host, port: port), at: time) else {
            return nil
        }
        var trust = Trust()
        for set in rules.contents.anchorSets where body.anchors.contains(set.id) {
            if set.namesSystemStore { trust.trustsSystem = true }
            for group in set.groups {
                guard case .members(let members) = group.source else { continue }
                let permitted = group.constraints.flatMap(\.permittedNames)
                guard
                    permitted.isEmpty || permitted.contains(where: { $0.matches(host, port: 443) })
                else { continue }
                for member in members {
                    trust.vouchers.insert(
                        Voucher(
                            der: member, names: permitted.isEmpty ? nil : reduced(permitted)))
                }
            }
        }
        return trust
    }

    /// The same of a file, by the rules of Chromium for subtrees of names.
    private static func trust(_ file: ChromeEnterpriseEntries, _ host: String) -> Trust {
        var trust = Trust(trustsSystem: true)
        for entry in file.entries {
            guard let names = entry.names else {
                trust.vouchers.insert(Voucher(der: entry.der, names: nil))
                continue
            }
            let isPermitted = names.contains { name in
                name.hasPrefix(".")
                    ? host.hasSuffix(name) : host == name || host.hasSuffix(".\(name)")
            }
            guard isPermitted else { continue }
            let patterns = names.filter { $0 != "nothing.invalid" }.flatMap { name in
                name.hasPrefix(".") ? ["**\(name)"] : [name, "**.\(name)"]
            }
            trust.vouchers.insert(
                Voucher(
                    der: entry.der,
                    names: reduced(
                        patterns.compactMap { try? HostPatternScanner.scan($0).pattern })))
        }
        return trust
    }

    /// A policy, of which a file has words for each part if `isSayable`.
    private static func browser(_ random: inout SplitMix, isSayable: Bool) -> String {
        func patterns(_ name: String) -> String {
            if !isSayable, chance(2, &random) {
                return chance(2, &random) ? "\"\(name)\"" : "\"*.\(name)\""
            }
            return chance(2, &random) ? "\"\(name)\", \"**.\(name)\"" : "\"**.\(name)\""
        }
        let (first, second) = (patterns("a.example"), patterns("d.example"))
        let isLimited = isSayable || chance(2, &random)
        var text = "default: { anchors: [system\(chance(2, &random) ? ", corp" : "")] }\n"
        text += "anchors:\n  corp:\n    files: [corp.pem]\n"
        if isLimited { text += "    constraints: { permitted-names: [\(first)] }\n" }
        text += "  lab:\n    files: [lab.pem]\n"
        if isSayable || chance(2, &random) {
            text += "    constraints: { permitted-names: [\(second)] }\n"
        }
        text += "rules:\n  a:\n    hosts: [\(first)]\n    anchors: [system, corp]\n"
        let isOwn = !isSayable && chance(2, &random)
        text += "  d:\n    hosts: [\(second)]\n    anchors: [\(isOwn ? "" : "system, ")lab]\n"
        if !isSayable, chance(2, &random) {
            text += "  e:\n    hosts: [\"c.b.a.example\"]\n    anchors: [system]\n"
        }
        return text
    }

    @Test("Chrome: what the file can say is equal")
    func anchorsOfSayable() throws {
        var random = SplitMix(state: Self.seed + 4)
        for _ in 0..<ExportProperties.rounds {
            let text = Self.browser(&random, isSayable: true)
            let answer = try Exports.answer(text, to: "chrome-enterprise", files: Self.files)
            #expect(
                answer.loss.relation == .equal,
                "\(text)\n\(Exports.file(answer))\n\(answer.loss.lines) \(answer.loss.gaps)")
        }
    }

    @Test("Chrome: each loss is found again at its host, and nothing else is lost")
    func lossesOfAnchors() throws {
        var random = SplitMix(state: Self.seed + 5)
        for _ in 0..<ExportProperties.rounds {
            let text = Self.browser(&random, isSayable: false)
            let table = try Exports.table(text, files: Self.files)
            let answer = try Exports.question(table, to: "chrome-enterprise")
                .answer(over: nil, crypto: ForeignImports.crypto)
            let rules = Self.rules(table)
            let file = try ChromeEnterpriseEntries(answer.file.octets)
            for line in answer.loss.lines {
                let witness = line.witness
                #expect(
                    Self.trust(rules, witness.host, witness.port)
                        != Self.trust(file, witness.host.text),
                    "\(line.field) at \(witness.text)\n\(text)\n\(Exports.file(answer))")
            }
            guard answer.loss.relation == .equal else { continue }
            for host in Self.hosts {
                #expect(
                    Self.trust(rules, .name(host), 443) == Self.trust(file, host),
                    "\(host)\n\(text)\n\(Exports.file(answer))")
            }
        }
    }
}
