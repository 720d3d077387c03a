import PolicyCompiler
import Testing
import TrustEngine

/// A policy with the diagnostics that it must produce written into it: `«HW402:text»` around the
/// text at which a diagnostic stands, `«label:text»` around the place of a label. Markers may hold
/// markers.
struct MarkedPolicy {
    /// A run of bytes of one file.
    struct Place: Hashable, CustomStringConvertible {
        var path: String
        var start: Int
        var end: Int
        var description: String { "\(path) bytes \(start)..<\(end)" }
    }

    /// A marker: a code or `label`, and its place.
    struct Marker: Hashable, CustomStringConvertible {
        var tag: String
        var place: Place
        var description: String { "\(tag) at \(place)" }
    }

    /// The text without markers.
    private(set) var bytes: [UInt8] = []
    /// In order of their ends.
    private(set) var markers: [Marker] = []

    init(_ text: String, path: String) {
        var open: [(tag: String, start: Int)] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "«":
                let tag = rest.prefix { $0 != ":" }
                rest = rest.dropFirst(tag.count + 1)
                open.append((String(tag), bytes.count))
            case "»":
                guard let (tag, start) = open.popLast() else { continue }
                markers.append(
                    Marker(tag: tag, place: Place(path: path, start: start, end: bytes.count)))
            default:
                bytes += Array(String(character).utf8)
            }
        }
    }
}

/// Compiles policies from memory, as far as checking them.
enum MemoryUnit {
    /// What a checked policy is lowered to.
    static func contents(of policy: CheckedPolicy) -> PolicyContents {
        let sets = Lowering.sets(of: policy)
        let rules = Array(Lowering.rules(of: policy))
        let ownDefault = Lowering.defaultBody(of: policy)
        let bodies = rules.map(\.body) + (ownDefault.map { [$0] } ?? [])
        return PolicyContents(
            defaultRule: ownDefault.map { .body($0) } ?? .deny, rules: rules,
            anchorSets: sets.anchors, pinSets: sets.pins,
            logLists: Lowering.logLists(
                of: policy, named: Set(bodies.compactMap { Lowering.logList(of: $0) })))
    }

    /// The unit of some files; `policy.yaml` alone is what most tests have.
    static func unit(
        _ files: [String: [UInt8]], resources: [String: [UInt8]] = [:], isDirectory: Bool = true
    ) -> PolicyUnit {
        let sources = files.sorted { $0.key < $1.key }
            .map { SourceFile(path: $0.key, bytes: $0.value) }
        return PolicyUnit(
            files: sources, resources: MemoryResources(files: resources), isDirectory: isDirectory)
    }

    /// The diagnostics of a unit, in source order, and the policy if there is one.
    static func check(
        _ unit: PolicyUnit
    ) -> (policy: CheckedPolicy?, diagnostics: [Diagnostic]) {
        let trees = unit.files.enumerated().map { SyntaxParser.parse($1, fileIndex: $0) }
        let (policy, found) = CheckedPolicy.make(unit, trees: trees, crypto: ToyDigests())
        return (policy, DiagnosticCollector.sorted(trees.flatMap(\.diagnostics) + found))
    }
}

/// The files that a policy names, by their paths.
struct MemoryResources: UnitResources {
    var files: [String: [UInt8]]

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard let bytes = files[path] else {
            throw ResourceError(code: .notFound, context: "there is no such file")
        }
        guard bytes.count <= limit else {
            throw ResourceError(code: .tooLarge, context: "\(bytes.count) octets")
        }
        return bytes
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        return files.keys.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains("/") }.sorted()
    }
}

/// Digests that tell different bytes apart, for tests that need no others.
struct ToyDigests: CryptoBackend {
    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(algorithm.rawValue)
        for index in 0..<bytes.count {
            state = (state ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
        }
        var octets: [UInt8] = []
        for _ in 0..<algorithm.byteCount {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            octets.append(UInt8(truncatingIfNeeded: state >> 56))
        }
        return Digest(algorithm, bytes: octets) ?? zero
    }

    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? { nil }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome { .unsupported }

    private var zero: Digest {
        Digest(.sha256, bytes: [UInt8](repeating: 0, count: 32)).unsafelyUnwrapped
    }
}

/// One row of a table of marked texts.
struct MarkedRow: CustomTestStringConvertible, Sendable {
    var name: String
    /// Marked texts by path.
    var files: [String: String]
    var resources: [String: [UInt8]] = [:]
    var isDirectory = true
    /// Texts that must occur in the diagnostics' messages, help and notes, in any order.
    var says: [String] = []

    init(
        _ name: String, _ text: String, says: [String] = [], resources: [String: [UInt8]] = [:]
    ) {
        self.init(name, files: ["policy.yaml": text], says: says, resources: resources)
    }

    init(
        _ name: String, files: [String: String], says: [String] = [],
        resources: [String: [UInt8]] = [:], isDirectory: Bool = true
    ) {
        self.name = name
        self.files = files
        self.says = says
        self.resources = resources
        self.isDirectory = isDirectory
    }

    var testDescription: String { name }

    /// Checks the policy and compares: the diagnostics match the markers, each at its place, and
    /// every label stands at a label's marker.
    func verify(_ location: SourceLocation = #_sourceLocation) {
        let marked = files.map { (path: $0.key, text: MarkedPolicy($0.value, path: $0.key)) }
        let sources = Dictionary(
            marked.map { ($0.path, $0.text.bytes) }, uniquingKeysWith: { first, _ in first })
        let unit = MemoryUnit.unit(sources, resources: resources, isDirectory: isDirectory)
        let (policy, diagnostics) = MemoryUnit.check(unit)

        func marker(_ tag: String, _ span: SourceSpan) -> MarkedPolicy.Marker {
            MarkedPolicy.Marker(
                tag: tag,
                place: MarkedPolicy.Place(
                    path: unit.files[Int(span.file)].path, start: Int(span.start),
                    end: Int(span.end)))
        }
        func sorted(_ markers: [MarkedPolicy.Marker]) -> [String] {
            markers.map(\.description).sorted()
        }
        let markers = marked.flatMap(\.text.markers)
        let found = diagnostics.map { marker($0.code.rawValue, $0.primary.span) }
        let labels = Set(diagnostics.flatMap(\.labels).map { marker("label", $0.span) })
        let messages = diagnostics.map { "\($0.code.rawValue): \($0.message)" }
            .joined(separator: "\n")
        #expect(
            sorted(found) == sorted(markers.filter { $0.tag != "label" }), "\(name)\n\(messages)",
            sourceLocation: location)
        #expect(
            sorted(Array(labels)) == sorted(markers.filter { $0.tag == "label" }),
            "labels of \(name)\n\(messages)", sourceLocation: location)
        #expect(
            (policy != nil) == !diagnostics.contains { $0.severity == .error }, "\(name)",
            sourceLocation: location)
        for diagnostic in diagnostics {
            #expect(diagnostic.labels.count <= 3, "\(name)", sourceLocation: location)
        }
        let texts = diagnostics.flatMap {
            [$0.message] + $0.labels.map(\.text) + $0.help + $0.notes
        }
        .joined(separator: "\n")
        for text in says {
            #expect(texts.contains(text), "\(name): \(text)\n\(texts)", sourceLocation: location)
        }
    }
}
