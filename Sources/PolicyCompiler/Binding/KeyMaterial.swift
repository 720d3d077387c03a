internal import TrustEngine

/// The certificates or keys of a file: PEM with any number of blocks, or one certificate, public
/// key or PKCS#10 request in DER. The octets of the file decide which it is, never its name.
package struct KeyMaterial {
    /// The contents that the field which names the file takes.
    enum Wanted {
        /// Only certificates.
        case certificates
        /// Keys: from certificates, public keys and requests.
        case keys
    }

    /// In the order of the file.
    private(set) var certificates: [Certificate] = []
    /// The uses that OpenSSL's trusted certificates are trusted for, by their place in
    /// `certificates`. Other certificates have none.
    private(set) var uses: [Int: TrustedUses] = [:]
    /// SubjectPublicKeyInfo octets of the public keys and requests.
    private(set) var keys: [[UInt8]] = []

    /// Reads a file. A private key anywhere in the file is refused before anything else is read.
    init(_ bytes: [UInt8], wanted: Wanted) throws(KeyMaterialProblem) {
        guard !bytes.isEmpty else { throw .unreadable("is empty") }
        if let form = ForeignCertificateForm(bytes) {
            // Zero octets come from UTF-16.
            if form.holdsPrivateKey || KeyMaterial.speaksOfPrivateKey(bytes.filter { $0 != 0 }) {
                throw .privateKey
            }
            throw .foreign(form)
        }
        if KeyMaterial.isDER(bytes) {
            try add(der: bytes, wanted: wanted)
        } else {
            try add(pem: bytes, wanted: wanted)
        }
    }

    private mutating func add(pem bytes: [UInt8], wanted: Wanted) throws(KeyMaterialProblem) {
        let blocks: [PEMBlock]
        do throws(PEMError) {
            blocks = try PEM.decode(bytes.span)
        } catch {
            if KeyMaterial.speaksOfPrivateKey(bytes) { throw .privateKey }
            let line = LineIndex(bytes).line(of: error.offset) + 1
            throw .unreadable("is not PEM at its line \(line): \(error.problem.rawValue)")
        }
        guard !blocks.containsPrivateKey else { throw .privateKey }
        guard !blocks.isEmpty else {
            throw .unreadable("holds no certificate: it is neither PEM nor DER")
        }
        for (index, block) in blocks.enumerated() {
            if KeyMaterial.isPrivateKey(block.der) { throw .privateKey }
            let name = blocks.count == 1 ? "" : " \(index + 1)"
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE":
                try add(certificate: block.der, called: "certificate" + name)
            case TrustedCertificate.label:
                try add(trusted: block.der, called: "certificate" + name)
            case "PUBLIC KEY" where wanted == .keys:
                try add(publicKey: block.der)
            case "CERTIFICATE REQUEST" where wanted == .keys,
                "NEW CERTIFICATE REQUEST" where wanted == .keys:
                try add(request: block.der)
            default:
                try refuse(label: block.label)
            }
        }
    }

    private func refuse(label: String) throws(KeyMaterialProblem) {
        let help: [String]
        switch label {
        case "PUBLIC KEY", "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            help = ["`spki-file` takes public keys and requests"]
        default:
            help = []
        }
        throw .unreadable(
            "holds \(ScalarProblem.quote(label)), which is no certificate", help: help)
    }

    private mutating func add(der bytes: [UInt8], wanted: Wanted) throws(KeyMaterialProblem) {
        guard !KeyMaterial.isPrivateKey(bytes) else { throw .privateKey }
        do throws(CertificateError) {
            certificates.append(try Certificate(der: bytes))
            return
        } catch {
            if wanted == .certificates || error.isAboutKey {
                throw .unreadable(KeyMaterial.sentence("certificate", error))
            }
            do throws(CertificateError) {
                keys.append(try CertificationRequest(der: bytes).spkiBytes)
                return
            } catch {
                if error.isAboutKey { throw .unreadable(KeyMaterial.sentence("request", error)) }
            }
            do throws(DERError) {
                _ = try PublicKey.parse(spki: bytes.span, at: 0)
                keys.append(bytes)
            } catch {
                throw .unreadable(
                    DERError.Problem.ofKeys.contains(error.problem)
                        ? KeyMaterial.sentence(publicKey: error)
                        : "is no certificate, public key or request in DER")
            }
        }
    }

    private mutating func add(
        certificate der: [UInt8], called name: String
    ) throws(KeyMaterialProblem) {
        do throws(CertificateError) {
            certificates.append(try Certificate(der: der))
        } catch {
            throw .unreadable(KeyMaterial.sentence(name, error))
        }
    }

    private mutating func add(trusted der: [UInt8], called name: String) throws(KeyMaterialProblem)
    {
        let trusted: TrustedCertificate
        do throws(DERError) {
            trusted = try TrustedCertificate(der: der)
        } catch {
            throw .unreadable(
                "holds a trusted \(name) that cannot be read: \(error.problem.rawValue)")
        }
        try add(certificate: trusted.certificate, called: name)
        uses[certificates.count - 1] = trusted.uses
    }

    private mutating func add(publicKey der: [UInt8]) throws(KeyMaterialProblem) {
        do throws(DERError) {
            _ = try PublicKey.parse(spki: der.span, at: 0)
        } catch {
            throw .unreadable(KeyMaterial.sentence(publicKey: error))
        }
        keys.append(der)
    }

    private mutating func add(request der: [UInt8]) throws(KeyMaterialProblem) {
        do throws(CertificateError) {
            keys.append(try CertificationRequest(der: der).spkiBytes)
        } catch {
            throw .unreadable(KeyMaterial.sentence("request", error))
        }
    }

    private static func sentence(_ name: String, _ error: CertificateError) -> String {
        "holds a \(name) that cannot be read: `\(error.field)`: \(error.reason)"
    }

    private static func sentence(publicKey error: DERError) -> String {
        "holds a public key that cannot be read: \(error.problem.rawValue)"
    }

    /// Whether the octets are a SEQUENCE in DER that is as long as the file. A text never is.
    private static func isDER(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30, let header = Header(bytes, at: 0) else {
            return false
        }
        return header.end == bytes.count || bytes[1] >= 0x80
    }

    /// Whether DER is a private key or a container of one. PKCS#8, PKCS#1, SEC 1 and PKCS#12 begin
    /// with a version number (RFC 5958 section 2, RFC 8017 appendix A.1.2, RFC 5915 section 3, RFC
    /// 7292 section 4). An encrypted key begins with an algorithm and an OCTET STRING (RFC 5958
    /// section 3).
    package static func isPrivateKey(_ bytes: [UInt8]) -> Bool {
        guard let outer = Header(bytes, at: 0), outer.tag == 0x30,
            let first = Header(bytes, at: outer.contents)
        else { return false }
        if first.tag == 0x02 { return true }
        guard first.tag == 0x30, let second = Header(bytes, at: first.end) else { return false }
        return second.tag == 0x04
    }

    /// Whether a text that is not PEM still says that it holds a private key.
    private static func speaksOfPrivateKey(_ bytes: [UInt8]) -> Bool {
        let words = Array("PRIVATE KEY-----".utf8)
        guard bytes.count >= words.count else { return false }
        return (0...bytes.count - words.count).contains { start in
            bytes[start] == words[0] && bytes[start..<start + words.count].elementsEqual(words)
        }
    }

    /// The header of a DER element, which is enough to recognise the kind of the file.
    private struct Header {
        let tag: UInt8
        let contents: Int
        let end: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start >= 0, start + 1 < bytes.count else { return nil }
            tag = bytes[start]
            let first = bytes[start + 1]
            var length = Int(first)
            var contents = start + 2
            if first >= 0x80 {
                let count = Int(first & 0x7F)
                guard (1...4).contains(count), contents + count <= bytes.count else { return nil }
                length = bytes[contents..<contents + count].reduce(0) { $0 << 8 | Int($1) }
                contents += count
            }
            guard length <= bytes.count - contents else { return nil }
            self.contents = contents
            self.end = contents + length
        }
    }
}

/// Why a file cannot be used as certificates or keys.
enum KeyMaterialProblem: Error, Hashable {
    /// The file holds a private key. No message repeats any part of it.
    case privateKey
    /// The problem, to be written after the file's name.
    case unreadable(String, help: [String])
    /// The file is in a form that is not read.
    case foreign(ForeignCertificateForm)

    static func unreadable(_ reason: String) -> KeyMaterialProblem {
        .unreadable(reason, help: [])
    }
}
