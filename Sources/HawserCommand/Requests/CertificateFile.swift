import Hawser
import TrustEngine

/// Reads certificates, keys and evidence from files named on the command line, as PEM or DER.
enum CertificateFile {
    /// The most octets of a file: enough for a thousand certificates of usual size.
    static let limit = 4 << 20

    /// The chain of a file in its order, the server's own certificate first: all certificates of a
    /// PEM text, or one certificate in DER. A certificate that cannot be read is presented all the
    /// same, and the verdict names its fault; a file without certificates is refused.
    static func chain(_ path: String) throws(CommandFailure) -> [[UInt8]] {
        try chain(InputFile.readStream(path, limit: limit), path: path, isPresented: true)
    }

    /// The certificates of a file that holds no private key.
    ///
    /// - Parameter advice: what to do about a key, the end of the sentence that refuses it.
    static func withoutKey(
        _ path: String, _ advice: String
    ) throws(CommandFailure) -> [Certificate] {
        try certificates(octetsWithoutKey(path, advice), path: path)
    }

    /// The octets of a file that holds no private key.
    ///
    /// - Parameter advice: as `withoutKey(_:_:)` takes it.
    static func octetsWithoutKey(
        _ path: String, _ advice: String
    ) throws(CommandFailure) -> [UInt8] {
        let bytes = try InputFile.read(path, limit: limit)
        if let blocks = try blocks(bytes, path: path), blocks.containsPrivateKey {
            throw .couldNotAsk("`\(path)` holds a private key\(advice)")
        }
        return bytes
    }

    /// The certificates of a large file as they stand there, PEM or one in DER.
    static func octets(_ path: String, limit: Int) throws(CommandFailure) -> [[UInt8]] {
        try chain(InputFile.read(path, limit: limit), path: path)
    }

    private static func chain(
        _ bytes: [UInt8], path: String, isPresented: Bool = false
    ) throws(CommandFailure) -> [[UInt8]] {
        try refuseForeign(bytes, path: path)
        guard let blocks = try blocks(bytes, path: path) else {
            guard isSequence(bytes) else {
                throw .couldNotAsk(
                    "\(InputFile.name(path)) holds no certificate: it is neither PEM nor DER")
            }
            return [bytes]
        }
        var certificates: [[UInt8]] = []
        for block in blocks {
            if block.label == TrustedCertificate.label {
                guard let trusted = try? TrustedCertificate(der: block.der) else {
                    certificates.append(block.der)
                    continue
                }
                // The uses beside a certificate say nothing of one that is presented.
                guard isPresented || trusted.uses.allowServers else {
                    throw .couldNotAsk(
                        "\(InputFile.name(path)) holds a certificate that is not trusted for servers, "
                            + "by the uses that OpenSSL keeps beside it")
                }
                certificates.append(trusted.certificate)
            } else if PEM.certificateLabels.contains(block.label) {
                certificates.append(block.der)
            }
        }
        guard !certificates.isEmpty else {
            throw .couldNotAsk("\(InputFile.name(path)) holds no certificate: \(found(blocks))")
        }
        return certificates
    }

    /// Refuses octets in a form that is not read, with the command that writes them as PEM.
    static func refuseForeign(_ bytes: [UInt8], path: String) throws(CommandFailure) {
        guard let form = ForeignCertificateForm(bytes) else { return }
        let isFile = path != InputFile.standardInput && !NamedPath.isFIFO(path)
        let order: String
        switch form {
        case .pkcs7, .keyStore: order = "; put the server's own certificate first there"
        case .byteOrderMark, .utf16, .indented, .joined, .base64OfPEM, .base64OfDER: order = ""
        }
        throw .couldNotAsk(
            "\(InputFile.name(path)) \(form.words); \(form.help(for: isFile ? path : nil))" + order)
    }

    /// One piece of evidence for each PEM block with `label`, or the whole file as DER.
    static func evidence(_ path: String, label: String) throws(CommandFailure) -> [[UInt8]] {
        let bytes = try InputFile.readStream(path, limit: 64 << 20)
        guard let blocks = try blocks(bytes, path: path) else { return [bytes] }
        let wanted = blocks.filter { $0.label == label }
        guard !wanted.isEmpty else {
            throw .couldNotAsk(
                "\(InputFile.name(path)) holds no block `\(label)`: \(found(blocks))")
        }
        return wanted.map(\.der)
    }

    /// All certificates of a file, PEM or DER.
    static func certificates(_ path: String) throws(CommandFailure) -> [Certificate] {
        try certificates(InputFile.readStream(path, limit: limit), path: path)
    }

    /// All certificates in the octets of a file, PEM or DER.
    static func certificates(
        _ bytes: [UInt8], path: String
    ) throws(CommandFailure) -> [Certificate] {
        var certificates: [Certificate] = []
        for der in try chain(bytes, path: path) {
            do throws(CertificateError) {
                certificates.append(try Certificate(der: der))
            } catch {
                throw .couldNotAsk(
                    "a certificate of \(InputFile.name(path)) cannot be read: \(error.context)")
            }
        }
        return certificates
    }

    /// The SignedCertificateTimestampList of a TLS extension (RFC 6962 section 3.3): its octets, or
    /// the PEM block that OpenSSL writes, which has the extension's number and length before the
    /// list. The engine decides whether the list can be parsed.
    static func timestamps(_ path: String) throws(CommandFailure) -> [UInt8] {
        let bytes = try InputFile.readStream(path, limit: limit)
        guard let blocks = try blocks(bytes, path: path) else { return bytes }
        let label = "SERVERINFO FOR EXTENSION 18"
        let lists = blocks.filter { $0.label == label }.map(\.der)
        guard lists.count == 1, let list = lists.first, list.count >= 4,
            list[0] == 0, list[1] == 18, Int(list[2]) << 8 | Int(list[3]) == list.count - 4
        else {
            throw .couldNotAsk(
                "\(InputFile.name(path)) holds no whole block `\(label)`: \(found(blocks))")
        }
        return Array(list.dropFirst(4))
    }

    /// The PEM blocks of a text; nil if nothing in the file looks like PEM.
    static func blocks(_ bytes: [UInt8], path: String) throws(CommandFailure) -> [PEMBlock]? {
        guard isPEM(bytes) else { return nil }
        do throws(PEMError) {
            return try PEM.decode(bytes.span)
        } catch {
            throw .couldNotAsk(
                "\(InputFile.name(path)) is PEM that cannot be read, at octet \(error.offset): "
                    + error.problem.rawValue)
        }
    }

    /// Refuses a file with a private key, which must not come into a folder that others get. A
    /// stream is read once, so it is not looked at; only certificates are taken out of it.
    static func refuseKeys(_ path: String) throws(CommandFailure) {
        guard path != InputFile.standardInput, !NamedPath.isFIFO(path) else { return }
        let blocks = try blocks(try InputFile.read(path, limit: limit), path: path) ?? []
        guard let key = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else { return }
        throw .couldNotAsk(
            "`\(path)` has a `\(key.label)` beside the certificates; hand over a file without it")
    }

    /// What a file contains instead, by the labels of its blocks.
    static func found(_ blocks: [PEMBlock]) -> String {
        guard !blocks.isEmpty else { return "it has no PEM block at all" }
        return "it has " + blocks.prefix(4).map { "`\($0.label)`" }.joined(separator: ", ")
    }

    /// Whether octets are one DER SEQUENCE from end to end, as every certificate is. Does not look
    /// inside.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2, bytes[0] == 0x30 else { return false }
        let first = Int(bytes[1])
        guard first >= 0x80 else { return bytes.count == 2 + first }
        let octets = first - 0x80
        guard (1...4).contains(octets), bytes.count >= 2 + octets else { return false }
        let length = bytes[2..<2 + octets].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count == 2 + octets + length
    }

    /// DER begins with a SEQUENCE here, and PEM text never does.
    private static func isPEM(_ bytes: [UInt8]) -> Bool {
        guard bytes.first != 0x30 else { return false }
        let mark = Array("-----BEGIN ".utf8)
        guard bytes.count >= mark.count else { return false }
        for start in 0...(bytes.count - mark.count)
        where bytes[start] == mark[0] && bytes[start..<start + mark.count].elementsEqual(mark) {
            return true
        }
        return false
    }
}
