import PolicyCompiler
import TrustEngine

/// A pin of a file of another system.
package struct ForeignPin: Sendable {
    /// What the target takes the pin for.
    package enum Kind: Hashable, Sendable {
        /// A SHA-256 digest of a key, in base64.
        case digest(String)
        /// A digest that no key has, and the reason.
        case dud(String)
        /// A text that equals none of the texts with which the target compares it, and the reason.
        case neverMatches(String)
        /// A SHA-1 digest, in base64.
        case sha1(String)
    }
    package let kind: Kind
    package let range: Range<Int>
    /// The octets of the digest as the file has it.
    let octets: [UInt8]

    /// The digest that a key must have; nil if no key can match.
    package var digest: String? {
        guard case .digest(let digest) = kind else { return nil }
        return digest
    }
}

/// The texts of pins.
enum ForeignPinText {
    /// The octets of a base64 text as OkHttp's Okio, Android and most others read it: padding may
    /// lack, the last bits may be set, `-` and `_` stand for `+` and `/`, and blanks are skipped.
    /// Nil for another text.
    static func octets(of text: some Sequence<UInt8>) -> [UInt8]? {
        var digits: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digits.append(byte - 0x41)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digits.append(byte - 0x61 + 26)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - 0x30 + 52)
            case UInt8(ascii: "+"), UInt8(ascii: "-"): digits.append(62)
            case UInt8(ascii: "/"), UInt8(ascii: "_"): digits.append(63)
            case UInt8(ascii: "="): digits.append(0xFF)
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: return nil
            }
            guard digits.count <= 4_096 else { return nil }
        }
        while digits.last == 0xFF { digits.removeLast() }
        guard !digits.contains(0xFF), digits.count % 4 != 1 else { return nil }
        var octets: [UInt8] = []
        var held: UInt32 = 0
        var bits = 0
        for digit in digits {
            held = held << 6 | UInt32(digit)
            bits += 6
            if bits >= 8 {
                bits -= 8
                octets.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            }
        }
        return octets
    }

    /// A pin of 32 octets: a digest, or a dud. Nil for another length.
    static func kind(_ octets: [UInt8]) -> ForeignPin.Kind? {
        guard octets.count == 32 else { return nil }
        let digest = Base64.encode(octets)
        return dud(octets, digest).map(ForeignPin.Kind.dud) ?? .digest(digest)
    }

    /// The SHA-256 of nothing, and of a line feed.
    private static let ofNothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let ofLineFeed = "AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs="

    /// Why no key has a digest; nil if one may.
    private static func dud(_ octets: [UInt8], _ digest: String) -> String? {
        if digest == ofNothing {
            return "this pin is the SHA-256 of nothing, which a command that failed leaves"
        }
        if digest == ofLineFeed {
            return "this pin is the SHA-256 of a line feed, which a command that failed leaves"
        }
        // Of 43 characters the last has four bits of the digest and two zero bits.
        let characters = Set(digest.utf8.prefix(42))
        if characters.count == 1 || Set(octets).count == 1 {
            return "this pin is a placeholder, and not the digest of a key"
        }
        return nil
    }

    /// The error of a pin that is not a SHA-256 digest.
    static func refusal(_ octets: [UInt8]?, at range: Range<Int>) -> ForeignError {
        ForeignError(
            .foreignPin,
            octets.map { "this pin has \($0.count) octets; a SHA-256 digest has 32" }
                ?? "this pin is not the base64 text of 32 octets, as a SHA-256 digest is",
            at: range, help: ["`hawser pin FILE` prints the pin of a key"])
    }
}
