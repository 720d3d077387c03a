import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// A folder of evidence, with one DER file for each piece as `hawser fetch` writes it, or with PEM
/// files of CRLs and OCSP responses. The extension of a file's name is the kind of the piece. In
/// written files the rest of the name is the digest of the octets, so the same evidence is stored
/// once. A folder may also hold CRLite filters with their index, as `upki fetch` fills it, and
/// replies of filters that were recorded.
enum EvidenceFiles {
    /// The most octets that are read from one folder.
    private static let limit = 256 << 20

    /// Reads every piece of evidence in a folder. Files with other extensions are ignored.
    static func read(
        _ path: String, into evidence: inout Evidence, signers: EvidenceSigners
    ) throws(CommandFailure) {
        let folder = try folder(path, &evidence)
        try asking { () throws(EvidenceFolderProblem) in
            try folder.add(to: &evidence, signers: signers, crypto: EngineLoader.makeBackend())
        }
    }

    /// Reads a folder, or a file with a revocation set, for any number of connections: every piece
    /// prepared, and nothing of a single handshake. Returns the names of OCSP responses that cannot
    /// be read, by their digests.
    static func readShared(
        _ path: String, into evidence: inout Evidence, signers: EvidenceSigners
    ) throws(CommandFailure) -> [Digest] {
        let folder =
            NamedPath.isFolder(path)
            ? try folder(path, &evidence) : try EvidenceFiles.folder(ofSet: path)
        var found = Evidence()
        try asking { () throws(EvidenceFolderProblem) in
            try folder.add(
                to: &found, signers: signers, crypto: EngineLoader.makeBackend(), ofHandshake: false
            )
        }
        evidence.prepared += found.prepared
        evidence.crls += found.crls
        for (question, reply) in found.filterReplies { evidence.add(reply, to: question) }
        var unread: [Digest] = []
        for response in found.ocspResponses {
            do throws(EvidenceError) {
                evidence.prepared.append(
                    try PreparedEvidence(
                        ocspResponse: response, signers: signers.certificates,
                        crypto: EngineLoader.makeBackend()))
            } catch {
                unread.append(EngineLoader.digests.digest(.sha256, of: response.span))
            }
        }
        return unread
    }

    /// A file with a revocation set, as a folder that holds nothing else.
    private static func folder(ofSet path: String) throws(CommandFailure) -> EvidenceFolder {
        guard EvidenceKind(ofFile: path) == .revocations else {
            throw .couldNotAsk(
                "`--evidence` takes a folder as `hawser fetch` fills it, or a set as `hawser "
                    + "revocations` writes it, NAME.revocations; `\(path)` is neither")
        }
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return EvidenceFolder(
            path: slash.map { String(path[..<$0]) } ?? ".",
            files: [
                EvidenceFolder.File(
                    name: name, kind: .revocations, octets: try InputFile.read(path, limit: limit))
            ])
    }

    /// Reads a folder. Where it holds filters, `evidence` gets the folder itself, and the engine
    /// asks the filters that it needs.
    private static func folder(
        _ path: String, _ evidence: inout Evidence
    ) throws(CommandFailure) -> EvidenceFolder {
        var files: [EvidenceFolder.File] = []
        var hasFilters = false
        do throws(FileReadError) {
            let folder = try RootFolder(path: path, limits: RootFolder.Limits(octets: limit))
            for item in try folder.entries(of: "") where item.kind.isFile {
                if CRLiteFolder.isOfFilters(item.name) { hasFilters = true }
                guard let kind = EvidenceKind(ofFile: item.name) else { continue }
                files.append(
                    EvidenceFolder.File(
                        name: item.name, kind: kind,
                        octets: try folder.read(item.name, limit: limit)))
            }
        } catch {
            throw .couldNotAsk(error.context)
        }
        if hasFilters {
            guard evidence.filters == nil else {
                throw .couldNotAsk(
                    "`\(path)` is the second folder with CRLite filters; put all filters into one "
                        + "folder with one index")
            }
            evidence.filters = SuppliedFilters(CRLiteFolder(path))
        }
        return EvidenceFolder(path: path, files: files)
    }

    /// Writes all evidence of a request, and its chain as `chain.pem`. Returns the names of the
    /// files.
    static func save(_ request: TrustRequest, in path: String) throws(CommandFailure) -> [String] {
        let files = files(of: request)
        try write(files, in: path)
        return files.map(\.name)
    }

    /// The files of all evidence of a request, and of its chain.
    static func files(of request: TrustRequest) -> [(name: String, octets: [UInt8])] {
        var files: [(name: String, octets: [UInt8])] = []
        func add(_ octets: [UInt8], _ kind: EvidenceKind) {
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
        for reply in FilterReplyJSON.ordered(evidence.filterReplies, EngineLoader.digests) {
            add(reply.octets, .filterReply)
        }
        if !request.presentedChain.isEmpty {
            files.append(("chain.pem", PEMText.certificates(request.presentedChain)))
        }
        return files
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
        try asking { () throws(OutputFile.Problem) in
            try OutputFile.makeFolder(path)
            for file in files { try OutputFile.replace("\(path)/\(file.name)", with: file.octets) }
        }
    }

    private static func kind(of piece: PreparedEvidence) -> EvidenceKind {
        piece.source == .crl ? .crl : .ocsp
    }

    private static func name(_ octets: [UInt8], _ kind: EvidenceKind) -> String {
        let digest = EngineLoader.digests.digest(.sha256, of: octets.span)
        return "\(digest.hex.prefix(32)).\(kind.rawValue)"
    }
}
