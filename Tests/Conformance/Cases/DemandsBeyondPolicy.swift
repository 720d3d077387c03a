package import TrustEngine

/// What vectors demand and the language does not: checks that the runner registers as any program
/// may (`CustomCheck`). They can refuse a path and never save one.
package enum DemandsBeyondPolicy {
    /// The checks of a case, by name.
    package static func checks(
        for vector: ConformanceCase, _ inputs: CaseInputs
    ) -> [String: CustomCheck] {
        var checks: [String: CustomCheck] = [:]
        if vector.keyUsage != 0 {
            let bits = vector.keyUsage
            checks["key-usage"] = ofPath { keyUsage($0[0], bits: bits) }
        }
        if vector.names.count > 1 {
            let names = vector.names
            checks["every-name"] = ofPath { everyName($0[0], names) }
        }
        let purposes = FeatureTable.purposes(of: vector)
        if !purposes.isEmpty, !inputs.purposesBindAuthorities {
            checks["end-entity-purpose"] = ofPath { path in
                purposes.contains { path[0].allows(purpose: $0) }
                    ? nil : "the end entity allows none of the purposes"
            }
        }
        if inputs.strictness != .usual {
            let strict = StrictPurposes(
                purposes: purposes, ofWholePath: inputs.strictness == .wholePath,
                ofAnchor: !inputs.overrides.anchorLimits.contains(.keyPurposes))
            checks["strict-purposes"] = ofPath(strict.problem)
        }
        return checks
    }

    /// A check of the parsed certificates of a path, end entity first.
    private static func ofPath(
        _ problem: @escaping @Sendable ([Certificate]) -> String?
    ) -> CustomCheck {
        CustomCheck { subject in
            let path = subject.path.compactMap { try? Certificate(der: $0) }
            guard path.count == subject.path.count, !path.isEmpty else {
                return .fail(reason: "a certificate of the path does not parse")
            }
            return problem(path).map { .fail(reason: $0) } ?? .pass
        }
    }

    /// Every bit must be allowed; a certificate without the extension allows all.
    private static func keyUsage(_ endEntity: Certificate, bits: UInt16) -> String? {
        let extensions = endEntity.layout.extensions
        guard extensions.present.contains(.keyUsage) else { return nil }
        return extensions.keyUsage & bits == bits
            ? nil : "the end entity's key usage lacks a bit that is demanded"
    }

    private static func everyName(
        _ endEntity: Certificate, _ names: [ConformanceCase.Name]
    ) -> String? {
        var budget = WorkBudget(limit: Engine.standardWorkLimit)
        for name in names {
            guard let reference = ReferenceIdentifier(name),
                ServiceIdentity.match(reference, in: endEntity, budget: &budget) != nil
            else { return "the end entity does not carry `\(name.value)`" }
        }
        return nil
    }
}

/// `eku-strict` and `eku-strict-leaf` as the format's page describes them: what BoringSSL asks of
/// purposes beyond RFC 5280.
struct StrictPurposes: Sendable {
    let purposes: [[UInt8]]
    /// Authorities too, or only the end entity.
    let ofWholePath: Bool
    /// Whether the anchor's own extended key usage binds.
    let ofAnchor: Bool

    /// The fault of a path, end entity first.
    @Sendable func problem(_ path: [Certificate]) -> String? {
        let endEntity = path[0]
        if !names(endEntity) { return "the end entity does not name the purpose itself" }
        let stray = [
            ObjectIdentifier.codeSigning, ObjectIdentifier.ocspSigning,
            ObjectIdentifier.timeStamping,
        ]
        if stray.contains(where: { endEntity.names(purpose: $0) }) {
            return "the end entity names a purpose that must not stand beside it"
        }
        // A certificate that is trusted as itself may be an authority as well.
        guard path.count > 1 else { return nil }
        if endEntity.layout.extensions.isCA { return "the end entity is an authority" }
        guard ofWholePath else { return nil }
        for position in 1..<path.count where position < path.count - 1 || ofAnchor {
            if let problem = problem(ofAuthority: path[position], isIssuer: position == 1) {
                return problem
            }
        }
        return nil
    }

    private func problem(ofAuthority authority: Certificate, isIssuer: Bool) -> String? {
        let hasPurposes = authority.layout.extensions.present.contains(.extendedKeyUsage)
        guard isIssuer else {
            return hasPurposes && purposes.contains { authority.allows(purpose: $0) }
                ? nil : "an authority above the issuer does not name the purpose, or any"
        }
        guard hasPurposes else {
            return purposes.contains(ObjectIdentifier.clientAuth)
                ? "the issuer names no purpose, and of clients it must" : nil
        }
        if !names(authority) { return "the issuer does not name the purpose itself" }
        let stray = [ObjectIdentifier.codeSigning, ObjectIdentifier.timeStamping]
        return stray.contains { authority.names(purpose: $0) }
            ? "the issuer names a purpose that must not stand beside it" : nil
    }

    private func names(_ certificate: Certificate) -> Bool {
        purposes.contains { certificate.names(purpose: $0) }
    }
}
