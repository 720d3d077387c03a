import TrustEngine

/// The only table from the words of a case to the inputs of the engine: its fields first, then its
/// features, row by row. The table knows neither the id of a case nor the name of a suite.
package enum FeatureTable {
    /// A feature that changes what the right answer is.
    package struct Row: Sendable {
        package let feature: String
        /// How the engine is given it.
        package let meaning: String
        fileprivate let apply: @Sendable (ConformanceCase, inout CaseInputs) -> Void
    }

    /// Each feature that changes the answer.
    package static let rows: [Row] = [
        // Anchors. By default an anchor certificate's own limits bind, and it vouches for others
        // only.
        Row(
            feature: "anchor-ignore-expiry",
            meaning: "`ignore-limits: [dates]`, as a policy says it"
        ) { _, inputs in inputs.ignoredLimits.insert(.dates) },
        Row(
            feature: "anchor-ignore-constraints",
            meaning: "in memory: the anchor is name and key; only its dates bind"
        ) { _, inputs in inputs.overrides.anchorLimits.formUnion(.allButDates) },
        Row(
            feature: "anchor-basic-constraints-optional",
            meaning: "in memory: an anchor without basicConstraints is an authority"
        ) { _, inputs in inputs.overrides.anchorLimits.insert(.basicConstraintsPresence) },
        Row(feature: "trust-leaf", meaning: "`kind: leaf`, as a policy says it") { _, inputs in
            inputs.anchorKinds = [.leaf]
        },
        Row(
            feature: "trust-anchor-or-leaf",
            meaning: "the certificates once under `kind: root` and once under `kind: leaf`"
        ) { _, inputs in inputs.anchorKinds = [.root, .leaf] },

        // Purposes and key usage.
        Row(
            feature: "eku-chain",
            meaning: "one purpose must be allowed by every certificate: what the engine asks"
        ) { _, inputs in inputs.purposesBindAuthorities = true },
        Row(
            feature: "eku-strict",
            meaning:
                "a registered check beside the engine's: the end entity names the purpose, its "
                + "issuer and the authorities above as the format's page says"
        ) { _, inputs in inputs.strictness = .wholePath },
        Row(
            feature: "eku-strict-leaf",
            meaning: "the same check of the end entity alone"
        ) { _, inputs in inputs.strictness = .endEntity },
        Row(
            feature: "leaf-key-usage-unchecked",
            meaning: "in memory: the end entity's key usage is not held against the purpose"
        ) { _, inputs in inputs.overrides.endEntityKeyUsage = .unchecked },

        // Algorithms and keys.
        Row(
            feature: "allow-sha1",
            meaning: "in memory: SHA-1 under certificates and evidence, unwaived"
        ) { _, inputs in
            inputs.overrides.minimumHash = .sha1
            inputs.overrides.evidenceMinimumHash = .sha1
        },
        Row(
            feature: "rsa-1024",
            meaning:
                "in memory: RSA of 1024 bits under `rfc5280`; `web-pki` has its own floor, 2048"
        ) { vector, inputs in
            if vector.profile == .rfc5280 { inputs.overrides.rsaMinimum = 1024 }
        },

        Row(
            feature: "dsa",
            meaning: "in memory: DSA keys and signatures, which no policy can allow, and the SHA-1 "
                + "that keys of 1024 bits sign with (FIPS 186-2)"
        ) { _, inputs in
            inputs.overrides.allowsDSA = true
            inputs.overrides.minimumHash = .sha1
            inputs.overrides.evidenceMinimumHash = .sha1
        },

        // Revocation.
        Row(
            feature: "revocation-max-age-7d", meaning: "`maximum-age: 7d`, as a policy says it"
        ) { _, inputs in inputs.requirements.revocation.maximumAge = 7 * 86_400 },
    ]

    /// Features that describe a case and change nothing, and prefixes of such features.
    package static let labels: Set<String> = [
        "has-crl", "has-ocsp", "delta-crl", "indirect-crl", "crl-reasons", "has-cert-policies",
        "has-policy-constraints", "max-chain-depth", "name-constraint-dn",
        "rfc5280-incompatible-with-webpki", "denial-of-service", "peer-is-trusted-cert",
        "has-mldsa",
        // libcrypto alone is told: no common name, no wildcard for a part of a label.
        "rfc9525-names",
    ]
    package static let labelPrefixes = ["importance-", "pedantic-"]

    /// Whether a feature is known here; one that is not is taken for a label, and a run says so.
    package static func knows(_ feature: String) -> Bool {
        labels.contains(feature) || labelPrefixes.contains { feature.hasPrefix($0) }
            || rows.contains { $0.feature == feature }
    }

    /// What the engine is given for a case.
    package static func inputs(for vector: ConformanceCase) -> CaseInputs {
        var inputs = CaseInputs()
        takeFields(of: vector, &inputs)
        for row in rows where vector.features.contains(row.feature) { row.apply(vector, &inputs) }
        takePurposes(of: vector, &inputs)
        return inputs
    }

    private static func takeFields(of vector: ConformanceCase, _ inputs: inout CaseInputs) {
        inputs.standard = vector.profile == .webPKI ? .webPKI : .rfc5280
        // The language's own limit stands where a case has none or a higher one: work must be
        // bounded.
        inputs.requirements.maximumIntermediates = min(vector.maximumDepth ?? 32, 32)
        let policies = vector.certificatePolicies
        inputs.requirements.certificatePolicies = policies.initial
        inputs.requirements.requiresExplicitPolicy = policies.requiresExplicit
        inputs.requirements.inhibitsPolicyMapping = policies.inhibitsMapping
        inputs.requirements.inhibitsAnyPolicy = policies.inhibitsAny
        takeRevocation(of: vector, &inputs)
    }

    /// Hard-fail for every cause, or nothing asked at all.
    private static func takeRevocation(
        of vector: ConformanceCase, _ inputs: inout CaseInputs
    ) {
        var revocation = RevocationRequirement()
        switch vector.revocation {
        case .none:
            for cause in RevocationCause.allCases { revocation.causes[cause] = .pass }
        case .crl:
            revocation.preset = .require
            revocation.causes = .require
            revocation.sources = [.crl]
        case .ocsp:
            revocation.preset = .require
            revocation.causes = .require
            revocation.sources = [.ocsp]
            // `allow-sha1` speaks of certificates; responders of the vectors' years sign so, and
            // the vectors do not expect a refusal for it.
            inputs.overrides.evidenceMinimumHash = .sha1
        }
        revocation.scope = vector.revocationScope == .leaf ? .leaf : .leafAndIntermediates
        inputs.requirements.revocation = revocation
    }

    /// The purposes that are listed, else the purpose of the kind. A kind without a purpose asks
    /// for none; purposes that are listed all the same are then asked of the end entity, and of
    /// authorities only under `eku-chain`. Server and client vectors hold authorities to the
    /// purpose whether or not they are tagged so.
    private static func takePurposes(of vector: ConformanceCase, _ inputs: inout CaseInputs) {
        if vector.kind != .any { inputs.purposesBindAuthorities = true }
        let wanted = purposes(of: vector)
        guard !wanted.isEmpty, inputs.purposesBindAuthorities else {
            inputs.overrides.asksKeyPurposes = false
            return
        }
        let known = [ObjectIdentifier.serverAuth, ObjectIdentifier.clientAuth]
        inputs.requirements.keyPurposes = KeyPurposes(
            serverAuth: wanted.contains(known[0]), clientAuth: wanted.contains(known[1]),
            others: Set(wanted).subtracting(known).sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// Content octets of the purposes of which one must be allowed; none where none is asked.
    package static func purposes(of vector: ConformanceCase) -> [[UInt8]] {
        guard vector.purposes.isEmpty else { return vector.purposes }
        switch vector.kind {
        case .server: return [ObjectIdentifier.serverAuth]
        case .client: return [ObjectIdentifier.clientAuth]
        case .any: return []
        }
    }
}
