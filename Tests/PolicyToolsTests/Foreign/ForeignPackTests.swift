import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Facts that others assert about real files and about Android's own test files, out of data that
/// may lie beside the checkout. Skipped, with a word, where the data is absent.
@Suite(
    "facts about files of other systems",
    .enabled(
        if: FileManager.default.fileExists(atPath: ForeignImports.shared.path),
        "../shared/packs is absent"))
struct ForeignPackTests {
    private struct Anchor: Decodable {
        let src: String
        let overridePins: Bool
    }

    private struct Facts: Decodable {
        let cleartext_permitted: Bool
        let hsts_enforced: Bool
        let anchors: [Anchor]
        let pins: [String]
        let pins_expire: String?
        let ct_required: Bool?
    }

    private static func rows<Row: Decodable>(_ path: String, _: Row.Type) throws -> [Row] {
        let text = try String(
            contentsOf: ForeignImports.shared.appending(path: path), encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Row.self, from: Data($0.utf8))
        }
    }

    private static func read(_ path: String) throws -> String {
        try String(
            contentsOf: ForeignImports.shared.appending(path: "nsc/\(path)"), encoding: .utf8)
    }

    // MARK: Android

    private static func compare(
        _ text: String, _ hosts: [String: Facts], _ app: NSCModel.App, _ id: String
    ) throws -> Int {
        let model = NSCModel(
            try NSCReader.read(Array(text.utf8), isDebuggable: app.isDebuggable), app)
        for (host, facts) in hosts {
            let found = model.behaviour(of: host)
            let name = "\(id) \(host)"
            #expect(found.permitsCleartext == facts.cleartext_permitted, "\(name)")
            #expect(found.enforcesHSTS == facts.hsts_enforced, "\(name)")
            #expect(Set(found.digests) == Set(facts.pins), "\(name)")
            #expect(found.pinsEnd == facts.pins_expire, "\(name)")
            #expect(found.demandsTransparency == facts.ct_required, "\(name)")
            let anchors = Set(found.anchors.map { "\(text: $0.source) \($0.overridesPins)" })
            #expect(anchors == Set(facts.anchors.map { "\($0.src) \($0.overridePins)" }), "\(name)")
        }
        return hosts.count
    }

    private struct AOSPRow: Decodable {
        let id: String
        let file: String
        let debuggable: Bool
        let parse: String
        let beside: String?
        let derived: [String: Facts]?
    }

    @Test("Android's own test files: refusals, and the behaviour of each host")
    func aosp() throws {
        var hosts = 0
        for row in try Self.rows("nsc/aosp.ndjson", AOSPRow.self) {
            // A second file, which only a build of the app puts beside the first, is another input.
            guard row.beside == nil else { continue }
            let text = try Self.read(row.file)
            let app = NSCModel.App(targetSDK: 28, isDebuggable: row.debuggable)
            guard row.parse == "ok" else {
                let refusal = ForeignImports.refusal {
                    try ForeignImports.nsc(text, isDebuggable: row.debuggable)
                }
                #expect(["HX102", "HX103"].contains(refusal?.code), "\(row.id)")
                #expect((refusal?.at ?? 0) > 0, "\(row.id)")
                continue
            }
            hosts += try Self.compare(text, row.derived ?? [:], app, row.id)
        }
        #expect(hosts > 0)
        print("facts of Android's test files: \(hosts) hosts")
    }

    private struct Config: Decodable {
        let base: Part?
        let domain_configs: [Part]?
        let debug_overrides: Part?

        final class Part: Decodable {
            let cleartext: Bool?
            let anchors: [Anchor]?
            let pins: [String]?
            let pins_expire: String?
            let domains: [Domain]?
            let domain_configs: [Part]?
            let ignored_by_android: [String]?
        }

        struct Domain: Decodable {
            let name: String
            let subdomains: Bool
        }

        /// The configuration as a file: the facts, not the layout, of a file that is not stored.
        var text: String {
            "<network-security-config>"
                + (base.map { Self.text("base-config", $0) } ?? "")
                + (domain_configs ?? []).map { Self.text("domain-config", $0) }.joined()
                + (debug_overrides.map { Self.text("debug-overrides", $0) } ?? "")
                + "</network-security-config>"
        }

        private static func text(_ name: String, _ part: Part) -> String {
            var text = "<\(name)"
            if let cleartext = part.cleartext {
                text += " cleartextTrafficPermitted=\"\(cleartext)\""
            }
            text += ">"
            for domain in part.domains ?? [] {
                text += "<domain includeSubdomains=\"\(domain.subdomains)\">\(domain.name)</domain>"
            }
            if let anchors = part.anchors {
                text += "<trust-anchors>"
                text += anchors.map {
                    "<certificates src=\"\($0.src)\" overridePins=\"\($0.overridePins)\"/>"
                }.joined()
                text += "</trust-anchors>"
            }
            if let pins = part.pins {
                text += "<pin-set\(part.pins_expire.map { " expiration=\"\($0)\"" } ?? "")>"
                text += pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined() + "</pin-set>"
            }
            for ignored in part.ignored_by_android ?? [] where ignored.hasPrefix("element ") {
                text += "<\(ignored.dropFirst("element ".count))/>"
            }
            text += (part.domain_configs ?? []).map { Self.text("domain-config", $0) }.joined()
            return text + "</\(name)>"
        }
    }

    private struct AppRow: Decodable {
        let id: String
        let path: String
        let commit: String
        let file: String?
        let parse: String
        let config: Config?
        let hosts: [String: Facts]?
        let hosts_target_sdk_23: [String: Facts]?
        let hosts_debuggable: [String: Facts]?

        func text() throws -> String {
            if let file { return try ForeignPackTests.read(file) }
            return try #require(config).text
        }
    }

    @Test("files of real apps: what each host gets, for three kinds of app")
    func apps() throws {
        var hosts = 0
        for row in try Self.rows("nsc/apps.ndjson", AppRow.self) {
            let text = try row.text()
            guard row.parse == "ok" else {
                #expect(ForeignImports.refusal { try ForeignImports.nsc(text) } != nil, "\(row.id)")
                continue
            }
            hosts += try Self.compare(text, row.hosts ?? [:], NSCModel.App(), row.id)
            hosts += try Self.compare(
                text, row.hosts_target_sdk_23 ?? [:], NSCModel.App(targetSDK: 23), row.id)
            hosts += try Self.compare(
                text, row.hosts_debuggable ?? [:], NSCModel.App(isDebuggable: true), row.id)
            let imported = try ForeignImports.nsc(text)
            if !imported.findings.contains(where: { $0.code == .missingResource }) {
                _ = try ForeignImports.table(imported)
            }
            let isTold = imported.findings.contains { $0.code == .userAnchors }
            let trustsUser = row.hosts?.values.contains { $0.anchors.contains { $0.src == "user" } }
            #expect(isTold == (trustsUser ?? false), "\(row.id)")
        }
        #expect(hosts > 0)
        print("facts of real apps: \(hosts) hosts")
    }

    private struct Change: Decodable {
        let host: String
        let fields: [String: Unread]
        let direction: String
    }

    /// A value that the test does not read.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private struct DiffRow: Decodable {
        let id: String
        let old: String
        let new: String
        let same_for_every_host: Bool
        let changes: [Change]
    }

    @Test("revisions of one file: both are imported, and the comparison says what was recorded")
    func revisions() throws {
        let files = try Dictionary(
            Self.rows("nsc/apps.ndjson", AppRow.self).filter { $0.parse == "ok" }.map {
                ("\($0.commit):\($0.path)", $0)
            }
        ) { first, _ in first }
        var compared = 0
        for row in try Self.rows("nsc/diffs.ndjson", DiffRow.self) {
            guard let old = files[row.old], let new = files[row.new] else { continue }
            let (before, after) = (
                try ForeignImports.nsc(old.text()), try ForeignImports.nsc(new.text())
            )
            // A change of user anchors is a finding of both imports: no policy names them. A change
            // of dates depends on the instant.
            let changes = row.changes.filter { !$0.fields.keys.contains("pins_expire") }
            guard changes.count == row.changes.count else { continue }
            let ofPolicy = changes.filter { !$0.fields.keys.contains("anchors") }
            if ofPolicy.count < changes.count {
                let told = [before, after].map {
                    $0.findings.contains { $0.code == .userAnchors }
                }
                #expect(told[0] != told[1], "\(row.id)")
            }
            let directions = Set(ofPolicy.map(\.direction))
            let expected: Relation =
                directions.contains("weaker")
                ? .weaker
                : directions.contains("incomparable")
                    ? .incomparable : directions.contains("stricter") ? .stricter : .equal
            let found = try ForeignImports.relation(before, after)
            #expect(found == expected, "\(row.id): \(found)")
            if row.same_for_every_host { #expect(found == .equal, "\(row.id)") }
            compared += 1
        }
        #expect(compared > 0)
        print("revisions compared: \(compared)")
    }

    // MARK: Apple

    private struct ATSFacts: Decodable {
        let ats_off: Bool
        let cleartext_permitted: Bool?
        let minimum_tls: String?
        let forward_secrecy: Bool?
        let ct_required: Bool?
        let exception: String?
        let pinned_by: String?
        let leaf_pins: [String]?
        let ca_pins: [String]?
    }

    private struct ATSRow: Decodable {
        let id: String
        let plist: String
        let expected: [String: ATSFacts]
        let note: String?
    }

    @Test("property lists: what each host gets")
    func plists() throws {
        var hosts = 0
        for row in try Self.rows("ats/plists.ndjson", ATSRow.self) {
            let model = ATSModel(try ATSReader.read(Array(row.plist.utf8)))
            for (host, facts) in row.expected {
                // The data itself calls the number of labels doubtful.
                if row.note?.contains("Treat \(host) as doubtful") == true { continue }
                let found = model.behaviour(of: host)
                let name = "\(row.id) \(host)"
                #expect(found.isOff == facts.ats_off, "\(name)")
                #expect(found.exception == facts.exception, "\(name)")
                #expect(found.pinnedBy == facts.pinned_by, "\(name)")
                #expect(found.leafPins == facts.leaf_pins, "\(name)")
                #expect(found.authorityPins == facts.ca_pins, "\(name)")
                hosts += 1
                guard !facts.ats_off else { continue }
                #expect(found.permitsCleartext == facts.cleartext_permitted, "\(name)")
                #expect(found.minimumTLS.rawValue == facts.minimum_tls, "\(name)")
                #expect(found.requiresForwardSecrecy == facts.forward_secrecy, "\(name)")
                #expect(found.demandsTransparency == facts.ct_required, "\(name)")
            }
            let imported = try ForeignImports.ats(row.plist)
            _ = try ForeignImports.table(imported)
        }
        #expect(hosts > 0)
        print("facts of property lists: \(hosts) hosts")
    }
}

extension DefaultStringInterpolation {
    /// A source as the file names it.
    fileprivate mutating func appendInterpolation(text source: NSCFile.Anchor.Source) {
        switch source {
        case .system: appendLiteral("system")
        case .user: appendLiteral("user")
        case .resource(let name): appendLiteral("@\(name)")
        }
    }
}
