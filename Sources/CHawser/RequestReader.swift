import CHawserABI
import CLibC
import TrustEngine

/// A request from C whose every field was checked. What its fields point to stays where it is, and
/// is copied when the engine asks for it: a host without a rule needs nothing of it. Not to be kept
/// beyond the call; it is large, and handed down without copies.
@safe struct CheckedRequest: ~Copyable {
    /// What a rule is looked up by.
    let head: RequestHead
    private let chain: BorrowedList
    private let tls: BorrowedTLS
    private let evidence: BorrowedEvidence
    private let assumed: UnsafeBufferPointer<UnsafePointer<CChar>?>

    init(_ pointer: UnsafePointer<hawser_request>?) throws(CallFailure) {
        let asked = try unsafe CheckedStruct(pointer, "request").value
        var budget = CInput.limitOctets
        let host = try unsafe CInput.borrowed(asked.host, limit: CInput.limitName, "request.host")
        guard let host else { throw .null("request.host") }
        guard unsafe asked.port <= 65_535 else {
            throw unsafe .value("request.port", asked.port, allowed: "0 to 65535")
        }
        guard unsafe asked.reserved == 0 else {
            throw unsafe .value("request.reserved", asked.reserved, allowed: "0")
        }
        let chain = try unsafe CInput.borrowedList(
            asked.chain, asked.chain_count, budget: &budget, "request.chain")
        let time = try unsafe UTCInstant(given: asked.time)
        let tls = try unsafe BorrowedTLS(asked)
        let evidence = try unsafe BorrowedEvidence(asked, budget: &budget)
        let assumed = try unsafe CInput.array(
            asked.assumptions, asked.assumption_count, limit: CInput.limitItems,
            "request.assumptions")
        for place in 0..<assumed.count {
            let text = try unsafe CInput.borrowedName(
                assumed[place], limit: CInput.limitPath, "request.assumptions")
            guard text != nil else { throw .null("request.assumptions[\(place)]") }
        }
        // Octets that are not UTF-8 become U+FFFD, which no host contains. The verdict is then
        // `bad-host`, and the text is shown with U+FFFD.
        head = unsafe RequestHead(host: host.text, port: UInt16(asked.port), time: time)
        self.chain = chain
        self.tls = tls
        self.evidence = evidence
        unsafe self.assumed = assumed
    }

    /// The whole request, copied.
    var whole: TrustRequest {
        TrustRequest(
            host: head.host, port: head.port, presentedChain: chain.copies, time: head.time,
            tls: tls.state, evidence: evidence.copy)
    }

    /// The values that the caller assumed, for the explanation.
    var assumptions: [String] {
        unsafe assumed.compactMap { text in unsafe text.map { unsafe String(cString: $0) } }
    }
}

extension UTCInstant {
    /// The instant that a caller gives.
    init(given time: Int64) throws(CallFailure) {
        if time == .min {
            self.init(secondsSinceEpoch: Int64(CLibC.time(nil)))
            return
        }
        // An instant outside this range has no text (RFC 5280 section 4.1.2.5: a year has four
        // digits).
        guard UTCInstant.calendarSeconds.contains(time) else {
            throw .value("request.time", time, allowed: "the years 0 to 9999, or HAWSER_NOW")
        }
        self.init(secondsSinceEpoch: time)
    }
}

/// The state of a connection's TLS parameters, whose names stay where the caller has them.
private enum BorrowedTLS {
    case notSupplied
    case cleartext
    case observed(BorrowedParameters)
    case assumed(BorrowedParameters)
    case enforced(BorrowedParameters, rule: BorrowedName, policyDigest: Digest)

    init(_ asked: hawser_request) throws(CallFailure) {
        switch unsafe Int(asked.tls) {
        case HAWSER_TLS_NOT_SUPPLIED: self = .notSupplied
        case HAWSER_TLS_CLEARTEXT: self = .cleartext
        case HAWSER_TLS_OBSERVED: self = unsafe .observed(try BorrowedParameters(asked))
        case HAWSER_TLS_ASSUMED: self = unsafe .assumed(try BorrowedParameters(asked))
        case HAWSER_TLS_ENFORCED:
            let rule = try unsafe CInput.borrowedName(
                asked.enforced_rule, "request.enforced_rule")
            guard let rule else { throw .null("request.enforced_rule") }
            let octets = try unsafe CInput.octets(
                asked.enforced_policy, limit: 32, "request.enforced_policy")
            guard let digest = octets.flatMap({ Digest(.sha256, bytes: $0) }) else {
                throw .value(
                    "request.enforced_policy", octets?.count ?? 0, allowed: "32 octets")
            }
            self = unsafe .enforced(
                try BorrowedParameters(asked), rule: rule, policyDigest: digest)
        default: throw unsafe .value("request.tls", asked.tls, allowed: "HAWSER_TLS_*, 0 to 4")
        }
    }

    /// A copy that outlives the call.
    var state: TLSState {
        switch self {
        case .notSupplied: return .notSupplied
        case .cleartext: return .cleartext
        case .observed(let parameters): return .observed(parameters.copy)
        case .assumed(let parameters): return .assumed(parameters.copy)
        case .enforced(let parameters, let rule, let digest):
            return .enforced(parameters.copy, ruleID: rule.text, policyDigest: digest)
        }
    }
}

/// TLS parameters whose names stay where the caller has them.
private struct BorrowedParameters {
    private let version: TLSVersion?
    private let cipherSuite: BorrowedName?
    private let group: BorrowedName?
    private let signatureScheme: BorrowedName?
    private let alpn: BorrowedName?

    init(_ asked: hawser_request) throws(CallFailure) {
        if unsafe asked.tls_version != 0 {
            // An unknown version differs from a version that the caller did not look at.
            guard let code = unsafe UInt16(exactly: asked.tls_version),
                let version = TLSVersion(rawValue: code)
            else {
                throw unsafe .value(
                    "request.tls_version", asked.tls_version,
                    allowed: "0x0301 (769) to 0x0304 (772), or 0")
            }
            self.version = version
        } else {
            version = nil
        }
        cipherSuite = try unsafe CInput.borrowedName(asked.cipher_suite, "request.cipher_suite")
        group = try unsafe CInput.borrowedName(asked.group, "request.group")
        signatureScheme = try unsafe CInput.borrowedName(
            asked.signature_scheme, "request.signature_scheme")
        alpn = try unsafe CInput.borrowedName(asked.alpn, "request.alpn")
    }

    /// A copy that outlives the call.
    var copy: TLSParameters {
        TLSParameters(
            version: version, cipherSuite: cipherSuite?.text, group: group?.text,
            signatureScheme: signatureScheme?.text, alpn: alpn?.text)
    }
}

/// Evidence whose octets stay where the caller has them.
private struct BorrowedEvidence {
    private let staple: BorrowedOctets?
    private let sctList: BorrowedOctets?
    private let ocspResponses: BorrowedList
    private let crls: BorrowedList
    /// Objects of the library's own, held so that freeing their handles does not free them.
    private let prepared: [PreparedEvidence]

    init(_ asked: hawser_request, budget: inout Int) throws(CallFailure) {
        staple = try unsafe CInput.borrowed(asked.staple, limit: budget, "request.staple")
        budget -= staple?.count ?? 0
        sctList = try unsafe CInput.borrowed(asked.sct_list, limit: budget, "request.sct_list")
        budget -= sctList?.count ?? 0
        ocspResponses = try unsafe CInput.borrowedList(
            asked.ocsp_responses, asked.ocsp_response_count, budget: &budget,
            "request.ocsp_responses")
        crls = try unsafe CInput.borrowedList(
            asked.crls, asked.crl_count, budget: &budget, "request.crls")
        let handles = try unsafe CInput.array(
            asked.prepared, asked.prepared_count, limit: CInput.limitItems, "request.prepared")
        var prepared: [PreparedEvidence] = []
        for place in 0..<handles.count {
            prepared.append(try Handles.evidence.held(unsafe handles[place], "evidence").prepared)
        }
        self.prepared = prepared
    }

    /// A copy that outlives the call.
    var copy: Evidence {
        Evidence(
            stapledOCSP: staple?.copy, ocspResponses: ocspResponses.copies, crls: crls.copies,
            prepared: prepared, sctList: sctList?.copy)
    }
}
