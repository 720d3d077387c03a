import TrustEngine

/// The two spellings of a digest: `sha256/BASE64` for keys (RFC 7469 pins) and `sha256:hex` for
/// certificates (fingerprints). Each is the output of the usual tools. Both digests have 32 octets,
/// so the spelling tells them apart. The scanners of both spellings share this code.
enum DigestText {
    /// The two forms.
    enum Form: Hashable {
        /// `sha256/` and base64: a key.
        case spki
        /// `sha256:` and hex: a certificate.
        case certificate
    }

    /// The algorithm, the separator and the bytes after it.
    struct Parts {
        let algorithm: DigestAlgorithm
        let form: Form
        /// The range of the body in the bytes of the text.
        let body: Range<Int>
    }

    /// The parts of a text that begins like a digest in one of the two forms; nil if it does not.
    static func parts(_ bytes: [UInt8]) -> Parts? {
        for algorithm in DigestAlgorithm.allCases where bytes.starts(with: algorithm.name.utf8) {
            let end = algorithm.name.utf8.count
            guard bytes.count > end else { return nil }
            switch bytes[end] {
            case UInt8(ascii: "/"):
                return Parts(algorithm: algorithm, form: .spki, body: end + 1..<bytes.count)
            case UInt8(ascii: ":"):
                return Parts(algorithm: algorithm, form: .certificate, body: end + 1..<bytes.count)
            default:
                return nil
            }
        }
        return nil
    }

    /// The octets of hex in either case, colons and spaces ignored; nil for any other text.
    static func lenientHex(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        var octets: [UInt8] = []
        var pending: UInt8?
        for byte in body where byte != UInt8(ascii: ":") && byte != UInt8(ascii: " ") {
            guard let value = hexValue(byte) else { return nil }
            if let high = pending {
                octets.append(high << 4 | value)
                pending = nil
            } else {
                pending = value
            }
        }
        return pending == nil && !octets.isEmpty ? octets : nil
    }

    /// The octets of base64 in either alphabet, padded or not; nil for any other text.
    static func lenientBase64(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        var octets: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        let unpadded = body.prefix { $0 != UInt8(ascii: "=") }
        guard !unpadded.isEmpty, unpadded.count % 4 != 1,
            body[unpadded.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        for byte in unpadded {
            guard let value = base64Value(byte) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return octets
    }

    /// The algorithm whose digest has this many octets.
    static func algorithm(octets: Int) -> DigestAlgorithm? {
        DigestAlgorithm.allCases.first { $0.byteCount == octets }
    }

    /// A byte as a hex digit of either letter case.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if DecimalNumber.isDigit(byte) { return byte - 0x30 }
        let letter = byte | 0x20
        return (0x61...0x66).contains(letter) ? letter - 0x61 + 10 : nil
    }

    /// A byte as a digit of base64 in the alphabet of RFC 4648 section 4 or 5.
    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: return byte - 0x41
        case 0x61...0x7A: return byte - 0x61 + 26
        case 0x30...0x39: return byte - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): return 63
        default: return nil
        }
    }
}
