/// The values that a trace shows of a check that passed: the value that the rule demands and the
/// value that the path has. The values decide nothing, and `evaluate` never asks for them.
struct PassedCheckValues {
    let requirements: Requirements
    let validator: PathValidator

    private var parameters: PathParameters { validator.parameters }
    private var pool: CertificatePool { validator.pool }

    /// The values of a check that passed on a path; nil when the check has no values to show.
    func of(_ check: PathCheck, on path: CandidatePath) -> CheckStep.Passed? {
        switch check {
        case .pathLength:
            return .intermediates(
                maximum: requirements.maximumIntermediates, actual: max(0, path.count - 2))
        case .extendedKeyUsage:
            return .purposes(
                wanted: requirements.keyPurposes.names,
                allowed: path.certificate(at: 0, in: pool).purposeNames)
        case .keys:
            return .keys(
                types: requirements.keyTypes.names, rsaMinimum: requirements.rsaMinimum,
                found: (0..<path.count).map { key(path.certificate(at: $0, in: pool)) })
        case .signatureAlgorithms:
            // The path validator never judges the signature on the anchor's certificate.
            return .signatureAlgorithms(
                minimumHash: requirements.minimumHash.name,
                schemes: requirements.signatureSchemes.names,
                found: (0..<max(0, path.count - 1)).map {
                    signature(path.certificate(at: $0, in: pool))
                })
        case .lifetime:
            guard let maximum = parameters.maximumLifetime else { return nil }
            let leaf = path.certificate(at: 0, in: pool)
            return .lifetime(
                maximum: maximum,
                actual: leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch)
        case .validity:
            return validator.narrowestValidity(of: path)
                .map { .validity(notBefore: $0.notBefore, notAfter: $0.notAfter) }
        case .signatures: return .signatures(path.count - 1)
        case .certificatePolicies:
            guard requirements.requiresExplicitPolicy else { return nil }
            return .certificatePolicies(
                wanted: parameters.certificatePolicies.names,
                found: path.certificate(at: 0, in: pool).certificatePolicyNames)
        case .algorithmAgreement, .basicConstraints, .keyUsage, .nameConstraints,
            .criticalExtensions, .standard:
            return nil
        }
    }

    /// The type of a certificate's key, with the size of an RSA key: `p256`, `rsa 2048`.
    private func key(_ certificate: Certificate) -> String {
        let key = certificate.layout.publicKey
        guard let type = key.type else { return "unknown" }
        if case .rsaPSS = key.material { return "rsa \(key.bits) for RSASSA-PSS" }
        return type == .rsa ? "rsa \(key.bits)" : type.name
    }

    /// The scheme of a certificate's signature, with its weakest hash: `ecdsa sha256`, `ed25519`.
    private func signature(_ certificate: Certificate) -> String {
        let algorithm = certificate.layout.signatureAlgorithm
        let scheme = algorithm.scheme?.names.first ?? "unknown"
        if case .rsaPSS(let hash, let mask, _) = algorithm, mask < hash {
            return "\(scheme) \(hash.name) with MGF1 over \(mask.name)"
        }
        return algorithm.weakestHash.map { "\(scheme) \($0.name)" } ?? scheme
    }
}
