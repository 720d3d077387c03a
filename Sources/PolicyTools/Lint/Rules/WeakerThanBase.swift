import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW803: a class of hosts accepts what the policy before the change refused. Each change that
    /// `diff` tells is one finding, at the line that makes it.
    static let weakerThanBase = LintRule(.weakerThanBase) { context in
        guard !context.options.bases.isEmpty, let policy = context.compilation.policy else {
            return []
        }
        let table = CompilerPipeline.table(of: policy, crypto: context.crypto)
        return context.options.bases.flatMap { base -> [Diagnostic] in
            do throws(AnswerFailure) {
                let question = DiffQuestion(
                    DiffSide(base.name, base.table), DiffSide(".", table), since: context.time)
                let diff = try question.compare(crypto: context.crypto)
                return diff.changes.filter { !$0.relation.isNoWeaker }.map {
                    WeakerThanBase(context, diff, $0).finding
                }
            } catch {
                return [
                    Diagnostic(
                        .weakerThanBase, "not compared with \(base.name): \(error.context)",
                        at: Diagnostic.Label(WeakerThanBase.start))
                ]
            }
        }
    }
}

/// One change as a finding.
private struct WeakerThanBase {
    let context: LintContext
    let diff: PolicyDiff
    let change: PolicyDiff.Change

    init(_ context: LintContext, _ diff: PolicyDiff, _ change: PolicyDiff.Change) {
        self.context = context
        self.diff = diff
        self.change = change
    }

    /// The beginning of the first file, where no line makes a change.
    static let start = SourceSpan(file: 0, start: 0, end: 1)

    var finding: Diagnostic {
        let hosts =
            change.hosts.first.map { DiffSentences.text($0, exceptions: false) { "`\($0)`" } }
            ?? "a class of hosts"
        let more = change.classes.count - 1
        let others =
            more > 0
            ? " and \(Words.count(more, "more class", "more classes")) of hosts accept"
            : " accepts"
        let what = change.relation == .weaker ? "what" : "other chains than"
        let verb = change.relation == .weaker ? " refused" : ""
        return Diagnostic(
            .weakerThanBase, "\(hosts)\(others) \(what) \(diff.old.name)\(verb)",
            at: Diagnostic.Label(span),
            help: [
                "`hawser diff --base` shows the whole change, and `--allow` lets it pass until a day"
            ],
            notes: change.weakened.map { weakened in
                let (field, from) = (weakened.field, weakened.begins)
                let start = from > diff.since ? " from \(Words.day(from)) on" : ""
                return "`\(field.path)`: \(field.from) -> \(field.to)\(start)"
            } + change.authorities.added.map { "added: \(DiffSentences.text($0))" })
    }

    /// The line that makes the change, as far as the new policy has one.
    private var span: SourceSpan {
        let places = change.weakened.lazy.flatMap { change.places[$0.field.path] ?? [] }
            .compactMap { $0.new?.location }
        let rules = change.rules.lazy.compactMap { $0.new.location }
        guard let place = places.first ?? rules.first,
            let tree = context.trees.first(where: { $0.file.path == place.file })
        else { return WeakerThanBase.start }
        let offset = tree.file.offset(line: place.line, column: place.column)
        return tree.nodes.first { $0.kind == .scalar && Int($0.span.start) == offset }?.span
            ?? SourceSpan(file: tree.fileIndex, start: offset, end: offset + 1)
    }
}
