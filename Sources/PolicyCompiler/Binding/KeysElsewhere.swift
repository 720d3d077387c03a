/// Keys of other programs' settings, and where their meaning stands in this language. A message
/// about an unknown key names the place; no fix writes it, because it is another shape.
enum KeysElsewhere {
    /// Where the meaning of a key stands; nil for a key that no known program has.
    static func help(for key: String) -> String? {
        guard key.utf8.count <= 60 else { return nil }
        let folded = WordSpelling.folded(key)
        return places.first { $0.keys.contains(folded) }?.help
    }

    /// The keys of Go, nginx, OpenSSL, Envoy, Android's network security configuration, TrustKit,
    /// OkHttp, AFNetworking, Alamofire and Java, folded.
    private static let places: [(keys: Set<String>, help: String)] = [
        (
            [
                "insecureskipverify", "allowinvalidcertificates", "disableevaluation", "insecure",
                "trustall", "trustallcerts", "verify", "verifymode", "sslverify", "proxysslverify",
                "verifypeer", "rejectunauthorized",
            ],
            "no key switches the checks off: `anchors: [pinned-keys]` with `pins` trusts a server by "
                + "its key, and dated `waivers` of `path` and `identity` tolerate any certificate"
        ),
        (
            [
                "validatesdomainname", "validatehost", "verifyhostname", "checkhostname",
                "verifyhost",
            ],
            "for a server whose certificate has another name write `identity: { reference: listed, dns: "
                + "[…] }`; a dated waiver `identity` tolerates any name"
        ),
        (
            ["includesubdomains", "tskincludesubdomains", "ktskincludesubdomains"],
            "patterns in `hosts` say it: `\"**.acme.example\"` is every name below `acme.example`"
        ),
        (
            [
                "pinset", "publickeyhashes", "tskpublickeyhashes", "ktskpublickeyhashes",
                "certificatepinner", "pinnedcertificates", "pinnedkeys", "pin", "pinsha256",
                "proxysslpin",
            ],
            "pins stand at the top level, `pins: { NAME: { keys: …, backups: … } }`, and the rule names "
                + "them: `pins: [NAME]`"
        ),
        (
            ["enforcepinning", "tskenforcepinning", "ktskenforcepinning"],
            "pins are enforced; `report-only: { pins: { until: YYYY-MM-DD } }` in the rule reports them "
                + "until that day"
        ),
        (
            ["expiration", "tskexpirationdate", "ktskexpirationdate", "expires"],
            "`enforce-until` of the pin set is the last day on which a mismatch is sure to reject"
        ),
        (
            [
                "trustanchors", "cafile", "cacert", "cacerts", "rootcas", "trustedca",
                "validationcontext", "sslcafile", "proxyssltrustedcertificate",
                "ssltrustedcertificate", "certificates", "trustedcertificates", "cacertificates",
                "truststore", "truststorepath", "cabundle", "sslclientcertificate", "roots",
            ],
            "CA files stand at the top level, `anchors: { NAME: { files: [ca.pem] } }`, and the rule names "
                + "the set: `anchors: [NAME]`"
        ),
        (
            [
                "minversion", "tlsminversion", "sslprotocols", "proxysslprotocols", "versions",
                "tlsminimumprotocolversion", "protocols", "minprotocol", "tlsversions",
                "minimumversion", "tlsversion", "minimumtlsversion",
            ], "`tls.minimum-version` takes `tls1.2` or `tls1.3`"
        ),
        (
            ["maxversion", "tlsmaxversion", "tlsmaximumprotocolversion", "maxprotocol"],
            "`tls.maximum-version` takes `tls1.2` or `tls1.3`"
        ),
        (
            ["sslciphers", "proxysslciphers", "ciphers", "cipherstring", "cipherlist"],
            "`tls.cipher-suites` takes IANA's names, for TLS 1.2 and TLS 1.3"
        ),
        (
            ["curvepreferences", "ecdhcurves", "curves", "sslecdhcurve", "namedgroups"],
            "`tls.groups` takes IANA's names"
        ),
        (
            [
                "matchsubjectaltnames", "matchtypedsubjectaltnames", "subjectaltnames",
                "verifysubjectaltname", "sans", "proxysslname",
            ],
            "names beside the host stand in `identity`, for example `identity: { reference: listed, uri: "
                + "[\"spiffe://acme.example/web\"] }`"
        ),
        (
            ["verifydepth", "sslverifydepth", "proxysslverifydepth", "maxverifydepth"],
            "`path.maximum-intermediates` counts the certificates between the leaf and the anchor"
        ),
        (
            [
                "crlfile", "sslcrl", "proxysslcrl", "requirecrl", "ocspstapling", "sslstapling",
                "ocsp",
            ],
            "`revocation` says which evidence is demanded; the program hands CRLs and responses over with "
                + "each request"
        ),
        (
            ["cleartexttrafficpermitted", "usescleartexttraffic", "allowsinsecurehttploads"],
            "cleartext is rejected; a dated waiver `cleartext` accepts it"
        ),
        (
            ["domain", "domains", "domainconfig", "servername", "hostname", "host"],
            "a rule lists its hosts: `hosts: [\"api.acme.example\"]`"
        ),
    ]
}
