import CHawserABI
import Glibc
import TrustEngine

/// A request from C, read into the engine's types.
struct ReadRequest {
    let request: TrustRequest
    /// The values that the caller assumed, for the explanation.
    let assumptions: [String]

    init(_ pointer: UnsafePointer<hawser_request>?) throws(CallFailure) {
        let asked = try unsafe CheckedStruct(pointer, "request").value
        var budget = CInput.limitOctets
        let host = try unsafe CInput.octets(asked.host, limit: CInput.limitName, "request.host")
        guard let host else { throw .null("request.host") }
        guard unsafe asked.port <= 65_535 else {
            throw unsafe .value("request.port", asked.port, allowed: "0 to 65535")
        }
        guard unsafe asked.reserved == 0 else {
            throw unsafe .value("request.reserved", asked.reserved, allowed: "0")
        }
        let chain = try unsafe CInput.list(
            asked.chain, asked.chain_count, budget: &budget, "request.chain")
        let time = try unsafe ReadRequest.instant(asked.time)
        let tls = try unsafe ReadRequest.tls(asked)
        let evidence = try unsafe ReadRequest.evidence(asked, budget: &budget)
        // Octets that are not UTF-8 become U+FFFD, which no host contains. The verdict is then
        // `bad-host`, and the text is shown with U+FFFD.
        request = unsafe TrustRequest(
            host: String(decoding: host, as: UTF8.self), port: UInt16(asked.port),
            presentedChain: chain, time: time, tls: tls, evidence: evidence)
        let pointers = try unsafe CInput.array(
            asked.assumptions, asked.assumption_count, limit: CInput.limitItems,
            "request.assumptions")
        var assumptions: [String] = []
        for place in 0..<pointers.count {
            let text = try unsafe CInput.name(
                pointers[place], limit: CInput.limitPath, "request.assumptions")
            guard let text else { throw .null("request.assumptions[\(assumptions.count)]") }
            assumptions.append(text)
        }
        self.assumptions = assumptions
    }

    /// The instant that a caller gives.
    static func instant(_ time: Int64) throws(CallFailure) -> UTCInstant {
        if time == .min { return UTCInstant(secondsSinceEpoch: Int64(Glibc.time(nil))) }
        // An instant outside this range has no text (RFC 5280 section 4.1.2.5: a year has four
        // digits).
        guard UTCInstant.calendarSeconds.contains(time) else {
            throw .value("request.time", time, allowed: "the years 0 to 9999, or HAWSER_NOW")
        }
        return UTCInstant(secondsSinceEpoch: time)
    }

    private static func tls(_ asked: hawser_request) throws(CallFailure) -> TLSState {
        switch unsafe Int(asked.tls) {
        case HAWSER_TLS_NOT_SUPPLIED: return .notSupplied
        case HAWSER_TLS_CLEARTEXT: return .cleartext
        case HAWSER_TLS_OBSERVED: return unsafe .observed(try parameters(asked))
        case HAWSER_TLS_ASSUMED: return unsafe .assumed(try parameters(asked))
        case HAWSER_TLS_ENFORCED:
            let rule = try unsafe CInput.name(asked.enforced_rule, "request.enforced_rule")
            guard let rule else { throw .null("request.enforced_rule") }
            let octets = try unsafe CInput.octets(
                asked.enforced_policy, limit: 32, "request.enforced_policy")
            guard let digest = octets.flatMap({ Digest(.sha256, bytes: $0) }) else {
                throw .value(
                    "request.enforced_policy", octets?.count ?? 0, allowed: "32 octets")
            }
            return unsafe .enforced(try parameters(asked), ruleID: rule, policyDigest: digest)
        default: throw unsafe .value("request.tls", asked.tls, allowed: "HAWSER_TLS_*, 0 to 4")
        }
    }

    private static func parameters(_ asked: hawser_request) throws(CallFailure) -> TLSParameters {
        var parameters = TLSParameters()
        if unsafe asked.tls_version != 0 {
            // An unknown version differs from a version that the caller did not look at.
            guard let code = unsafe UInt16(exactly: asked.tls_version),
                let version = TLSVersion(rawValue: code)
            else {
                throw unsafe .value(
                    "request.tls_version", asked.tls_version,
                    allowed: "0x0301 (769) to 0x0304 (772), or 0")
            }
            parameters.version = version
        }
        parameters.cipherSuite = try unsafe CInput.name(asked.cipher_suite, "request.cipher_suite")
        parameters.group = try unsafe CInput.name(asked.group, "request.group")
        parameters.signatureScheme = try unsafe CInput.name(
            asked.signature_scheme, "request.signature_scheme")
        parameters.alpn = try unsafe CInput.name(asked.alpn, "request.alpn")
        return parameters
    }

    private static func evidence(
        _ asked: hawser_request, budget: inout Int
    ) throws(CallFailure) -> Evidence {
        var evidence = Evidence()
        evidence.stapledOCSP = try unsafe CInput.octets(
            asked.staple, limit: budget, "request.staple")
        budget -= evidence.stapledOCSP?.count ?? 0
        evidence.sctList = try unsafe CInput.octets(
            asked.sct_list, limit: budget, "request.sct_list")
        budget -= evidence.sctList?.count ?? 0
        evidence.ocspResponses = try unsafe CInput.list(
            asked.ocsp_responses, asked.ocsp_response_count, budget: &budget,
            "request.ocsp_responses")
        evidence.crls = try unsafe CInput.list(
            asked.crls, asked.crl_count, budget: &budget, "request.crls")
        let handles = try unsafe CInput.array(
            asked.prepared, asked.prepared_count, limit: CInput.limitItems, "request.prepared")
        for place in 0..<handles.count {
            let held = try Handles.evidence.held(unsafe handles[place], "evidence")
            evidence.prepared.append(held.prepared)
        }
        return evidence
    }
}
