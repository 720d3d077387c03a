import TrustEngine

/// Writes certificates as PEM (RFC 7468 section 5.1).
package enum PEMText {
    /// The octets of a file with these certificates, each given as DER.
    package static func certificates(_ ders: [[UInt8]]) -> [UInt8] {
        Array(ders.map(certificate).joined().utf8)
    }

    private static func certificate(_ der: [UInt8]) -> String {
        var text = "-----BEGIN CERTIFICATE-----\n"
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END CERTIFICATE-----\n"
    }
}
