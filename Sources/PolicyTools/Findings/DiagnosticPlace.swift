import PolicyCompiler

/// The place of a diagnostic as formats show it: lines and columns from 1, columns in Unicode
/// scalars.
struct DiagnosticPlace {
    let file: SourceFile
    let start: SourcePosition
    /// After the last character.
    let end: SourcePosition

    /// Nil if the span belongs to no file.
    init?(_ span: SourceSpan, in files: [SourceFile]) {
        guard files.indices.contains(Int(span.file)) else { return nil }
        file = files[Int(span.file)]
        start = file.position(of: Int(span.start))
        end = file.position(of: Int(max(span.start, span.end)))
    }
}
