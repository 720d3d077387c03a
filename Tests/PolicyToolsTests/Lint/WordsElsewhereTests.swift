import PolicyCompiler
import PolicyTools
import Testing

/// Policies in the words of other programs: each message leads to the place where this language
/// says the same.
@Suite("lint: policies in the words of other programs") struct WordsElsewhereTests {
    @Test(
        "keys",
        arguments: [
            ("insecure-skip-verify: true", "dated `waivers` of `path` and `identity`"),
            ("InsecureSkipVerify: true", "no key switches the checks off"),
            ("proxy_ssl_verify: off", "no key switches the checks off"),
            ("rejectUnauthorized: false", "no key switches the checks off"),
            ("validatesDomainName: false", "`identity: { reference: listed"),
            ("include-subdomains: true", "`\"**.acme.example\"` is every name below"),
            ("kTSKIncludeSubdomains: true", "`\"**.acme.example\"` is every name below"),
            ("pin-set: { pin: x }", "the rule names them: `pins: [NAME]`"),
            ("TSKPublicKeyHashes: [x]", "the rule names them: `pins: [NAME]`"),
            ("certificatePinner: x", "the rule names them: `pins: [NAME]`"),
            ("TSKEnforcePinning: false", "`report-only: { pins: { until: YYYY-MM-DD } }`"),
            ("TSKExpirationDate: 2027-01-01", "`enforce-until` of the pin set"),
            ("trust-anchors: { certificates: x }", "the rule names the set: `anchors: [NAME]`"),
            ("RootCAs: ca.pem", "the rule names the set: `anchors: [NAME]`"),
            ("proxy_ssl_trusted_certificate: ca.pem", "the rule names the set"),
            ("validation_context: { trusted_ca: ca.pem }", "the rule names the set"),
            ("cafile: ca.pem", "the rule names the set"),
            ("trustStore: cacerts", "the rule names the set"),
            ("ssl_protocols: TLSv1.2", "`tls.minimum-version` takes `tls1.2` or `tls1.3`"),
            ("minimum-version: tls1.2", "`tls.minimum-version` takes `tls1.2` or `tls1.3`"),
            ("MinVersion: VersionTLS12", "`tls.minimum-version` takes `tls1.2` or `tls1.3`"),
            ("MaxVersion: VersionTLS13", "`tls.maximum-version` takes `tls1.2` or `tls1.3`"),
            ("ssl_ciphers: HIGH", "`tls.cipher-suites` takes IANA's names"),
            ("CurvePreferences: [CurveP256]", "`tls.groups` takes IANA's names"),
            ("ssl_ecdh_curve: X25519", "`tls.groups` takes IANA's names"),
            ("match_typed_subject_alt_names: [x]", "names beside the host stand in `identity`"),
            ("proxy_ssl_verify_depth: 2", "`path.maximum-intermediates` counts"),
            ("ssl_crl: ca.crl", "`revocation` says which evidence is demanded"),
            ("cleartextTrafficPermitted: true", "a dated waiver `cleartext` accepts it"),
            ("domain-config: x", "a rule lists its hosts"),
        ])
    func keys(_ line: String, _ words: String) {
        let text = """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                \(line)

            """
        let found = MarkedLint(text).lint().findings
        let help = found.filter { $0.code == .unknownKey }.flatMap(\.help)
        #expect(help.contains { $0.contains(words) }, "\(found.map(\.message)) \(help)")
        #expect(found.allSatisfy { $0.fix == nil })
    }
}
