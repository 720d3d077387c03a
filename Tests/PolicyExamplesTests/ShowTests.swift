import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// `show` of every rule of every recipe: each field cites a place, and at that place of the file
/// stands the key that the field is called by, in the layer that is named.
@Suite struct ShowTests {
    @Test(arguments: Recipe.all)
    func citesTheKeyOfEveryField(_ recipe: Recipe) throws {
        let compilation = try recipe.compile()
        let table = try #require(compilation.table)
        let crypto = LibCryptoBackend()
        let keys = KeyPlaces(compilation.trees)
        var shown = [EffectiveRule(defaultOf: table, crypto: crypto)]
        for rule in table.contents().rules {
            for pattern in rule.hosts {
                let host = try CanonicalHost(text: ShowTests.host(of: pattern))
                let effective = EffectiveRule(
                    table: table, host: host, port: pattern.port ?? 443, crypto: crypto)
                // Another rule can have the more specific pattern for this host.
                if effective.rule == rule.id { shown.append(effective) }
            }
        }
        var cited = 0
        for rule in shown {
            for field in rule.fields {
                guard let wanted = ShowTests.paths(of: field, in: rule) else { continue }
                let location = try #require(field.origin.location, "\(field.name)")
                let found = keys.paths(at: location)
                cited += 1
                #expect(
                    wanted.contains { path in
                        found.contains { $0 == path || $0.hasPrefix(path + ".") }
                    }, "\(rule.rule) \(field.name) at \(location.description): \(found)")
            }
        }
        #expect(cited >= shown.count)
    }

    /// The dotted paths at one of which a field must be written; nil where no file has it.
    private static func paths(of field: EffectiveRule.Field, in rule: EffectiveRule) -> [String]? {
        let base = rule.rule.isEmpty ? "default" : "rules.\(rule.rule)"
        let key = field.origin.by ?? field.name
        // `anchors.public[2].standard` is a part of the set, not of its second group.
        let bare = field.name.replacing(/\[[0-9]+\]/, with: "")
        switch field.origin.layer {
        case .rule: return ["\(base).\(key)"]
        case .profile(let id, _): return ["profiles.\(id).\(key)"]
        case .named(let thing):
            let set = thing.replacing(" ", with: ".")
            guard bare.hasSuffix(".members") else { return [bare] }
            return ["\(set).files", "\(set).pem"]
        case .included(let id):
            let set = bare.split(separator: ".").prefix(2).joined(separator: ".")
            return ["anchors.\(id)", "\(set).include"]
        case .byDefault:
            guard field.origin.location != nil else { return nil }
            let isOfSet = bare.hasPrefix("anchors.") || bare.hasPrefix("pins.")
            return [
                isOfSet ? bare.split(separator: ".").prefix(2).joined(separator: ".") : base
            ]
        case .builtIn: return nil
        case .unknown: return []
        }
    }

    /// A host that a pattern covers.
    private static func host(of pattern: HostPattern) -> String {
        switch pattern.host {
        case .name(let name): return name
        case .oneLabel(let base), .anyLabels(let base): return "zz9." + base
        case .address(let address), .network(let address, _): return address.description
        }
    }
}

/// For each place of a unit the dotted paths of the keys and values that begin there.
private struct KeyPlaces {
    private var places: [Provenance.Location: Set<String>] = [:]

    init(_ trees: [SyntaxTree]) {
        for tree in trees {
            guard let root = tree.root else { continue }
            add(root, "", tree)
        }
    }

    func paths(at location: Provenance.Location) -> Set<String> { places[location] ?? [] }

    private mutating func add(_ node: SyntaxNode, _ path: String, _ tree: SyntaxTree) {
        note(node, path, tree)
        for item in node.items { add(item, path, tree) }
        for (key, value) in node.entries {
            let inner = path.isEmpty ? key.text : "\(path).\(key.text)"
            note(key, inner, tree)
            add(value, inner, tree)
        }
    }

    private mutating func note(_ node: SyntaxNode, _ path: String, _ tree: SyntaxTree) {
        let before = tree.file.bytes[..<Int(node.span.start)]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let location = Provenance.Location(
            file: tree.file.path, line: before.count { $0 == 0x0A } + 1,
            column: String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1)
        places[location, default: []].insert(path)
    }
}
