package import PolicyCompiler
package import Rendering
package import TrustEngine

/// Proves a change of the policy before it is printed as a repair.
///
/// The change is written into the policy in memory. The policy is then compiled and linted, and the
/// same request is evaluated again. A change is proven if all of this holds:
///
/// 1. The verdict is an accept.
/// 2. The linter finds nothing that it did not find before. A finding that the requested host is
///    now weaker (HW211, HW510) gets an ignore comment with an end, which is part of the edit.
/// 3. No other host, and no other port of the host where the rule was for more, is judged less
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
    /// edit takes the place of the words about it; everything else is words.
    package func repairs(_ explanation: Explanation) -> [Repair] {
        let outline = TraceOutline(explanation.trace)
        let finder = RepairFinder(
            outline, explanation.verdict.violations, table: engine.table,
            presentedKeys: explanation.presentedKeys)
        let repairs = finder.repairs
        guard let change = finder.change, let rule = outline.rule?.rule,
            let proven = prove(change, rule: rule),
            let first = repairs.firstIndex(where: \.isOfChange)
        else { return repairs }
        var told = repairs.filter { !$0.isOfChange }
        told.insert(finder.repair(change, proven.edit, isInPlace: proven.isInPlace), at: first)
        return told
    }

    private struct Proven {
        let edit: PolicyEdit
        let isInPlace: Bool
    }

    private func prove(_ change: PolicyChange, rule: String) -> Proven? {
        guard let host = try? CanonicalHost(text: request.host) else { return nil }
        let options = LintOptions(time: request.time)
        let before = Linter.lint(unit, options, crypto: engine.crypto)
        guard before.compilation.policy != nil, before.isWhole else { return nil }
        let until = ViolationSentences.day(request.time.advanced(bySeconds: 30 * 86_400))
        let rewrite = RuleRewrite(
            unit: unit, policy: CompilerPipeline.read(unit, crypto: engine.crypto).parts.bound,
            host: host, port: request.port, until: until)
        guard var result = rewrite.apply(change, toRule: rule) else { return nil }
        let known = RepairProof.counts(before.findings)
        guard var after = linted(result, options) else { return nil }
        let told = RepairProof.new(after.findings, beyond: known)
        if !told.isEmpty {
            guard let excused = excuse(told, in: result, until: until),
                let again = linted(excused, options),
                RepairProof.new(again.findings, beyond: known).isEmpty
            else { return nil }
            (result, after) = (excused, again)
        }
        guard let policy = after.compilation.policy,
            let next = load(CompilerPipeline.table(of: policy, crypto: engine.crypto)),
            next.systemStoreDigest == engine.systemStoreDigest,
            next.logListDigests.isSuperset(of: engine.logListDigests),
            next.evaluate(request).isAccept,
            weakened(by: next).isSubset(of: allowed(host, isInPlace: result.isInPlace))
        else { return nil }
        return edit(result).map { Proven(edit: $0, isInPlace: result.isInPlace) }
    }

    // MARK: The three conditions

    private func linted(_ result: RuleRewrite.Result, _ options: LintOptions) -> LintResult? {
        let text = String(decoding: result.bytes, as: UTF8.self)
        let filled = text.replacing(RuleRewrite.ownerPlaceholder, with: "somebody")
        let files = unit.files.enumerated().map { index, file in
            index == result.file
                ? SourceFile(path: file.path, bytes: Array(filled.utf8)) : file
        }
        let found = Linter.lint(
            PolicyUnit(
                files: files, resources: unit.resources, mentioned: unit.mentioned,
                diagnostics: unit.diagnostics, isDirectory: unit.isDirectory),
            options, crypto: engine.crypto)
        return found.compilation.policy != nil && found.isWhole ? found : nil
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
        let file = SourceFile(path: unit.files[result.file].path, bytes: result.bytes)
        var codes: [Int: [String]] = [:]
        for finding in findings {
            guard [.weakerInside, .weakerThanProfile].contains(finding.code),
                Int(finding.primary.span.file) == result.file
            else { return nil }
            let line = file.lines.line(of: Int(finding.primary.span.start))
            codes[line, default: []].append(finding.code.rawValue)
        }
        var text = PolicyText(file)
        for (line, codes) in codes.sorted(by: { $0.key > $1.key }) {
            let list = Set(codes).sorted().joined(separator: " ")
            text.insert(
                "# hawser:ignore \(list) until=\(until) -- for this host alone, until it is mended",
                above: line)
        }
        return RuleRewrite.Result(
            file: result.file, bytes: text.formatted, isInPlace: result.isInPlace)
    }

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
        let placeholder = RuleRewrite.ownerPlaceholder
        return PolicyEdit(
            file: file.path, line: top + 1, replaced: old.count - bottom - top, lines: lines,
            placeholders: lines.contains { $0.contains(placeholder) } ? [placeholder] : [])
    }

    /// The lines of a file without their ends.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
