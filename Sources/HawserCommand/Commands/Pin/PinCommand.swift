import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TLSProbe
import TrustEngine

/// `hawser pin`: prints the pins of certificates, public keys, requests and servers, in the form in
/// which a policy writes them.
struct PinCommand: FormattedCommand {
    typealias Answer = PinnedKeys

    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Print pins of certificates, keys, requests or a server.",
        discussion: "A private key is refused: `openssl pkey -in KEY -pubout` makes the public one."
    )

    @Argument(
        help:
            "Files with certificates, public keys or PKCS#10 requests, PEM or DER; `-` is standard input.",
        completion: .file())
    var files: [String] = []

    @Option(help: "ADDRESS or ADDRESS:PORT of a server whose chain is pinned.")
    var connect: String?

    @OptionGroup var plaintext: StartTLSOption

    @Option(help: "The name to ask that server for; by default its address.")
    var name: String?

    @Flag(help: "Print the pins as backups.")
    var backup = false

    @OptionGroup var output: AnswerOptions<PinnedKeys>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        guard !files.isEmpty || connect != nil else {
            throw .couldNotAsk("give files, or a server by `--connect ADDRESS`")
        }
        try plaintext.check(connect: connect)
        try InputFile.refuseSecondInput([("FILES", files)])
        var pinned: [PinText.Item] = []
        for file in files { pinned += try PinnedFile.items(file) }
        if let connect {
            let starttls = plaintext.starttls
            let target = try RequestHost(
                name ?? connect, connect: HostAndPort(connect, isServer: true), startTLS: starttls)
            let connection = try Probe.connect(
                to: connect, for: target, plaintext,
                alpn: starttls == nil ? TLSConnection.webProtocols : [])
            for der in connection.presentedChain {
                let certificate: Certificate
                do throws(CertificateError) {
                    certificate = try Certificate(der: der)
                } catch {
                    throw .couldNotAsk(
                        "a certificate of \(connect) cannot be read: \(error.details)")
                }
                pinned.append(PinnedFile.item(certificate, source: connect))
            }
        }
        try output.write(PinnedKeys(items: pinned, section: backup ? .backups : .keys))
        return .clean
    }
}

/// Pins in the form in which a policy writes them.
struct PinnedKeys: OfferedAnswer {
    let items: [PinText.Item]
    let section: PinText.Section

    static let writers = FormatWriters<PinnedKeys>([
        .answer(.text): { keys, _ in PinText.render(keys.items, section: keys.section) },
        .answer(.json): { keys, _ in PinText.renderJSON(keys.items, section: keys.section) },
    ])
}

/// The keys and certificates of a file that can be pinned.
enum PinnedFile {
    static func items(_ path: String) throws(CommandFailure) -> [PinText.Item] {
        let bytes = try InputFile.readStream(path, limit: CertificateFile.limit)
        try CertificateFile.refuseForeign(bytes, path: path)
        guard let blocks = try CertificateFile.blocks(bytes, path: path) else {
            return [try item(der: bytes, path: path)]
        }
        guard !blocks.containsPrivateKey else { throw privateKey(path) }
        var items: [PinText.Item] = []
        for block in blocks {
            if PEM.certificateLabels.contains(block.label) || keyLabels.contains(block.label) {
                items.append(try item(der: block.der, path: path))
            }
        }
        guard !items.isEmpty else {
            throw .couldNotAsk(
                "\(InputFile.name(path)) holds nothing that can be pinned: \(CertificateFile.found(blocks))"
            )
        }
        return items
    }

    /// The labels of RFC 7468 sections 7 and 13, and one that older tools write for requests.
    private static let keyLabels: Set<String> = [
        "PUBLIC KEY", "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST",
    ]

    static func item(_ certificate: Certificate, source: String) -> PinText.Item {
        PinText.Item(
            kind: certificate.layout.extensions.isCA ? .authority : .endEntity, source: source,
            subject: certificate.subjectText, notAfter: certificate.notAfter,
            spki: digest(certificate.spkiBytes), certificate: digest(certificate.der))
    }

    private static func item(der: [UInt8], path: String) throws(CommandFailure) -> PinText.Item {
        let problem: CertificateError
        do throws(CertificateError) {
            return item(try Certificate(der: der), source: path)
        } catch {
            problem = error
        }
        do throws(CertificateError) {
            let request = try CertificationRequest(der: der)
            return PinText.Item(
                kind: .request, source: path, subject: nil, notAfter: nil,
                spki: digest(request.spkiBytes), certificate: nil)
        } catch {
            if error.isAboutKey {
                throw .couldNotAsk(
                    "\(InputFile.name(path)) holds a request that cannot be read: \(error.details)")
            }
        }
        do throws(DERError) {
            _ = try PublicKey.parse(spki: der.span, at: 0)
            return PinText.Item(
                kind: .key, source: path, subject: nil, notAfter: nil, spki: digest(der),
                certificate: nil)
        } catch {
            if DERError.Problem.ofKeys.contains(error.problem) {
                throw .couldNotAsk(
                    "\(InputFile.name(path)) holds a public key that cannot be read: \(error.problem.rawValue)"
                )
            }
        }
        guard !PrivateKeyShape.matches(der) else { throw privateKey(path) }
        throw .couldNotAsk(
            "\(InputFile.name(path)) is no certificate, public key or request; as a certificate: "
                + problem.details)
    }

    private static func digest(_ bytes: [UInt8]) -> Digest {
        EngineLoader.crypto.digest(.sha256, of: bytes.span)
    }

    private static func privateKey(_ path: String) -> CommandFailure {
        .couldNotAsk(
            "\(InputFile.name(path)) holds a private key, which no pin needs; "
                + "make the public key first: `openssl pkey -in FILE -pubout -out public.pem`")
    }
}

/// Recognises private keys in DER by their first elements. Nothing of the key is read.
enum PrivateKeyShape {
    /// Whether octets begin like PKCS #8 (RFC 5958 section 2), RSAPrivateKey (RFC 8017 appendix
    /// A.1.2) or ECPrivateKey (RFC 5915 section 3): a SEQUENCE whose first element is the INTEGER 0
    /// or 1.
    static func matches(_ der: [UInt8]) -> Bool {
        guard der.count > 4, der[0] == 0x30 else { return false }
        let header = der[1] < 0x80 ? 2 : 2 + Int(der[1] & 0x7F)
        guard header + 3 <= der.count else { return false }
        return der[header] == 0x02 && der[header + 1] == 1 && der[header + 2] <= 1
    }
}
