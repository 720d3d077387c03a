/// OBJECT IDENTIFIERs. The engine handles them as their content octets (X.690 section 8.19).
///
/// An identifier that the engine knows is compared as one number. `code` puts a one before the
/// content octets, so that identifiers of different lengths never have the same number.
package enum ObjectIdentifier {
    /// Checks that content octets are an identifier: at least one arc, no arc cut short, no arc
    /// padded.
    package static func check(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) {
        _ = try checkedCode(element, in: bytes)
    }

    /// Checks content octets as `check` does, and gives the number that `code` gives.
    package static func checkedCode(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> UInt128 {
        let count = element.count
        // Identifiers of extensions and of attributes have three octets, each an arc of its own.
        if count == 3 {
            let octets = bytes.extracting(element.contentStart..<element.end)
            let number = UInt32(octets[0]) << 16 | UInt32(octets[1]) << 8 | UInt32(octets[2])
            if number & 0x80_8080 == 0 { return UInt128(number | 1 << 24) }
        }
        guard 1...8 ~= count, element.end >= 8 else {
            try checkByOctet(element, in: bytes)
            return code(element.content, in: bytes)
        }
        // The octets as one number, the first of them highest and zeros before it.
        let unused = UInt64(truncatingIfNeeded: 8 &* (8 &- count))
        let octets =
            bytes.number64(at: element.end &- 8).byteSwapped & (UInt64.max &>> unused)
        let high = OctetWord.highBits
        // An arc begins at the first octet and behind each octet without its high bit.
        let starts = (~octets & high) >> 8 | (0x80 << 56) &>> unused
        let isNotEmpty = (octets & ~high) &+ ~high
        let padding = octets & ~isNotEmpty & high
        guard octets & 0x80 == 0, padding & starts == 0 else {
            throw DERError(.badObjectIdentifier, at: element.start)
        }
        // The one before the octets; before eight octets it stands in the upper word.
        let marker: UInt64 = count == 8 ? 0 : 1 &<< UInt64(truncatingIfNeeded: 8 &* count)
        return UInt128(count == 8 ? 1 : 0) &<< 64 | UInt128(octets | marker)
    }

    private static func checkByOctet(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) {
        guard element.count >= 1, bytes[element.end - 1] & 0x80 == 0 else {
            throw DERError(.badObjectIdentifier, at: element.start)
        }
        var startsArc = true
        for index in element.contentStart..<element.end {
            let octet = bytes[index]
            if startsArc && octet == 0x80 {
                throw DERError(.badObjectIdentifier, at: element.start)
            }
            startsArc = octet & 0x80 == 0
        }
    }

    /// The number that stands for an identifier; 0 for an identifier longer than 15 octets.
    package static func code(_ content: ByteRange, in bytes: Span<UInt8>) -> UInt128 {
        guard content.count <= 15 else { return 0 }
        var code: UInt128 = 1
        for index in content.indices {
            code = code << 8 | UInt128(bytes[index])
        }
        return code
    }

    /// What the dotted text has for any arc of more than 64 bits.
    package static let longArc = "(arc beyond 64 bits)"

    /// The dotted text of an identifier's content octets, `1.3.6.1.5.5.7.3.1`. An arc of more than
    /// 64 bits is written as `longArc`. Octets that do not encode an identifier give
    /// `(malformed)`. At most 256 arcs.
    package static func text(of content: Span<UInt8>) -> String {
        var text: [UInt8] = []
        append(textOf: content, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text that `text(of:)` gives.
    static func append(textOf content: Span<UInt8>, to text: inout [UInt8]) {
        guard content.count > 0, content[content.count - 1] & 0x80 == 0 else {
            text.append(contentsOf: "(malformed)".utf8)
            return
        }
        var arc: UInt64 = 0
        var isBeyond = false
        var arcs = 0
        for index in content.indices {
            if arc >> 57 != 0 { isBeyond = true }
            arc = arc << 7 | UInt64(content[index] & 0x7F)
            guard content[index] & 0x80 == 0 else { continue }
            guard arcs < 256 else {
                text.append(contentsOf: ".…".utf8)
                return
            }
            if arcs > 0 { text.append(UInt8(ascii: ".")) }
            if isBeyond {
                text.append(contentsOf: longArc.utf8)
            } else if arcs == 0 {
                let root = min(arc / 40, 2)
                UTF8Text.append(root, to: &text)
                text.append(UInt8(ascii: "."))
                UTF8Text.append(arc - root * 40, to: &text)
            } else {
                UTF8Text.append(arc, to: &text)
            }
            arcs += 1
            arc = 0
            isBeyond = false
        }
    }
}

// Content octets of the identifiers that callers name.
extension ObjectIdentifier {
    /// anyExtendedKeyUsage, 2.5.29.37.0 (RFC 5280 section 4.2.1.12).
    package static let anyExtendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25, 0x00]
    /// id-kp-serverAuth, 1.3.6.1.5.5.7.3.1.
    package static let serverAuth: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 3, 1]
    /// id-kp-clientAuth, 1.3.6.1.5.5.7.3.2.
    package static let clientAuth: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 3, 2]
    /// id-kp-codeSigning, 1.3.6.1.5.5.7.3.3.
    package static let codeSigning: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 3, 3]
    /// id-kp-emailProtection, 1.3.6.1.5.5.7.3.4.
    package static let emailProtection: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 3, 4]
    /// id-kp-timeStamping, 1.3.6.1.5.5.7.3.8.
    package static let timeStamping: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 3, 8]
    /// id-kp-OCSPSigning, 1.3.6.1.5.5.7.3.9.
    package static let ocspSigning: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 3, 9]
    /// anyPolicy, 2.5.29.32.0 (RFC 5280 section 4.2.1.4).
    package static let anyPolicy: [UInt8] = [0x55, 0x1D, 0x20, 0x00]
}

// Codes of the identifiers that parsing compares with.
extension ObjectIdentifier {
    // SubjectPublicKeyInfo (RFC 3279 section 2.3.1, RFC 5480 section 2.1.1, RFC 8410 section 3).
    static let rsaEncryption: UInt128 = 0x01_2A86_4886_F70D_0101_01
    static let dsa: UInt128 = 0x01_2A86_48CE_3804_01
    static let ecPublicKey: UInt128 = 0x01_2A86_48CE_3D02_01
    static let curveP256: UInt128 = 0x01_2A86_48CE_3D03_0107
    static let curveP384: UInt128 = 0x01_2B81_0400_22
    static let curveP521: UInt128 = 0x01_2B81_0400_23
    static let ed25519: UInt128 = 0x01_2B65_70
    static let ed448: UInt128 = 0x01_2B65_71

    // ML-DSA, keys and signatures (RFC 9881 section 2).
    static let mldsa44: UInt128 = 0x01_6086_4801_6503_0403_11
    static let mldsa65: UInt128 = 0x01_6086_4801_6503_0403_12
    static let mldsa87: UInt128 = 0x01_6086_4801_6503_0403_13

    // RSA signatures (RFC 3279 section 2.2.1, RFC 4055 section 5).
    static let md2WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_02
    static let md5WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_04
    static let sha1WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_05
    /// The older identifier of the same algorithm, 1.3.14.3.2.29.
    static let sha1WithRSASignature: UInt128 = 0x01_2B0E_0302_1D
    static let maskGenerationFunction1: UInt128 = 0x01_2A86_4886_F70D_0101_08
    static let rsaPSS: UInt128 = 0x01_2A86_4886_F70D_0101_0A
    static let sha256WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_0B
    static let sha384WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_0C
    static let sha512WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_0D
    static let sha224WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_0E
    static let sha512t224WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_0F
    static let sha512t256WithRSA: UInt128 = 0x01_2A86_4886_F70D_0101_10

    // ECDSA signatures (RFC 5758 section 3.2).
    static let ecdsaWithSHA1: UInt128 = 0x01_2A86_48CE_3D04_01
    static let ecdsaWithSHA224: UInt128 = 0x01_2A86_48CE_3D04_0301
    static let ecdsaWithSHA256: UInt128 = 0x01_2A86_48CE_3D04_0302
    static let ecdsaWithSHA384: UInt128 = 0x01_2A86_48CE_3D04_0303
    static let ecdsaWithSHA512: UInt128 = 0x01_2A86_48CE_3D04_0304

    // DSA signatures (RFC 3279 section 2.2.2, RFC 5758 section 3.1).
    static let dsaWithSHA1: UInt128 = 0x01_2A86_48CE_3804_03
    static let dsaWithSHA256: UInt128 = 0x01_6086_4801_6503_0403_02

    // Hashes (RFC 4055 section 2.1).
    static let sha1: UInt128 = 0x01_2B0E_0302_1A
    static let sha256: UInt128 = 0x01_6086_4801_6503_0402_01
    static let sha384: UInt128 = 0x01_6086_4801_6503_0402_02
    static let sha512: UInt128 = 0x01_6086_4801_6503_0402_03

    // Extensions outside 2.5.29 (RFC 5280 section 4.2.2.1, RFC 6962 sections 3.1 and 3.3, RFC
    // 7633).
    static let authorityInfoAccess: UInt128 = 0x01_2B06_0105_0507_0101
    static let tlsFeature: UInt128 = 0x01_2B06_0105_0507_0118
    static let signedCertificateTimestamps: UInt128 = 0x01_2B06_0104_01D6_7902_0402
    static let preCertificatePoison: UInt128 = 0x01_2B06_0104_01D6_7902_0403

    // CRLs and their entries (RFC 5280 sections 5.2 and 5.3).
    static let issuerAltName: UInt128 = 0x01_55_1D_12
    static let crlNumber: UInt128 = 0x01_55_1D_14
    static let reasonCode: UInt128 = 0x01_55_1D_15
    static let holdInstruction: UInt128 = 0x01_55_1D_17
    static let invalidityDate: UInt128 = 0x01_55_1D_18
    static let deltaCRLIndicator: UInt128 = 0x01_55_1D_1B
    static let issuingDistributionPoint: UInt128 = 0x01_55_1D_1C
    static let certificateIssuer: UInt128 = 0x01_55_1D_1D
    static let authorityKeyIdentifier: UInt128 = 0x01_55_1D_23
    static let freshestCRL: UInt128 = 0x01_55_1D_2E

    // OCSP (RFC 6960 sections 4.2.1 and 4.4, RFC 6962 section 3.3).
    static let accessMethodOCSP: UInt128 = 0x01_2B06_0105_0507_3001
    /// id-ad-caIssuers (RFC 5280 section 4.2.2.1).
    static let accessMethodCAIssuers: UInt128 = 0x01_2B06_0105_0507_3002
    static let ocspBasic: UInt128 = 0x01_2B06_0105_0507_3001_01
    static let ocspNonce: UInt128 = 0x01_2B06_0105_0507_3001_02
    static let ocspCRLReference: UInt128 = 0x01_2B06_0105_0507_3001_03
    static let ocspNoCheck: UInt128 = 0x01_2B06_0105_0507_3001_05
    static let ocspArchiveCutoff: UInt128 = 0x01_2B06_0105_0507_3001_06
    static let ocspExtendedRevoke: UInt128 = 0x01_2B06_0105_0507_3001_09
    static let ocspSignedCertificateTimestamps: UInt128 = 0x01_2B06_0104_01D6_7902_0405

    // Policy qualifiers (RFC 5280 section 4.2.1.4).
    static let policyQualifierCPS: UInt128 = 0x01_2B06_0105_0507_0201
    static let policyQualifierNotice: UInt128 = 0x01_2B06_0105_0507_0202

    /// commonName, 2.5.4.3 (RFC 5280 appendix A.1).
    static let commonName: UInt128 = 0x01_55_04_03
    // emailAddress, 1.2.840.113549.1.9.1 (RFC 5280 appendix A.1).
    static let emailAddress: UInt128 = 0x01_2A86_4886_F70D_0109_01
    // Attributes with matching rules of their own: domainComponent, 0.9.2342.19200300.100.1.25, and
    // telephoneNumber, x121Address and internationalISDNNumber, 2.5.4.20, 24 and 25 (RFC 4519
    // section 2).
    static let domainComponent: UInt128 = 0x01_0992_2689_93F2_2C64_0119
    static let telephoneNumber: UInt128 = 0x01_55_04_14
    static let x121Address: UInt128 = 0x01_55_04_18
    static let internationalISDNNumber: UInt128 = 0x01_55_04_19
}
