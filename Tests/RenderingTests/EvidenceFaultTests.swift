import Testing
import TrustEngine

@testable import Rendering

/// The sentences about evidence that does not count: who answers for it, and which evidence the
/// rule would take.
@Suite("evidence that does not count")
struct EvidenceFaultTests {
    private static let leaf = TraceSamples.leaf
    private static let places = EvidenceAddresses(
        lists: ["http://pki.acme.example/issuing.crl"],
        responders: ["http://ocsp.acme.example"])

    private static let problems: [EvidenceProblem] = [
        .unreadable(EvidenceError(field: "certificateList", reason: "r", offset: 0)),
        .unknownCriticalExtension("1.2.3"), .algorithmMismatch, .algorithmNotAllowed("sha1"),
        .badSignature, .signerNotFound, .signerNotAllowed(.noPath),
        .signerNotAllowed(.notDelegated), .notYetValid, .notYetProduced(TraceSamples.noon),
        .expired, .tooOld(maximum: 86_400), .otherCertificate, .otherScope(.otherPoint),
        .someReasonsOnly, .baseMissing, .unknownToResponder, .contradicted,
        .responderError(.tryLater), .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter,
        .filtersRefused(TraceSamples.fault), .filtersMissing(TraceSamples.fault),
    ]

    /// Problems that evidence of a source can have.
    private static func problems(of source: RevocationSource) -> [EvidenceProblem] {
        problems.filter { problem in
            switch problem {
            case .otherCertificate: return source == .stapled
            case .otherScope, .someReasonsOnly, .baseMissing: return source == .crl
            case .unknownToResponder, .contradicted, .responderError, .notYetProduced:
                return source == .ocsp || source == .stapled
            case .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter, .filtersRefused,
                .filtersMissing:
                return source == .crlite
            case .tooOld, .notYetValid: return true
            default: return source != .crlite
            }
        }
    }

    private static func answer(
        _ source: RevocationSource, _ problem: EvidenceProblem
    ) -> RevocationAnswer {
        RevocationAnswer(
            source: source, digest: leaf.fingerprint,
            thisUpdate: TraceSamples.noon.advanced(bySeconds: -86_400 * 20),
            nextUpdate: TraceSamples.noon.advanced(bySeconds: -86_400 * 10),
            finding: .unusable(problem))
    }

    /// The situation of a rule that asks for some sources, each of which would be enough.
    private static func situation(_ asked: [RevocationSource]) -> Situation {
        var facts = RequestFacts()
        facts.subjects[leaf.fingerprint] = RequestFacts.Subject(
            issuer: "CN=Acme Issuing,O=Acme", serial: "0a", namedSources: [.ocsp, .crl],
            addresses: places)
        facts.askedSources = asked
        facts.usefulSources[leaf.fingerprint] = asked
        facts.supplied = [
            RequestFacts.Supplied(
                source: .crl, about: .list(issuer: "CN=Acme Issuing,O=Acme"),
                digest: leaf.fingerprint),
            RequestFacts.Supplied(
                source: .stapled, about: .serials(["0b"]), digest: leaf.fingerprint),
        ]
        let explanation = TraceSamples.rejected(.revocation, [])
        return Situation(
            Explanation(
                verdict: explanation.verdict, trace: explanation.trace, table: nil, facts: facts),
            TraceOutline(explanation.trace))
    }

    private static func repairs(
        _ source: RevocationSource, _ problem: EvidenceProblem, asked: [RevocationSource]
    ) -> String {
        RevocationUndeterminedTexts(
            certificate: leaf, cause: problem.cause, answers: [answer(source, problem)]
        ).repairs(situation(asked).facts, ruleName: "rule `svc`", place: nil).map(\.text).joined(
            separator: "\n")
    }

    private static func readings(
        _ source: RevocationSource, _ problem: EvidenceProblem
    ) -> [SideReading] {
        Violation.revocationUndetermined(
            leaf, cause: problem.cause, answers: [answer(source, problem)]
        ).readings(situation([source]))
    }

    @Test("one or two sides, each once", arguments: RevocationSource.allCases)
    func sides(_ source: RevocationSource) {
        for problem in Self.problems(of: source) {
            let readings = Self.readings(source, problem)
            #expect((1...2).contains(readings.count), "\(problem.id)")
            #expect(Set(readings.map(\.side)).count == readings.count, "\(problem.id)")
            for reading in readings {
                #expect(!reading.words.hasSuffix(".") && !reading.words.contains("publishes none"))
            }
        }
    }

    @Test("a staple is the server's: its cache is accused, and not network and policy")
    func staples() {
        let clock: Set<String> = ["not-yet-valid", "not-yet-produced"]
        for problem in Self.problems(of: .stapled) where problem != .unknownToResponder {
            let sides = Self.readings(.stapled, problem).map(\.side)
            #expect(!sides.contains(.network), "\(problem.id)")
            #expect(
                sides.first == (clock.contains(problem.id) ? .thisMachine : .server),
                "\(problem.id)")
        }
        let other = Self.readings(.stapled, .otherCertificate)
        #expect(other[0].words == "its OCSP cache staples a response about another certificate")
    }

    @Test("nothing is advised that the rule does not take", arguments: RevocationSource.allCases)
    func taken(_ source: RevocationSource) {
        let sets: [[RevocationSource]] = [
            [.stapled], [.crl], [.ocsp], [.stapled, .crl], [.stapled, .ocsp], [.crl, .ocsp],
            [.crlite], [.crl, .crlite], RevocationSource.allCases,
        ]
        for asked in sets where asked.contains(source) {
            for problem in Self.problems(of: source) {
                let text = Self.repairs(source, problem, asked: asked)
                #expect(!text.isEmpty, "\(problem.id)")
                if !asked.contains(.crl) {
                    let words = text.replacing("CRLite", with: "")
                    #expect(!words.contains("CRL"), "\(problem.id) under \(asked): \(text)")
                }
                if !asked.contains(.ocsp) {
                    let words = text.replacing("stapled OCSP response", with: "")
                    #expect(
                        !words.contains("OCSP response"), "\(problem.id) under \(asked): \(text)")
                }
            }
        }
    }

    @Test("a CRL that has ended names its publisher and where it is published")
    func ended() {
        let text = Self.repairs(.crl, .expired, asked: [.crl])
        #expect(text.contains("its publisher, `CN=Acme Issuing`,"))
        #expect(text.contains("`http://pki.acme.example/issuing.crl`"))
        let words = Self.readings(.crl, .expired).map(\.words)
        #expect(words.allSatisfy { $0.contains("`CN=Acme Issuing`") }, "\(words)")
    }

    @Test("a rule that allows less than the interval of a publisher is the policy's")
    func tooOld() {
        let readings = Self.readings(.crl, .tooOld(maximum: 86_400))
        #expect(readings.map(\.side) == [.network, .policy])
        #expect(readings[1].words.contains("of 1d is shorter than the 10d"))
        let rare = Self.readings(.crl, .tooOld(maximum: 86_400 * 15))
        #expect(rare.map(\.side) == [.network, .server])
    }

    @Test("which certificate a staple is about")
    func stapleOfAnother() {
        let headline = Violation.revocationUndetermined(
            Self.leaf, cause: .notCovered, answers: [Self.answer(.stapled, .otherCertificate)]
        ).headline(Self.situation([.stapled]))
        #expect(headline.contains("serial number `0b`, and this one has `0a`"), "\(headline)")
        let violation = Violation.stapleMissing(
            Self.leaf, answers: [Self.answer(.stapled, .otherCertificate)])
        #expect(
            violation.headline(Self.situation([.stapled]))
                .contains("serial number `0b`, and this one has `0a`"))
        #expect(
            violation.readings(Self.situation([.stapled])).first?.words.contains(
                "about another certificate") == true)
    }

    @Test("timestamps of logs that the list lacks are the list's, a forged one is somebody's")
    func timestamps() {
        func sides(_ problem: TimestampProblem) -> [Violation.Side] {
            let sample = TraceSamples.transparency
            let report = TransparencyReport(
                certificate: sample.certificate, preset: sample.preset, criteria: sample.criteria,
                timestamps: sample.timestamps.prefix(1).map {
                    TimestampFinding(
                        source: $0.source, logID: $0.logID, log: $0.log,
                        operatorName: $0.operatorName, time: $0.time,
                        standing: .unusable(problem))
                }, unread: 0, logList: sample.logList, logListIssued: sample.logListIssued)
            return Violation.transparencyNotMet(report).readings(Self.situation([])).map(
                \.side)
        }
        #expect(sides(.unknownLog) == [.inBetween, .policy])
        #expect(sides(.badSignature) == [.inBetween, .server])
        #expect(sides(.inFuture) == [.thisMachine, .server])
        #expect(sides(.issuerUnknown) == [.inBetween, .server])
    }

    // MARK: Other accused

    @Test("the certificate that demands a policy is named, and the rule where the rule demands it")
    func explicitPolicy() {
        let situation = Self.situation([])
        let rule = Violation.certificatePolicyNotSatisfied(
            Self.leaf, wanted: [], found: [], demandedBy: nil)
        let issuer = Violation.certificatePolicyNotSatisfied(
            Self.leaf, wanted: [], found: [], demandedBy: TraceSamples.issuing)
        #expect(rule.headline(situation).hasPrefix("the rule wants"))
        let headline = issuer.headline(situation)
        #expect(
            headline.hasPrefix(
                "certificate 2 of the path, \(Words.name(TraceSamples.issuing)), "
                    + "demands"), "\(headline)")
        #expect(!headline.contains("rule"))
        let told = issuer.forEndUser(situation)
        #expect(!told.contains(situation.rule), "\(told)")
        #expect(issuer.readings(situation).map(\.side) == [.server])
        #expect(rule.readings(situation).map(\.side) == [.server, .policy])
    }

    @Test("a stale table that states its dates is the signer's, with the key and the dates")
    func staleTable() {
        let issued = TraceSamples.noon.advanced(bySeconds: -86_400 * 60)
        let until = TraceSamples.noon.advanced(bySeconds: -86_400)
        let key = TraceSamples.leaf.fingerprint
        let terms = TableTerms(issued: issued, expires: until)
        func texts(_ basis: TableFreshness.Basis, until end: UTCInstant) -> TableStaleTexts {
            TableStaleTexts(confirmed: issued, until: end, time: TraceSamples.noon, basis: basis)
        }
        func headline(_ verified: Bool, until end: UTCInstant) -> String {
            texts(.issued, until: end).headline(
                TableStatement(revision: 7, terms: terms, signers: [key], isVerified: verified))
        }
        let own = headline(true, until: until)
        #expect(own.contains("issued at \(issued) (revision 7), and is good until \(until)"))
        #expect(own.contains("it is signed by key `\(key.text)`"))
        #expect(headline(false, until: until).contains("nobody has verified that"))
        #expect(
            headline(true, until: until.advanced(bySeconds: -5)).contains("this program uses it"))
        let situation = Self.situation([])
        #expect(texts(.issued, until: until).readings(situation).first?.side == .policy)
        #expect(texts(.confirmed, until: until).readings(situation).first?.side == .thisMachine)
    }
}
