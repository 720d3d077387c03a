import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import TrustEngine

/// Small `certdata.txt` files of minted certificates.
enum CertdataFixtures {
    /// The lines of octets up to `END`.
    static func octets(_ name: String, _ octets: [UInt8]) -> String {
        var text = "\(name) MULTILINE_OCTAL\n"
        for start in stride(from: 0, to: octets.count, by: 16) {
            for octet in octets[start..<min(start + 16, octets.count)] {
                let digits = String(octet, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
            text += "\n"
        }
        return text + "END\n"
    }

    static let never = "CKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_FALSE\n"

    static func after(_ date: String) -> String {
        octets("CKA_NSS_SERVER_DISTRUST_AFTER", Array(date.utf8))
    }

    private static func names(_ minted: Minted) throws -> String {
        let certificate = try minted.parsed()
        let serial = certificate.serialBytes
        return octets("CKA_ISSUER", certificate.der.span.copied(certificate.layout.issuer))
            + octets("CKA_SERIAL_NUMBER", [2, UInt8(serial.count)] + serial)
    }

    static func certificate(
        _ certificate: Minted, _ label: String, date: String = never
    ) throws -> String {
        try """
        CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE
        CKA_TOKEN CK_BBOOL CK_TRUE
        CKA_LABEL UTF8 "\(label)"
        CKA_CERTIFICATE_TYPE CK_CERTIFICATE_TYPE CKC_X_509

        """ + names(certificate) + octets("CKA_VALUE", certificate.der)
            + "CKA_NSS_MOZILLA_CA_POLICY CK_BBOOL CK_TRUE\n" + date + "\n"
    }

    static func trust(
        _ certificate: Minted, _ label: String, _ word: String = "CKT_NSS_TRUSTED_DELEGATOR",
        date: String = "", digest: [UInt8]? = nil
    ) throws -> String {
        let sha1 =
            digest ?? StoreFixtures.crypto.identifierSHA1(of: certificate.der.span)?.octets ?? []
        return try """
        # Trust for "\(label)"
        CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST
        CKA_LABEL UTF8 "\(label)"

        """ + octets("CKA_CERT_SHA1_HASH", sha1) + names(certificate) + date
            + "CKA_TRUST_SERVER_AUTH CK_TRUST \(word)\n"
            + "CKA_TRUST_EMAIL_PROTECTION CK_TRUST CKT_NSS_TRUSTED_DELEGATOR\n"
            + "CKA_TRUST_STEP_UP_APPROVED CK_BBOOL CK_FALSE\n\n"
    }

    /// Imports a text, with the line `BEGINDATA` before it.
    static func imported(_ text: String) throws -> ForeignImport {
        let source = SourceFile(
            path: "certdata.txt", bytes: Array(("# Roots.\nBEGINDATA\n" + text).utf8))
        return CertdataImport.policy(
            of: try CertdataReader.read(source.bytes), source: source, owner: "web",
            crypto: StoreFixtures.crypto)
    }
}
