package import PolicyCompiler
import Rendering
package import TrustEngine

/// A Chrome Root Store as anchor sets: each anchor with each of its alternative sets of constraints
/// is an anchor set, and one set includes them all.
///
/// A constraint without a word in the language costs its anchor. What the store says and the anchor
/// sets do not is a remark.
package struct ChromeRootImport: Sendable {
    /// One anchor on one alternative of its terms.
    package struct AnchorSet: Sendable {
        package let id: String
        /// The file of its certificate, from the unit's root.
        package let file: String
        package let der: [UInt8]
        let isIntermediate: Bool
        let terms: ChromeAnchorTerms?
        /// Whether anything is demanded of the end entity.
        package var isConstrained: Bool { terms.map { $0 != .none } ?? false }
        /// Where it comes from: file, lines and the names of its constraints.
        let note: String
    }

    /// The message about one place of the text.
    package struct Remark: Hashable, Sendable {
        package let offset: Int
        /// Lower case, no full stop. Not escaped.
        package let text: String
        /// Whether an anchor is left out that Chrome trusts, or something is unknown.
        package let isLoss: Bool
    }

    /// In the order of the text.
    package private(set) var sets: [AnchorSet] = []
    /// Sorted by place.
    package private(set) var remarks: [Remark] = []
    /// The anchors that the store has for servers.
    package private(set) var anchors = 0
    /// The anchors that have a set.
    package private(set) var taken = 0
    /// The version of Chrome that the constraints are taken for; nil for the newest.
    package let version: ChromeVersion?
    package let versionMajor: Int64?
    /// The name of the text's file, for notes.
    private let source: SourceFile
    private let crypto: any CryptoBackend

    /// Maps a store.
    ///
    /// - Parameters:
    ///   - source: the text; its path is what notes cite.
    ///   - certificates: DER of certificates, in any order; those that the store does not name are
    ///     not looked at.
    /// - Throws: what `ChromeRootStore` throws, and a certificate that two anchors name.
    package init(
        _ source: SourceFile, certificates: [[UInt8]], version: ChromeVersion?,
        crypto: any CryptoBackend
    ) throws(TextFormatError) {
        try ChromeRootImport.refuseLongLines(of: source)
        let store = try ChromeRootStore(source.bytes)
        self.version = version
        self.source = source
        self.crypto = crypto
        versionMajor = store.versionMajor
        var known: [Digest: [UInt8]] = [:]
        for der in certificates { known[crypto.digest(.sha256, of: der.span)] = der }
        var places: [Digest: Int] = [:]
        var ids: Set<String> = []
        for anchor in store.anchors {
            let digest = digest(of: anchor)
            if let first = places.updateValue(anchor.digestOffset, forKey: digest) {
                let line = source.lines.line(of: first) + 1
                throw TextFormatError(
                    "line \(line) names this certificate already; an anchor stands once",
                    at: anchor.digestOffset)
            }
            if case .certificate(let der) = anchor.name { known[digest] = der }
            guard isForServers(anchor) else { continue }
            anchors += 1
            guard let terms = terms(of: anchor),
                let certificate = certificate(of: anchor, known[digest])
            else { continue }
            taken += 1
            add(anchor, terms, certificate, id: id(certificate, digest, &ids))
        }
        for field in store.unknown {
            remark(field.offset, "`\(field.name)` is not known to this version and not taken over")
        }
        if store.merkleTreeAnchors > 0 {
            remark(
                0,
                "anchors of Merkle tree certificates: \(store.merkleTreeAnchors), which the "
                    + "language has no word for", isLoss: false)
        }
        remarks.sort { $0.offset < $1.offset }
    }

    /// The longest line of the text, in octets: enough for a certificate as one string. The column
    /// of a place is counted from the start of its line.
    package static let longestLine = 32 << 10

    private static func refuseLongLines(of source: SourceFile) throws(TextFormatError) {
        let starts = source.lines.starts
        for (start, end) in zip(starts, starts.dropFirst() + [source.bytes.count])
        where end - start > longestLine {
            throw TextFormatError("a line has at most \(longestLine) octets", at: start)
        }
    }

    private mutating func remark(_ offset: Int, _ text: String, isLoss: Bool = true) {
        remarks.append(Remark(offset: offset, text: text, isLoss: isLoss))
    }

    /// The version as sentences name it.
    package var versionText: String { version.map { "Chrome \($0)" } ?? "the newest Chrome" }

    /// The store as sentences name it.
    package var storeText: String {
        versionMajor.map { "Chrome Root Store \($0)" } ?? "Chrome Root Store"
    }

    // MARK: One anchor

    private func digest(of anchor: ChromeRootStore.Anchor) -> Digest {
        switch anchor.name {
        case .digest(let octets):
            // A store's digest has 32 octets, so it is always one.
            Digest(.sha256, bytes: octets) ?? crypto.digest(.sha256, of: octets.span)
        case .certificate(let der): crypto.digest(.sha256, of: der.span)
        }
    }

    /// Whether Chrome takes the anchor for one of servers.
    private mutating func isForServers(_ anchor: ChromeRootStore.Anchor) -> Bool {
        if anchor.isAdditional {
            guard anchor.isServerAnchor != true else { return true }
            remark(
                anchor.offset,
                "no anchor for servers: `additional_certs` without `tls_trust_anchor: true`",
                isLoss: false)
            return false
        }
        guard anchor.isServerAnchor == false else { return true }
        remark(
            anchor.offset,
            "left out: `tls_trust_anchor: false` contradicts `trust_anchors`, whose anchors "
                + "are all for servers")
        return false
    }

    /// The alternatives that hold for the version; one nil for an anchor without constraints. Nil
    /// for an anchor that is left out.
    private mutating func terms(
        of anchor: ChromeRootStore.Anchor
    ) -> [(ChromeRootStore.ConstraintSet, ChromeAnchorTerms)?]? {
        let unknown = anchor.unknown + anchor.sets.flatMap(\.unknown)
        guard unknown.isEmpty else {
            for field in unknown {
                remark(
                    field.offset,
                    "left out, for `\(field.name)`: this version does not know the field, "
                        + "which may limit the anchor")
            }
            return nil
        }
        guard !anchor.sets.isEmpty else { return [nil] }
        var found: [(ChromeRootStore.ConstraintSet, ChromeAnchorTerms)] = []
        for set in anchor.sets where holds(set) {
            do throws(ChromeAnchorTerms.Obstacle) {
                let terms = try ChromeAnchorTerms(set)
                if !found.contains(where: { $0.1 == terms }) { found.append((set, terms)) }
            } catch {
                switch error {
                case .noWord(let what):
                    remark(set.offset, "left out: the language has no word for \(what)")
                    return nil
                case .neverHolds:
                    remark(
                        set.offset, "falls away: no certificate meets these constraints",
                        isLoss: false)
                }
            }
        }
        guard !found.isEmpty else {
            remark(
                anchor.offset,
                "no set of its constraints holds, so \(versionText) does not trust it",
                isLoss: false)
            return nil
        }
        return found
    }

    /// Whether the versions of a set hold. A set that does not falls away.
    private mutating func holds(_ set: ChromeRootStore.ConstraintSet) -> Bool {
        if let minimum = set.minimumVersion, let version, version < minimum {
            remark(
                set.offset,
                "falls away: its `min_version` is \(minimum), and it is taken for \(versionText)",
                isLoss: false)
            return false
        }
        guard let maximum = set.maximumVersion, version.map({ $0 >= maximum }) ?? true else {
            return true
        }
        remark(
            set.offset,
            "falls away: it is for versions before \(maximum), and is taken for \(versionText)",
            isLoss: false)
        return false
    }

    private mutating func certificate(
        of anchor: ChromeRootStore.Anchor, _ der: [UInt8]?
    ) -> Certificate? {
        guard let der else {
            remark(anchor.digestOffset, "left out: no certificate of the files has this digest")
            return nil
        }
        do throws(CertificateError) {
            let certificate = try Certificate(der: der)
            guard certificate.layout.extensions.isCA || certificate.isRootOfVersion1 else {
                remark(
                    anchor.digestOffset,
                    "left out: its certificate is not a CA by its basicConstraints")
                return nil
            }
            return certificate
        } catch {
            remark(
                anchor.digestOffset,
                "left out: its certificate cannot be read: \(error.details)")
            return nil
        }
    }

    private mutating func add(
        _ anchor: ChromeRootStore.Anchor,
        _ alternatives: [(ChromeRootStore.ConstraintSet, ChromeAnchorTerms)?],
        _ certificate: Certificate, id: String
    ) {
        let place = "\(source.path):\(source.lines.line(of: anchor.offset) + 1)"
        for (index, alternative) in alternatives.enumerated() {
            var note = place
            if let (set, _) = alternative {
                note += ", constraints of line \(source.lines.line(of: set.offset) + 1)"
                let names = set.constraintNames
                note += names.isEmpty ? ", which are none" : ": " + names.joined(separator: ", ")
            }
            sets.append(
                AnchorSet(
                    id: index == 0 ? id : "\(id)-\(index + 1)", file: "anchors/\(id).pem",
                    der: certificate.der, isIntermediate: !certificate.isSelfIssued,
                    terms: alternative?.1, note: note))
        }
    }

    // MARK: Ids

    /// The most letters of a subject in an id, which has at most 64.
    private static let longestName = 40

    /// `chrome-`, the subject's first name, and eight digits of the digest.
    private func id(
        _ certificate: Certificate, _ digest: Digest, _ ids: inout Set<String>
    ) -> String {
        var slug: [UInt8] = []
        var subject = Words.shortSubject(certificate.subjectText)[...]
        if let equals = subject.firstIndex(of: "=") {
            subject = subject[subject.index(after: equals)...]
        }
        for byte in subject.utf8 where slug.count < Self.longestName {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                slug.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): slug.append(byte | 0x20)
            default: if slug.last != UInt8(ascii: "-"), !slug.isEmpty { slug.append(0x2D) }
            }
        }
        while slug.last == UInt8(ascii: "-") { slug.removeLast() }
        let name = slug.isEmpty ? "" : String(decoding: slug, as: UTF8.self) + "-"
        let digits = Hexadecimal.encode(digest.bytes)
        let short = "chrome-\(name)\(digits.prefix(8))"
        guard !ids.insert(short).inserted else { return short }
        // Two certificates of one name whose digests begin alike.
        return "chrome-\(digits.prefix(32))"
    }
}

extension ChromeRootStore.ConstraintSet {
    /// The names of the constraints that are written, as the store writes them.
    fileprivate var constraintNames: [String] {
        var names: [String] = []
        if sctNotAfter != nil { names.append("sct_not_after_sec") }
        if sctAllAfter != nil { names.append("sct_all_after_sec") }
        if startsNotAfter != nil { names.append("validity_starts_not_after_sec") }
        if startsAfter != nil { names.append("validity_starts_after_sec") }
        if !permittedNames.isEmpty { names.append("permitted_dns_names") }
        return names
    }
}
