import LibCrypto
package import TrustEngine

/// What the engine is given for one case. `FeatureTable` fills it in; nothing else looks at a
/// case's features.
package struct CaseInputs: Sendable {
    /// How strictly purposes are judged beside what the engine asks.
    package enum PurposeStrictness: Sendable {
        case usual
        /// Of the end entity, its issuer and every authority above.
        case wholePath
        case endEntity
    }

    // What a policy can say: written into a table, encoded, decoded.
    package var standard = Standard.rfc5280
    /// Every trusted certificate is an anchor of each of these kinds.
    package var anchorKinds: [AnchorKind] = [.root]
    package var ignoredLimits: AnchorLimits = []
    package var requirements = Requirements()

    // What no policy can say.
    package var overrides = EngineOverrides()
    package var strictness = PurposeStrictness.usual
    /// Whether the extended key usage of authorities limits the purpose.
    package var purposesBindAuthorities = false

    package init() {}
}

/// One case, ready to be judged.
package struct PreparedCase: Sendable {
    package let engine: Engine
    package let request: TrustRequest

    /// The explanation without its table and without the steps that serve advice: the policy of a
    /// case is the runner's own, so nothing is offered to be written into it.
    package var explanation: Explanation {
        let explanation = engine.explain(request)
        return Explanation(
            verdict: explanation.verdict,
            trace: Trace(steps: explanation.trace.steps.filter(\.isListed)))
    }

    /// Makes an engine and a request of a case. The policy has one rule for every host, and goes
    /// through the encoder and the decoder of tables as every policy does.
    ///
    /// - Throws: `CaseProblem` where the engine cannot be asked what the case asks.
    package init(
        _ vector: ConformanceCase, _ terms: CaseTerms = CaseTerms(),
        crypto: any CryptoBackend = LibCryptoBackend()
    ) throws {
        let inputs = FeatureTable.inputs(for: vector)
        let checks = DemandsBeyondPolicy.checks(for: vector, inputs)
        let question = PreparedCase.identity(vector.names)
        var overrides = inputs.overrides
        if vector.names.isEmpty { overrides.asksIdentity = false }
        let anchors = PreparedCase.anchors(of: vector)
        let contents = try PreparedCase.contents(
            vector, inputs, terms, checks: checks.keys.sorted(), question.identity)
        do {
            let encoded = PolicyTable.encode(contents, provenance: nil, crypto: crypto)
            engine = try Engine(
                table: PolicyTable(decoding: encoded.bytes, crypto: crypto),
                inputs: EngineInputs(
                    systemStore: terms.anchors == .system ? anchors : nil, checks: checks),
                crypto: crypto,
                workLimit: Engine.standardWorkLimit, overrides: overrides)
        } catch let error as TableDecodingError {
            throw CaseProblem("no table says what the case asks: \(error.context)")
        } catch let error as EngineError {
            throw CaseProblem("no engine loads for the case: \(error.context)")
        }
        request = TrustRequest(
            host: question.host, port: 443, presentedChain: [vector.peer] + vector.bag,
            time: vector.time ?? PreparedCase.presentDay,
            tls: .observed(TLSParameters(version: .tls13)),
            evidence: vector.revocation == .none
                ? Evidence()
                : Evidence(ocspResponses: vector.ocspResponses, crls: vector.crls))
    }

    /// The policy of a case: one rule for every host.
    ///
    /// - Throws: `CaseProblem` where a policy cannot say all that the case asks.
    package static func policy(of vector: ConformanceCase) throws -> PolicyContents {
        let inputs = FeatureTable.inputs(for: vector)
        guard inputs.overrides == EngineOverrides(), !vector.names.isEmpty,
            DemandsBeyondPolicy.checks(for: vector, inputs).isEmpty
        else { throw CaseProblem("no policy says what the case asks") }
        return try contents(
            vector, inputs, CaseTerms(issuance: .report), checks: [],
            identity(vector.names).identity)
    }

    private static func contents(
        _ vector: ConformanceCase, _ inputs: CaseInputs, _ terms: CaseTerms, checks: [String],
        _ identity: IdentityRequirement
    ) throws -> PolicyContents {
        var requirements = inputs.requirements
        requirements.checks = checks
        requirements.enforcesIssuance = terms.issuance != .report
        let anchors = anchors(of: vector)
        let set = AnchorSetContents(
            id: "trusted", groups: try PreparedCase.groups(of: anchors, inputs, terms))
        let body = RuleBody(
            anchors: anchors.isEmpty ? [] : ["trusted"], anchorsArePinnedKeys: anchors.isEmpty,
            pins: anchors.isEmpty ? ["nobody"] : [], profile: "baseline",
            requirements: requirements, identity: identity,
            waivers: PreparedCase.waivers(
                terms.issuance, until: vector.time ?? PreparedCase.presentDay),
            owner: nil, note: nil)
        return PolicyContents(
            defaultRule: .body(body), rules: [], anchorSets: anchors.isEmpty ? [] : [set],
            pinSets: anchors.isEmpty ? [PreparedCase.nobody] : [])
    }

    /// The trusted certificates of a case. One that does not parse vouches for nothing.
    private static func anchors(of vector: ConformanceCase) -> [[UInt8]] {
        vector.trusted.filter { (try? Certificate(der: $0)) != nil }
    }

    private static func waivers(_ issuance: CaseTerms.Issuance, until: UTCInstant) -> [Waiver] {
        guard case .enforceUnlessWaived(let ids) = issuance,
            let demands = IssuanceDemands(
                rawValue: IssuanceDemands(ids.compactMap(StandardDemand.init)).rawValue)
        else { return [] }
        return [
            Waiver(
                tolerance: .issuance(demands), until: until, reason: "the runner compares",
                owner: "the runner", ticket: nil)
        ]
    }

    /// The trusted certificates of a case as the members of its anchor set.
    ///
    /// - Throws: `CaseProblem` where the machine's store cannot hold them as the case wants them.
    private static func groups(
        of anchors: [[UInt8]], _ inputs: CaseInputs, _ terms: CaseTerms
    ) throws -> [AnchorGroup] {
        if terms.anchors == .system {
            guard inputs.anchorKinds == [.root], inputs.ignoredLimits.isEmpty else {
                throw CaseProblem("no policy changes the kind or the limits of the machine's roots")
            }
            return [.system]
        }
        return inputs.anchorKinds.map { kind in
            AnchorGroup(
                source: .members(Set(anchors).sorted { $0.lexicographicallyPrecedes($1) }),
                kind: kind, standard: terms.anchors.standard ?? inputs.standard,
                ignoredLimits: inputs.ignoredLimits)
        }
    }

    /// The instant for cases that prescribe none: a day of the year in which the vectors were
    /// gathered. Fixed, so that no run depends on a clock.
    package static let presentDay = UTCInstant(secondsSinceEpoch: 1_795_219_200)

    /// The host of cases that ask for none.
    private static let anyHost = "conformance.invalid"

    /// A rule must name an anchor. Where a case trusts nobody, it names the keys with two digests
    /// that no key has.
    private static let nobody = PinSetContents(
        id: "nobody",
        keys: [PreparedCase.pin("none", octet: 0)], backups: [PreparedCase.pin("spare", octet: 1)],
        match: 1, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)

    private static func pin(_ id: String, octet: UInt8) -> PinContents {
        guard let digest = Digest(.sha256, bytes: [UInt8](repeating: octet, count: 32)) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return PinContents(
            id: id, matches: [KeyMatch(kind: .spki, digest: digest)], position: .any, note: nil)
    }

    /// How the engine is asked for names: one DNS name or address as the host, others as listed
    /// names. A list is met by one of its names; that each is carried is a check beyond the policy.
    private static func identity(
        _ names: [ConformanceCase.Name]
    ) -> (host: String, identity: IdentityRequirement) {
        if names.count == 1, names[0].kind != .email {
            return (names[0].value, IdentityRequirement())
        }
        var identity = IdentityRequirement()
        for name in names {
            identity.reference = .listed
            switch ReferenceIdentifier(name) {
            case .dns(let text)?: identity.dns.append(text)
            case .ip(let address)?: identity.ip.append(address)
            case .email(let text)?: identity.email.append(text)
            case .uri?, nil: break
            }
        }
        identity.dns = Set(identity.dns).sorted()
        identity.ip = Set(identity.ip).sorted { $0.description < $1.description }
        identity.email = Set(identity.email).sorted()
        return (anyHost, identity)
    }
}

extension ReferenceIdentifier {
    /// The identifier of a case's name; nil for a text that is not a name of this kind;
    /// certificates do not carry it.
    package init?(_ name: ConformanceCase.Name) {
        switch name.kind {
        case .dns, .ip:
            guard let host = try? CanonicalHost(text: name.value) else { return nil }
            self.init(host)
        case .email:
            guard let at = name.value.lastIndex(of: "@") else { return nil }
            self = .email(name.value[..<at] + name.value[at...].lowercased())
        }
    }
}
