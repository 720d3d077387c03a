import Rendering
import TrustEngine

/// What an author could add: an exception, a rule inside another, a wider pattern, a listed name,
/// another key. Each of these reads like a line of an honest policy.
extension MutationMaker {
    /// Everything that can be added to a rule, or to `default`.
    ///
    /// - Parameter since: the earliest clock of the tests, at which exceptions are in force.
    func ofAdditions(_ index: Int, since: UTCInstant) -> [Mutation] {
        guard let body = body(index) else { return [] }
        let place = places.location(of: index)
        let until = since.advanced(bySeconds: MutationMaker.addedTerm)
        var made: [Mutation] = []
        for tolerance in MutationMaker.tolerances
        where !body.waivers.contains(where: { $0.tolerance.name == tolerance.name })
            && MutationMaker.mayNeed(tolerance.name, body)
        {
            made.append(
                mutation(
                    "\(name(index)) has a waiver of `\(tolerance.name)`", place,
                    changed([index]) { body in
                        body.waivers.append(
                            Waiver(
                                tolerance: tolerance, until: until, reason: "mutant",
                                owner: "mutant", ticket: nil))
                        body.waivers.sort { $0.tolerance.number < $1.tolerance.number }
                    }))
        }
        // One change for all checks: a rule has few lines, and each change is a line of the answer.
        let checks = ReportOnly.Check.builtIn.filter { check in
            !body.reportOnly.contains { $0.check == check }
                && MutationMaker.mayNeed(check.name, body)
        }
        if !checks.isEmpty {
            made.append(
                mutation(
                    "\(name(index)) only reports "
                        + checks.map { "`\($0.name)`" }.joined(separator: ", "), place,
                    changed([index]) { body in
                        body.reportOnly += checks.map {
                            ReportOnly(check: $0, until: until, note: nil)
                        }
                        body.reportOnly.sort { $0.check.precedes($1.check) }
                    }))
        }
        if body.identity.reference == .host {
            made.append(
                mutation(
                    "\(name(index)) has `identity.reference: listed` with the name "
                        + "`\(MutationMaker.stranger)`", place,
                    changed([index]) { body in
                        body.identity = IdentityRequirement(
                            reference: .listed, dns: [MutationMaker.stranger])
                    }))
        }
        return made
    }

    /// Whether a body can have the demand that an exception suspends.
    private static func mayNeed(_ exception: String, _ body: RuleBody) -> Bool {
        switch exception {
        case ReportOnly.Check.pins.name: return !body.pins.isEmpty
        case ReportOnly.Check.transparency.name: return body.requirements.transparency.isDemanded
        case ReportOnly.Check.lifetime.name:
            return body.requirements.value(of: .maximumLifetime)
                != Requirements.baseline.value(of: .maximumLifetime)
        // Every body has the demands of the others.
        default: return true
        }
    }

    /// The waivers that are added: waivers that let a stranger in, and waivers that a rule's own
    /// demands can need. A waiver that lets nothing pass does not count as a mutant.
    private static let tolerances: [Waiver.Tolerance] = [
        .identity, .path, .expired(seconds: 7 * 86_400), .revocation, .pins, .transparency,
        .cleartext,
    ]
    /// Seconds of 90 days.
    private static let addedTerm: Int64 = 90 * 86_400
    /// A name of nobody's (RFC 6761 section 6.4).
    private static let stranger = "mutant.invalid"

    // MARK: Hosts

    /// A narrower rule and a carved-out port inside each pattern, with the same anchors and without
    /// the rule's other demands, and each pattern made wider.
    func ofAddedHosts(_ index: Int) -> [Mutation] {
        let rule = contents.rules[index]
        let place = places.rule(index)
        let taken = Set(contents.rules.flatMap(\.hosts))
        var made: [Mutation] = []
        for pattern in rule.hosts {
            let location = place.place(of: pattern)
            for inner in MutationMaker.narrower(pattern) where !taken.contains(inner) {
                made.append(
                    mutation(
                        "`\(inner.canonicalText)` inside `\(pattern.canonicalText)` of "
                            + "\(name(index)) has a rule of its own without its demands",
                        location, adding(inner, like: rule.body)))
            }
            guard let wider = MutationMaker.parent(of: pattern), !taken.contains(wider) else {
                continue
            }
            var contents = contents
            let rest = rule.hosts.filter { $0 != pattern } + [wider]
            contents.rules[index].hosts = rest.sorted { $0.canonicalText < $1.canonicalText }
            made.append(
                mutation(
                    "\(name(index)) has the hosts `\(wider.canonicalText)` in place of "
                        + "`\(pattern.canonicalText)`", location, contents))
        }
        return made
    }

    /// The policy with one more rule: the anchors of another, and otherwise the baseline. Where the
    /// pins are the anchors, they stay.
    private func adding(_ pattern: HostPattern, like body: RuleBody) -> PolicyContents {
        var id = "mutant"
        while contents.rules.contains(where: { $0.id == id }) { id += "-x" }
        let relaxed = RuleBody(
            anchors: body.anchors, anchorsArePinnedKeys: body.anchorsArePinnedKeys,
            pins: body.anchorsArePinnedKeys ? body.pins : [],
            profile: BuiltInProfile.baseline.rawValue, requirements: .baseline,
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        var contents = contents
        contents.rules.append(RuleContents(id: id, hosts: [pattern], body: relaxed))
        contents.rules.sort { $0.id < $1.id }
        return contents
    }

    /// One host inside a pattern, and one port of it.
    private static func narrower(_ pattern: HostPattern) -> [HostPattern] {
        var found: [HostPattern] = []
        switch pattern.host {
        case .oneLabel(let base), .anyLabels(let base):
            // A name may have no room for one label more.
            if case .name(let name)? = try? CanonicalHost(text: "mutant.\(base)") {
                found.append(HostPattern(host: .name(name), port: pattern.port))
            }
        case .name, .address, .network: break
        }
        if pattern.port == nil { found.append(HostPattern(host: pattern.host, port: carvedPort)) }
        return found
    }

    private static let carvedPort: UInt16 = 8443

    /// The wildcard of the domain above: `**.bank.example` for `pay.bank.example` and for
    /// `**.pay.bank.example`. A single label is nobody's domain.
    private static func parent(of pattern: HostPattern) -> HostPattern? {
        let text: String
        switch pattern.host {
        case .name(let name), .anyLabels(let name): text = name
        // The next wider pattern of one label is tried by itself.
        case .oneLabel, .address, .network: return nil
        }
        guard let dot = text.firstIndex(of: ".") else { return nil }
        let base = String(text[text.index(after: dot)...])
        guard base.contains(".") else { return nil }
        return HostPattern(host: .anyLabels(base: base), port: pattern.port)
    }

    // MARK: Keys

    /// Another key under the name of each certificate of an anchor set: the name that a reader sees
    /// is the same.
    func ofExchangedKeys(_ set: AnchorSetContents) -> [Mutation] {
        // A set that includes this one has its members too, and stands in another place.
        let location = exact("/anchors/\(set.id)")
        guard location != nil || !hasPlaces else { return [] }
        var seen: Set<[UInt8]> = []
        var made: [Mutation] = []
        for group in set.groups {
            guard case .members(let members) = group.source else { continue }
            for member in members where seen.insert(member).inserted {
                guard let other = MutationMaker.exchangingKey(of: member),
                    let subject = (try? Certificate(der: member))?.subjectText
                else { continue }
                made.append(
                    mutation(
                        "anchors `\(set.id)` have another key under the name `\(subject)`",
                        location, replacing(member, by: other, in: set.id)))
            }
        }
        return made
    }

    private func replacing(
        _ member: [UInt8], by other: [UInt8], in id: String
    ) -> PolicyContents {
        var contents = contents
        for index in contents.anchorSets.indices where contents.anchorSets[index].id == id {
            let set = contents.anchorSets[index]
            let groups = set.groups.map { group in
                guard case .members(let members) = group.source, members.contains(member) else {
                    return group
                }
                var group = group
                let exchanged = members.map { $0 == member ? other : $0 }
                group.source = .members(
                    Set(exchanged).sorted { $0.lexicographicallyPrecedes($1) })
                return group
            }
            contents.anchorSets[index] = AnchorSetContents(
                id: set.id, groups: groups, intermediates: set.intermediates, owner: set.owner,
                note: set.note)
        }
        return contents
    }

    /// A certificate that differs in its key alone; nil where it is none that can be read. An
    /// anchor's own signature is not verified, so it need not fit.
    private static func exchangingKey(of der: [UInt8]) -> [UInt8]? {
        guard let certificate = try? Certificate(der: der) else { return nil }
        let key = certificate.spkiBytes
        let tbs = certificate.layout.tbs.indices
        guard let range = der.firstRange(of: key), tbs.contains(range.lowerBound),
            let start = contentStart(der, at: tbs.lowerBound)
        else { return nil }
        let content =
            Array(der[start..<range.lowerBound]) + strangersKey
            + Array(der[range.upperBound..<tbs.upperBound])
        let changed = sequence(sequence(content) + Array(der[tbs.upperBound...]))
        guard let other = try? Certificate(der: changed),
            other.subjectText == certificate.subjectText, other.spkiBytes != key
        else { return nil }
        return changed
    }

    /// Where the content of an element of DER begins; nil where there is none.
    private static func contentStart(_ der: [UInt8], at offset: Int) -> Int? {
        guard offset + 1 < der.count else { return nil }
        let length = der[offset + 1]
        // The long form has its number of octets in the low bits (X.690 section 8.1.3.5).
        return offset + 2 + (length < 0x80 ? 0 : Int(length & 0x7F))
    }

    /// A SEQUENCE of DER with a content.
    private static func sequence(_ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [0x30, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [0x30, 0x80 | UInt8(length.count)] + length + content
    }

    /// The SubjectPublicKeyInfo of the generator of P-256 (SEC 2 section 2.4.2): a valid key that
    /// no honest policy has, since its secret is 1.
    private static let strangersKey: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
        0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04, 0x6B,
        0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40,
        0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8,
        0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB,
        0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB,
        0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
    ]
}
