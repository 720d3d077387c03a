package import PolicyCompiler
import Rendering
package import TrustEngine

/// Writes the trust for servers that `certdata.txt` states as a policy: the anchors, with the date
/// after which nothing new below them is trusted, and the certificates that are distrusted.
package struct CertdataImport {
    private let file: CertdataFile
    private let source: SourceFile
    private let crypto: any CryptoBackend
    private var anchors: AnchorFiles
    private var forbidden: [WrittenPolicy.Forbidden] = []
    private var ids = WrittenIDs()
    private var findings = ForeignFindings()

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - owner: the owner of the rule; nil if nobody was named.
    package static func policy(
        of file: CertdataFile, source: SourceFile, owner: String? = nil,
        crypto: any CryptoBackend
    ) -> ForeignImport {
        var imported = CertdataImport(file, source, crypto)
        imported.joinRecords()
        var policy = imported.policy()
        policy.owner = owner
        return ForeignImport(
            policy: policy, files: imported.anchors.files,
            findings: file.findings + imported.findings.diagnostics)
    }

    private init(_ file: CertdataFile, _ source: SourceFile, _ crypto: any CryptoBackend) {
        self.file = file
        self.source = source
        self.crypto = crypto
        anchors = AnchorFiles(named: "mozilla", standard: "web-pki", crypto: crypto)
    }

    private func policy() -> WrittenPolicy {
        var policy = WrittenPolicy()
        policy.heading = [
            "Written by `hawser import certdata` from \(source.path).",
            "`hawser help foreign-files.md` describes the import.",
        ]
        let sets = anchors.sets { [source] count in
            "\(Words.count(count, "root")) of \(source.path)"
        }
        // Without an anchor every host is denied.
        guard !sets.isEmpty else { return policy }
        policy.anchorSets = sets
        var body = WrittenPolicy.Body(anchors: sets.map(\.id))
        body.forbidden = forbidden
        policy.defaultBody = body
        return policy
    }

    private static let everyHost = ForeignFindings.Hosts(others: true)

    private mutating func report(
        _ code: DiagnosticCode, _ message: String, at range: Range<Int>,
        _ difference: ForeignDifference? = nil, help: [String] = []
    ) {
        findings.add(
            code, message, at: range, difference ?? ForeignDifference.none,
            difference == nil ? ForeignFindings.Hosts() : Self.everyHost, help: help)
    }

    // MARK: Records

    private mutating func joinRecords() {
        var certificates: [CertdataFile.RecordName: CertdataFile.Certificate] = [:]
        for certificate in file.certificates {
            guard let first = certificates[certificate.name] else {
                certificates[certificate.name] = certificate
                continue
            }
            guard first.value != certificate.value else { continue }
            report(
                .certdataUnpaired,
                "a second certificate `\(certificate.label)` with this issuer and serial number is "
                    + "left out", at: certificate.range)
        }
        var used: Set<CertdataFile.RecordName> = []
        var unused: (count: Int, first: Range<Int>)?
        for trust in file.trusts {
            guard used.insert(trust.name).inserted else {
                report(
                    .certdataUnpaired,
                    "a second trust record `\(trust.label)` for one certificate is left out",
                    at: trust.range)
                continue
            }
            let certificate = certificates[trust.name]
            switch trust.servers {
            case .none:
                unused = (count: (unused?.count ?? 0) + 1, first: unused?.first ?? trust.range)
            case .unknown(let word, let range):
                report(
                    .certdataUnknown,
                    "the trust `\(word)` is not known to this version, and the certificate is left "
                        + "out", at: range)
            case .anchor, .server: addAnchor(trust, certificate)
            case .distrusted: addDistrust(trust, certificate)
            }
        }
        for certificate in file.certificates where !used.contains(certificate.name) {
            report(
                .certdataUnpaired,
                "the certificate `\(certificate.label)` has no trust record, so nothing trusts it",
                at: certificate.range)
        }
        if let unused {
            report(
                .certdataNotForServers,
                "\(Words.count(unused.count, "record")) from this one on "
                    + "\(unused.count == 1 ? "does" : "do") not trust a certificate for servers",
                at: unused.first)
        }
    }

    /// The certificate of a trust record; nil where it is left out.
    private mutating func match(
        _ trust: CertdataFile.Trust, _ certificate: CertdataFile.Certificate?
    ) -> CertdataFile.Certificate? {
        guard let certificate else { return nil }
        if let digest = trust.digest, !isDigest(digest, of: certificate.value) {
            report(
                .certdataUnpaired,
                "the digest in the trust record `\(trust.label)` does not fit the certificate "
                    + "with its issuer and serial number; both are left out", at: trust.range)
            return nil
        }
        return certificate
    }

    private func isDigest(_ digest: [UInt8], of value: [UInt8]) -> Bool {
        switch digest.count {
        case 20: return crypto.identifierSHA1(of: value.span)?.octets == digest
        case 32: return crypto.digest(.sha256, of: value.span).bytes == digest
        default: return false
        }
    }

    private mutating func addAnchor(
        _ trust: CertdataFile.Trust, _ record: CertdataFile.Certificate?
    ) {
        guard record != nil else {
            report(
                .certdataUnpaired,
                "the trust record `\(trust.label)` has no certificate, so nothing is trusted by it",
                at: trust.range)
            return
        }
        guard let record = match(trust, record), !record.isUnclear else { return }
        let certificate: Certificate
        do throws(CertificateError) {
            certificate = try Certificate(der: record.value)
        } catch {
            report(
                .storeEntryLeftOut,
                "the certificate `\(record.label)` cannot be read: \(error.context)",
                at: record.range, .policyIsStricter)
            return
        }
        guard isNamed(certificate, record) else {
            report(
                .certdataUnpaired,
                "the record of the certificate `\(record.label)` has another issuer or serial "
                    + "number than the certificate itself; it is left out", at: record.range,
                .policyIsStricter)
            return
        }
        let kind = AnchorKind(of: certificate)
        guard trust.servers == .server || kind != .leaf else {
            report(
                .storeEntryLeftOut,
                "the certificate `\(record.label)` is not a CA by its basicConstraints",
                at: record.range, .policyIsStricter)
            return
        }
        guard let until = lastStart(record, trust) else { return }
        anchors.add(
            certificate, named: record.label, kind: trust.servers == .server ? .leaf : kind,
            issuedUntil: until)
    }

    private func isNamed(
        _ certificate: Certificate, _ record: CertdataFile.Certificate
    ) -> Bool {
        let issuer = certificate.der.span.copied(certificate.layout.issuer)
        let serial = certificate.serialBytes
        guard issuer == record.name.issuer, serial.count < 0x80 else { return false }
        return [DERTag.integer.rawValue, UInt8(serial.count)] + serial == record.name.serial
    }

    /// The last instant at which a leaf below the anchor may begin: nil in the outer optional for
    /// an anchor that is left out, nil in the inner one for an anchor without an end.
    ///
    /// NSS reads the date in the certificate's record only (`pki3hack.c`). A date in the trust
    /// record is applied all the same: whoever wrote it meant it.
    private mutating func lastStart(
        _ record: CertdataFile.Certificate, _ trust: CertdataFile.Trust
    ) -> UTCInstant?? {
        var until: UTCInstant?
        for (distrust, isMisplaced) in [(record.distrust, false), (trust.distrust, true)] {
            switch distrust {
            case .never: break
            case .unreadable(let range):
                report(
                    .certdataUnknown,
                    "the date of `\(record.label)` is not a UTCTime of 13 octets or `CK_FALSE`; the "
                        + "certificate is left out", at: range, .policyIsStricter)
                return nil
            case .after(let date, let range):
                until = until.map { min($0, date) } ?? date
                guard isMisplaced else { continue }
                report(
                    .certdataMisplacedDate,
                    "the date of `\(record.label)` stands in its trust record, where NSS does not "
                        + "read it; the policy has it", at: range, .policyIsStricter,
                    help: ["move the attribute into the record of the certificate"])
            }
        }
        return .some(until)
    }

    private mutating func addDistrust(
        _ trust: CertdataFile.Trust, _ record: CertdataFile.Certificate?
    ) {
        guard record != nil else {
            report(
                .certdataDistrustUnnamed,
                "the certificate `\(trust.label)` is distrusted and is not in the file, so the "
                    + "policy cannot name it", at: trust.range, .policyIsWeaker,
                help: [
                    "find the certificate by its issuer and serial number, and write its SHA-256 "
                        + "into `forbidden-keys`"
                ])
            return
        }
        guard let record = match(trust, record) else { return }
        let digest = crypto.digest(.sha256, of: record.value.span)
        forbidden.append(
            WrittenPolicy.Forbidden(
                id: ids.id(record.label, prefix: "distrusted-"),
                match: "certificate: sha256:\(Hexadecimal.encode(digest.bytes))"))
    }
}
