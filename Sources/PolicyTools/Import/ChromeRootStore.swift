/// The contents of Chromium's `root_store.textproto`: anchors, each with its alternative sets of
/// constraints. The fields come from Chromium's net/cert/root_store.proto, read in November
/// 2026. The words of the constraints are judged in `ChromeRootImport`.
package struct ChromeRootStore: Hashable, Sendable {
    /// One certificate that the store names.
    package struct Anchor: Hashable, Sendable {
        /// Where the anchor begins, an offset in octets.
        package var offset: Int
        /// Where its digest stands.
        package var digestOffset: Int
        package var name: Name
        /// Whether it stands in `additional_certs`, whose certificates vouch for servers only where
        /// `tls_trust_anchor` says so.
        package var isAdditional: Bool
        package var isServerAnchor: Bool?
        package var enforcesExpiry = false
        package var enforcesConstraints = false
        /// Alternatives: one must hold as a whole. An empty list constrains nothing.
        package var sets: [ConstraintSet] = []
        /// Fields that this version does not know, without the fields of its sets.
        package var unknown: [UnknownField] = []
    }

    /// How an anchor names its certificate.
    package enum Name: Hashable, Sendable {
        /// SHA-256 of the certificate, 32 octets.
        case digest([UInt8])
        /// DER.
        case certificate([UInt8])
    }

    /// Constraints that must all hold. Seconds count from 1970-01-01.
    package struct ConstraintSet: Hashable, Sendable {
        /// Where the set begins, an offset in octets.
        package var offset: Int
        /// At least one valid timestamp is at or before.
        package var sctNotAfter: Int64?
        /// At least one timestamp is valid, and all valid timestamps are after.
        package var sctAllAfter: Int64?
        package var minimumVersion: ChromeVersion?
        /// The first version for which the set does not hold.
        package var maximumVersion: ChromeVersion?
        /// Subtrees as in name constraints (RFC 5280 section 4.2.1.10). Every DNS name of the end
        /// entity lies in one; an empty list constrains nothing.
        package var permittedNames: [String] = []
        /// The last index in a log of Merkle tree certificates.
        package var indexNotAfter: UInt64?
        /// The index there is higher.
        package var indexAfter: UInt64?
        /// The end entity's notBefore is at or before.
        package var startsNotAfter: Int64?
        /// The end entity's notBefore is after.
        package var startsAfter: Int64?
        package var unknown: [UnknownField] = []
    }

    /// A field that this version does not know.
    package struct UnknownField: Hashable, Sendable {
        package var name: String
        package var offset: Int
    }

    /// The most sets of constraints of one anchor. Chrome's have two.
    package static let mostSets = 64
    /// The most permitted names of one set. Sets and names are compared pair by pair.
    package static let mostNames = 1_000

    package private(set) var anchors: [Anchor] = []
    package private(set) var versionMajor: Int64?
    /// The number of `mtc_anchors`: anchors of Merkle tree certificates.
    package private(set) var merkleTreeAnchors = 0
    /// Fields of the whole store that this version does not know.
    package private(set) var unknown: [UnknownField] = []

    /// Reads the text of a store.
    ///
    /// - Throws: for text that is not of the text format; a known field with a value of another
    ///   type, or twice where it may stand once; an anchor without a digest, or with a digest that
    ///   another anchor has; a text without anchors.
    package init(_ bytes: [UInt8]) throws(TextFormatError) {
        let message = try TextFormatReader.read(bytes)
        var seen = Once()
        for field in message.fields {
            guard let known = StoreField(rawValue: field.name) else {
                unknown.append(UnknownField(name: field.name, offset: field.offset))
                continue
            }
            switch known {
            case .anchors, .additional:
                guard let inner = try field.message() else { continue }
                anchors.append(
                    try Anchor(inner, at: field.offset, isAdditional: known == .additional))
            case .versionMajor:
                try seen.add(field)
                versionMajor = try field.signed()
            case .merkleTreeAnchors:
                if try field.message() != nil { merkleTreeAnchors += 1 }
            }
        }
        guard !anchors.isEmpty else {
            throw TextFormatError(
                "this is not the text of a root store: it has no `trust_anchors`", at: 0)
        }
    }
}

// MARK: Fields

/// The fields of a RootStore.
private enum StoreField: String {
    case anchors = "trust_anchors"
    case versionMajor = "version_major"
    case additional = "additional_certs"
    case merkleTreeAnchors = "mtc_anchors"
}

/// The fields of a TrustAnchor.
private enum AnchorField: String {
    case der
    case digest = "sha256_hex"
    case policies = "ev_policy_oids"
    case constraints
    case displayName = "display_name"
    case qualified = "eutl"
    case enforcesExpiry = "enforce_anchor_expiry"
    case enforcesConstraints = "enforce_anchor_constraints"
    case isServerAnchor = "tls_trust_anchor"
    case anchorID = "trust_anchor_id"
    case rootID = "crs_root_id"
}

/// The fields of a ConstraintSet.
private enum ConstraintField: String {
    case sctNotAfter = "sct_not_after_sec"
    case sctAllAfter = "sct_all_after_sec"
    case minimumVersion = "min_version"
    case maximumVersion = "max_version_exclusive"
    case permittedNames = "permitted_dns_names"
    case indexNotAfter = "index_not_after"
    case indexAfter = "index_after"
    case startsNotAfter = "validity_starts_not_after_sec"
    case startsAfter = "validity_starts_after_sec"
}

/// Refuses a second value of a field that has one.
private struct Once {
    private var names: Set<String> = []

    mutating func add(_ field: TextField) throws(TextFormatError) {
        guard names.insert(field.name).inserted else {
            throw TextFormatError("`\(field.name)` stands twice here", at: field.offset)
        }
    }
}

extension ChromeRootStore.Anchor {
    fileprivate init(
        _ message: TextMessage, at offset: Int, isAdditional: Bool
    ) throws(TextFormatError) {
        var name: (value: ChromeRootStore.Name, offset: Int)?
        var (isServerAnchor, expiry, constraints): (Bool?, Bool, Bool) = (nil, false, false)
        var sets: [ChromeRootStore.ConstraintSet] = []
        var unknown: [ChromeRootStore.UnknownField] = []
        var seen = Once()
        for field in message.fields {
            guard let known = AnchorField(rawValue: field.name) else {
                unknown.append(.init(name: field.name, offset: field.offset))
                continue
            }
            if known != .constraints, known != .policies { try seen.add(field) }
            switch known {
            case .der, .digest:
                guard name == nil else {
                    throw TextFormatError(
                        "an anchor has `der` or `sha256_hex`, and not both", at: field.offset)
                }
                name = (
                    known == .der ? .certificate(try field.octets()) : try field.digest(),
                    field.offset
                )
            case .constraints:
                guard let inner = try field.message() else { continue }
                guard sets.count < ChromeRootStore.mostSets else {
                    throw TextFormatError(
                        "an anchor has at most \(ChromeRootStore.mostSets) sets of constraints",
                        at: field.offset)
                }
                sets.append(try ChromeRootStore.ConstraintSet(inner, at: field.offset))
            case .enforcesExpiry: expiry = try field.isTrue()
            case .enforcesConstraints: constraints = try field.isTrue()
            case .isServerAnchor: isServerAnchor = try field.isTrue()
            // They say nothing about which chains are good.
            case .policies, .displayName, .qualified, .anchorID, .rootID: break
            }
        }
        guard let name else {
            throw TextFormatError("this anchor has no `sha256_hex`", at: offset)
        }
        self.init(
            offset: offset, digestOffset: name.offset, name: name.value,
            isAdditional: isAdditional, isServerAnchor: isServerAnchor, enforcesExpiry: expiry,
            enforcesConstraints: constraints, sets: sets, unknown: unknown)
    }
}

extension ChromeRootStore.ConstraintSet {
    fileprivate init(_ message: TextMessage, at offset: Int) throws(TextFormatError) {
        self.init(offset: offset)
        var seen = Once()
        for field in message.fields {
            guard let known = ConstraintField(rawValue: field.name) else {
                unknown.append(.init(name: field.name, offset: field.offset))
                continue
            }
            if known != .permittedNames { try seen.add(field) }
            switch known {
            case .sctNotAfter: sctNotAfter = try field.signed()
            case .sctAllAfter: sctAllAfter = try field.signed()
            case .minimumVersion: minimumVersion = try field.version()
            case .maximumVersion: maximumVersion = try field.version()
            case .permittedNames:
                guard field.value != .emptyList else { continue }
                guard permittedNames.count < ChromeRootStore.mostNames else {
                    throw TextFormatError(
                        "a set of constraints has at most \(ChromeRootStore.mostNames) names",
                        at: field.offset)
                }
                permittedNames.append(try field.text())
            case .indexNotAfter: indexNotAfter = try field.unsigned()
            case .indexAfter: indexAfter = try field.unsigned()
            case .startsNotAfter: startsNotAfter = try field.signed()
            case .startsAfter: startsAfter = try field.signed()
            }
        }
    }
}

// MARK: Values

extension TextField {
    private func wanted(_ kind: String) -> TextFormatError {
        TextFormatError("`\(name)` takes \(kind)", at: offset)
    }

    /// A message; nil for an empty list of messages.
    fileprivate func message() throws(TextFormatError) -> TextMessage? {
        switch value {
        case .message(let message): return message
        case .emptyList: return nil
        default: throw wanted("a message in `{}`")
        }
    }

    fileprivate func signed() throws(TextFormatError) -> Int64 {
        guard case .integer(let isNegative, let magnitude) = value else {
            throw wanted("a whole number")
        }
        guard isNegative else {
            guard let number = Int64(exactly: magnitude) else {
                throw wanted("a whole number of 64 bits with a sign")
            }
            return number
        }
        guard magnitude <= UInt64(Int64.max) else {
            throw wanted("a whole number of 64 bits with a sign")
        }
        return -Int64(magnitude)
    }

    fileprivate func unsigned() throws(TextFormatError) -> UInt64 {
        guard case .integer(let isNegative, let magnitude) = value, !isNegative || magnitude == 0
        else { throw wanted("a whole number that is not negative") }
        return magnitude
    }

    /// The words of the format specification for a boolean.
    fileprivate func isTrue() throws(TextFormatError) -> Bool {
        switch value {
        case .word("true"), .word("True"), .word("t"), .integer(false, 1): return true
        case .word("false"), .word("False"), .word("f"), .integer(_, 0): return false
        default: throw wanted("`true` or `false`")
        }
    }

    fileprivate func octets() throws(TextFormatError) -> [UInt8] {
        guard case .string(let octets) = value else { throw wanted("a string in quotes") }
        return octets
    }

    fileprivate func text() throws(TextFormatError) -> String {
        guard let text = String(validating: try octets(), as: UTF8.self) else {
            throw wanted("text in UTF-8")
        }
        return text
    }

    /// SHA-256 as 64 hexadecimal digits of either case.
    fileprivate func digest() throws(TextFormatError) -> ChromeRootStore.Name {
        let digits = try octets().map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, !digits.contains(nil) else {
            throw wanted("the 64 hexadecimal digits of a SHA-256")
        }
        let values = digits.map { UInt8($0 ?? 0) }
        return .digest(stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }

    fileprivate func version() throws(TextFormatError) -> ChromeVersion {
        guard let version = ChromeVersion(try text()) else {
            throw wanted("a version of Chrome such as \"153.0.8010.0\"")
        }
        return version
    }
}
