/// A form in which certificates are handed out, and in which no file of certificates is read. Each
/// has a command that writes the file anew as PEM, with every certificate that was in it.
package enum ForeignCertificateForm: Hashable, Sendable {
    /// SignedData of PKCS#7 (RFC 2315), in DER or in PEM.
    case pkcs7(isPEM: Bool)
    /// PEM behind a byte order mark, which editors do not show.
    case byteOrderMark
    /// PEM in UTF-16.
    case utf16
    /// PEM whose lines begin with blanks.
    case indented
    /// PEM in which two files were joined without a line feed between them.
    case joined
    /// Base64 of PEM, as Kubernetes keeps it in a Secret.
    case base64OfPEM
    /// Base64 of DER without the lines of PEM.
    case base64OfDER
    /// A Java key store or PKCS#12, as it is or in base64.
    case keyStore(KeyStoreFile, isBase64: Bool)

    /// The labels of PEM blocks with PKCS#7.
    package static let pkcs7Labels: Set<String> = ["PKCS7", "PKCS #7 SIGNED DATA", "CMS"]

    /// The form of a file; nil for any other. Cost: linear in the octets.
    package init?(_ bytes: [UInt8]) {
        if let store = KeyStoreFile(bytes) {
            self = .keyStore(store, isBase64: false)
        } else if ForeignCertificateForm.isSignedData(bytes) {
            self = .pkcs7(isPEM: false)
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .byteOrderMark
        } else if let form = ForeignCertificateForm(text: bytes) {
            self = form
        } else if let decoded = ForeignCertificateForm.base64(bytes) {
            let begin = Array("-----BEGIN ".utf8)
            guard !decoded.starts(with: begin) else {
                self = .base64OfPEM
                return
            }
            if let store = KeyStoreFile(decoded) {
                self = .keyStore(store, isBase64: true)
                return
            }
            guard decoded.count > 2, decoded[0] == 0x30, decoded[1] >= 0x80 else { return nil }
            self = .base64OfDER
        } else {
            return nil
        }
    }

    /// What the lines of a text show.
    private init?(text bytes: [UInt8]) {
        let begin = Array("-----BEGIN ".utf8)
        let joint = Array("----------BEGIN ".utf8)
        let end = Array("-----END ".utf8)
        for line in bytes.split(separator: 0x0A) {
            let text = line.drop { $0 == 0x20 || $0 == 0x09 }
            if text.startIndex > line.startIndex, text.starts(with: begin) {
                self = .indented
                return
            }
            if line.starts(with: begin), let label = ForeignCertificateForm.label(line),
                ForeignCertificateForm.pkcs7Labels.contains(label)
            {
                self = .pkcs7(isPEM: true)
                return
            }
            guard line.starts(with: end), line.count > joint.count else { continue }
            for start in line.startIndex..<(line.endIndex - joint.count)
            where line[start...].starts(with: joint) {
                self = .joined
                return
            }
        }
        return nil
    }

    private static func label(_ line: ArraySlice<UInt8>) -> String? {
        let text = line.filter { $0 != 0x0D }
        guard text.count > 16, text.suffix(5).allSatisfy({ $0 == 0x2D }) else { return nil }
        return String(decoding: text.dropFirst(11).dropLast(5), as: UTF8.self)
    }

    /// Whether octets begin as a ContentInfo with signedData, whatever its length says.
    private static func isSignedData(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let length = bytes[1] > 0x80 ? Int(bytes[1] - 0x80) : 0
        let identifier: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
        return bytes.dropFirst(2 + length).starts(with: identifier)
    }

    /// The octets of a text that is base64 and line ends; nil for any other text.
    private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
        let text = bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 }
        guard text.count >= 64 else { return nil }
        return Base64.decode(text)
    }

    /// The form in words that follow the file's name.
    package var words: String {
        switch self {
        case .pkcs7: return "is PKCS#7, a container of certificates"
        case .byteOrderMark: return "begins with a byte order mark, which editors do not show"
        case .utf16: return "is text in UTF-16; PEM is ASCII"
        case .indented: return "has a BEGIN line behind blanks; the lines of PEM are not indented"
        case .joined:
            return "has an END line and a BEGIN line in one line, as two files that were joined "
                + "without a line feed"
        case .base64OfPEM: return "is base64 of PEM, as the data of a Kubernetes Secret"
        case .base64OfDER: return "is base64 without the BEGIN and END lines of PEM"
        case .keyStore(let store, let isBase64):
            return isBase64 ? "is base64 of a file that " + store.words : store.words
        }
    }

    /// The command that writes every certificate of the file as PEM, in words.
    ///
    /// - Parameter path: the file's path; nil where it is not known.
    package func help(for path: String?) -> String {
        let file = path.map(ForeignCertificateForm.shellWord) ?? "FILE"
        var stem = path ?? "NEW"
        for ending in ForeignCertificateForm.endings where stem.hasSuffix(ending) {
            stem = String(stem.dropLast(ending.count))
            break
        }
        let new = path == nil ? "NEW.pem" : ForeignCertificateForm.shellWord("\(stem).plain.pem")
        let command: String
        switch self {
        case .pkcs7(let isPEM):
            let form = isPEM ? "" : "-inform DER "
            command = "openssl pkcs7 \(form)-print_certs -in \(file) -out \(new)"
        case .byteOrderMark: command = "tail -c +4 \(file) > \(new)"
        case .utf16: command = "iconv -f UTF-16 -t US-ASCII \(file) > \(new)"
        case .indented: command = "sed 's/^[[:blank:]]*//' \(file) > \(new)"
        case .joined: command = "awk '{ gsub(/----------/, \"-----\\n-----\") } 1' \(file) > \(new)"
        case .base64OfPEM: command = "tr -d '\\r' < \(file) | base64 -d > \(new)"
        case .base64OfDER:
            command = "tr -d '\\r' < \(file) | base64 -d | openssl x509 -inform DER -out \(new)"
        case .keyStore(_, isBase64: true):
            let plain = ForeignCertificateForm.shellWord("\(stem).plain")
            return
                "`tr -d '\\r' < \(file) | base64 -d > \(plain)` writes it without base64; name that "
                + "file to see the next command"
        case .keyStore(let store, isBase64: false):
            return store.help(file) { ForeignCertificateForm.shellWord(stem + $0) }
        }
        return "`\(command)` writes it as PEM"
    }

    /// Endings of file names that the name of the new file leaves out.
    private static let endings = [
        ".pem", ".crt", ".cer", ".der", ".p7b", ".p7c", ".p12", ".pfx", ".jks", ".jceks",
    ]

    /// Whether the file shows that it holds a private key.
    package var holdsPrivateKey: Bool {
        if case .keyStore(let store, _) = self { return store.keys == .present }
        return false
    }

    /// A path as one word of a shell.
    private static func shellWord(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { octet in
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
            default: return "._/-+@%".utf8.contains(octet)
            }
        }
        if isPlain, !path.hasPrefix("-") { return path }
        guard path.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x27 && $0 != 0x60 })
        else {
            return "FILE"
        }
        return path.hasPrefix("-") ? "'./\(path)'" : "'\(path)'"
    }
}
