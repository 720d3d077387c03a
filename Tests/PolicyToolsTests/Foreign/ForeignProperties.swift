import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Random files: the policy decides each host as the model does, unless a finding says otherwise.
@Suite("random files of other systems") struct ForeignProperties {
    private static let seed: UInt64 = 50

    private static let names = [
        "a.example", "b.a.example", "c.b.a.example", "d.example", "x.d.example", "e.example",
    ]
    private static let hosts =
        names + names.flatMap { ["q.\($0)", "r.q.\($0)"] } + ["other.example"]
    private static let digests = (1...5).map {
        Base64.encode([UInt8](repeating: UInt8($0 * 17), count: 32))
    }

    /// The rule that decides a host.
    static func body(of host: String, in policy: WrittenPolicy) -> WrittenPolicy.Body? {
        var best: (rank: Int, body: WrittenPolicy.Body)?
        for rule in policy.rules {
            for pattern in rule.hosts {
                let rank: Int
                if pattern == host {
                    rank = 1_000
                } else if pattern.hasPrefix("**."), host.hasSuffix(pattern.dropFirst(2)) {
                    rank = 2 * pattern.count
                } else if pattern.hasPrefix("*."), host.hasSuffix(pattern.dropFirst(1)),
                    !host.dropLast(pattern.count - 1).contains(".")
                {
                    rank = 2 * pattern.count + 3
                } else {
                    continue
                }
                if rank > best?.rank ?? 0 { best = (rank, rule.body) }
            }
        }
        return best?.body ?? policy.defaultBody
    }

    static func pins(of body: WrittenPolicy.Body, in policy: WrittenPolicy) -> Set<String> {
        Set(
            policy.pinSets.filter { body.pins.contains($0.id) }
                .flatMap { set in set.pins.map { "\($0.at) \($0.digest)" } })
    }

    // MARK: Android

    private static func nsc(_ random: inout SplitMix) -> String {
        var left = names.shuffled(using: &random)
        func attributes(_ random: inout SplitMix) -> String {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: " cleartextTrafficPermitted=\"true\""
            case 1: " cleartextTrafficPermitted=\"false\""
            default: ""
            }
        }
        func anchors(_ random: inout SplitMix) -> String {
            guard Int.random(in: 0..<3, using: &random) == 0 else { return "" }
            let sources = ["system", "user"].filter { _ in Bool.random(using: &random) }
            return "<trust-anchors>"
                + sources.map {
                    "<certificates src=\"\($0)\" overridePins=\"\(Int.random(in: 0..<4, using: &random) == 0)\"/>"
                }.joined() + "</trust-anchors>"
        }
        func config(_ depth: Int, _ random: inout SplitMix) -> String {
            guard let name = left.popLast() else { return "" }
            var text = "<domain-config\(attributes(&random))>"
            text += "<domain includeSubdomains=\"\(Bool.random(using: &random))\">\(name)</domain>"
            text += anchors(&random)
            if Bool.random(using: &random) {
                let chosen = digests.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                let end =
                    Int.random(in: 0..<4, using: &random) == 0 ? " expiration=\"2027-03-01\"" : ""
                text += "<pin-set\(end)>"
                text += chosen.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined() + "</pin-set>"
            }
            if depth < 3, Bool.random(using: &random) { text += config(depth + 1, &random) }
            return text + "</domain-config>"
        }
        var text = "<network-security-config>"
        if Bool.random(using: &random) {
            text += "<base-config\(attributes(&random))>\(anchors(&random))</base-config>"
        }
        for _ in 0..<3 { text += config(0, &random) }
        return text + "</network-security-config>"
    }

    @Test("a policy of a Network Security Configuration decides as the model, or a finding says so")
    func android() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        for round in 0..<400 {
            let text = Self.nsc(&random)
            let model = NSCModel(
                try NSCReader.read(Array(text.utf8), isDebuggable: false), NSCModel.App())
            let imported = try ForeignImports.nsc(text)
            let codes = Set(imported.findings.map(\.code))
            // The compiler is the slow part.
            if round % 8 == 0 { _ = try ForeignImports.table(imported) }
            for host in Self.hosts {
                let wanted = model.behaviour(of: host)
                let name = "\(host) \(text)"
                guard let body = Self.body(of: host, in: imported.policy) else {
                    #expect(wanted.anchors.isEmpty && !wanted.permitsCleartext, "\(name)")
                    continue
                }
                #expect((body.cleartextReason != nil) == wanted.permitsCleartext, "\(name)")
                let trustsSystem = wanted.anchors.contains { $0.source == .system }
                #expect(body.anchors == [trustsSystem ? "system" : "nothing"], "\(name)")
                if wanted.anchors.contains(where: { $0.source == .user }) {
                    #expect(codes.contains(.userAnchors), "\(name)")
                }
                let isVoid = !wanted.anchors.isEmpty && wanted.anchors.allSatisfy(\.overridesPins)
                let pins = isVoid ? [] : wanted.digests.map { "any \($0)" }
                #expect(Self.pins(of: body, in: imported.policy) == Set(pins), "\(name)")
                if !pins.isEmpty, wanted.anchors.contains(where: \.overridesPins) {
                    #expect(codes.contains(.overriddenPins), "\(name)")
                }
                if !pins.isEmpty, wanted.pinsEnd != nil {
                    #expect(codes.contains(.localExpiration), "\(name)")
                }
            }
        }
    }

    // MARK: Apple

    private static func ats(_ random: inout SplitMix) -> String {
        func chosen(_ random: inout SplitMix) -> [String] {
            names.filter { _ in Bool.random(using: &random) }
        }
        let exceptions = chosen(&random).map { name in
            var inner = Bool.random(using: &random) ? ATSImportTests.subdomains : ""
            if Int.random(in: 0..<3, using: &random) == 0 { inner += ATSImportTests.cleartext }
            if Bool.random(using: &random) {
                inner += ATSImportTests.tls("TLSv1.\(Int.random(in: 0...3, using: &random))")
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                inner += "<key>NSExceptionRequiresForwardSecrecy</key><false/>"
            }
            return "<key>\(name)</key><dict>\(inner)</dict>"
        }
        let pinned = chosen(&random).map { name in
            var inner = Bool.random(using: &random) ? ATSImportTests.subdomains : ""
            for key in ["NSPinnedCAIdentities", "NSPinnedLeafIdentities"]
            where Bool.random(using: &random) {
                let digest = digests.randomElement(using: &random) ?? ""
                inner += ATSImportTests.list(key, digest)
            }
            return "<key>\(name)</key><dict>\(inner)</dict>"
        }
        let off = Int.random(in: 0..<4, using: &random) == 0
        return ATSImportTests.ats(
            (off ? "<key>NSAllowsArbitraryLoads</key><true/>" : "")
                + "<key>NSExceptionDomains</key><dict>\(exceptions.joined())</dict>"
                + "<key>NSPinnedDomains</key><dict>\(pinned.joined())</dict>")
    }

    @Test("a policy of an Info.plist decides as the model")
    func apple() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        for round in 0..<400 {
            let text = Self.ats(&random)
            let model = ATSModel(try ATSReader.read(Array(ForeignImports.plist(text).utf8)))
            let imported = try ForeignImports.ats(text)
            if round % 8 == 0 { _ = try ForeignImports.table(imported) }
            for host in Self.hosts {
                let wanted = model.behaviour(of: host)
                let name = "\(host) \(text)"
                let body = try #require(Self.body(of: host, in: imported.policy))
                #expect((body.cleartextReason != nil) == wanted.permitsCleartext, "\(name)")
                #expect(body.needsForwardSecrecy == wanted.requiresForwardSecrecy, "\(name)")
                #expect(body.needsTLS13 == (wanted.minimumTLS == .tls13), "\(name)")
                let waived = [ATSFile.TLSVersion.tls10: "tls1.0", .tls11: "tls1.1"]
                #expect(body.waivedTLS == waived[wanted.minimumTLS], "\(name)")
                let pins =
                    (wanted.authorityPins ?? []).map { "ca \($0)" }
                    + (wanted.leafPins ?? []).map { "leaf \($0)" }
                #expect(Self.pins(of: body, in: imported.policy) == Set(pins), "\(name)")
            }
        }
    }
}
