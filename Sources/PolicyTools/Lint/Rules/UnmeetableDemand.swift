import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW515: demands that nothing can meet together, so that every connection is rejected: forward
    /// secrecy that the listed suites do not have, signature schemes that no allowed key can make.
    /// Each is reported at the layer that makes it so. A log list whose logs are too few, or not
    /// approved, is one of them.
    static let unmeetableDemand = LintRule(.unmeetableDemand) { context in
        suites(context) + pathSchemes(context) + handshakeSchemes(context) + timestamps(context)
    }

    /// The logs of the list, and their operators, from which a timestamp can count now are fewer
    /// than the demand needs, by every way to meet it.
    private static func timestamps(_ context: LintContext) -> [Diagnostic] {
        let fields: [ProfileField] = [
            .transparencyLogList, .transparencyPreset, .transparencyMinimumSCTs,
            .transparencyMinimumOperators,
        ]
        return context.contradictions(
            among: fields, reportedBy: [.transparency]
        ) { requirements, _ in
            let requirement = requirements.transparency
            guard requirement.isDemanded, let list = context.logList(of: requirement),
                let lack = TransparencyLack(list, requirement, at: context.time)
            else { return nil }
            return LayerContradiction(
                code: .unmeetableDemand,
                message: "no certificate can have the timestamps that are demanded: "
                    + lack.words,
                help: [LogListAge.help])
        }
    }

    private static func suites(_ context: LintContext) -> [Diagnostic] {
        let fields: [ProfileField] = [
            .tlsCipherSuites, .tlsMinimumVersion, .tlsMaximumVersion, .tlsRequiresForwardSecrecy,
        ]
        return context.contradictions(among: fields) { requirements, _ in
            let tls = requirements.tls
            // A minimum above the maximum (HW507) and a version without a listed suite (HW522) are
            // errors of their own.
            guard !tls.cipherSuites.isEmpty, tls.minimumVersion <= tls.maximumVersion,
                VersionSuites.missing(in: tls) == nil
            else { return nil }
            let obstacles = HandshakeReach.versions.compactMap {
                HandshakeReach.obstacle(to: $0, tls)
            }
            guard obstacles.count == HandshakeReach.versions.count else { return nil }
            return LayerContradiction(
                code: .unmeetableDemand,
                message: "no connection can be accepted: " + obstacles.joined(separator: ", and "),
                help: [
                    "add a suite of TLS 1.2 with an ephemeral key exchange, such as "
                        + "`TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256`; or leave `tls.maximum-version` "
                        + "out and list suites of TLS 1.3"
                ])
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

/// What a log list lacks for a demand.
private struct TransparencyLack {
    /// The need, and the contents of the list.
    let words: String

    /// Nil where some certificate can meet the demand at an instant.
    init?(_ list: LogList, _ requirement: TransparencyRequirement, at time: UTCInstant) {
        let approved = list.logs.values.filter { TransparencyLack.isApproved($0, at: time) }
        let embedded = list.logs.values.filter {
            TransparencyLack.isApproved($0, at: time) || $0.state == .retired
        }
        // A certificate of a short lifetime needs the fewest timestamps.
        let ways: [(TransparencyWay, [TransparencyLog])] = [
            (.embeddedShortLived, embedded), (.beside, approved),
        ]
        var lacks: [String] = []
        for (way, logs) in ways {
            let needs = requirement.preset.needs(way)
            let wanted = (
                logs: requirement.minimumSCTs ?? needs.logs,
                operators: requirement.minimumOperators ?? needs.operators
            )
            let operators = Set(
                logs.flatMap { log in [log.operatorName] + log.previousOperators.map(\.name) }
            ).count
            if approved.isEmpty {
                lacks.append(
                    "of the \(Words.count(list.logs.count, "log")) of the list none is "
                        + "approved")
            } else if logs.count < wanted.logs {
                lacks.append(
                    "they are of \(wanted.logs) logs, and \(logs.count) of the list can sign them")
            } else if operators < wanted.operators {
                lacks.append(
                    "they are of \(wanted.operators) operators, and the list's logs have "
                        + "\(operators)")
            } else if requirement.preset == .apple, logs.allSatisfy(\.isTiled) {
                lacks.append("one is of a log of RFC 6962, and the list has none that can sign it")
            } else {
                return nil
            }
        }
        words = lacks[0]
    }

    /// Whether a log's timestamps may count at an instant, by its state.
    private static func isApproved(_ log: TransparencyLog, at time: UTCInstant) -> Bool {
        switch log.state {
        case .pending, .rejected: return false
        case .qualified, .usable: return log.since <= time
        case .readonly: return true
        case .retired: return time < log.since
        }
    }
}
