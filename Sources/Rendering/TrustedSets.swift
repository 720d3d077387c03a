package import TrustEngine

/// The anchor sets and pin sets of one policy, for comparing what its rules trust. Anchors are
/// compared as members with their terms (who may vouch, and for what), never by the names of sets.
package final class TrustedSets {
    /// What one list of anchor sets trusts, against another.
    package struct Difference {
        /// Authorities that the other one does not trust on any terms, each once.
        fileprivate(set) var new: [Authority] = []
        /// Whether the other one trusts some that this one does not.
        fileprivate(set) var dropsSome = false
        /// Terms of authorities of both that let them vouch for more here.
        fileprivate(set) var looser: [WeakerField] = []
        /// Whether the other one trusts authorities that vouch for the public.
        fileprivate(set) var othersArePublic = false

        /// Whether authorities that vouch for the public are trusted, and none were.
        var addsPublic: Bool { !othersArePublic && new.contains(where: \.isPublic) }

        /// The new ones, for messages: three by name, the others counted.
        var names: String {
            let names = new.map(\.name)
            let shown = names.count > 3 ? names.prefix(3) : names.dropLast()
            let last = names.count > 3 ? "\(names.count - 3) more" : names.last ?? ""
            return shown.isEmpty ? last : "\(shown.joined(separator: ", ")) and \(last)"
        }
    }

    /// A member of an anchor set on that set's terms.
    struct Authority {
        /// What makes two members one authority.
        enum Identity: Hashable {
            case machine
            /// A name, by its hash in comparison form, and a key.
            case nameAndKey(UInt64, [UInt8])
        }

        let identity: Identity
        let set: String
        let group: AnchorGroup
        /// Nil for the machine's store.
        let certificate: Certificate?

        init(_ certificate: Certificate?, in set: String, _ group: AnchorGroup) {
            self.certificate = certificate
            self.set = set
            self.group = group
            identity =
                certificate.map { .nameAndKey($0.layout.subjectHash, $0.spkiBytes) } ?? .machine
        }

        /// For messages.
        var name: String {
            guard let certificate else {
                return group.filters.contains { $0.only != nil }
                    ? "what `\(set)` keeps of the machine's store"
                    : "every CA of the machine's store"
            }
            return "`\(ViolationSentences.shortSubject(certificate.subjectText))`"
        }

        /// Whether strangers get certificates from it: the machine's store, and what its set judges
        /// by the web's own rules.
        var isPublic: Bool { certificate == nil || group.standard == .webPKI }
    }

    private let members: [String: [Authority]]
    /// Pin sets that do not always reject what they do not hold.
    private let opening: Set<String>
    private var known: [Pair: Difference] = [:]

    private struct Pair: Hashable {
        let own: [String]
        let other: [String]
    }

    /// Sets that a policy lowers to. Linear in their certificates, each of which is parsed once.
    package init(anchorSets: [AnchorSetContents], pinSets: [PinSetContents]) {
        let sets = anchorSets.contains { $0.id == "system" } ? anchorSets : anchorSets + [.system]
        members = Dictionary(
            sets.map { ($0.id, TrustedSets.authorities(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        opening = Set(pinSets.filter { $0.onExpiry != .fail }.map(\.id))
    }

    private static func authorities(of set: AnchorSetContents) -> [Authority] {
        set.groups.flatMap { group -> [Authority] in
            switch group.source {
            case .system:
                return [Authority(nil, in: set.id, group)]
            case .members(let certificates):
                return certificates.compactMap { der in
                    do throws(CertificateError) {
                        return Authority(try Certificate(der: der), in: set.id, group)
                    } catch {
                        // What does not parse has its own diagnostic and is nobody's anchor.
                        return nil
                    }
                }
            }
        }
    }

    /// Whether a mismatch of some pin set of a body rejects, whatever the day.
    func pinsBind(_ body: RuleBody) -> Bool {
        body.pins.contains { !opening.contains($0) }
            && !body.waivers.contains { $0.tolerance == .pins }
            && !body.reportOnly.contains { $0.check == .pins }
    }

    /// Members that are looked at for the difference of two lists, where it is not known yet.
    package func cost(of own: [String], from other: [String]) -> Int {
        guard own != other, known[Pair(own: own, other: other)] == nil else { return 0 }
        return (own + other).reduce(0) { $0 + (members[$1]?.count ?? 0) }
    }

    /// What some anchor sets trust that others do not. Linear in their members, and made once for
    /// two lists.
    func difference(of own: [String], from other: [String]) -> Difference {
        let pair = Pair(own: own, other: other)
        if let found = known[pair] { return found }
        let found = TrustedSets.difference(
            of: own.flatMap { members[$0] ?? [] }, from: other.flatMap { members[$0] ?? [] })
        known[pair] = found
        return found
    }

    private static func difference(of own: [Authority], from other: [Authority]) -> Difference {
        var found = Difference()
        found.othersArePublic = other.contains(where: \.isPublic)
        let theirs = Dictionary(grouping: other, by: \.identity)
        var seen: Set<Authority.Identity> = []
        var told: Set<String> = []
        for authority in own {
            guard let same = theirs[authority.identity] else {
                if seen.insert(authority.identity).inserted { found.new.append(authority) }
                continue
            }
            seen.insert(authority.identity)
            // One of theirs on terms no stricter is enough.
            let terms = same.map { AnchorTermsComparison.looser(authority, than: $0) }
            guard !terms.contains(where: \.isEmpty) else { continue }
            found.looser += (terms.first ?? []).filter { told.insert($0.name).inserted }
        }
        found.dropsSome = other.contains { !seen.contains($0.identity) }
        return found
    }
}
