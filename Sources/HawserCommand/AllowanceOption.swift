import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The file of `diff --allow`.
enum AllowanceOption {
    /// Reads the file. Its diagnostics are reported on standard error; a file with errors allows
    /// nothing, and nothing is compared.
    static func read(_ path: String) throws(CommandFailure) -> Allowances {
        let bytes: [UInt8]
        do throws(CommandFailure) {
            bytes = try InputFile.read(path, limit: UnitLoader.largestFile)
        } catch {
            throw .notCompared(error.message, status: error.status)
        }
        let file = SourceFile(path: path, bytes: bytes)
        let (allowances, diagnostics) = Allowances.read(file, crypto: EngineLoader.crypto)
        report(diagnostics, of: file)
        guard let allowances else {
            throw .notCompared("the allowances of `\(path)` cannot be read")
        }
        return allowances
    }

    /// Reports on standard error what is wrong with the allowances, after all comparisons. Returns
    /// whether anything is.
    static func report(
        _ allowances: Allowances, after diffs: [AllowedDiff], since: UTCInstant
    ) -> Bool {
        for sentence in diffs.flatMap(\.partial) { Report.progress(sentence) }
        let findings = allowances.findings(after: diffs, since: since)
        report(findings, of: allowances.file)
        return !findings.isEmpty
    }

    private static func report(_ diagnostics: [Diagnostic], of file: SourceFile) {
        guard !diagnostics.isEmpty else { return }
        StandardStreams.write(
            DiagnosticText(files: [file], colour: .plain).render(diagnostics), to: .error)
    }
}
