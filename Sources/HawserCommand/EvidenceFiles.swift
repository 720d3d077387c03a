import Hawser
import TrustEngine

/// A folder of evidence, with one DER file for each piece. The extension of a file's name is the
/// kind of the piece, and the rest of the name is the digest of its octets, so the same evidence is
/// stored once.
enum EvidenceFiles {
    /// The kind of a file, by the extension of its name.
    private enum Kind: String, CaseIterable {
        case crl
        case ocsp
        /// An OCSP response from a handshake.
        case staple
        /// Signed certificate timestamps of the TLS extension.
        case scts
        /// A revocation set.
        case revocations
    }

    /// The most octets that are read from one folder.
    private static let limit = 256 << 20

    /// Reads every piece of evidence in a folder. Files with other extensions are ignored.
    static func read(
        _ path: String, into evidence: inout Evidence, signers: EvidenceSigners
    ) throws(CommandFailure) {
        do throws(FileReadError) {
            let folder = try RootFolder(path: path, limits: RootFolder.Limits(octets: limit))
            var staples: [[UInt8]] = []
            var timestamps: [[UInt8]] = []
            for item in try folder.entries(of: "") where item.kind == .regular {
                guard let ending = item.name.split(separator: ".").last,
                    let kind = Kind(rawValue: String(ending))
                else { continue }
                let octets = try folder.read(item.name, limit: limit)
                switch kind {
                case .crl: evidence.add(crl: octets, signers: signers)
                case .ocsp: evidence.ocspResponses.append(octets)
                case .staple: staples.append(octets)
                case .scts: timestamps.append(octets)
                case .revocations:
                    evidence.prepared += try revocationSet(octets, "\(path)/\(item.name)").evidence
                }
            }
            // The evidence that the server itself sends is newer than what was saved.
            if evidence.stapledOCSP == nil {
                evidence.stapledOCSP = try only(staples, "staples", in: path)
            }
            if evidence.sctList == nil {
                evidence.sctList = try only(timestamps, "lists of timestamps", in: path)
            }
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    /// A revocation set; throws unless its octets are a set of this version.
    private static func revocationSet(
        _ octets: [UInt8], _ path: String
    ) throws(FileReadError) -> RevocationSet {
        do throws(RevocationSetError) {
            return try RevocationSet(decoding: octets, crypto: EngineLoader.crypto)
        } catch {
            throw FileReadError(
                code: .unreadable,
                context: "`\(path)` is refused, \(error.code.rawValue): \(error.context)")
        }
    }

    private static func only(
        _ pieces: [[UInt8]], _ what: String, in path: String
    ) throws(FileReadError) -> [UInt8]? {
        guard pieces.count <= 1 else {
            throw FileReadError(
                code: .unreadable,
                context: "`\(path)` holds \(pieces.count) \(what); a handshake has one")
        }
        return pieces.first
    }

    /// Writes all evidence of a request, and its chain as `chain.pem`. Returns the names of the
    /// files.
    static func save(_ request: TrustRequest, in path: String) throws(CommandFailure) -> [String] {
        var files: [(name: String, octets: [UInt8])] = []
        func add(_ octets: [UInt8], _ kind: Kind) {
            let name = name(octets, kind)
            if !files.contains(where: { $0.name == name }) { files.append((name, octets)) }
        }
        let evidence = request.evidence
        if let staple = evidence.stapledOCSP { add(staple, .staple) }
        for response in evidence.ocspResponses { add(response, .ocsp) }
        for list in evidence.crls { add(list, .crl) }
        if let timestamps = evidence.sctList { add(timestamps, .scts) }
        for piece in evidence.prepared {
            if let set = piece.revocationSet {
                add(set, .revocations)
            } else {
                add(piece.der, kind(of: piece))
            }
        }
        if !request.presentedChain.isEmpty {
            let text = request.presentedChain.map(pem).joined()
            files.append(("chain.pem", Array(text.utf8)))
        }
        try write(files, in: path)
        return files.map(\.name)
    }

    /// Writes pieces of evidence. Returns the name of each.
    static func save(
        _ pieces: [PreparedEvidence], in path: String
    ) throws(CommandFailure) -> [String] {
        let files = pieces.map { (name: name($0.der, kind(of: $0)), octets: $0.der) }
        try write(files, in: path)
        return files.map(\.name)
    }

    private static func write(
        _ files: [(name: String, octets: [UInt8])], in path: String
    ) throws(CommandFailure) {
        guard !files.isEmpty else { return }
        do throws(OutputFile.Problem) {
            try OutputFile.makeFolder(path)
            for file in files { try OutputFile.replace("\(path)/\(file.name)", with: file.octets) }
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    private static func kind(of piece: PreparedEvidence) -> Kind {
        piece.source == .crl ? .crl : .ocsp
    }

    private static func name(_ octets: [UInt8], _ kind: Kind) -> String {
        let digest = EngineLoader.crypto.digest(.sha256, of: octets.span)
        return "\(digest.hex.prefix(32)).\(kind.rawValue)"
    }

    private static func pem(_ der: [UInt8]) -> String {
        var text = "-----BEGIN CERTIFICATE-----\n"
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END CERTIFICATE-----\n"
    }
}
