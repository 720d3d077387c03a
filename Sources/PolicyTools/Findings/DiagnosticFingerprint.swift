package import PolicyCompiler
import Rendering

/// Identifies a finding even if lines have moved: by its code, its file, the keys that lead to its
/// place, and the text there. A second finding for which all of these are equal gets another
/// ordinal.
package enum DiagnosticFingerprint {
    /// A fingerprint for each diagnostic, in order: 16 hexadecimal digits, a colon, an ordinal.
    package static func all(
        _ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree]
    ) -> [String] {
        var seen: [UInt64: Int] = [:]
        return diagnostics.map { diagnostic in
            let hash = hash(diagnostic, files, trees)
            seen[hash, default: 0] += 1
            return StableHash.digits(of: hash) + ":" + String(seen[hash] ?? 1)
        }
    }

    private static func hash(
        _ diagnostic: Diagnostic, _ files: [SourceFile], _ trees: [SyntaxTree]
    ) -> UInt64 {
        var hash = StableHash()
        hash.combine(Array(diagnostic.code.rawValue.utf8))
        let span = diagnostic.primary.span
        guard files.indices.contains(Int(span.file)) else { return hash.value }
        let file = files[Int(span.file)]
        hash.combine(Array(file.path.utf8))
        // The trees are in the order of the files.
        if trees.indices.contains(Int(span.file)) {
            let tree = trees[Int(span.file)]
            for key in keys(to: Int(span.start), in: tree) { hash.combine(Array(key.utf8)) }
        }
        let start = min(max(0, Int(span.start)), file.bytes.count)
        let end = min(max(start, Int(span.end)), file.bytes.count)
        // A whole block is identified by its keys. Its text would change with each of its lines.
        let text = file.bytes[start..<end]
        hash.combine(text.contains(0x0A) ? [] : Array(text))
        return hash.value
    }

    /// The keys of the maps around an offset, outermost first. Descends the tree once, by binary
    /// search; the language limits the depth.
    private static func keys(to offset: Int, in tree: SyntaxTree) -> [String] {
        var keys: [String] = []
        var node = tree.root
        while let current = node, let index = current.lastPart(by: offset) {
            let part = current.part(index)
            if let key = part.key { keys.append(key.text) }
            node = offset >= Int(part.value.span.start) ? part.value : nil
        }
        return keys
    }
}
