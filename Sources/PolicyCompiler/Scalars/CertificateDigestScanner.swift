package import TrustEngine

/// Digests of a whole certificate: `sha256:`, `sha384:` or `sha512:`, and lower-case hex of the
/// digest's length without separators.
package enum CertificateDigestScanner {
    /// Reads a digest.
    ///
    /// - Throws: HW401 with the corrected text, HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> Digest {
        try ScalarProblem.requireText(text, of: "the certificate digest")
        let bytes = Array(text.utf8)
        guard let parts = DigestText.parts(bytes) else { throw foreignForm(text, bytes) }
        guard parts.form == .certificate else {
            let written =
                (try? SPKIDigestScanner.scan(text)) == nil
                ? "\(parts.algorithm.name)/…" : text
            throw ScalarProblem(
                .malformedPin,
                "this is a key digest (`\(parts.algorithm.name)/` and base64); `certificate` wants "
                    + "the certificate's (`\(parts.algorithm.name):` and hex)",
                help: [
                    "write `spki: \(written)` for this key, in whatever certificate; for the certificate "
                        + "run `hawser pin FILE`"
                ])
        }
        return try digest(parts, bytes[parts.body])
    }

    private static func digest(
        _ parts: DigestText.Parts, _ body: ArraySlice<UInt8>
    ) throws(ScalarProblem) -> Digest {
        let name = parts.algorithm.name
        guard let octets = DigestText.lenientHex(body) else { throw notHex(parts, body) }
        guard let digest = Digest(parts.algorithm, bytes: octets) else {
            var help = ["run `hawser pin FILE` for the whole of it"]
            if let other = DigestText.algorithm(octets: octets.count) {
                help = ["a digest of that length is written `\(other.name):…`"]
            }
            throw ScalarProblem(
                .malformedPin,
                "`\(name):` wants \(parts.algorithm.byteCount * 2) hex digits; found "
                    + "\(octets.count * 2)",
                range: parts.body, help: help)
        }
        let exact = Hexadecimal.encode(octets)
        guard !body.elementsEqual(exact.utf8) else { return digest }
        let mended = "\(name):\(exact)"
        if let at = body.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }) {
            throw ScalarProblem(
                .malformedPin, "the hex of a certificate digest is written without separators",
                range: at..<at + 1, write: mended)
        }
        let at = body.firstIndex { (0x41...0x46).contains($0) } ?? body.startIndex
        throw ScalarProblem(
            .malformedPin, "the hex of a certificate digest is written in lower case",
            range: at..<at + 1, write: mended)
    }

    /// The problem of a body that is not pairs of hex digits.
    private static func notHex(
        _ parts: DigestText.Parts, _ body: ArraySlice<UInt8>
    ) -> ScalarProblem {
        let name = parts.algorithm.name
        if body.isEmpty {
            return ScalarProblem(
                .malformedPin, "`\(name):` has no digest after it",
                help: ["run `hawser pin FILE` for the whole of it"])
        }
        if let octets = DigestText.lenientBase64(body), octets.count == parts.algorithm.byteCount {
            return ScalarProblem(
                .malformedPin, "this is base64; after `\(name):` stands hex", range: parts.body,
                help: [
                    "if it is the certificate's digest write `\(name):\(Hexadecimal.encode(octets))`; "
                        + "a key's is `spki: \(name)/…`"
                ])
        }
        if let at = body.firstIndex(where: { byte in
            byte != UInt8(ascii: ":") && byte != UInt8(ascii: " ")
                && DigestText.hexValue(byte) == nil
        }) {
            let end = body.characterEnd(at)
            let character = String(decoding: body[at..<end], as: UTF8.self)
            return ScalarProblem(
                .malformedPin, "\(ScalarProblem.quote(character)) is not a hex digit",
                range: at..<end, help: ["hex has the digits `0` to `9` and `a` to `f`"])
        }
        return ScalarProblem(
            .malformedPin,
            "`\(name):` wants \(parts.algorithm.byteCount * 2) hex digits; found \(body.count)",
            range: parts.body, help: ["run `hawser pin FILE` for the whole of it"])
    }

    /// The problem of a text that begins like no digest.
    private static func foreignForm(_ text: String, _ bytes: [UInt8]) -> ScalarProblem {
        let quoted = ScalarProblem.quote(text)
        let lower = text.lowercased()
        for name in ["sha1", "sha-1", "md5"] where lower.hasPrefix(name) {
            return ScalarProblem(
                .malformedPin,
                "\(quoted) is of the digest algorithm `\(name)`; certificate digests "
                    + "take `sha256:`, `sha384:` or `sha512:`",
                range: 0..<name.utf8.count,
                help: ["run `hawser pin FILE` for the certificate's digest"])
        }
        // `openssl x509 -fingerprint` prints `sha256 Fingerprint=AA:BB:…`.
        let afterEquals = bytes.lastIndex(of: UInt8(ascii: "=")).map { bytes[($0 + 1)...] }
        let afterColon = bytes.firstIndex(of: UInt8(ascii: ":")).map { bytes[($0 + 1)...] }
        for candidate in [bytes[...], afterEquals, afterColon].compactMap({ $0 }) {
            if let octets = DigestText.lenientHex(candidate),
                let algorithm = DigestText.algorithm(octets: octets.count)
            {
                return ScalarProblem(
                    .malformedPin,
                    "\(quoted) does not begin with `\(algorithm.name):`, as a certificate digest "
                        + "does",
                    write: "\(algorithm.name):\(Hexadecimal.encode(octets))")
            }
        }
        return ScalarProblem(
            .malformedPin, "\(quoted) is not a certificate digest, which is `sha256:` and hex",
            help: ["run `hawser pin FILE` for the digest of a certificate"])
    }
}
