#if Serve
import Hawser
import TrustEngine

/// The word that callers over TCP must know.
public struct AccessToken: Sendable {
    /// Digests are compared, so the comparison tells neither the token nor its length.
    private let digest: [UInt8]

    /// The fewest and the most characters of a token. 32 characters of base64 have 192 bits.
    static let lengths = 32...4_096

    /// Takes a token; nil when it is too short or too long, or has other characters than the
    /// visible ones of ASCII. One line end is left out.
    public init?(_ octets: [UInt8]) {
        var token = octets[...]
        if token.last == UInt8(ascii: "\n") { token = token.dropLast() }
        if token.last == UInt8(ascii: "\r") { token = token.dropLast() }
        guard AccessToken.lengths.contains(token.count),
            token.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        digest = AccessToken.digest(Array(token))
    }

    /// Whether the value of `Authorization` has the token: `Bearer TOKEN` (RFC 6750 section
    /// 2.1). The time does not depend on how much of the token is right.
    func matches(authorization: String) -> Bool {
        let scheme = "bearer "
        guard authorization.utf8.count <= AccessToken.lengths.upperBound + scheme.utf8.count,
            authorization.prefix(scheme.count).lowercased() == scheme
        else { return false }
        let given = AccessToken.digest(Array(authorization.utf8.dropFirst(scheme.utf8.count)))
        var difference: UInt8 = 0
        for (one, other) in zip(given, digest) { difference |= one ^ other }
        return difference == 0 && given.count == digest.count
    }

    private static func digest(_ octets: [UInt8]) -> [UInt8] {
        EngineLoader.digests.digest(.sha256, of: octets.span).bytes
    }
}
#endif
