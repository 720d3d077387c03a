package import TrustEngine

/// Digests of a SubjectPublicKeyInfo: `sha256/`, `sha384/` or `sha512/`, and padded base64 (RFC
/// 4648 section 4) of the digest's length.
package enum SPKIDigestScanner {
    /// Reads a digest.
    ///
    /// - Throws: HW401 with the corrected text, HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> Digest {
        try ScalarProblem.requireText(text, of: "the key digest")
        let bytes = Array(text.utf8)
        guard let parts = DigestText.parts(bytes) else { throw foreignForm(text, bytes) }
        let body = bytes[parts.body]
        guard parts.form == .spki else {
            let written =
                (try? CertificateDigestScanner.scan(text)) == nil
                ? "\(parts.algorithm.name):…" : text
            throw ScalarProblem(
                .malformedPin,
                "this is a certificate digest (`\(parts.algorithm.name):` and hex); `spki` wants "
                    + "the key's (`\(parts.algorithm.name)/` and base64)",
                help: [
                    "write `certificate: \(written)` for this one certificate; for the key run "
                        + "`hawser pin FILE`"
                ])
        }
        try refuseDoubleSlash(parts, body)
        guard let octets = DigestText.lenientBase64(body) else {
            throw notBase64(parts, body)
        }
        try requireLength(parts, body, octets)
        // Decoding was lenient, so that a corrected text can be given. Encoding again is exact.
        let exact = Base64.encode(octets)
        guard body.elementsEqual(exact.utf8),
            let digest = Digest(parts.algorithm, octets: octets.span)
        else { throw inexact(parts, body, exact) }
        return digest
    }

    /// Refuses `sha256//`, the spelling of curl. A digest may itself begin with a slash.
    private static func refuseDoubleSlash(
        _ parts: DigestText.Parts, _ body: ArraySlice<UInt8>
    ) throws(ScalarProblem) {
        guard body.first == UInt8(ascii: "/"), body.count > characters(parts.algorithm) else {
            return
        }
        let name = parts.algorithm.name
        throw ScalarProblem(
            .malformedPin, "`\(name)//` is curl's spelling; here one `/` follows the algorithm",
            range: body.startIndex..<body.startIndex + 1,
            write: "\(name)/\(String(decoding: body.dropFirst(), as: UTF8.self))")
    }

    /// The problem of a body that is not base64 in either alphabet.
    private static func notBase64(
        _ parts: DigestText.Parts, _ body: ArraySlice<UInt8>
    ) -> ScalarProblem {
        let name = parts.algorithm.name
        if body.isEmpty {
            return ScalarProblem(
                .malformedPin, "`\(name)/` has no digest after it",
                help: ["run `hawser pin FILE` for the whole of it"])
        }
        let isAlphabet: (UInt8) -> Bool = { byte in
            byte == UInt8(ascii: "=") || DigestText.lenientBase64([byte, byte]) != nil
        }
        if let at = body.firstIndex(where: { !isAlphabet($0) }) {
            let end = body.characterEnd(at)
            let character = String(decoding: body[at..<end], as: UTF8.self)
            return ScalarProblem(
                .malformedPin, "\(ScalarProblem.quote(character)) is not a base64 character",
                range: at..<end, help: ["base64 has letters, digits, `+` and `/`, then `=`"])
        }
        return ScalarProblem(
            .malformedPin,
            "`\(name)/` wants \(characters(parts.algorithm)) characters of base64; found "
                + "\(body.count), which no base64 has",
            range: parts.body, help: ["run `hawser pin FILE` for the whole of it"])
    }

    /// Refuses base64 of another number of octets. Hex after `/` is one case of it.
    private static func requireLength(
        _ parts: DigestText.Parts, _ body: ArraySlice<UInt8>, _ octets: [UInt8]
    ) throws(ScalarProblem) {
        let name = parts.algorithm.name
        if octets.count == parts.algorithm.byteCount { return }
        if let hex = DigestText.lenientHex(body), hex.count == parts.algorithm.byteCount {
            throw ScalarProblem(
                .malformedPin, "this is hex; after `\(name)/` stands base64", range: parts.body,
                help: [
                    "if it is the key's digest write `\(name)/\(Base64.encode(hex))`; a "
                        + "certificate's is `certificate: \(name):…`"
                ])
        }
        var help = ["run `hawser pin FILE` for the whole of it"]
        if let other = DigestText.algorithm(octets: octets.count) {
            help = ["a digest of that length is written `\(other.name)/…`"]
        }
        throw ScalarProblem(
            .malformedPin,
            "`\(name)/` wants \(parts.algorithm.byteCount) octets "
                + "(\(characters(parts.algorithm)) characters of base64); found "
                + "\(octets.count)",
            range: parts.body, help: help)
    }

    /// The problem of base64 that decodes to the right number of octets but is not spelt exactly.
    private static func inexact(
        _ parts: DigestText.Parts, _ body: ArraySlice<UInt8>, _ exact: String
    ) -> ScalarProblem {
        let mended = "\(parts.algorithm.name)/\(exact)"
        if let at = body.firstIndex(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
            return ScalarProblem(
                .malformedPin,
                "this is URL-safe base64; here `+` and `/` stand in place of `-` and `_`",
                range: at..<at + 1, write: mended)
        }
        if body.count != exact.utf8.count {
            return ScalarProblem(
                .malformedPin,
                "the base64 is \(body.count < exact.utf8.count ? "not" : "too much") padded; "
                    + "`=` fills it to \(exact.utf8.count) characters",
                range: body.endIndex - 1..<body.endIndex, write: mended)
        }
        let last = body.lastIndex { $0 != UInt8(ascii: "=") } ?? body.startIndex
        // The character is wrong, and the fix would keep its other bits.
        return ScalarProblem(
            .malformedPin,
            "the last character of the base64 has bits that belong to no octet",
            range: last..<last + 1, help: ["write `\(mended)` if the rest of it is right"])
    }

    /// The problem of a text that begins like no digest.
    private static func foreignForm(_ text: String, _ bytes: [UInt8]) -> ScalarProblem {
        let quoted = ScalarProblem.quote(text)
        let lower = text.lowercased()
        for name in ["sha1", "sha-1", "md5"] where lower.hasPrefix(name) {
            return ScalarProblem(
                .malformedPin,
                "\(quoted) is of the digest algorithm `\(name)`; pins take "
                    + "`sha256/`, `sha384/` or `sha512/`",
                range: 0..<name.utf8.count, help: ["run `hawser pin FILE` for the key's digest"])
        }
        for algorithm in DigestAlgorithm.allCases {
            let dashed = "sha-" + algorithm.name.dropFirst(3)
            for spelling in [
                "pin-\(algorithm.name)=\"", "\(dashed)/", "\(algorithm.name)/",
                "\(dashed):", "\(algorithm.name):",
            ]
            where lower.hasPrefix(spelling) {
                let body = text.dropFirst(spelling.count).filter { $0 != "\"" }
                let message = "\(quoted) does not begin with `\(algorithm.name)/` and base64"
                let range = 0..<spelling.utf8.count
                return spelling.hasSuffix(":")
                    ? ScalarProblem(
                        .malformedPin, message, range: range,
                        help: ["run `hawser pin FILE` for the key's digest"])
                    : ScalarProblem(
                        .malformedPin, message, range: range, write: "\(algorithm.name)/\(body)")
            }
        }
        if let octets = DigestText.lenientHex(bytes[...]),
            DigestText.algorithm(octets: octets.count) != nil
        {
            return ScalarProblem(
                .malformedPin,
                "\(quoted) is hex, as fingerprints of certificates are; `spki` wants "
                    + "the key's digest (`sha256/` and base64)",
                help: ["run `hawser pin FILE` for the key's digest"])
        }
        if let octets = DigestText.lenientBase64(bytes[...]),
            let algorithm = DigestText.algorithm(octets: octets.count)
        {
            return ScalarProblem(
                .malformedPin, "\(quoted) does not say its digest algorithm",
                write: "\(algorithm.name)/\(Base64.encode(octets))")
        }
        return ScalarProblem(
            .malformedPin, "\(quoted) is not a key digest, which is `sha256/` and base64",
            help: ["run `hawser pin FILE` for the digest of a certificate's or request's key"])
    }

    /// The number of characters of padded base64 for a digest.
    private static func characters(_ algorithm: DigestAlgorithm) -> Int {
        (algorithm.byteCount + 2) / 3 * 4
    }
}
