import LibCrypto
import TestPKI
public import TrustEngine

/// A presented chain against a whole engine: evaluation and explanation agree, the trace replays to
/// the verdict, work stays within its limit, and nothing is accepted that libcrypto does not vouch
/// for.
public enum EvaluationBody {
    /// With a memory of signatures, which must let nothing be accepted that does not verify. It is
    /// small, so that it is always full.
    private static let crypto = RememberingBackend(
        LibCryptoBackend(), memory: SignatureMemory(capacity: 64))

    /// An engine for `api.acme.example` under the root of `Seeds`.
    static let engine: Engine = {
        do {
            return try engine(trusting: [Seeds.root.der, Seeds.otherRoot.der])
        } catch {
            fatalError("the fuzzing engine does not load: \(error)")
        }
    }()

    /// An engine whose `default` trusts these roots.
    public static func engine(trusting roots: [[UInt8]]) throws(EngineError) -> Engine {
        try Engine(trusting: roots, crypto: crypto)
    }

    static func run(_ bytes: [UInt8]) {
        judge(
            Framing.split(bytes, atMost: 32), host: "api.acme.example", engine,
            at: Scenario.judgedAt)
    }

    /// The verdict on a good chain with some evidence, held to the same properties.
    static func verdict(
        on chain: [[UInt8]], _ evidence: Evidence, at time: UTCInstant
    ) -> Verdict {
        let request = TrustRequest(
            host: "api.acme.example", port: 443, presentedChain: chain, time: time,
            tls: .observed(TLSParameters(version: .tls13)), evidence: evidence)
        let verdict = engine.evaluate(request)
        let explanation = engine.explain(request)
        require(explanation.verdict == verdict, "evaluate and explain agree")
        require(explanation.trace.replayedVerdict() == verdict, "the trace suffices")
        return verdict
    }

    /// Judges a chain and holds the verdict to its properties; true for an accept.
    @discardableResult
    public static func judge(
        _ chain: [[UInt8]], host: String, _ engine: Engine,
        at time: UTCInstant
    ) -> Bool {
        let request = TrustRequest(
            host: host, port: 443, presentedChain: chain, time: time,
            tls: .observed(TLSParameters(version: .tls13)))
        let judged = judge(request, engine)
        if let broken = judged.broken { require(false, broken) }
        return judged.isAccept
    }

    /// Judges a request; names the first property that does not hold.
    public static func judge(
        _ request: TrustRequest, _ engine: Engine
    ) -> (isAccept: Bool, broken: String?) {
        let verdict = engine.evaluate(request)
        let explanation = engine.explain(request)
        var broken: String?
        func hold(_ condition: Bool, _ property: String) {
            if !condition, broken == nil { broken = property }
        }
        hold(explanation.verdict == verdict, "evaluate and explain agree")
        hold(explanation.trace.replayedVerdict() == verdict, "the trace suffices")
        for case .work(let work) in explanation.trace.steps {
            hold(work.spent <= work.limit, "no more is spent than there is")
        }
        guard case .accept(let acceptance) = verdict.outcome else {
            hold(!verdict.violations.isEmpty, "a reject says why")
            hold(
                !verdict.violations.contains { $0.reason.kind == .engineError },
                "no reject is for a fault of our own")
            return (false, broken)
        }
        hold(
            isVouchedFor(acceptance.path, presented: request.presentedChain, engine),
            "libcrypto verifies every signature of an accepted path")
        return (true, broken)
    }

    /// Whether each signature of an accepted path verifies once more, outside the search.
    private static func isVouchedFor(
        _ path: [CertificateReference], presented: [[UInt8]], _ engine: Engine
    ) -> Bool {
        let certificates = path.compactMap { reference -> Certificate? in
            switch reference.origin {
            case .presented(let index): return try? Certificate(der: presented[index])
            default:
                return engine.anchors.anchors.first {
                    $0.fingerprint == reference.fingerprint
                }?.certificate
            }
        }
        return certificates.count == path.count
            && zip(certificates, certificates.dropFirst()).allSatisfy { subject, issuer in
                let bytes = subject.der.span
                return crypto.verify(
                    subject.layout.signatureAlgorithm, key: issuer.layout.publicKey,
                    keyBytes: issuer.der.span,
                    message: bytes.extracting(subject.layout.tbs.indices),
                    signature: bytes.extracting(subject.layout.signature.indices)) == .valid
            }
    }
}
