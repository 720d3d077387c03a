import PolicyCompiler
import TrustEngine

/// Reads certificates that a configuration holds or names.
enum ForeignCertificates {
    /// What a text with certificates holds.
    enum Found {
        case certificates([Certificate])
        /// The text has a block with a private key.
        case privateKey
        /// The text has no certificate, or one that cannot be read.
        case unreadable(String)
    }

    /// The certificates of a PEM text. Nothing of a private key is kept.
    static func read(_ bytes: [UInt8]) -> Found {
        let blocks: [PEMBlock]
        do throws(PEMError) {
            blocks = try PEM.decode(bytes.span)
        } catch {
            return .unreadable(error.problem.rawValue)
        }
        if blocks.containsPrivateKey { return .privateKey }
        var certificates: [Certificate] = []
        for block in blocks where PEM.certificateLabels.contains(block.label) {
            do throws(CertificateError) {
                certificates.append(try Certificate(der: block.der))
            } catch {
                return .unreadable(error.context)
            }
        }
        return certificates.isEmpty
            ? .unreadable("it holds no certificate in PEM") : .certificates(certificates)
    }

    /// The most certificates of a file.
    private static let most = 2_000

    /// The certificates of a file in PEM, or its one certificate in DER.
    ///
    /// - Parameter name: the file as the configuration names it.
    /// - Throws: HX104 for octets that are not certificates and for a private key.
    static func read(
        _ octets: [UInt8], named name: String, at range: Range<Int>
    ) throws(ForeignError) -> [Certificate] {
        func refusal(_ words: String, help: [String] = []) -> ForeignError {
            ForeignError(.missingResource, words, at: range, help: help)
        }
        guard octets.firstRange(of: Array("-----BEGIN ".utf8)) != nil else {
            do throws(CertificateError) {
                return [try Certificate(der: octets)]
            } catch {
                throw refusal("the certificate of `\(name)` cannot be read: \(error.context)")
            }
        }
        switch read(octets) {
        case .certificates(let certificates):
            guard certificates.count <= most else {
                throw refusal("`\(name)` holds \(certificates.count) certificates")
            }
            return certificates
        case .privateKey:
            throw refusal(
                "`\(name)` holds a private key, which everybody who has the file can read",
                help: ["take it out, and replace the key"])
        case .unreadable(let words):
            throw refusal("the certificates of `\(name)` cannot be read: \(words)")
        }
    }
}
