/// Facts about a request that was rejected, or accepted with a report. They serve the words of an
/// explanation and decide nothing.
///
/// They stay beside the trace: they compare the certificates and the evidence with anchors, pins
/// and rules that the engine has and a trace does not name, and they do so for the violations of
/// one verdict. They use the certificates and the evidence that the evaluation has parsed
/// (`ReadInputs`) and parse nothing again.
package struct RequestFacts: Hashable, Sendable {
    /// What revocation may ask of a certificate.
    package struct Subject: Hashable, Sendable {
        /// The issuer as an RFC 4514 string. Raw text.
        package let issuer: String
        /// The serial number in hexadecimal, as encoded.
        package let serial: String
        /// The sources at which the certificate says that evidence can be fetched: `ocsp` and
        /// `crl`, in this order.
        package let namedSources: [RevocationSource]
        /// Whether the certificate demands a staple and names no responder, so that no server can
        /// get one.
        package let lacksResponderForStaple: Bool
        /// Where the certificate says that its CRLs and its responders are.
        package let addresses: EvidenceAddresses

        package init(
            issuer: String, serial: String, namedSources: [RevocationSource],
            lacksResponderForStaple: Bool = false,
            addresses: EvidenceAddresses = EvidenceAddresses()
        ) {
            self.issuer = issuer
            self.serial = serial
            self.namedSources = namedSources
            self.lacksResponderForStaple = lacksResponderForStaple
            self.addresses = addresses
        }
    }

    /// A CRL or an OCSP response that came with the request.
    package struct Supplied: Hashable, Sendable {
        /// What the evidence is about, by its own words.
        package enum About: Hashable, Sendable {
            /// A CRL of this issuer, an RFC 4514 string. Raw text.
            case list(issuer: String)
            /// A response about these serial numbers, in hexadecimal.
            case serials([String])
            /// An error of a responder.
            case error
            /// The evidence does not parse.
            case unread
        }

        package let source: RevocationSource
        package let about: About
        /// SHA-256 of the evidence; nil in a test that states none.
        package let digest: Digest?

        package init(source: RevocationSource, about: About, digest: Digest? = nil) {
            self.source = source
            self.about = about
            self.digest = digest
        }
    }

    /// A certificate and the one whose key should have signed it, by SHA-256.
    package struct SignerPair: Hashable, Sendable {
        package let certificate: Digest
        package let issuer: Digest

        package init(_ certificate: CertificateReference, _ issuer: CertificateReference) {
            self.certificate = certificate.fingerprint
            self.issuer = issuer.fingerprint
        }
    }

    /// The presented certificates, and those that anchor sets offer where a violation names one, by
    /// SHA-256 of the certificate.
    package var subjects: [Digest: Subject] = [:]
    /// Whether the first presented certificate is a CA and no other one is the server's own.
    package var isAuthorityAlone = false
    /// The sources of evidence that the rule asks, in its order; empty where no rule decides.
    package var askedSources: [RevocationSource] = []
    /// The evidence of the request, at most `mostEvidence` pieces; nil if it was not looked at, or
    /// if it is too large to be read.
    package var supplied: [Supplied]?
    /// Certificates whose subject a reader takes for the name of the missing issuer.
    package var twins: [NameTwin] = []
    /// The authority that vouches for the chain and that the rule does not trust; nil where the
    /// reject has another reason.
    package var authority: AuthorityFacts?
    /// Which key the certificates name whose signatures do not verify.
    package var namedKeys: [SignerPair: NamedKey] = [:]
    /// Pins of the violated pin sets that are the digest of something else than they are for.
    package var mistakenPins: [MistakenPin] = []
    /// By SHA-256 of a certificate whose status is not known: the sources of which one answer that
    /// says *good* would be enough for the rule. Proven by `RevocationDecision`, the function that
    /// decides.
    package var usefulSources: [Digest: [RevocationSource]] = [:]
    /// The server's own certificate where it is itself an anchor of the rule and lacks the asked
    /// name.
    package var ownAnchor: OwnAnchor?
    /// What the table's envelope states, where the table is stale.
    package var statement: TableStatement?
    /// Whether the log list in use is the program's and not the policy's.
    package var isLogListOfProgram = false

    /// No facts.
    package init() {}

    /// Most certificates and pieces of evidence that are looked at.
    private static let mostCertificates = 16
    private static let mostEvidence = 32
    /// Most serial numbers of a response.
    private static let mostSerials = 4

    /// Gathers the facts about a request from what its evaluation recorded. An accept has facts
    /// only where it reports a failure of revocation.
    init(_ request: TrustRequest, _ verdict: Verdict, _ engine: Engine, _ recorded: TraceRecorder) {
        let violations = verdict.told
        guard !verdict.isAccept || violations.contains(where: { $0.check == .revocation }) else {
            return
        }
        let presented = recorded.inputs.certificates.prefix {
            $0.wireIndex < RequestFacts.mostCertificates
        }
        var certificates = presented.map { (digest: $0.fingerprint, certificate: $0.certificate) }
        if let first = presented.first, first.wireIndex == 0,
            verdict.isAccept || !recorded.steps.contains(where: \.isMisplacedEndEntity)
        {
            isAuthorityAlone = first.certificate.layout.extensions.isCA
        }
        let named = Set(violations.flatMap(\.certificates))
        for offer in engine.offered.entries where named.contains(offer.fingerprint) {
            certificates.append((offer.fingerprint, offer.certificate))
        }
        for (digest, certificate) in certificates {
            subjects[digest] = Subject(certificate)
        }
        if let host = try? CanonicalHost(text: request.host) {
            let match = engine.lookUp(host, port: request.port)
            if match != nil || !engine.deniesByDefault {
                let index = match.map { Int($0.rule) } ?? engine.table.ruleCount
                let rule = engine.table.rule(at: index)
                let revocation = engine.requirements(of: rule).revocation
                askedSources = revocation.sources
                usefulSources = RequestFacts.usefulSources(
                    violations, certificates, under: revocation)
                ownAnchor = OwnAnchor(
                    violations, engine, rule: rule, host: host, first: certificates.first)
                // A server's own certificate may have the CA bit, as `openssl req -x509` sets it.
                if ownAnchor != nil { isAuthorityAlone = false }
                isLogListOfProgram =
                    engine.requirements(of: rule).transparency.logList
                    .map { wanted in engine.logLists[wanted].map { $0.digest != wanted } ?? false }
                    ?? false
                for case .issuerNotFound(_, let issuer, _) in violations.map(\.reason) {
                    twins = RequestFacts.twins(
                        of: issuer, engine, rule: rule, presented: presented)
                }
                if let name = violations.lazy.compactMap(\.unknownAuthority).first {
                    authority = AuthorityFacts(
                        name: name, engine, rule: rule, presented: presented.map(\.certificate))
                }
            }
        }
        if violations.contains(where: { $0.check == .revocation }),
            !violations.contains(where: { $0.kind == .evidenceTooLarge })
        {
            supplied = RequestFacts.supplied(recorded.inputs.evidence)
        }
        if violations.contains(where: { $0.check == .freshness }) { statement = engine.statement }
        var anchors: [(digest: Digest, certificate: Certificate)] = []
        for anchor in engine.anchors.anchors where named.contains(anchor.fingerprint) {
            anchors.append((anchor.fingerprint, anchor.certificate))
        }
        mistakenPins = MistakenPin.find(
            violations, among: certificates + anchors, crypto: engine.crypto)
        for case .path(.badSignature(let one, let issuer, _, _)) in violations.map(\.reason) {
            guard let signed = certificates.first(where: { $0.digest == one.fingerprint }),
                let signer = (certificates + anchors).first(where: {
                    $0.digest == issuer.fingerprint
                })
            else { continue }
            namedKeys[SignerPair(one, issuer)] = NamedKey(
                signed.certificate, issuer: signer.certificate, crypto: engine.crypto)
        }
    }

    /// For each certificate whose status is not known, the sources whose answer *good* would be
    /// enough.
    private static func usefulSources(
        _ violations: [Violation], _ certificates: [(digest: Digest, certificate: Certificate)],
        under requirement: RevocationRequirement
    ) -> [Digest: [RevocationSource]] {
        var useful: [Digest: [RevocationSource]] = [:]
        for violation in violations {
            guard case .revocationUndetermined(let reference, _, let answers) = violation.reason,
                let certificate = certificates.first(where: { $0.digest == reference.fingerprint })?
                    .certificate
            else { continue }
            let role: RevocationDecision.Role = reference.position == 0 ? .endEntity : .intermediate
            useful[reference.fingerprint] = RevocationSource.allCases.filter { source in
                guard reference.position == 0 || !source.isOfEndEntities else { return false }
                let good = RevocationAnswer(
                    source: source, digest: reference.fingerprint, thisUpdate: nil,
                    nextUpdate: nil, finding: .good)
                // The new answer stands in the place of what was supplied of its source.
                let decision = RevocationDecision.of(
                    certificate, at: role,
                    answers: answers.filter { $0.source != source } + [good], under: requirement)
                return decision == .good(source)
            }
        }
        return useful
    }

    private static func supplied(_ evidence: RevocationEvidence) -> [Supplied] {
        evidence.pieces.prefix(mostEvidence).map { piece in
            let about: Supplied.About
            switch piece.content {
            case .unreadable: about = .unread
            case .prepared(let evidence):
                switch evidence.content {
                case .list(let prepared): about = .list(issuer: prepared.list.issuerText)
                case .response(let prepared): about = RequestFacts.about(prepared.response)
                }
            }
            return Supplied(source: piece.source, about: about, digest: piece.digest)
        }
    }

    private static func about(_ response: OCSPResponse) -> Supplied.About {
        guard case .basic(let layout) = response.contents else { return .error }
        var serials: [String] = []
        var reader = response.singleResponses(layout)
        while serials.count < mostSerials, let single = reader.next(in: response.der.span) {
            serials.append(Hexadecimal.encode(response.der.span.copied(single.certificate.serial)))
        }
        return .serials(serials)
    }
}

extension RequestFacts.Subject {
    init(_ certificate: Certificate) {
        let namesList = certificate.layout.extensions.present.contains(.crlDistributionPoints)
        self.init(
            issuer: certificate.issuerText, serial: Hexadecimal.encode(certificate.serialBytes),
            namedSources: (certificate.hasResponder ? [.ocsp] : []) + (namesList ? [.crl] : []),
            lacksResponderForStaple: certificate.requiresStaple && !certificate.hasResponder,
            addresses: EvidenceAddresses(certificate))
    }
}

extension TraceStep {
    fileprivate var isMisplacedEndEntity: Bool {
        if case .misplacedEndEntity = self { return true }
        return false
    }
}

extension Verdict {
    /// The violations of a reject, or those that an accept reports.
    var told: [Violation] {
        switch outcome {
        case .reject(let violations): return violations
        case .accept(let acceptance): return acceptance.reported.map(\.violation)
        }
    }
}

extension Violation {
    /// The name of the authority at which a path ends without an anchor, an RFC 4514 string; nil
    /// for every other violation.
    fileprivate var unknownAuthority: String? {
        if case .issuerNotFound(_, let issuer, _) = reason { return issuer }
        if case .anchorNotTrusted(let top, _, _) = reason { return top.subject }
        return nil
    }

    /// SHA-256 of the certificates that the violation names.
    fileprivate var certificates: [Digest] {
        if case .pinMismatch(let mismatch) = reason {
            return mismatch.found.map(\.certificate.fingerprint)
        }
        return fields.compactMap { $0.certificate?.fingerprint }
    }
}
