import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

// What answers ask of a unit.
extension UnitReading {
    /// The classes of hosts that a rule decides; empty if the policy has errors.
    func classes(decidedBy id: String) -> [HostClass] {
        guard let hostClasses, let index = ruleIndices[id] else { return [] }
        return hostClasses.byRule[index] ?? []
    }

    /// The other rules whose narrower patterns decide hosts inside a pattern of the policy.
    func rules(inside pattern: HostPattern) -> [Int] { (rulesInside[pattern] ?? []).sorted() }

    /// A host that a rule decides.
    func witness(of id: String) -> (host: CanonicalHost, port: UInt16)? {
        classes(decidedBy: id).lazy.compactMap { self.hostClasses?.hosts.witness($0) }.first
    }

    /// A rule with every field, as `show` has it; nil if it decides no host, or the policy has
    /// errors.
    func effective(rule id: String) -> EffectiveRule? {
        guard let table, let witness = witness(of: id) else { return nil }
        return EffectiveRule(
            table: table, host: witness.host, port: witness.port, crypto: crypto)
    }

    /// `default` with every field.
    func effectiveDefault() -> EffectiveRule? {
        table.map { EffectiveRule(defaultOf: $0, crypto: crypto) }
    }

    /// A profile with every field, as `show --profile` has it.
    func effective(profile id: String) -> EffectiveRule? {
        if let builtIn = BuiltInProfile(rawValue: id) {
            return EffectiveRule(
                profile: id, parent: nil, requirements: builtIn.requirements, reportOnly: [],
                provenance: Provenance())
        }
        guard let policy = result.compilation.policy,
            let profile = FlattenedProfile(id, of: policy)
        else { return nil }
        return EffectiveRule(
            profile: id, parent: profile.parent, requirements: profile.requirements,
            reportOnly: profile.reportOnly,
            provenance: ProvenanceLowering.locations(of: policy).provenance)
    }

    // MARK: Certificates

    /// The certificates of a file of the unit, or of the files of a folder; empty where it holds
    /// none, or cannot be read.
    func certificates(of target: ScannedPath) -> [Certificate] {
        var paths = [target.path]
        if target.isFolder {
            let names = (try? unit.resources.list(target.path)) ?? []
            paths = names.filter(CertificateFileName.isOne).prefix(UnitReading.mostFiles).map {
                target.path.isEmpty ? $0 : "\(target.path)/\($0)"
            }
        }
        return paths.flatMap { path -> [Certificate] in
            guard let octets = try? unit.resources.read(path, limit: CertificateFile.limit) else {
                return []
            }
            return (try? CertificateFile.certificates(octets, path: path)) ?? []
        }
    }

    /// The most files of a folder that are read for one answer.
    private static let mostFiles = 100

    /// The certificates of the unit that a digest names.
    func certificates(named digest: KeyMatch) -> [Certificate] {
        let bound = parts.bound
        var all: [Certificate] = []
        for set in bound.anchorSets {
            all += set.members.map(\.certificate)
            all += set.offers.map(\.certificate)
        }
        for set in bound.pinSets {
            for pin in set.keys + set.backups { all += pin.key.certificates }
        }
        var seen: Set<[UInt8]> = []
        return all.filter { digest.names($0, crypto: crypto) && seen.insert($0.der).inserted }
    }
}

/// The digest that a scalar of a key match writes.
enum WrittenDigest {
    /// - Parameter key: `spki` or `certificate`; nil for other keys, and for a text that is not a
    ///   digest.
    static func read(_ key: String?, _ text: String) -> KeyMatch? {
        switch key {
        case "spki":
            return (try? SPKIDigestScanner.scan(text)).map { KeyMatch(kind: .spki, digest: $0) }
        case "certificate":
            return (try? CertificateDigestScanner.scan(text))
                .map { KeyMatch(kind: .certificate, digest: $0) }
        default: return nil
        }
    }
}
