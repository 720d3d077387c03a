import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW409: a digest in a pin set that is not that of a key: zeros and other patterns, text,
    /// digests of empty input, and the examples of well-known pages.
    static let placeholderPin = LintRule(.placeholderPin) { context in
        context.bound.pinSets.flatMap { set in
            (set.keys + set.backups).compactMap { pin -> Diagnostic? in
                // The digests of a file are computed here.
                guard pin.key.certificates.isEmpty, pin.key.matches.count == 1,
                    let match = pin.key.matches.first,
                    let reason = PlaceholderDigest.reason(match, context.crypto)
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
    /// Why a digest is a placeholder; nil if it may be that of a key. For a digest of 256 bits, the
    /// chance that a real one looks like a placeholder is below 2^-40.
    static func reason(_ match: KeyMatch, _ crypto: any CryptoBackend) -> String? {
        let bytes = match.digest.bytes
        if bytes.allSatisfy({ $0 == 0 }) { return "is all zeros" }
        let nothing: [UInt8] = []
        if crypto.digest(match.digest.algorithm, of: nothing.span) == match.digest {
            return "is that of no bytes at all, as a command without input prints it"
        }
        for period in 1...8 where isPeriodic(bytes, period) { return "repeats itself" }
        if isRamp(bytes) { return "counts up" }
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "is readable text" }
        return examples[match.text].map { "is the example of \($0)" }
    }

    private static func isPeriodic(_ bytes: [UInt8], _ period: Int) -> Bool {
        bytes.count > period
            && bytes.indices.dropFirst(period).allSatisfy {
                bytes[$0] == bytes[$0 - period]
            }
    }

    private static func isRamp(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropFirst().allSatisfy { bytes[$0] == bytes[$0 - 1] &+ 1 }
    }

    /// Pins that pages print for their readers to replace, each with its page.
    private static let examples = [
        "sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=": "RFC 7469",
        "sha256/E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=": "RFC 7469",
        "sha256/LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=": "RFC 7469",
        "sha256/7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=": "Android's network security page",
        "sha256/fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=": "Android's network security page",
    ]
}
