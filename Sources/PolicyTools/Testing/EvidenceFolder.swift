import Rendering
package import TrustEngine

/// The kinds of files in a folder of evidence, by the extension of the name. The rest of the name
/// is the digest of the octets.
package enum EvidenceKind: String, Hashable, Sendable, CaseIterable {
    case crl
    case ocsp
    /// An OCSP response from a handshake.
    case staple
    /// Signed certificate timestamps of the TLS extension.
    case scts
    /// A revocation set.
    case revocations
    /// A recorded reply of CRLite filters (`grammar/filter-reply.schema.json`).
    case filterReply = "filter-reply"

    /// The kind of a file; nil for a file that is not evidence.
    package init?(ofFile name: String) {
        guard let ending = name.split(separator: ".").last,
            let kind = EvidenceKind(rawValue: String(ending))
        else { return nil }
        self = kind
    }
}

/// Why a folder of evidence cannot be used. Lower case, no full stop.
package struct EvidenceFolderProblem: Error, Hashable, Sendable {
    package let context: String
}

/// The files of a folder of evidence, read.
package struct EvidenceFolder: Sendable {
    /// One file of a kind that is evidence.
    package struct File: Sendable {
        package let name: String
        package let kind: EvidenceKind
        package let octets: [UInt8]

        package init(name: String, kind: EvidenceKind, octets: [UInt8]) {
            self.name = name
            self.kind = kind
            self.octets = octets
        }
    }

    /// The folder's path, for messages.
    private let path: String
    private let files: [File]

    package init(path: String, files: [File]) {
        self.path = path
        self.files = files
    }

    /// Adds every piece of the folder to the evidence of a request.
    ///
    /// - Parameter ofHandshake: whether what came with a handshake is added too; otherwise only
    ///   what holds for any number of connections.
    package func add(
        to evidence: inout Evidence, signers: EvidenceSigners, crypto: any CryptoBackend,
        ofHandshake: Bool = true
    ) throws(EvidenceFolderProblem) {
        for file in files {
            switch file.kind {
            case .crl:
                for list in try pieces(file, label: "X509 CRL") {
                    evidence.add(crl: list, signers: signers, crypto: crypto)
                }
            case .ocsp: evidence.ocspResponses += try pieces(file, label: "OCSP RESPONSE")
            case .revocations:
                evidence.prepared += try revocationSet(file, crypto).evidence
            case .filterReply:
                let (question, reply) = try filterReply(file)
                evidence.add(reply, to: question)
            case .staple, .scts: break
            }
        }
        guard ofHandshake else { return }
        // The evidence that the server itself sends is newer than what was saved.
        if evidence.stapledOCSP == nil {
            evidence.stapledOCSP = try only(.staple, "staples")
        }
        if evidence.sctList == nil {
            evidence.sctList = try only(.scts, "lists of timestamps")
        }
    }

    /// The pieces of evidence in a file: its octets, or the PEM blocks with a label, as CAs publish
    /// CRLs. Throws for PEM text that cannot be read or has no such block, because what the
    /// operator's file lacks is nobody else's fault.
    private func pieces(
        _ file: File, label: String
    ) throws(EvidenceFolderProblem) -> [[UInt8]] {
        // DER begins with a SEQUENCE, and PEM text never does.
        guard file.octets.first != 0x30 else { return [file.octets] }
        let blocks: [PEMBlock]
        do throws(PEMError) {
            blocks = try PEM.decode(file.octets.span)
        } catch {
            throw EvidenceFolderProblem(
                context: "`\(path)/\(file.name)` is PEM that cannot be read, at octet "
                    + "\(error.offset): \(error.problem.rawValue)")
        }
        guard !blocks.isEmpty else { return [file.octets] }
        let wanted = blocks.filter { $0.label == label }
        guard !wanted.isEmpty else {
            throw EvidenceFolderProblem(
                context: "`\(path)/\(file.name)` is PEM without a block `\(label)`: it has "
                    + blocks.prefix(4).map { "`\($0.label)`" }.joined(separator: ", "))
        }
        return wanted.map(\.der)
    }

    /// A revocation set; throws unless its octets are a set of this version.
    private func revocationSet(
        _ file: File, _ crypto: any CryptoBackend
    ) throws(EvidenceFolderProblem) -> RevocationSet {
        do throws(RevocationSetError) {
            return try RevocationSet(decoding: file.octets, crypto: crypto)
        } catch {
            throw EvidenceFolderProblem(
                context: "`\(path)/\(file.name)` is refused, \(error.code.rawValue): "
                    + error.context)
        }
    }

    private func filterReply(
        _ file: File
    ) throws(EvidenceFolderProblem) -> (RevocationFilterQuestion, RevocationFilterReply) {
        do throws(StrictJSON.Problem) {
            return try FilterReplyJSON.read(file.octets)
        } catch {
            throw EvidenceFolderProblem(
                context: "`\(path)/\(file.name)` is not a reply of CRLite filters: \(error.context)"
            )
        }
    }

    private func only(
        _ kind: EvidenceKind, _ what: String
    ) throws(EvidenceFolderProblem) -> [UInt8]? {
        let pieces = files.filter { $0.kind == kind }
        guard pieces.count <= 1 else {
            throw EvidenceFolderProblem(
                context: "`\(path)` holds \(pieces.count) \(what); a handshake has one")
        }
        return pieces.first?.octets
    }
}
