import PolicyCompiler
import TrustEngine

/// A public CA that has announced what its certificates no longer have. Lint rules conclude from
/// it what a policy asks of the CA in vain, so a CA stands here only with the source of each date.
/// Nothing is concluded of a CA that does not stand here.
struct AnnouncedCA: Sendable {
    /// The name for messages.
    let name: String
    /// The SHA-256 digests of the keys of its roots, as policies write them.
    let rootKeys: Set<String>
    /// From here on it publishes CRLs and answers no OCSP request.
    let withoutOCSPSince: UTCInstant
    /// Where it says so.
    let withoutOCSPSource: String
    /// The longest lifetime of its certificates for servers, in seconds.
    let longestLifetime: Int64

    /// Every such CA.
    static let all: [AnnouncedCA] = [letsEncrypt]

    /// ISRG Root X1, ISRG Root X2, Root YE and Root YR, as letsencrypt.org/certificates lists them.
    private static let letsEncrypt = AnnouncedCA(
        name: "Let's Encrypt",
        rootKeys: [
            "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
            "sha256/diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
            "sha256/sCkq5UWXjg+7mKu9lMhhYF5bGLsy7VI/UNW3tccdR7w=",
            "sha256/fk6IOKit1ild5647BH06ujSIq5XbCgqlbYl6ANhhi88=",
        ],
        withoutOCSPSince: UTCInstant(secondsSinceEpoch: 1_754_438_400),  // 2025-08-06
        withoutOCSPSource: "Let's Encrypt, \"OCSP Service Has Reached End of Life\", 2025-08-06",
        longestLifetime: 90 * 86_400)

    /// The CA whose root has the key of a certificate; nil if none has.
    static func of(_ certificate: Certificate, crypto: any CryptoBackend) -> AnnouncedCA? {
        let digest = crypto.digest(.sha256, of: certificate.keyOctets.span)
        let key = KeyMatch(kind: .spki, digest: digest).text
        return all.first { $0.rootKeys.contains(key) }
    }
}

/// How long public CAs may issue for, by the date of issue: CA/Browser Forum, Baseline Requirements
/// section 6.3.2, as ballot SC-081v3 of April 2025 has it. `policies/web-lifetimes` has the same
/// steps as a profile.
enum PublicLifetimes {
    /// The first instant of a step, and the days that count from there on; the earliest first.
    private static let steps: [(from: Int64, days: Int64)] = [
        (1_773_532_800, 200),  // 2026-03-15
        (1_805_068_800, 100),  // 2027-03-15
        (1_868_227_200, 47),  // 2029-03-15
    ]

    /// The days for which a certificate may be issued at an instant; nil before the first step.
    static func days(issuedAt time: UTCInstant) -> Int64? {
        steps.last { $0.from <= time.secondsSinceEpoch }?.days
    }

    /// The longest lifetime under the first step, in seconds.
    static let longest = steps[0].days * 86_400
    /// The steps, for a note.
    static let note =
        "CA/Browser Forum ballot SC-081v3: 200 days for what is issued from 2026-03-15 on, 100 from "
        + "2027-03-15 on, 47 from 2029-03-15 on"
}

extension LintContext {
    /// Whether a set holds a public CA. A member that `only` keeps of the machine's store was
    /// chosen by its key; it may be a private CA that the machine's administrator added.
    func holdsPublicCA(_ id: String) -> Bool {
        if id == "system" { return true }
        return parts.anchorSets[id]?.groups.contains { isPublic($0) } ?? false
    }

    /// Whether a body trusts public CAs and nothing else. False where a part could not be read.
    func trustsPublicCAsAlone(_ body: BoundBody) -> Bool {
        guard let items = body.anchors?.items, !items.isEmpty else { return false }
        return items.allSatisfy { item in
            if item.value == "system" { return true }
            guard let set = parts.anchorSets[item.value], set.isComplete, !set.groups.isEmpty
            else { return false }
            return set.groups.allSatisfy { isPublic($0) }
        }
    }

    private func isPublic(_ group: ResolvedAnchorSets.Group) -> Bool {
        if group.isSystem { return group.filters.allSatisfy { $0.only == nil } }
        if group.standard == .webPKI { return true }
        return !group.members.isEmpty
            && group.members.allSatisfy { AnnouncedCA.of($0, crypto: crypto) != nil }
    }

    /// The first anchor of a body that is the root of an announced CA, with the item that names
    /// its set.
    func announcedAnchor(
        of body: BoundBody
    ) -> (item: Located<String>, anchor: Certificate, authority: AnnouncedCA)? {
        for item in body.anchors?.items ?? [] {
            for group in parts.anchorSets[item.value]?.groups ?? [] where !group.isSystem {
                // Sorted, because the members of a set have no order.
                let members = group.members.sorted { $0.der.lexicographicallyPrecedes($1.der) }
                for anchor in members {
                    if let authority = AnnouncedCA.of(anchor, crypto: crypto) {
                        return (item, anchor, authority)
                    }
                }
            }
        }
        return nil
    }
}
