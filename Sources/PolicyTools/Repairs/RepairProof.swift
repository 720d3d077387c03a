package import PolicyCompiler
package import Rendering
package import TrustEngine

/// Proves a change of the policy before it is printed as a repair.
///
/// The change is written into the policy in memory. The policy is then compiled and linted, and the
/// same request is evaluated again. A change is proven if all of this holds:
///
/// 1. The verdict is an accept.
/// 2. The linter finds nothing that it did not find before; findings in the deciding rule may
///    appear in a copy of the rule again. A finding that the requested host is now weaker (HW211,
///    HW510) gets an ignore comment with an end, which is part of the edit.
/// 3. Other hosts, and other ports of the host where the rule was for more, are not judged less
///    strictly: `StricterHosts` compares both policies class by class.
///
/// A value that only a person knows, such as the owner of a new rule, stands in the edit as a
/// placeholder, with which the policy does not compile. The proof is made with another text in its
/// place.
package struct RepairProof {
    private let unit: PolicyUnit
    private let engine: Engine
    private let request: TrustRequest
    private let load: (PolicyTable) -> Engine?

    /// Prepares proofs for one rejected request.
    ///
    /// - Parameters:
    ///   - unit: the policy that `engine` judges by.
    ///   - engine: the engine that rejected.
    ///   - request: the request that it rejected.
    ///   - load: makes an engine for another table, with the inputs of `engine`.
    package init(
        _ unit: PolicyUnit, _ engine: Engine, _ request: TrustRequest,
        load: @escaping (PolicyTable) -> Engine?
    ) {
        self.unit = unit
        self.engine = engine
        self.request = request
        self.load = load
    }

    /// The repairs for an explanation of the request. Where `RepairFinder.change` is proven, the
    /// edit takes the place of the words about it, behind every other repair. Where the verdict
    /// does not change, nothing is said of the change.
    ///
    /// - Parameter isPresent: whether the request was judged at the present time. Otherwise the
    ///   repair says from when the end of its keys counts.
    package func repairs(_ explanation: Explanation, isPresent: Bool = true) -> [Repair] {
        let outline = TraceOutline(explanation.trace)
        let finder = RepairFinder(
            outline, explanation.verdict.violations, table: engine.table,
            presentedKeys: explanation.presentedKeys,
            issuerAddresses: explanation.issuerAddresses, facts: explanation.facts)
        let repairs = finder.repairs
        guard let change = finder.change, let rule = outline.rule?.rule else { return repairs }
        switch prove(change, rule: rule) {
        case .proven(let edit, let isInPlace):
            return repairs.filter { !$0.isOfChange }
                + [finder.repair(change, edit, isInPlace: isInPlace, isPresent: isPresent)]
        case .disproved: return repairs.filter { !$0.isOfChange }
        case .unproven: return repairs
        }
    }

    /// A unit as it was read, with errors or without.
    private typealias Read = (compilation: Compilation, parts: PolicyParts)

    private enum Outcome {
        case proven(PolicyEdit, isInPlace: Bool)
        /// With the keys the request is still rejected.
        case disproved
        /// The keys cannot be written, or they do more than they should.
        case unproven
    }

    private func prove(_ change: PolicyChange, rule: String) -> Outcome {
        guard let host = try? CanonicalHost(text: request.host) else { return .unproven }
        let until = Words.day(request.time.advanced(bySeconds: 30 * 86_400))
        let before = CompilerPipeline.read(unit, crypto: engine.crypto)
        let rewrite = RuleRewrite(
            unit: unit, policy: before.parts.bound, host: host, port: request.port,
            time: request.time, until: until)
        guard let result = rewrite.apply(change, toRule: rule) else { return .unproven }
        let after = CompilerPipeline.read(filled(result), crypto: engine.crypto)
        guard let policy = after.compilation.policy,
            let next = load(CompilerPipeline.table(of: policy, crypto: engine.crypto)),
            next.systemStoreDigest == engine.systemStoreDigest,
            next.logListDigests.isSuperset(of: engine.logListDigests)
        else { return .unproven }
        guard next.evaluate(request).isAccept else { return .disproved }
        guard weakened(by: next).isSubset(of: allowed(host, isInPlace: result.isInPlace)),
            let quiet = quieted(result, after, from: rule, before, until: until),
            let edit = edit(quiet)
        else { return .unproven }
        return .proven(edit, isInPlace: result.isInPlace)
    }

    // MARK: What the linter says

    /// The text with ignore comments for the new findings that only say that the host is weaker.
    /// Nil if the linter finds anything else that is new.
    private func quieted(
        _ result: RuleRewrite.Result, _ read: Read, from rule: String, _ unchanged: Read,
        until: String
    ) -> RuleRewrite.Result? {
        let options = LintOptions(time: request.time)
        let before = Linter.lint(unchanged, options, crypto: engine.crypto)
        let after = Linter.lint(read, options, crypto: engine.crypto)
        guard before.isWhole, after.isWhole else { return nil }
        let known = RepairProof.counts(before.findings)
        let old = result.isInPlace ? [] : findings(of: before, in: rule, of: unchanged.parts.bound)
        func isInherited(_ finding: Diagnostic) -> Bool {
            old.contains { other in
                guard other.code == finding.code else { return false }
                // That the host is weaker is told of each field by itself.
                return ![.weakerInside, .weakerThanProfile].contains(finding.code)
                    || finding.message.replacing("`\(result.rule)`", with: "`\(rule)`")
                        == other.message
            }
        }
        func new(_ result: LintResult) -> [Diagnostic] {
            RepairProof.new(result.findings, beyond: known).filter { !isInherited($0) }
        }
        let told = new(after)
        guard !told.isEmpty else { return result }
        guard let excused = excuse(told, in: result, until: until),
            new(Linter.lint(filled(excused), options, crypto: engine.crypto)).isEmpty
        else { return nil }
        return excused
    }

    /// The unit with the text, and with another text in place of the placeholder.
    private func filled(_ result: RuleRewrite.Result) -> PolicyUnit {
        let text = String(decoding: result.bytes, as: UTF8.self)
        let filled =
            result.hasPlaceholder
            ? text.replacing(RuleRewrite.ownerPlaceholder, with: "somebody") : text
        let files = unit.files.enumerated().map { index, file in
            index == result.file
                ? SourceFile(path: file.path, bytes: Array(filled.utf8)) : file
        }
        return PolicyUnit(
            files: files, resources: unit.resources, mentioned: unit.mentioned,
            diagnostics: unit.diagnostics, isDirectory: unit.isDirectory)
    }

    /// The findings on the lines of a rule. A copy of the rule has the same findings, which are not
    /// new.
    private func findings(
        of result: LintResult, in rule: String, of policy: BoundPolicy
    ) -> [Diagnostic] {
        let name =
            rule.isEmpty
            ? policy.defaults.first?.key : policy.rules.first { $0.id.value == rule }?.id.span
        guard let name,
            let (map, index) = result.compilation.trees[Int(name.file)].part(named: name)
        else { return [] }
        let entry = map.part(index)
        return result.findings.filter { finding in
            finding.primary.span.file == name.file
                && (entry.start..<entry.end).contains(Int(finding.primary.span.start))
        }
    }

    /// How often the linter finds what, without places: an insertion moves the lines below it.
    private static func counts(_ findings: [Diagnostic]) -> [String: Int] {
        findings.reduce(into: [:]) { $0["\($1.code.rawValue) \($1.message)", default: 0] += 1 }
    }

    private static func new(
        _ findings: [Diagnostic], beyond known: [String: Int]
    ) -> [Diagnostic] {
        var left = known
        return findings.filter { finding in
            let key = "\(finding.code.rawValue) \(finding.message)"
            left[key, default: 0] -= 1
            return left[key, default: 0] < 0
        }
    }

    /// The text with an ignore comment above each line that a new finding is about. Nil if a
    /// finding says more than that the host is weaker.
    private func excuse(
        _ findings: [Diagnostic], in result: RuleRewrite.Result, until: String
    ) -> RuleRewrite.Result? {
        let file = SourceFile(
            path: unit.files[result.file].path, bytes: filled(result).files[result.file].bytes)
        var codes: [Int: Set<String>] = [:]
        for finding in findings {
            guard [.weakerInside, .weakerThanProfile].contains(finding.code),
                Int(finding.primary.span.file) == result.file
            else { return nil }
            let line = file.lines.line(of: Int(finding.primary.span.start))
            codes[line, default: []].insert(finding.code.rawValue)
        }
        var text = PolicyText(SourceFile(path: file.path, bytes: result.bytes))
        for (line, codes) in codes.sorted(by: { $0.key > $1.key }) {
            let list = codes.sorted().joined(separator: " ")
            text.insert(
                "# hawser:ignore \(list) until=\(until) -- for this host alone, until it is mended",
                above: line)
        }
        var excused = result
        excused.bytes = text.formatted
        return excused
    }

    // MARK: Who is weaker

    /// The patterns of the hosts that another engine may judge less strictly. `default` is the
    /// empty text.
    private func weakened(by next: Engine) -> Set<String> {
        let hosts = StricterHosts(from: next, to: engine)
        return Set(hosts.patterns + (hosts.includesDefault ? [""] : []))
    }

    /// The patterns of the hosts that may be judged less strictly: the requested host, with its
    /// port where the rule was for more.
    private func allowed(_ host: CanonicalHost, isInPlace: Bool) -> Set<String> {
        let ports: [UInt16?] = isInPlace ? [nil, request.port] : [request.port]
        return Set(
            ports.map {
                HostPattern(host: HostPattern.Host(exactly: host), port: $0).canonicalText
            })
    }

    // MARK: The edit

    /// The edit from the file to its new text: the lines between the equal lines at the top and at
    /// the bottom.
    private func edit(_ result: RuleRewrite.Result) -> PolicyEdit? {
        let file = unit.files[result.file]
        let (old, new) = (RepairProof.lines(file.bytes), RepairProof.lines(result.bytes))
        let top = zip(old, new).prefix { $0 == $1 }.count
        let bottom = zip(old.dropFirst(top).reversed(), new.dropFirst(top).reversed())
            .prefix { $0 == $1 }.count
        let lines = Array(new[top..<new.count - bottom])
        let replaced = old.count - bottom - top
        // A change that rewrites a page of the policy is too long to paste, and a line that a
        // terminal would not show as it is cannot be pasted.
        guard lines.count <= RepairProof.mostLines, replaced <= RepairProof.mostLines,
            lines.allSatisfy({ TerminalEscape.escape($0) == $0 })
        else { return nil }
        return PolicyEdit(
            file: file.path, line: top + 1, replaced: replaced, lines: lines,
            placeholders: result.hasPlaceholder ? [RuleRewrite.ownerPlaceholder] : [])
    }

    /// The most lines of an edit that is printed.
    private static let mostLines = 40

    /// The lines of a file without their ends.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
