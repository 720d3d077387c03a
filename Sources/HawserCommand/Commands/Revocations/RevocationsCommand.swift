import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser revocations`: turns CRLs into one revocation set, for services that fetch nothing.
struct RevocationsCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "revocations",
        abstract: "Put the CRLs of the CAs that a policy trusts into one revocation set.",
        discussion: """
            A set gives for each certificate the answer of its CRLs. It is smaller and is read in \
            milliseconds, for services that fetch nothing. `hawser explain --evidence DIR` reads \
            every `*.revocations` of a folder. This command verifies the signature of each CRL; the \
            set contains no signatures, so whoever can write the file decides what is revoked.

            The same CRLs give the same bytes. Ends with 0 when every CRL went in, 1 when one did not: \
            its certificates then have no status by this set.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(help: "A file with CRLs, PEM or DER; may be repeated.", completion: .file())
    var crl: [String] = []

    @Option(
        help: "A folder of evidence, as `hawser fetch` fills it; may be repeated.",
        completion: .directory)
    var evidence: [String] = []

    @Option(
        help: """
            A file with certificates of CAs below the policy's anchors, which sign their own CRLs; may \
            be repeated.
            """, completion: .file())
    var issuer: [String] = []

    @Option(
        name: [.short, .customLong("output")], help: "The set to write: NAME.revocations.",
        completion: .file(extensions: ["revocations"]))
    var output: String

    @Option(help: AnswerOptions<MadeSet>.formatHelp)
    var format = AskedFormat<MadeSet>(MadeSet.usual)

    func answer() throws(CommandFailure) -> ExitStatus {
        let answers = try AnswerOutput<MadeSet>(format.named, [], colour: .auto)
        guard !crl.isEmpty || !evidence.isEmpty else {
            throw .couldNotAsk("give the CRLs: `--crl FILE` or `--evidence DIR`")
        }
        let table = try PolicySource.table(policy)
        let checks = try AssumedChecks([]).registered(for: table, rule: nil)
        let engine = try PolicySource.engine(table, checks: checks)
        var strangers = engine.offered.entries.map(\.certificate)
        for path in issuer { strangers += try CertificateFile.certificates(path) }
        let authorities = TrustedAuthorities(
            anchors: engine.anchors.anchors.map(\.certificate), others: strangers)
        let (lists, leftOut) = try readLists(EvidenceSigners(authorities.certificates))
        if answers.format == .answer(.text) || lists.isEmpty {
            for piece in leftOut { Report.progress(RevocationSetReport.line(piece)) }
        }
        guard !lists.isEmpty else { throw .couldNotAsk("no CRL can go into a set") }
        let set = try make(lists)
        try OutputFile.write(set.bytes, to: output)
        try answers.write(MadeSet(set: set, leftOut: leftOut))
        return leftOut.isEmpty ? .clean : .findings
    }

    /// Every CRL that can be in the set, each once, and every CRL that cannot.
    private func readLists(
        _ signers: EvidenceSigners
    ) throws(CommandFailure) -> ([PreparedEvidence], [RevocationSetReport.LeftOut]) {
        var found = Evidence()
        for path in crl {
            for der in try CertificateFile.evidence(path, label: "X509 CRL") {
                found.add(crl: der, signers: signers)
            }
        }
        for path in evidence {
            try EvidenceFiles.read(path, into: &found, signers: signers)
        }
        var lists: [PreparedEvidence] = []
        var leftOut: [RevocationSetReport.LeftOut] = []
        for der in found.crls {
            do throws(EvidenceError) {
                _ = try CertificateRevocationList(der: der)
            } catch {
                leftOut.append(
                    .unreadable(EngineLoader.crypto.digest(.sha256, of: der.span), error))
            }
        }
        // A revocation set in the folder was made from CRLs. The new set is made from the CRLs and
        // not from the old set.
        for piece in found.prepared
        where piece.revocationSet == nil && !lists.contains(where: { $0.digest == piece.digest }) {
            if let obstacle = RevocationSet.obstacle(to: piece) {
                leftOut.append(.obstructed(piece, obstacle))
            } else {
                lists.append(piece)
            }
        }
        return (lists, leftOut)
    }

    private func make(_ lists: [PreparedEvidence]) throws(CommandFailure) -> RevocationSet {
        let bytes: [UInt8]
        do throws(RevocationSetObstacle) {
            bytes = try RevocationSet.encode(lists, crypto: EngineLoader.crypto)
        } catch {
            throw .couldNotAsk("the set cannot be made: \(RevocationSetReport.words(error))")
        }
        // A set that a service would refuse is not written.
        do throws(RevocationSetError) {
            return try RevocationSet(decoding: bytes, crypto: EngineLoader.crypto)
        } catch {
            throw .ownFault("the set that was made is refused: \(error.context)")
        }
    }
}

/// A set that was made, and the CRLs that are not in it.
struct MadeSet: OfferedAnswer {
    let set: RevocationSet
    let leftOut: [RevocationSetReport.LeftOut]

    static let writers = FormatWriters<MadeSet>([
        .answer(.text): { made, _ in RevocationSetReport.text(made.set) },
        .answer(.json): { made, _ in
            RevocationSetReport.json(made.set, leftOut: made.leftOut)
        },
    ])
}

/// The CAs whose CRLs go into a set: the CAs that the anchors vouch for, only by signatures.
/// Whether a path through a CA is valid is decided for each request.
private struct TrustedAuthorities {
    let certificates: [Certificate]

    init(anchors: [Certificate], others: [Certificate]) {
        var trusted = anchors
        var known = Set(anchors.map(\.der))
        var left = others.filter { !known.contains($0.der) }
        // Each round adds the CAs that the CAs of the last round issued.
        var isGrowing = true
        while isGrowing, !left.isEmpty {
            let found = left.filter { candidate in
                trusted.contains { TrustedAuthorities.isSigned(candidate, by: $0) }
            }
            isGrowing = !found.isEmpty
            for certificate in found where known.insert(certificate.der).inserted {
                trusted.append(certificate)
            }
            left.removeAll { known.contains($0.der) }
        }
        certificates = trusted
    }

    private static func isSigned(_ certificate: Certificate, by issuer: Certificate) -> Bool {
        guard certificate.isIssued(byNameOf: issuer) else { return false }
        let der = certificate.der.span
        let layout = certificate.layout
        return EngineLoader.crypto.verify(
            layout.signatureAlgorithm, key: issuer.layout.publicKey, keyBytes: issuer.der.span,
            message: der.extracting(layout.tbs.indices),
            signature: der.extracting(layout.signature.indices)) == .valid
    }
}
