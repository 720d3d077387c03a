import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Random lists of pins: the policy decides each host as the model does, or differs in the
/// direction that a finding says.
@Suite("random lists of pins") struct PinProperties {
    private static let seed: UInt64 = 50
    private static let names = [
        "a.com", "b.a.com", "c.b.a.com", "d.com", "x.d.com", "localhost", "e.com",
    ]
    private static let hosts =
        names + names.flatMap { ["q.\($0)", "r.q.\($0)"] } + ["other.com", "com"]

    /// Checks a policy against the model of its file, at two instants.
    private static func check(
        _ model: some PinListModel, _ imported: ForeignImport, _ name: String
    ) throws {
        let codes = Set(imported.findings.map(\.code))
        for host in hosts {
            let wanted = model.behaviour(of: host)
            let body = try #require(ForeignProperties.body(of: host, in: imported.policy))
            let place = "\(host) \(name)"
            let asked = PinImports.demanded(host, imported)
            guard let digests = wanted.digests else {
                #expect(asked == nil, "\(place)")
                continue
            }
            if !wanted.sha1.isEmpty { #expect(codes.contains(.sha1Pin), "\(place)") }
            if digests.isEmpty {
                #expect(asked == [], "\(place)")
                #expect(codes.contains(.pinNeverMatches), "\(place)")
            } else {
                #expect(asked == digests, "\(place)")
                #expect(digests.count > 1 || codes.contains(.onePin), "\(place)")
            }
            // Entries with different ends name this host, and a finding says so.
            if codes.contains(.doubtfulInTarget) { continue }
            let end = imported.policy.pinSets.first { body.pins.contains($0.id) }?.end
            if let end {
                #expect(model.behaviour(of: host, at: end).digests == digests, "\(place)")
                let later = model.behaviour(of: host, at: end.advanced(bySeconds: 1))
                #expect(later.digests == nil, "\(place)")
            } else {
                let late = UTCInstant(year: 2099, month: 1, day: 1)
                #expect(model.behaviour(of: host, at: late).digests == digests, "\(place)")
            }
        }
    }

    private static func some(_ random: inout SplitMix, atLeast: Int = 1) -> [String] {
        var chosen = PinImports.digests.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        while chosen.count < atLeast {
            let next = PinImports.digests.randomElement(using: &random) ?? PinImports.one
            if !chosen.contains(next) { chosen.append(next) }
        }
        return chosen
    }

    @Test("OkHttp, of four versions", arguments: ["3.13", "4.2", "4.12", "5"])
    func okhttp(_ version: String) throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        let stars = ["", "", "*.", "**."]
        for round in 0..<200 {
            var entries: [(String, [String])] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let name = Self.names.randomElement(using: &random) ?? ""
                let star = stars.randomElement(using: &random) ?? ""
                var pins = Self.some(&random).map { "sha256/\($0)" }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    pins = ["sha1/DmxUShsZuNiqPQsX2Oi9uv2sCnw="]
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    pins.append("sha256/\(PinImports.zero)")
                }
                entries.append((star + name, pins))
            }
            let text = PinImports.kotlin(entries)
            let imported = try PinImports.okhttp(text, version)
            try Self.check(try PinImports.okhttpModel(text, version), imported, text)
            try Self.compare(entries, try PinImports.okhttpModel(text, version), version)
            if round % 10 == 0 { _ = try ForeignImports.table(imported) }
        }
    }

    /// Compares the model with the rules in other words: labels in place of texts.
    private static func compare(
        _ entries: [(String, [String])], _ model: OkHttpModel, _ version: String
    ) throws {
        let isNew = try PinImports.version(version) >= OkHttpModel.Version(4, 3)
        for host in hosts {
            let labels = host.split(separator: ".")
            let matching = entries.filter { pattern, _ in
                let parts = pattern.split(separator: ".")
                let tail = parts.dropFirst()
                if parts[0] == "**" {
                    return isNew && Array(labels.suffix(tail.count)) == Array(tail)
                }
                if parts[0] == "*" {
                    let isBare = !isNew && labels.count == 1 && Array(tail) == labels
                    return isBare || (labels.count == parts.count && labels.dropFirst() == tail)
                }
                return labels == parts
            }
            let digests = Set(
                matching.flatMap(\.1).filter { $0.hasPrefix("sha256/") }.map { $0.dropFirst(7) })
            let found = model.behaviour(of: host).digests
            let zero = PinImports.zero[...]
            #expect((found == nil) == matching.isEmpty, "\(host) \(entries)")
            #expect(Set((found ?? []).map { $0[...] }) == digests.subtracting([zero]), "\(host)")
        }
    }

    @Test("TrustKit, of three forms")
    func trustKit() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        let names = Self.names.filter { $0 != "localhost" }
        for round in 0..<300 {
            let chosen = names.filter { _ in Bool.random(using: &random) }
            guard !chosen.isEmpty else { continue }
            let isAndroid = round % 3 == 2
            var text = isAndroid ? "<network-security-config>" : "[kTSKPinnedDomains: ["
            for name in chosen {
                let pins = Self.some(&random, atLeast: 2)
                let includes = Bool.random(using: &random)
                let enforces = Int.random(in: 0..<4, using: &random) > 0
                let end = Int.random(in: 0..<3, using: &random) == 0
                if isAndroid {
                    text +=
                        "<domain-config><domain includeSubdomains=\"\(includes)\">\(name)</domain>"
                    text += "<pin-set\(end ? " expiration=\"2027-03-01\"" : "")>"
                    text += pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
                    text +=
                        "</pin-set><trustkit-config enforcePinning=\"\(enforces)\"/></domain-config>"
                } else {
                    let list = pins.map { "\"\($0)\"" }.joined(separator: ", ")
                    text += "\"\(name)\": [kTSKIncludeSubdomains: \(includes), "
                    text += "kTSKEnforcePinning: \(enforces), "
                    if end { text += "kTSKExpirationDate: \"2027-03-01\", " }
                    text += "kTSKPublicKeyHashes: [\(list)]], "
                }
            }
            text += isAndroid ? "</network-security-config>" : "]]"
            let imported = try PinImports.trustKit(text)
            try Self.check(try PinImports.trustKitModel(text), imported, text)
            if round % 10 == 0 { _ = try ForeignImports.table(imported) }
        }
    }

    @Test("lists in JSON")
    func json() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        for round in 0..<300 {
            let chosen = Self.names.filter { _ in Bool.random(using: &random) }
            let entries = chosen.map { name in
                let pins = Self.some(&random).map { "\"\($0)\"" }.joined(separator: ", ")
                let end =
                    Int.random(in: 0..<3, using: &random) == 0
                    ? ", \"expirationDate\": \"2027-03-01\"" : ""
                return "\"\(name)\": {\"pins\": [\(pins)], \"includeSubdomains\": "
                    + "\(Bool.random(using: &random))\(end)}"
            }
            let text = "{\(entries.joined(separator: ", "))}"
            let imported = try PinImports.json(text)
            let model = PinsJSONModel(try PinsJSONReader.read(Array(text.utf8)))
            try Self.check(model, imported, text)
            if round % 10 == 0 { _ = try ForeignImports.table(imported) }
        }
    }
}
