import Testing
import TrustEngine

@testable import Rendering

@Suite("whose side a reject is")
struct SideTests {
    private static let situation = Situation(host: "api.acme.example")

    @Test(
        "each violation has the texts of its kind",
        arguments: TraceSamples.violations + TraceSamples.anchorConstraints)
    func kind(_ violation: Violation) {
        #expect(type(of: violation.texts).kind == violation.kind)
    }

    @Test(
        "every violation has readings, among them the side that it declares",
        arguments: TraceSamples.violations + TraceSamples.anchorConstraints)
    func declared(_ violation: Violation) {
        let readings = violation.readings(Self.situation)
        #expect(!readings.isEmpty && readings.count <= 2)
        #expect(readings.contains { $0.side == violation.side }, "\(violation.id)")
        #expect(Set(readings.map(\.side)).count == readings.count, "\(violation.id)")
        for reading in readings {
            #expect(!reading.words.isEmpty && !reading.words.hasSuffix("."))
        }
    }

    /// Whose fault each violation most often is: the server's, but for those listed here. The list
    /// says it a second time, so that a change of the contract is a decision.
    @Test("the declared side of every kind of violation", arguments: ViolationKind.allCases)
    func judged(_ kind: ViolationKind) {
        let others: [Violation.Side: Set<ViolationKind>] = [
            .thisMachine: [
                .badHost, .checkFailed, .cleartext, .tlsNotSupplied, .tableStale,
                .evidenceTooLarge, .engineError, .notYetValid,
            ],
            .policy: [.noApplicableRule, .tooManyIntermediates, .logListStale],
            .network: [.revocationUndetermined],
            .inBetween: [
                .selfSignedLeaf, .anchorNotTrusted, .badSignature, .unsupportedSignature,
                .algorithmMismatch, .pinMismatch,
            ],
        ]
        let expected = others.first { $0.value.contains(kind) }?.key ?? .server
        #expect(kind.declaration.side == expected)
    }

    /// Violations that somebody in between can bring about, without any fault of the server: the
    /// safer reading comes first.
    @Test(
        "the safer reading comes first",
        arguments: TraceSamples.violations)
    func safer(_ violation: Violation) {
        let inBetween: Set<String> = [
            "issuer-not-found", "self-signed-leaf", "anchor-not-trusted", "name-mismatch",
            "pin-mismatch", "bad-signature", "unsupported-signature", "algorithm-mismatch",
            "not-a-ca",
            "name-not-permitted", "forbidden-key", "revoked", "transparency-not-met",
            "budget-exhausted", "anchor-constraint-not-met", "not-x509-svid",
        ]
        let first = violation.readings(Self.situation).first?.side
        #expect((first == .inBetween) == inBetween.contains(violation.id), "\(violation.id)")
    }

    @Test("sentences for end users name no culprit", arguments: TraceSamples.violations)
    func sentences(_ violation: Violation) {
        let sentence = violation.forEndUser(Situation(host: "api.acme.example"))
        for part in ["too weak", "or nobody knows", "may not be used for this", "did not send"] {
            #expect(!sentence.contains(part), "\(sentence)")
        }
        #expect(!sentence.hasSuffix("."))
    }

    @Test("where every certificate of the path has ended, the clock comes first")
    func clock() {
        let time = TraceSamples.noon
        let past = time.advanced(bySeconds: -86_400 * 400)
        let violations: [Violation] = [TraceSamples.leaf, TraceSamples.issuing].map {
            .expired($0, notAfter: past, time: time, tolerance: 0)
        }
        let explanation = TraceSamples.rejected(.validity, violations)
        let situation = Situation(explanation, TraceOutline(explanation.trace))
        #expect(violations[0].readings(situation).first?.side == .thisMachine)
        let one = TraceSamples.rejected(.validity, [violations[0]])
        let alone = Situation(one, TraceOutline(one.trace))
        #expect(violations[0].readings(alone).first?.side == .server)
    }

    @Test(
        "what is wrong with a certificate of the policy is the policy's",
        arguments: [
            .expired(
                TraceSamples.root, notAfter: TraceSamples.noon, time: TraceSamples.noon,
                tolerance: 0),
            .keyTooSmall(TraceSamples.root, bits: 1_024, minimum: 2_048),
            .keyTypeNotAllowed(TraceSamples.root, type: "brainpoolP256r1", allowed: ["rsa"]),
            .neverValid(
                TraceSamples.root, notBefore: TraceSamples.noon, notAfter: TraceSamples.noon),
            .constraintNotEvaluated(
                TraceSamples.leaf, by: TraceSamples.root, constraint: "names", problem: "p"),
            .unknownCriticalExtension(TraceSamples.root, extensionID: "1.2.3"),
            .standardNotMet(TraceSamples.root, demand: .keyUsageOfCAMissing, found: ""),
        ] as [Violation])
    func ofThePolicy(_ violation: Violation) {
        #expect(violation.readings(Self.situation).first?.side == .policy)
    }

    @Test("the same of a certificate that the server sends is not the policy's")
    func ofTheServer() {
        let found: [Violation] = [
            .expired(
                TraceSamples.issuing, notAfter: TraceSamples.noon, time: TraceSamples.noon,
                tolerance: 0),
            .keyTooSmall(TraceSamples.issuing, bits: 1_024, minimum: 2_048),
            .constraintNotEvaluated(
                TraceSamples.leaf, by: TraceSamples.issuing, constraint: "names", problem: "p"),
        ]
        for violation in found {
            #expect(violation.readings(Self.situation).first?.side == .server)
        }
    }

    @Test("a common name is told as what it is, and a CA before the server's own certificate too")
    func names() {
        let violation = Violation.nameMismatch(wanted: ["api.acme.example"], presented: [])
        let explanation = TraceSamples.rejected(.identity, [violation])
        let outline = TraceOutline(explanation.trace)
        let sentence = violation.forEndUser(Situation(explanation, outline))
        #expect(sentence.contains("only as its common name"))
        let misplaced = Situation(
            Explanation(
                verdict: explanation.verdict,
                trace: Trace(
                    steps: explanation.trace.steps
                        + [.misplacedEndEntity(MisplacedEndEntityStep(index: 1))])), outline)
        let told = violation.forEndUser(misplaced)
        #expect(told.contains("own certificate is not the first"))
        #expect(told.contains("number 2"))
        #expect(violation.readings(misplaced).map(\.side) == [.server])
        #expect(misplaced.repairsOfOrder([violation])?.count == 1)
        #expect(Situation(host: "x").repairsOfOrder([violation]) == nil)
        #expect(
            violation.texts.addition(misplaced)?.contains("certificate 2 is the")
                == true)
    }
}
