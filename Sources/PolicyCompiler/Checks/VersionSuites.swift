package import TrustEngine

/// The suites of a list by their version of TLS. TLS 1.3 has suites of its own (RFC 8446 appendix
/// B.4); suites of other versions do not work in it.
package enum VersionSuites {
    /// The version that demands accept and of which `tls.cipher-suites` lists no suite. Nil where
    /// no suites are listed. A minimum above the maximum accepts no version.
    package static func missing(in tls: TLSRequirement) -> TLSVersion? {
        guard !tls.cipherSuites.isEmpty else { return nil }
        return [TLSVersion.tls12, .tls13].first { version in
            version >= tls.minimumVersion && version <= tls.maximumVersion
                && !tls.cipherSuites.contains {
                    CipherSuiteName.isOfTLS13($0) == (version == .tls13)
                }
        }
    }

    /// The suites of a version that are as strong as those that are listed, with an ephemeral key
    /// exchange and for the keys that servers may have. Empty where the list has only ciphers that
    /// have no such counterpart.
    package static func counterparts(
        of suites: [String], in version: TLSVersion, for keys: KeyTypeSet
    ) -> [String] {
        let ciphers = ciphers.filter { cipher in
            suites.contains { suite in cipher.marks.contains { suite.contains($0) } }
        }
        guard version != .tls13 else { return ciphers.map { "TLS_" + $0.name } }
        let signers: [(String, KeyTypeSet)] = [
            ("ECDSA", curves), ("RSA", KeyTypeSet(.rsa)),
        ]
        let named = signers.filter { !keys.isDisjoint(with: $0.1) }.map(\.0)
        return ciphers.flatMap { cipher in
            named.map { "TLS_ECDHE_\($0)_WITH_" + cipher.name }
        }
    }

    /// The ciphers that both versions have, with what the names of ciphers of their strength hold.
    private static let ciphers: [(name: String, marks: [String])] = [
        ("AES_128_GCM_SHA256", ["AES_128", "CAMELLIA_128", "ARIA_128", "3DES", "SEED"]),
        ("AES_256_GCM_SHA384", ["AES_256", "CAMELLIA_256", "ARIA_256"]),
        ("CHACHA20_POLY1305_SHA256", ["CHACHA20"]),
    ]

    /// The keys that sign in the suites `ECDHE_ECDSA` of TLS 1.2 (RFC 8422 section 2.2).
    private static let curves = [KeyType.p256, .p384, .p521, .ed25519, .ed448]
        .reduce(into: KeyTypeSet([])) { $0.formUnion(KeyTypeSet($1)) }
}

/// HW522: Finds lists of suites without a suite of a version that the rule accepts (LANGUAGE
/// section 8). Every connection of that version is rejected, although the rule accepts the version.
/// The list and the versions of `default` and of every rule are judged as they are in effect. The
/// finding stands once, at the layer that makes it.
enum VersionSuiteCheck {
    private static let fields: [ProfileField] = [
        .tlsCipherSuites, .tlsMinimumVersion, .tlsMaximumVersion,
    ]

    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        // Most policies list no suites anywhere.
        let isListed = { (layer: BoundFields) in layer.writes(.tlsCipherSuites) }
        let profiles = policy.profiles.filter { isListed($0.fields) }
        let bodies = policy.bodies(.fields)
        guard !profiles.isEmpty || bodies.contains(where: { isListed($0.fields) }) else { return }
        var seen: Set<SourceSpan> = []
        func judge(_ fields: BoundFields, over parent: String?) {
            guard layers.isSound(parent), layers.isKnown(Self.fields, in: fields, over: parent),
                let finding = finding(fields, over: parent, layers),
                seen.insert(finding.primary.span).inserted
            else { return }
            diagnostics.append(finding)
        }
        for body in bodies { judge(body.fields, over: body.profile?.value) }
        guard !profiles.isEmpty else { return }
        for id in policy.profilesNamedAlone { judge(.none, over: id) }
    }

    private static func finding(
        _ fields: BoundFields, over parent: String?, _ layers: ProfileLayers
    ) -> Diagnostic? {
        var (layer, over) = (fields, parent)
        guard VersionSuites.missing(in: layers.requirements(layer, over: over).tls) != nil else {
            return nil
        }
        while let id = over, let profile = layers.profile(id),
            VersionSuites.missing(in: layers.requirements(of: over).tls) != nil
        {
            (layer, over) = (profile.fields, profile.parent?.value)
        }
        let requirements = layers.requirements(layer, over: over)
        guard let version = VersionSuites.missing(in: requirements.tls),
            let written = Self.fields.lazy.compactMap({ layer.setting($0) }).first
        else { return nil }
        let others = Self.fields.filter { $0 != written.field }
            .compactMap { layers.setting($0, in: layer, over: over) }
        let name = "TLS \(version.name.dropFirst("tls".count))"
        return Diagnostic(
            .versionWithoutSuite,
            "`tls.cipher-suites` lists no suite of \(name), so every connection over \(name) is "
                + "rejected",
            at: Diagnostic.Label(written.span),
            labels: others.prefix(3).map {
                Diagnostic.Label($0.span, "`\($0.field.rawValue)` is written here")
            },
            help: help(version, name, requirements))
    }

    private static func help(
        _ version: TLSVersion, _ name: String, _ requirements: Requirements
    ) -> [String] {
        let tls = requirements.tls
        let suites = VersionSuites.counterparts(
            of: tls.cipherSuites, in: version, for: requirements.leafKeyTypes)
        let added =
            suites.isEmpty ? "a suite of \(name)" : suites.map { "`\($0)`" }.joined(separator: ", ")
        guard version != .tls13 else {
            return [
                "add \(added) to the list: the suites of TLS 1.2 are not used in TLS 1.3, and lists "
                    + "for Go, nginx and OpenSSL do not name its suites"
            ]
        }
        guard tls.maximumVersion == .tls13 else {
            return ["add \(added) to the list, or leave `tls.maximum-version` out"]
        }
        return [
            "to accept TLS 1.3 and nothing older, write `minimum-version: tls1.3`",
            "to accept TLS 1.2 too, add \(added) to the list",
        ]
    }
}

extension BoundPolicy {
    /// The profiles that some body names without a field of its own, each once and in a fixed
    /// order. A body with fields is judged with them.
    fileprivate var profilesNamedAlone: [String] {
        var ids: Set<String> = []
        for item in defaults {
            guard case .body(let body) = item.action, !RuleMarks(body).contains(.fields),
                let id = body.profile?.value
            else { continue }
            ids.insert(id)
        }
        for outline in outlines.all where !outline.has(.fields) {
            if let id = outlines.profiles[Int(outline.profile)] { ids.insert(id) }
        }
        return ids.sorted()
    }
}
