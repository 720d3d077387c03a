package import PolicyCompiler
import Rendering
package import TrustEngine

/// A file of allowances (`diff --allow`): weakenings that somebody decided to let pass until a day.
package struct Allowances: Sendable {
    /// The file. The spans of diagnostics are only of this file.
    package let file: SourceFile
    /// In source order.
    package let entries: [Allowance]

    /// Reads a file. The allowances are nil if and only if a diagnostic is an error.
    package static func read(
        _ file: SourceFile, crypto: any CryptoBackend
    ) -> (allowances: Allowances?, diagnostics: [Diagnostic]) {
        let (entries, diagnostics) = AllowanceFile.read(file, crypto: crypto)
        return (entries.map { Allowances(file: file, entries: $0) }, diagnostics)
    }
}

extension Allowance {
    /// Whether it lets anything through at an instant.
    package func isInForce(at time: UTCInstant) -> Bool {
        DatedTerm.isInForce(until: until, at: time)
    }

    /// Who decided it and why.
    package var background: String { "`\(owner)` says why: `\(reason)`" }
}
