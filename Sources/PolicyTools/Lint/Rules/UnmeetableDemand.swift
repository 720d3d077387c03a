import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW515: demands that nothing can meet together, so that every connection is rejected: a
    /// version whose suites are not in the list of suites, forward secrecy that the listed suites
    /// do not have, signature schemes that no allowed key can make. Each is reported at the layer
    /// that makes it so.
    static let unmeetableDemand = LintRule(.unmeetableDemand) { context in
        suites(context) + pathSchemes(context) + handshakeSchemes(context)
    }

    private static func suites(_ context: LintContext) -> [Diagnostic] {
        let fields: [ProfileField] = [
            .tlsCipherSuites, .tlsMinimumVersion, .tlsMaximumVersion, .tlsRequiresForwardSecrecy,
        ]
        return context.contradictions(among: fields) { requirements, _ in
            let tls = requirements.tls
            // A minimum above the maximum is an error of its own (HW507).
            guard !tls.cipherSuites.isEmpty, tls.minimumVersion <= tls.maximumVersion else {
                return nil
            }
            let obstacles = HandshakeReach.versions.compactMap {
                HandshakeReach.obstacle(to: $0, tls)
            }
            guard obstacles.count == HandshakeReach.versions.count else { return nil }
            let help =
                tls.maximumVersion == .tls13
                ? "add a suite of TLS 1.3, such as `TLS_AES_128_GCM_SHA256`"
                : "add a suite of TLS 1.2 with an ephemeral key exchange, such as "
                    + "`TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256`; or leave `tls.maximum-version` out"
            return LayerContradiction(
                code: .unmeetableDemand,
                message: "no connection can be accepted: " + obstacles.joined(separator: ", and "),
                help: [help])
        }
    }

    private static func pathSchemes(_ context: LintContext) -> [Diagnostic] {
        context.contradictions(among: [.signatureSchemes, .keyTypes]) { requirements, _ in
            let possible = SignatureSchemeSet.possible(requirements.keyTypes)
            guard requirements.signatureSchemes.isDisjoint(with: possible) else { return nil }
            let types = requirements.keyTypes.names.map { "`\($0)`" }.joined(separator: ", ")
            return LayerContradiction(
                code: .unmeetableDemand,
                message: "no certificate of a path can meet `signatures.schemes`: keys of "
                    + "`keys.types`, \(types), make none of these signatures",
                help: ["add " + possible.names.map { "`\($0)`" }.joined(separator: " or ")])
        }
    }

    private static func handshakeSchemes(_ context: LintContext) -> [Diagnostic] {
        let fields: [ProfileField] = [
            .tlsSignatureSchemes, .leafKeyTypes, .keyTypes, .tlsMinimumVersion, .tlsMaximumVersion,
        ]
        return context.contradictions(among: fields) { requirements, _ in
            let tls = requirements.tls
            guard !tls.signatureSchemes.isEmpty, tls.minimumVersion <= tls.maximumVersion,
                !tls.signatureSchemes.contains(where: {
                    HandshakeReach.isUsable($0, under: requirements)
                })
            else { return nil }
            let usable = PolicyWords.tlsSignatureScheme.words.first {
                HandshakeReach.isUsable($0, under: requirements)
            }
            let types = requirements.leafKeyTypes.names.map { "`\($0)`" }.joined(separator: ", ")
            return LayerContradiction(
                code: .unmeetableDemand,
                message: "no server can meet `tls.signature-schemes`: keys of `keys.leaf-types`, "
                    + "\(types), sign by none of them in the versions that are accepted",
                help: usable.map { ["add a scheme of such a key, for example `\($0)`"] } ?? [])
        }
    }
}

extension SignatureSchemeSet {
    /// The schemes by which keys of some types sign.
    static func possible(_ types: KeyTypeSet) -> SignatureSchemeSet {
        KeyType.allCases.filter { types.contains(KeyTypeSet($0)) }
            .reduce([]) { $0.union(SignatureSchemeSet(of: $1)) }
    }
}
