import PolicyCompiler
import Rendering
import TrustEngine

/// What `lint` says of one assertion.
struct AssertionDiagnostics {
    private let result: AssertionResult
    private let compilation: Compilation

    init(_ result: AssertionResult, _ compilation: Compilation) {
        self.result = result
        self.compilation = compilation
    }

    /// One finding for each refutation, or for an assertion that is stale.
    var all: [Diagnostic] {
        let assertion = result.assertion
        switch result.verdict {
        case .proved: return []
        case .stale(let reason, let span):
            return [
                Diagnostic(
                    .staleAssertion,
                    "assertion `\(assertion.id.value)` is about nothing: \(reason)",
                    at: Diagnostic.Label(span), help: ["write what it is about now, or delete it"],
                    notes: background)
            ]
        case .refuted(let list): return list.map(finding)
        }
    }

    /// An assertion that has no answer.
    static func finding(
        _ failure: AssertionProver.Failure, of assertion: Assertion
    ) -> Diagnostic {
        switch failure {
        case .unreadable(let diagnostic): return diagnostic
        case .unanswered(let failure):
            return Diagnostic(
                .refutedAssertion,
                "assertion `\(assertion.id.value)` is not proved: \(failure.context)",
                at: Diagnostic.Label(assertion.id.span))
        }
    }

    private var background: [String] { AssertionSentences.background(result) }

    private func finding(_ refutation: AssertionRefutation) -> Diagnostic {
        let first = refutation.gaps[0]
        let others = refutation.gaps.dropFirst().map { "likewise \(AssertionSentences.gap($0))" }
        return Diagnostic(
            .refutedAssertion,
            "assertion `\(result.assertion.id.value)` does not hold for "
                + "`\(refutation.witness.text)`: `\(first.path)` is \(first.found), wanted "
                + first.wanted,
            at: Diagnostic.Label(place(of: first, in: refutation.demand)),
            labels: label(first).map { [$0] } ?? [],
            help: ["`hawser assert` prints every refutation with its places"],
            notes: AssertionSentences.subject(refutation, in: nil) + first.remarks
                + Cut.list(others, most: AssertionDiagnostics.most) + background)
    }

    /// Most further values of a finding.
    private static let most = 4

    /// The value that the assertion writes, or the demand's key.
    private func place(
        of gap: AssertionRefutation.Gap, in demand: AssertedDemand
    ) -> SourceSpan {
        guard case .atLeast(let floor) = demand.statement else { return demand.place }
        if let own = floor.places[gap.path] { return own }
        // A preset stands for its causes.
        let section = gap.path.prefix { $0 != "." }
        return floor.places.filter { $0.key.hasPrefix(section + ".") }.map(\.value)
            .min { $0.start < $1.start } ?? demand.place
    }

    /// The line of the policy that falls short, as far as it has one.
    private func label(_ gap: AssertionRefutation.Gap) -> Diagnostic.Label? {
        guard let location = gap.origin?.location,
            let tree = compilation.trees.first(where: { $0.file.path == location.file })
        else { return nil }
        let offset = tree.file.offset(line: Int(location.line), column: Int(location.column))
        let span =
            tree.nodes.first { $0.kind == .scalar && Int($0.span.start) == offset }?.span
            ?? SourceSpan(file: tree.fileIndex, start: offset, end: offset + 1)
        return Diagnostic.Label(span, "the policy says it here")
    }
}
