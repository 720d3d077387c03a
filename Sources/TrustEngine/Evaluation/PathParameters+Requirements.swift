// How path validation judges under a policy: the one place that turns what a rule comes to into inputs.

extension PathParameters {
    /// The inputs of path validation under what a rule demands. `issuedAt` is the end entity's notBefore,
    /// which decides its longest lifetime.
    package init(
        _ requirements: Requirements, leniency: Leniency, issuedAt notBefore: UTCInstant,
        at time: UTCInstant
    ) {
        let policies = requirements.certificatePolicies
        self.init(
            time: time, clockSkew: requirements.clockSkew, keyPurposes: requirements.keyPurposes,
            maximumIntermediates: requirements.maximumIntermediates,
            keyTypes: requirements.keyTypes, leafKeyTypes: requirements.leafKeyTypes,
            rsaMinimum: requirements.rsaMinimum, minimumHash: requirements.minimumHash,
            signatureSchemes: requirements.signatureSchemes,
            maximumLifetime: requirements.maximumLifetime(issuedAt: notBefore),
            certificatePolicies: CertificatePolicyGraph.Inputs(
                initialPolicies: policies.isEmpty ? nil : policies,
                requiresExplicitPolicy: requirements.requiresExplicitPolicy,
                inhibitsMapping: requirements.inhibitsPolicyMapping,
                inhibitsAnyPolicy: requirements.inhibitsAnyPolicy),
            leniency: leniency)
    }
}

extension Leniency {
    /// What waivers and entries of `report-only` let through of a path's certificates; all of them in
    /// force.
    package init(waivers: [Waiver], reportOnly: [ReportOnly]) {
        self.init()
        for waiver in waivers {
            switch waiver.tolerance {
            case .expired(let seconds): expiredTolerance = seconds
            case .keys(let bits): waivedRSAMinimum = bits
            case .signatures(let hash): waivedHash = hash
            case .identity, .path, .revocation, .pins, .transparency, .tls, .cleartext: break
            }
        }
        let baseline = Requirements()
        if reportOnly.contains(where: { $0.check == .keys }) {
            reportedRSAMinimum = baseline.rsaMinimum
        }
        if reportOnly.contains(where: { $0.check == .signatures }) {
            reportedHash = baseline.minimumHash
        }
    }
}
