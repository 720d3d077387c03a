import PolicyCompiler

extension DiagnosticCode {
    /// A code by its number or its name.
    init?(named word: String) {
        let found =
            DiagnosticCode(rawValue: word.uppercased())
            ?? DiagnosticCode.allCases.first { $0.slug == word.lowercased() }
        guard let found else { return nil }
        self = found
    }
}
