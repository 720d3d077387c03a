import PolicyCompiler
import TrustEngine

/// Reads the certificates of a file that a configuration names.
enum ForeignCertificates {
    /// The most certificates of a file.
    private static let most = 2_000

    /// The certificates of a PEM text, or one certificate in DER.
    ///
    /// - Parameter name: the file as the configuration names it.
    /// - Throws: HX104 for octets that are not certificates and for a private key.
    static func read(
        _ octets: [UInt8], named name: String, at range: Range<Int>
    ) throws(ForeignError) -> [Certificate] {
        var ders = [octets]
        if octets.firstRange(of: Array("-----BEGIN ".utf8)) != nil {
            let blocks: [PEMBlock]
            do throws(PEMError) {
                blocks = try PEM.decode(octets.span)
            } catch {
                throw ForeignError(
                    .missingResource, "the certificates of `\(name)` cannot be read", at: range)
            }
            guard !blocks.containsPrivateKey else {
                throw ForeignError(
                    .missingResource,
                    "`\(name)` holds a private key, which everybody who has the file can read",
                    at: range, help: ["take it out, and replace the key"])
            }
            ders = blocks.filter { PEM.certificateLabels.contains($0.label) }.map(\.der)
        }
        guard !ders.isEmpty, ders.count <= most else {
            throw ForeignError(
                .missingResource, "`\(name)` holds \(ders.count) certificates", at: range)
        }
        var certificates: [Certificate] = []
        for der in ders {
            do throws(CertificateError) {
                certificates.append(try Certificate(der: der))
            } catch {
                throw ForeignError(
                    .missingResource,
                    "a certificate of `\(name)` cannot be read: \(error.context)", at: range)
            }
        }
        return certificates
    }
}
