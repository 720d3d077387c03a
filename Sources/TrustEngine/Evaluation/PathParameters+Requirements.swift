// Makes the inputs of path validation from the requirements of a rule. No other code does that.

extension PathParameters {
    /// Makes the inputs of path validation from a rule's requirements. `notBefore` is the end
    /// entity's; it decides the longest lifetime that is allowed. It is inlined, so that the fields
    /// are read where the requirements stand and their lists are not all copied.
    @inline(__always)
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
            enforcesIssuance: requirements.enforcesIssuance,
            leniency: leniency)
    }
}

extension Leniency {
    /// The failures of a path's certificates that waivers and entries of `report-only` let through.
    /// All the waivers and entries that are given must be in force. A failure that is only reported
    /// must still meet the baseline.
    package init(waivers: [Waiver], reportOnly: [ReportOnly]) {
        self.init()
        for waiver in waivers {
            switch waiver.tolerance {
            case .expired(let seconds): expiredWaiver = DatedLimit(seconds, until: waiver.until)
            case .keys(let bits): rsaMinimumWaiver = DatedLimit(bits, until: waiver.until)
            case .signatures(let hash): hashWaiver = DatedLimit(hash, until: waiver.until)
            case .issuance(let demands):
                issuanceWaiver = DatedLimit(demands, until: waiver.until)
            case .identity, .path, .revocation, .pins, .transparency, .tls, .cleartext: break
            }
        }
        for entry in reportOnly {
            switch entry.check {
            case .keys:
                reportedRSAMinimum = DatedLimit(
                    Requirements.baseline.rsaMinimum, until: entry.until)
                reportedKeyTypes = DatedLimit(
                    Requirements.baseline.keyTypes, until: entry.until)
            case .signatures:
                reportedHash = DatedLimit(Requirements.baseline.minimumHash, until: entry.until)
                reportedSchemes = DatedLimit(
                    Requirements.baseline.signatureSchemes, until: entry.until)
            case .lifetime: lifetimeReportedUntil = entry.until
            case .pins, .revocation, .transparency, .tls, .custom: break
            }
        }
    }
}

extension Reported.Reason {
    /// The reason that an excuse of one certificate's failure stands for; nil for a failure that
    /// is a notice and no reported failure.
    init?(_ excuse: Leniency.Excuse) {
        switch excuse {
        case .waived(let until): self = .waived(until: until)
        case .reported(let until): self = .reportOnly(until: until)
        case .noticed: return nil
        }
    }
}

extension Requirements {
    /// The most that `path.maximum-intermediates` can say.
    package static let mostIntermediates: Int = {
        guard case .integer(let range) = ProfileField.maximumIntermediates.descriptor.kind else {
            return Requirements.baseline.maximumIntermediates
        }
        return range.upperBound
    }()
}
