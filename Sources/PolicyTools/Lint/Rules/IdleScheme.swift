import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW516: a signature scheme that no allowed key can make, beside others that some can. It is
    /// reported where one layer writes both lists, so that its author sees them together. A profile
    /// may list schemes for rules that allow fewer kinds of keys. Where no scheme of the list can
    /// be made, HW515 reports the list.
    static let idleScheme = LintRule(.idleScheme) { context in
        pathSchemes(context) + handshakeSchemes(context)
    }

    private static func pathSchemes(_ context: LintContext) -> [Diagnostic] {
        context.contradictions(among: [.signatureSchemes, .keyTypes]) { requirements, layer in
            guard layer.writes(.signatureSchemes), layer.writes(.keyTypes) else { return nil }
            let schemes = requirements.signatureSchemes
            let possible = SignatureSchemeSet.possible(requirements.keyTypes)
            return contradiction(
                idle: schemes.subtracting(possible).names, of: schemes.names, .signatureSchemes,
                .keyTypes)
        }
    }

    private static func handshakeSchemes(_ context: LintContext) -> [Diagnostic] {
        let fields: [ProfileField] = [.tlsSignatureSchemes, .leafKeyTypes, .keyTypes]
        return context.contradictions(among: fields) { requirements, layer in
            guard layer.writes(.tlsSignatureSchemes),
                layer.writes(oneOf: [.leafKeyTypes, .keyTypes])
            else { return nil }
            let schemes = requirements.tls.signatureSchemes
            guard schemes.contains(where: { HandshakeReach.isUsable($0, under: requirements) })
            else { return nil }
            return contradiction(
                idle: schemes.filter {
                    !HandshakeReach.isUsable(
                        $0, by: requirements.keyTypes.union(requirements.leafKeyTypes),
                        under: requirements)
                }, of: schemes, .tlsSignatureSchemes, .keyTypes)
        }
    }

    private static func contradiction(
        idle: [String], of schemes: [String], _ field: ProfileField, _ types: ProfileField
    ) -> LayerContradiction? {
        guard let first = idle.first, idle.count < schemes.count else { return nil }
        let rest = idle.dropFirst().map { "`\($0)`" }.joined(separator: ", ")
        return LayerContradiction(
            code: .idleScheme,
            message: "`\(first)` in `\(field.rawValue)` allows nothing: no key that "
                + "`\(types.rawValue)` allows makes a signature of this scheme"
                + (rest.isEmpty ? "" : "; nor \(rest)"),
            help: ["remove it, or allow the keys that it was written for"], word: first)
    }
}
