import CLibCrypto
import ConformanceCases
import TrustEngine

/// libcrypto's `X509_verify_cert` on the cases of a run, to time both on the same vectors.
///
/// Both sides are given DER. Anchors and the rule, which a service prepares once, are prepared
/// outside the time on both sides; inside it stand reading the presented certificates and the CRLs,
/// the search, the checks and the signatures. Cases of OCSP, which this call does not consult, are
/// declined and timed on neither side. It has no strict purposes and no lifted limits of anchors
/// either: these cases run without them, and count as they fall.
final class LibcryptoValidator: OtherValidator {
    private var nanoseconds = 0
    private var oursNanoseconds = 0
    private var count = 0
    private var falseAccepts = 0
    private var falseRejects = 0

    func judge(
        _ vector: ConformanceCase, ours: CaseResult, clock: () -> Int
    ) throws -> OtherVerdict {
        guard vector.revocation != .ocsp else {
            return OtherVerdict(.declined, reason: "X509_verify_cert consults no OCSP response")
        }
        guard ours.verdict != .declined else {
            return OtherVerdict(.declined, reason: "declined on our side, so not compared")
        }
        let store = try LibcryptoValidator.store(of: vector)
        defer { X509_STORE_free(store) }
        let start = clock()
        let problem = LibcryptoValidator.problem(of: vector, store)
        nanoseconds += clock() - start
        oursNanoseconds += ours.nanoseconds
        count += 1
        switch (problem, vector.expected) {
        case (nil, .failure): falseAccepts += 1
        case (_?, .success): falseRejects += 1
        default: break
        }
        defer { ERR_clear_error() }
        guard let problem else { return OtherVerdict(.accept) }
        return OtherVerdict(
            .reject, reason: problem,
            onPath: ours.path.isEmpty
                ? nil
                : try LibcryptoValidator.answer(to: vector.along(ours.path)))
    }

    var report: String {
        func milliseconds(_ time: Int) -> String { RunReport.milliseconds(time) }
        let ratio = nanoseconds == 0 ? 0 : oursNanoseconds * 100 / nanoseconds
        let hundredths = ratio % 100
        return """
            beside libcrypto's X509_verify_cert, on \(count) cases; CPU time of evaluation, from DER,
            anchors and rule prepared before:
              ours       \(milliseconds(oursNanoseconds)) ms
              libcrypto  \(milliseconds(nanoseconds)) ms, \(falseAccepts) false accepts, \
            \(falseRejects) false rejects
              ratio      \(ratio / 100).\(hundredths < 10 ? "0" : "")\(hundredths)

            """
    }

    // MARK: One case

    private static func answer(to vector: ConformanceCase) throws -> OtherVerdict.Answer {
        let store = try store(of: vector)
        defer { X509_STORE_free(store) }
        let problem = problem(of: vector, store)
        return OtherVerdict.Answer(problem == nil ? .accept : .reject, reason: problem)
    }

    private static func store(of vector: ConformanceCase) throws -> OpaquePointer {
        guard let store = X509_STORE_new() else { throw CaseProblem("libcrypto has no memory") }
        for der in vector.trusted {
            guard let certificate = certificate(der) else { continue }
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
        return store
    }

    private static func certificate(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { octets in
            var cursor = octets.baseAddress
            return d2i_X509(nil, &cursor, octets.count)
        }
    }

    private static func list(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { octets in
            var cursor = octets.baseAddress
            return d2i_X509_CRL(nil, &cursor, octets.count)
        }
    }

    /// Why libcrypto refuses a case; nil where it accepts.
    private static func problem(of vector: ConformanceCase, _ store: OpaquePointer) -> String? {
        guard let peer = certificate(vector.peer), let context = X509_STORE_CTX_new(),
            let bag = OPENSSL_sk_new_null(), let crls = OPENSSL_sk_new_null()
        else { return "the end entity does not parse" }
        let certificates = vector.bag.compactMap(certificate)
        let lists = vector.revocation == .crl ? vector.crls.compactMap(list) : []
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(bag)
            OPENSSL_sk_free(crls)
            for item in certificates { X509_free(item) }
            for item in lists { X509_CRL_free(item) }
            X509_free(peer)
        }
        for item in certificates { OPENSSL_sk_push(bag, UnsafeRawPointer(item)) }
        for item in lists { OPENSSL_sk_push(crls, UnsafeRawPointer(item)) }
        guard X509_STORE_CTX_init(context, store, peer, bag) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { return "no context for the verification" }
        X509_STORE_CTX_set0_crls(context, crls)
        guard set(vector, parameters) else { return "the name that is asked for is none" }
        guard X509_verify_cert(context) != 1 else { return nil }
        return X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))
            .map { String(cString: $0) } ?? "no reason is given"
    }

    /// What a case asks, as far as libcrypto has words for it; false where a name is none.
    private static func set(_ vector: ConformanceCase, _ parameters: OpaquePointer) -> Bool {
        // Anchors need not be self-signed.
        var flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST
        let time = vector.time ?? PreparedCase.presentDay
        X509_VERIFY_PARAM_set_time(parameters, Int(time.secondsSinceEpoch))
        switch vector.kind {
        case .server: X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER)
        case .client: X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT)
        case .any: break
        }
        X509_VERIFY_PARAM_set_depth(parameters, Int32(vector.maximumDepth ?? 32))
        // 112 bits: no SHA-1, no RSA below 2048 bits.
        let isWeakAllowed = !vector.features.isDisjoint(with: ["allow-sha1", "rsa-1024"])
        X509_VERIFY_PARAM_set_auth_level(parameters, isWeakAllowed ? 0 : 2)
        let policies = vector.certificatePolicies
        if policies != ConformanceCase.CertificatePolicies()
            || vector.features.contains("has-cert-policies")
        {
            flags |= X509_V_FLAG_POLICY_CHECK
            if policies.requiresExplicit { flags |= X509_V_FLAG_EXPLICIT_POLICY }
            if policies.inhibitsMapping { flags |= X509_V_FLAG_INHIBIT_MAP }
            if policies.inhibitsAny { flags |= X509_V_FLAG_INHIBIT_ANY }
            // An empty set would mean none where the path must have some.
            let acceptable =
                policies.initial.isEmpty ? [ObjectIdentifier.anyPolicy] : policies.initial
            for policy in acceptable {
                let text = ObjectIdentifier.text(of: policy.span)
                X509_VERIFY_PARAM_add0_policy(parameters, OBJ_txt2obj(text, 1))
            }
        }
        if vector.revocation == .crl {
            flags |= X509_V_FLAG_CRL_CHECK | X509_V_FLAG_EXTENDED_CRL_SUPPORT
            flags |= X509_V_FLAG_USE_DELTAS
            if vector.revocationScope == .chain { flags |= X509_V_FLAG_CRL_CHECK_ALL }
        }
        X509_VERIFY_PARAM_set_flags(parameters, UInt(flags))
        if vector.features.contains("rfc9525-names") {
            X509_VERIFY_PARAM_set_hostflags(
                parameters,
                UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        }
        for name in vector.names {
            let isSet =
                switch name.kind {
                case .dns: X509_VERIFY_PARAM_set1_host(parameters, name.value, 0)
                case .ip: X509_VERIFY_PARAM_set1_ip_asc(parameters, name.value)
                case .email: X509_VERIFY_PARAM_set1_email(parameters, name.value, 0)
                }
            guard isSet == 1 else { return false }
        }
        return true
    }
}
