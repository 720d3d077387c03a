import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW206: a wildcard covers the hosts below a name, and the name itself gets less. Looked at
    /// once for each name that a rule has a wildcard on.
    static let apexUncovered = LintRule(.apexUncovered) { context in
        var found: [Diagnostic] = []
        for (index, rule) in context.bound.rules.enumerated() {
            var seen: Set<String> = []
            for host in rule.hosts {
                guard let name = host.pattern.wildcardBase, seen.insert(name).inserted,
                    let finding = uncovered(name, of: host, rule, index, context)
                else { continue }
                found.append(finding)
            }
        }
        return found
    }

    private static func uncovered(
        _ name: String, of host: BoundHost, _ rule: BoundRule, _ index: Int,
        _ context: LintContext
    ) -> Diagnostic? {
        // A bare top-level domain is no host that anyone serves from.
        guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let decider = context.coverage.decider(ofName: name, port: host.pattern.port ?? 443)
        // Who lists the name itself has decided for it.
        if case .name = decider?.host.pattern.host { return nil }
        let weaker = context.weakening(by: decider, of: index)
        guard let first = weaker.first else { return nil }
        let what = context.name(of: decider)
        let pattern = name + (host.pattern.port.map { ":\($0)" } ?? "")
        let isAsStrict = context.demandsNoLess(index, ofName: name, on: host.pattern.port)
        return Diagnostic(
            .apexUncovered,
            "`\(host.text)` does not cover `\(name)` itself, which \(what) decides and demands less of",
            at: Diagnostic.Label(host.span),
            labels: [context.label(of: decider, "decides `\(name)`: \(first.comparison)")]
                .compactMap {
                    $0
                },
            help: [
                isAsStrict
                    ? "add `\"\(pattern)\"` to `hosts`, or give it a rule of its own"
                    : "give it a rule of its own that demands what both demand"
            ],
            notes: weaker.dropFirst().map(\.comparison),
            fix: isAsStrict ? context.insertion(of: pattern, beside: host, in: rule) : nil)
    }
}

extension HostPattern {
    /// The name behind a wildcard; nil for what has none.
    var wildcardBase: String? {
        switch host {
        case .oneLabel(let base), .anyLabels(let base): return base
        case .name, .address, .network: return nil
        }
    }
}

extension LintContext {
    /// The fields in which what decides a host demands less than a rule whose own it is not; none
    /// where either of them cannot be known.
    func weakening(by decider: HostCoverage.Entry?, of rule: Int) -> [WeakerField] {
        guard decider?.rule != rule, let own = body(of: .rule(rule)),
            let other = body(of: decider.map { .rule($0.rule) } ?? .fallback)
        else { return [] }
        // A rule around a host was written for such hosts; `default` for hosts that nobody thought
        // of.
        return weaker(other, than: own, decider == nil ? .weakerOrOtherAnchors : .weaker)
    }

    /// What decides a host, as findings name it.
    func name(of decider: HostCoverage.Entry?) -> String {
        decider.map { "the rule `\(bound.rules[$0.rule].id.value)`" } ?? "`default`"
    }

    /// Where the decision on a host is written: a pattern, or `default`.
    func label(of decider: HostCoverage.Entry?, _ text: String) -> Diagnostic.Label? {
        let span = decider?.host.span ?? bound.defaults.first?.key
        return span.map { Diagnostic.Label($0, text) }
    }

    /// The edit that lists another pattern before one that is there, laid out as that one is.
    func insertion(of pattern: String, beside host: BoundHost, in rule: BoundRule) -> FixIt? {
        let file = trees[Int(host.span.file)].file
        let line = file.lines.line(of: Int(host.span.start))
        let before = file.bytes[file.lines.starts[line]..<Int(host.span.start)]
        let dash = before.drop { $0 == 0x20 }
        let text: String
        if dash.first == UInt8(ascii: "-"), dash.dropFirst().allSatisfy({ $0 == 0x20 }) {
            let indent = String(decoding: before, as: UTF8.self)
            text = "\"\(pattern)\"\n\(indent)"
        } else {
            text = "\"\(pattern)\", "
        }
        let place = SourceSpan(
            file: Int(host.span.file), start: Int(host.span.start), end: Int(host.span.start))
        return FixIt(
            title: "add `\(pattern)` to the hosts of `\(rule.id.value)`", safety: .needsReview,
            basis: .hosts, edits: [FixIt.Edit(place, text)])
    }
}
