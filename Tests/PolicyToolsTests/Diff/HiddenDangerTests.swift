import Foundation
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// A danger cannot hide in a pull request, whatever stands around it: in every format its host, its
/// field and its place stand where a reviewer looks first. `HAWSER_FULL=1` asks every danger beside
/// every crowd, the largest of 3,000 hosts.
@Suite("dangers in pull requests") struct HiddenDangerTests {

    /// The crowds beside a danger: all of them, or in a usual run the empty one and another.
    private static func crowds(_ danger: PlantedDanger, _ number: Int) -> [Crowd] {
        var all: [Crowd] = []
        for count in [3, 30, 300] + (Sample.isWhole ? [3_000] : []) {
            all += [.harmless(count), .trusted(count)]
        }
        for count in [97, 300] {
            all += [.decoys(count, sameOwner: false), .decoys(count, sameOwner: true)]
            all += [.others(count), .sets(count)]
            if PlantedDanger.fields.contains(where: { $0.description == danger.description }) {
                all.append(.profile(count))
            }
        }
        guard !Sample.isWhole else { return [.none] + all }
        return [.none, all[(number * 5) % all.count]]
    }

    @Test("there are at least forty kinds")
    func kinds() {
        #expect(PlantedDanger.all.count >= 40)
        #expect(Set(PlantedDanger.all.map(\.description)).count == PlantedDanger.all.count)
    }

    @Test(
        "each is shown first, in every format",
        arguments: Sample.of(PlantedDanger.all.indices, atMost: 15, "planted dangers"))
    func shown(_ number: Int) throws {
        let danger = PlantedDanger.all[number]
        for crowd in Self.crowds(danger, number) {
            let request = PullRequest(danger: danger, crowd: crowd)
            let place = "\(danger), \(crowd)"
            let diff = try #require(try request.compare(), "\(place) does not compile")
            try Self.hold(diff, request, place)
        }
    }

    /// What a reviewer must find, and where each format has it.
    private static func hold(
        _ diff: PolicyDiff, _ request: PullRequest, _ place: String
    ) throws {
        let danger = try #require(request.danger)
        let host = danger.form == .opened ? HostClass.others : PlantedDanger.host
        let index = diff.changes.firstIndex { change in
            change.paths.contains(danger.path) && change.classes.contains { $0.text == host }
        }
        let change = diff.changes[try #require(index, "\(place): \(diff.changes.map(\.paths))")]
        #expect(!change.relation.isNoWeaker || danger.form == .new, "\(place)")
        // Where it is written now, or was: a field that is gone has the old place. What a built-in
        // profile decides has the place of the rule's pattern.
        let written = [danger.path, "decision"].flatMap { change.places[$0] ?? [] }
        let places =
            written.compactMap { ($0.new?.location ?? $0.old?.location)?.description }
            + change.rules.prefix(3).compactMap { $0.new.location?.description }
        #expect(!places.isEmpty, "\(place)")
        let report = DiffReport(
            .compared([DiffAnswer(diff)]), unit: "unit", command: "hawser diff old new",
            folders: (old: "", new: ""), version: "0")
        func render(_ format: AnswerFormat) -> String {
            ToldDiff.writers[.answer(format)]?(ToldDiff(report), AnswerStyle()) ?? ""
        }
        func expect(_ part: String, of whole: String, _ format: AnswerFormat, _ names: [String]) {
            // Of a change that many hosts share, the host stands in the list of its hosts.
            #expect(
                (request.isShared ? whole : part).contains(host), "\(place), \(format): host")
            #expect(part.contains(danger.path), "\(place), \(format): field\n\(part.prefix(3000))")
            #expect(
                names.contains { part.contains($0) },
                "\(place), \(format): place \(names)\n\(part.prefix(3000))")
        }
        let text = render(.text)
        let screen = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(24)
        expect(screen.joined(separator: "\n"), of: text, .text, places)
        #expect(
            text.split(separator: "\n").dropLast().allSatisfy {
                $0.count <= 80 || !$0.drop { $0 == " " }.contains(" ")
            }, "\(place)")
        let markdown = render(.markdown)
        let fold = markdown.components(separatedBy: "<details>")[0]
        expect(fold, of: markdown, .markdown, places)
        #expect(markdown.utf8.count <= 60_000, "\(place)")
        // Annotations name the file and the line by themselves.
        let lines = places.map { place in
            let parts = place.split(separator: ":")
            return "file=\(parts[0]),line=\(parts[1])"
        }
        let annotations = render(.github).split(separator: "\n")
        #expect(annotations.count <= 11, "\(place)")
        let first = annotations.prefix(10).joined(separator: "\n")
        expect(first, of: first, .github, lines)
        let sarif = try JSONDocumentReader.results(render(.sarif)).prefix(10)
        expect(
            sarif.joined(separator: "\n"), of: sarif.joined(separator: "\n"), .sarif,
            places.map { "\"startLine\":\($0.split(separator: ":")[1])" })
        let html = render(.html)
        expect(html, of: html, .html, places)
        let json = render(.json)
        expect(json, of: json, .json, places.map { "\"line\": \($0.split(separator: ":")[1])" })
    }

    @Test("what is harmless is never called weaker", arguments: [3, 30, 300])
    func harmless(_ count: Int) throws {
        let diff = try #require(
            try PullRequest(danger: nil, crowd: .harmless(count)).compare())
        #expect(diff.relation == .stricter && diff.changes.count == 1)
        #expect(diff.changes.first?.classes.count == count)
        let report = DiffReport(
            .compared([DiffAnswer(diff)]), unit: "unit", command: "hawser diff old new",
            folders: (old: "", new: ""), version: "0")
        for format in ToldDiff.writers.formats
        where format != .answer(.sarif) && format != .answer(.json) {
            let write = try #require(ToldDiff.writers[format])
            let text = write(ToldDiff(report), AnswerStyle())
            #expect(!text.contains("weaker for"), "\(format)")
        }
        // Beside a danger, the change of the harmless hosts stays stricter.
        for danger in PlantedDanger.all where danger.form == .new {
            let both = try #require(
                try PullRequest(danger: danger, crowd: .harmless(count)).compare())
            for change in both.changes
            where change.classes.contains(where: { $0.text.contains("aaa") }) {
                #expect(change.relation == .stricter)
            }
        }
    }

    @Test("newly trusted hosts on the same terms are one change, whatever their rules are called")
    func newlyTrusted() throws {
        let diff = try #require(try PullRequest(danger: nil, crowd: .trusted(30)).compare())
        #expect(diff.changes.count == 1)
        #expect(diff.changes.first?.kind == .trusted)
        #expect(diff.changes.first?.terms == [])
        #expect(
            DiffSentences.headline(diff)
                == "weaker: `s0.aaa.example` and 29 more hosts are newly trusted (deny -> anchors corp; "
                + "no pins; profile `org`)")
    }

    @Test("the head line counts each kind and names the gravest")
    func headline() throws {
        let danger = try #require(PlantedDanger.fields.first { $0.path == "revocation.preset" })
        let diff = try #require(
            try PullRequest(danger: danger, crowd: .trusted(300)).compare())
        #expect(
            DiffSentences.headline(diff)
                == "weaker: 1 host accepts more than before; 300 hosts are newly trusted; gravest: "
                + "`treasury.bank.example` (revocation.preset: require -> best-effort)")
    }

    @Test("a waived path is told as anyone, never as the authorities that are listed")
    func surface() throws {
        for path in ["waivers.path", "waivers.cleartext", "waivers.identity"] {
            let danger = try #require(
                PlantedDanger.all.first { $0.form == .new && $0.path == path })
            let diff = try #require(try PullRequest(danger: danger, crowd: .none).compare())
            let surface = DiffSentences.line(try #require(diff.surfaces.first))
            #expect(
                surface.hasPrefix(
                    "treasury.bank.example: none (deny) -> anyone, until 2027-03-31 (`"),
                "\(surface)")
            #expect(surface.contains("until 2027-03-31 (`\(path)`)"), "\(surface)")
            #expect(surface.contains("1 listed") == (path == "waivers.identity"), "\(surface)")
            #expect(DiffSentences.headline(diff).contains(path))
        }
    }

    @Test("the measure is the profile that most old rules name, with its old values")
    func measure() throws {
        func terms(_ lines: String) throws -> [String] {
            let danger = try #require(PlantedDanger.all.first { $0.new == lines })
            let diff = try #require(try PullRequest(danger: danger, crowd: .none).compare())
            return diff.changes.flatMap(\.terms).map {
                "\($0.field.path): \(DiffFinding.from($0.field, $0)) -> \($0.field.to)"
            }
        }
        #expect(
            try terms("    keys: { rsa-minimum: 2048 }") == [
                "keys.rsa-minimum: 3072 in profile `org` -> 2048",
                "revocation.preset: require in profile `org` -> best-effort",
                "tls.minimum-version: tls1.3 in profile `org` -> tls1.2",
            ])
    }
}

/// The results of a SARIF document, each as one compact text.
private enum JSONDocumentReader {
    static func results(_ sarif: String) throws -> [String] {
        let data = Data(sarif.utf8)
        let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let runs = whole?["runs"] as? [[String: Any]]
        let results = runs?.first?["results"] as? [[String: Any]] ?? []
        return try results.map {
            String(
                decoding: try JSONSerialization.data(
                    withJSONObject: $0, options: [.withoutEscapingSlashes]), as: UTF8.self)
        }
    }
}
