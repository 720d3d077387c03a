import PolicyCompiler
package import TrustEngine

/// A trust bundle of SPIFFE: a set of JSON Web Keys with a sequence number and a refresh hint.
///
/// Sources: "The SPIFFE Trust Domain and Bundle", section 4, of spiffe/spiffe, and
/// `bundle/spiffebundle/bundle.go` of spiffe/go-spiffe:
///
/// - `keys` must be there. An entry with the use `x509-svid` has exactly one certificate in `x5c`,
///   which is an anchor. An entry with the use `jwt-svid` needs `kid`; TLS does not use it.
///   Entries with another use are ignored.
/// - `spiffe_refresh_hint` is how often, in seconds, a consumer should ask for a new bundle.
///   `spiffe_sequence` grows with each change.
package struct SPIFFEBundle: Sendable {
    package internal(set) var certificates: [Certificate] = []
    package internal(set) var sequence: (number: UInt64, range: Range<Int>)?
    /// In seconds.
    package internal(set) var refreshHint: (seconds: Int64, range: Range<Int>)?
    /// The entries for other uses, with the use.
    package internal(set) var others: [(use: String, range: Range<Int>)] = []
    /// The place of `keys`.
    private(set) var range = 0..<0

    /// Reads a bundle.
    ///
    /// - Throws: HX101 or HX501 with the place of the first fault.
    package static func read(_ bytes: [UInt8]) throws(ForeignError) -> SPIFFEBundle {
        var json = JSONReader(bytes)
        let isObject: Bool
        do throws(JSONReader.Problem) {
            isObject = try json.members(most: 1_000) != nil
        } catch {
            let at = min(error.offset, bytes.count)
            throw ForeignError(
                .foreignSyntax, "the file is not a bundle in JSON: \(error.reason)", at: at..<at)
        }
        guard isObject else {
            throw ForeignError(
                .foreignSyntax, "the file is not a bundle in JSON: an object is wanted", at: 0..<0)
        }
        // JSON is YAML, too. This reader keeps places and refuses duplicate names and characters
        // that an editor does not show.
        guard let root = try DocumentNode.documents(bytes).first else {
            throw ForeignError(.foreignSyntax, "the file is empty", at: 0..<0)
        }
        var bundle = SPIFFEBundle()
        try bundle.take(root)
        return bundle
    }

    private mutating func take(_ root: DocumentNode) throws(ForeignError) {
        if let hint = root.value("spiffe_refresh_hint") {
            guard let text = hint.text, let seconds = Int64(text), seconds >= 0 else {
                throw ForeignError(
                    .configurationRefused,
                    "`spiffe_refresh_hint` takes a number of seconds", at: hint.range)
            }
            refreshHint = (seconds, hint.range)
        }
        if let written = root.value("spiffe_sequence") {
            guard let text = written.text, let number = UInt64(text) else {
                throw ForeignError(
                    .configurationRefused, "`spiffe_sequence` takes a number of 64 bits",
                    at: written.range)
            }
            sequence = (number, written.range)
        }
        guard let keys = root.value("keys") else {
            throw ForeignError(
                .configurationRefused, "no authorities found: the bundle has no `keys`",
                at: root.range.prefix(1))
        }
        range = keys.range.prefix(1)
        for (index, key) in try keys.requireItems("keys").enumerated() { try take(key, index) }
    }

    /// The parameters of private keys (RFC 7517, RFC 7518 section 6, RFC 8037).
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "k", "oth"]

    private mutating func take(_ key: DocumentNode, _ index: Int) throws(ForeignError) {
        _ = try key.requireMap("an item of `keys`")
        if let member = key.entries.first(where: { Self.privateMembers.contains($0.key) }) {
            throw ForeignError(
                .configurationRefused,
                "entry \(index) of `keys` holds a private key (`\(member.key)`); nothing of it was "
                    + "kept", at: member.keyRange,
                help: ["publish public keys only, and replace the key"])
        }
        let use = try key.value("use")?.requireText("use") ?? ""
        guard use == "x509-svid" else {
            let kid = try key.value("kid")?.requireText("kid") ?? ""
            guard !["jwt-svid", "wit-svid"].contains(use) || !kid.isEmpty else {
                throw ForeignError(
                    .configurationRefused,
                    "entry \(index) of `keys` needs `kid`: keyID cannot be empty",
                    at: key.range.prefix(1))
            }
            others.append((use, key.value("use")?.range ?? key.range.prefix(1)))
            return
        }
        let chain = try key.value("x5c")?.requireItems("x5c") ?? []
        guard chain.count == 1, let only = chain.first else {
            throw ForeignError(
                .configurationRefused,
                "expected a single certificate in x509-svid entry \(index); got \(chain.count)",
                at: key.value("x5c")?.range.prefix(1) ?? key.range.prefix(1))
        }
        guard let octets = Base64.decode(Array(try only.requireText("x5c").utf8)[...]) else {
            throw ForeignError(.configurationRefused, "`x5c` takes base64", at: only.range)
        }
        do throws(CertificateError) {
            certificates.append(try Certificate(der: octets))
        } catch {
            throw ForeignError(
                .configurationRefused,
                "the certificate of entry \(index) of `keys` cannot be read: \(error.context)",
                at: only.range)
        }
    }
}
