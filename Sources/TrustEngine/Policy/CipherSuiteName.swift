/// The facts about a cipher suite in its IANA name. The names follow a scheme (RFC 8447 section 4).
package enum CipherSuiteName {
    /// Whether a suite is one of TLS 1.3 (RFC 8446 appendix B.4). These names have no key exchange
    /// before a `_WITH_`; the suites of RFC 9367, which end in `_MGM_L` or `_MGM_S`, are named as
    /// if they had.
    package static func isOfTLS13(_ suite: String) -> Bool {
        !suite.contains("_WITH_") || suite.hasSuffix("_MGM_L") || suite.hasSuffix("_MGM_S")
    }

    /// Whether a suite of TLS 1.2 has an ephemeral key exchange (RFC 5246 appendix A.5, RFC 8422):
    /// `TLS_DH_` and `TLS_ECDH_` are static.
    package static func isEphemeral(_ suite: String) -> Bool {
        suite.hasPrefix("TLS_ECDHE_") || suite.hasPrefix("TLS_DHE_")
    }
}
