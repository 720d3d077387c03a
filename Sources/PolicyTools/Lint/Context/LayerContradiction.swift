import PolicyCompiler
import TrustEngine

/// Fields that a policy cannot have meant together. The compiler takes them, because what they say
/// is clear.
struct LayerContradiction {
    let code: DiagnosticCode
    let message: String
    let help: [String]
    /// A word in the value at which the finding stands; nil for the whole value.
    var word: String?
}

extension LintContext {
    /// The contradictions among some fields. A contradiction is reported once, at the layer that
    /// makes it, like those that are errors (`FieldConflictCheck`): the layers below that layer
    /// have none yet. The finding stands at the first of `fields` that the layer writes.
    ///
    /// - Parameters:
    ///   - checks: the checks whose report mode makes the contradiction harmless.
    ///   - find: the contradiction of resolved demands; nil if there is none. The second argument
    ///     is the layer itself.
    func contradictions(
        among fields: [ProfileField],
        reportedBy checks: [ReportOnly.Check] = [.tls, .signatures, .keys],
        _ find: (Requirements, BoundFields) -> LayerContradiction?
    ) -> [Diagnostic] {
        let layers = parts.layers
        let concerned = layers.soundLayers(of: bound) { $0.writes(oneOf: fields) }
        return concerned.compactMap { layer, parent in
            // A report mode rejects nothing as long as it lasts.
            let isReported = layer.reportOnly.contains { entry in
                entry.check.map(checks.contains) ?? true
            }
            guard !isReported, layers.isKnown(fields, in: layer, over: parent),
                let found = find(flatten(layer, over: parent).requirements.value, layer),
                find(layers.flattened(of: parent).requirements.value, .none) == nil,
                let written = fields.lazy.compactMap({ layer.setting($0) }).first
            else { return nil }
            let others = fields.filter { $0 != written.field }
                .compactMap { layers.setting($0, in: layer, over: parent) }
            let place = found.word.flatMap { span(of: $0, in: written) }
            return Diagnostic(
                found.code, found.message, at: Diagnostic.Label(place ?? written.span),
                labels: others.prefix(3).map {
                    Diagnostic.Label($0.span, "`\($0.field.rawValue)` is written here")
                }, help: found.help)
        }
    }

    /// The span of a word in the text of a setting. Words hold no character that ends a word of
    /// YAML, and a longer word that begins or ends with it is another word.
    func span(of word: String, in setting: BoundSetting) -> SourceSpan? {
        let file = Int(setting.span.file)
        guard let tree = trees.first(where: { $0.fileIndex == file }) else { return nil }
        let bytes = tree.file.bytes
        let wanted = Array(word.utf8)
        var start = Int(setting.span.start)
        while start + wanted.count <= Int(setting.span.end) {
            let end = start + wanted.count
            if bytes[start..<end].elementsEqual(wanted), !LintContext.isOfWord(bytes, start - 1),
                !LintContext.isOfWord(bytes, end)
            {
                return SourceSpan(file: file, start: start, end: end)
            }
            start += 1
        }
        return nil
    }

    /// Whether a byte at an index can be part of a word of the language.
    private static func isOfWord(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard bytes.indices.contains(index) else { return false }
        switch bytes[index] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            return true
        default: return false
        }
    }
}
