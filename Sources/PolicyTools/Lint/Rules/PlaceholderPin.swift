import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW409: a digest in a pin set that is not the digest of a key: zeros and other patterns,
    /// text, in the digest or in its base64, digests of empty input, and the examples of well-known
    /// pages.
    static let placeholderPin = LintRule(.placeholderPin) { context in
        context.bound.pinSets.flatMap { set in
            (set.keys + set.backups).compactMap { pin -> Diagnostic? in
                // The digests of a file are computed here.
                guard pin.key.certificates.isEmpty, pin.key.matches.count == 1,
                    let match = pin.key.matches.first,
                    let reason = PlaceholderDigest.reason(match)
                else { return nil }
                return Diagnostic(
                    .placeholderPin,
                    "`\(pin.id.value)` of `\(set.id.value)` is a placeholder: its digest \(reason)",
                    at: Diagnostic.Label(pin.key.span),
                    help: ["print the digest of the key itself: `hawser pin FILE`"])
            }
        }
    }
}

/// Digests that a policy has in place of a key's digest.
enum PlaceholderDigest {
    /// Why a digest is a placeholder; nil if a key may have it. For a digest of 256 bits, the
    /// chance that a real one looks like a placeholder is below 2^-30, and below 2^-40 without
    /// `words`.
    static func reason(_ match: KeyMatch) -> String? {
        let bytes = match.digest.bytes
        if bytes.allSatisfy({ $0 == 0 }) { return "is all zeros" }
        if ofNothing.contains(match.digest) {
            return "is that of no bytes at all, as a command without input prints it"
        }
        for period in 1...bytes.count / 2 where isPeriodic(bytes, period) {
            return "repeats itself"
        }
        if isRamp(bytes) { return "counts up" }
        // Tools pad short text with zeros, and `echo` ends it with a line feed.
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0 || $0 == 0x0A }) {
            return "is readable text"
        }
        // The digest of a certificate is written in hexadecimal.
        guard match.kind == .spki else { return nil }
        let text = Base64.octets(of: bytes)
        return inBase64(text)
            ?? examples.first { $0.digest == text }.map { "is the example of \($0.page)" }
    }

    /// The digests of no octets (FIPS 180-4).
    private static let ofNothing = [
        Digest(
            .sha256,
            words: (
                0xE3B0_C442_98FC_1C14, 0x9AFB_F4C8_996F_B924, 0x27AE_41E4_649B_934C,
                0xA495_991B_7852_B855, 0, 0, 0, 0
            )),
        Digest(
            .sha384,
            words: (
                0x38B0_60A7_51AC_9638, 0x4CD9_327E_B1B1_E36A, 0x21FD_B711_14BE_0743,
                0x4C0C_C7BF_63F6_E1DA, 0x274E_DEBF_E76F_65FB, 0xD51A_D2F1_4898_B95B, 0, 0
            )),
        Digest(
            .sha512,
            words: (
                0xCF83_E135_7EEF_B8BD, 0xF154_2850_D66D_8007, 0xD620_E405_0B57_15DC,
                0x83F4_A921_D36C_E9CE, 0x47D0_D13C_5D85_F2B0, 0xFF83_18D2_877E_EC2F,
                0x63B9_31BD_4741_7A81, 0xA538_327A_F927_DA3E
            )),
    ]

    /// Why the base64 of a digest is text that somebody typed; nil if a digest may have it.
    private static func inBase64(_ text: [UInt8]) -> String? {
        var characters = text
        while characters.last == 0x3D { characters.removeLast() }
        // The last character before the padding has bits that must be zero, so a repeated text
        // cannot go on there.
        if !characters.isEmpty { characters.removeLast() }
        guard characters.count >= shortestText else { return nil }
        for period in 1...characters.count / 2 where isPeriodic(characters, period) {
            let repeated = String(decoding: characters[..<period], as: UTF8.self)
            return "is base64 that repeats `\(repeated)`"
        }
        // A bit for each character, which are all ASCII.
        var used: (UInt64, UInt64) = (0, 0)
        var steps = 0
        var last: UInt8 = 0
        for character in characters {
            let bit = UInt64(1) << UInt64(character & 63)
            if character < 64 { used.0 |= bit } else { used.1 |= bit }
            if last > 0, character == last &+ 1 { steps += 1 }
            last = character
        }
        let different = used.0.nonzeroBitCount + used.1.nonzeroBitCount
        if different <= fewestCharacters {
            return "is base64 of \(different) different characters"
        }
        if steps * 2 >= characters.count { return "is base64 that counts up" }
        for index in characters.indices { characters[index] = DNSName.folded(characters[index]) }
        return words.first { contains(characters, $0) }
            .map { "is base64 with the word `\(String(decoding: $0, as: UTF8.self))` in it" }
    }

    /// Whether octets hold others. Nearly every place differs in its first octet.
    private static func contains(_ octets: [UInt8], _ word: [UInt8]) -> Bool {
        guard octets.count >= word.count else { return false }
        for start in 0...octets.count - word.count where octets[start] == word[0] {
            if octets[start..<start + word.count] == word[...] { return true }
        }
        return false
    }

    /// Characters that base64 of the shortest digest has, without the last one.
    private static let shortestText = 42
    /// Base64 of a digest of 256 bits has so few different characters with a chance below 2^-90.
    private static let fewestCharacters = 8
    /// Words that authors write in place of a digest, in lower case. A word of eight letters stands
    /// in the base64 of a real digest, in any case of its letters, with a chance below 2^-34.
    private static let words = ["changeme", "replaceme", "replacethis", "placeholder"].map {
        Array($0.utf8)
    }

    private static func isPeriodic(_ bytes: [UInt8], _ period: Int) -> Bool {
        guard bytes.count > period else { return false }
        for index in period..<bytes.count where bytes[index] != bytes[index - period] {
            return false
        }
        return true
    }

    private static func isRamp(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropFirst().allSatisfy { bytes[$0] == bytes[$0 - 1] &+ 1 }
    }

    /// SHA-256 in base64 that pages print for their readers to replace, each with its page.
    private static let examples: [(digest: [UInt8], page: String)] = [
        ("d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=", "RFC 7469"),
        ("E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=", "RFC 7469"),
        ("LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "RFC 7469"),
        ("7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=", "Android's network security page"),
        ("fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=", "Android's network security page"),
    ].map { (Array($0.0.utf8), $0.1) }
}
