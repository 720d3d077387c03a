import TestPKI
import TrustEngine

/// An enterprise CA of Active Directory Certificate Services, by three of its default templates.
func mintActiveDirectory(_ files: inout FixtureFiles) {
    let domain = ["example", "corp"].map {
        TestName.Attribute.text("0.9.2342.19200300.100.1.25", $0, tag: 0x16)
    }
    let key = TestKey.rsa2048("private ad cs ca")
    let root = Scenario().root(
        PrivateProfile(
            subject: TestName(
                relativeNames: (domain + [.printableName("corp-CA1-CA")]).map { [$0] }),
            key: key, from: .at("2024-02-01T09:00:00Z"), days: 1_827, serialOctets: 16)
    ) { _ in
        [
            .keyUsage([.digitalSignature, .keyCertSign, .cRLSign]).critical(false),
            .basicConstraints(ca: true), key.sha1SubjectKeyIdentifier,
            // szOID_CERTSRV_CA_VERSION
            .raw("1.3.6.1.4.1.311.21.1", DER.integer(0)),
        ]
    }
    files.text("anchors/ad-cs.pem", root.pem)

    func issue(
        _ name: String, subject: TestName, days: Int64, _ template: [TestExtension],
        purposes: [String], _ names: TestExtension
    ) {
        let key = TestKey.rsa2048("private " + name)
        let profile = PrivateProfile(subject: subject, key: key, days: days, serialOctets: 19)
        let written =
            template + [
                .extendedKeyUsage(purposes),
                .keyUsage([.digitalSignature, .keyEncipherment]).critical(false), names,
                key.sha1SubjectKeyIdentifier, root.keyOnly,
            ] + directoryPoints
        files.chain("cases/\(name)/chain.pem", [root.issue(profile, written)])
    }
    let web = "ad-cs.corp.example"
    issue(
        "ad-cs-web-server", subject: .printable(web), days: 730, [templateName("WebServer")],
        purposes: [OID.serverAuth], .subjectAltName([.dns(web)]))
    let controller = "dc1.corp.example"
    let identifier: [UInt8] = [
        0xac, 0x4b, 0x29, 0x06, 0x1a, 0x55, 0x4f, 0x42, 0x9a, 0x09, 0x0c, 0xb1, 0x6a, 0x65, 0xd9,
        0x11,
    ]
    issue(
        "ad-cs-domain-controller", subject: .printable(controller), days: 365,
        [
            templateName("DomainController"),
            // szOID_NTDS_CA_SECURITY_EXT: the account's SID.
            .raw(
                "1.3.6.1.4.1.311.25.2",
                DER.sequence(
                    TestGeneralName.other(
                        type: "1.3.6.1.4.1.311.25.2.1",
                        value: DER.octetString(
                            Array("S-1-5-21-1004336348-1177238915-682003330-1000".utf8))
                    ).der)),
        ],
        purposes: [OID.clientAuth, OID.serverAuth],
        .subjectAltName([
            // szOID_NTDS_REPLICATION: the GUID of the directory's object.
            .other(type: "1.3.6.1.4.1.311.25.1", value: DER.octetString(identifier)),
            .dns(controller),
        ]))
    let purposes = [OID.clientAuth, OID.serverAuth, "1.3.6.1.4.1.311.20.2.2"]
    issue(
        "ad-cs-controller-authentication", subject: .empty, days: 365,
        [
            // szOID_CERTIFICATE_TEMPLATE
            .raw(
                "1.3.6.1.4.1.311.21.7",
                DER.sequence(
                    DER.oid("1.3.6.1.4.1.311.21.8.7654321.1234567.1.28"), DER.integer(119),
                    DER.integer(0))),
            // szOID_APPLICATION_CERT_POLICIES, which repeats the purposes.
            .raw(
                "1.3.6.1.4.1.311.21.10",
                DER.sequence(of: purposes.map { DER.sequence(DER.oid($0)) })),
        ],
        purposes: purposes,
        .subjectAltName([.dns("dc2.corp.example")]).critical(true))
}

/// szOID_ENROLL_CERTTYPE_EXTENSION: the name of a template of version 1, a BMPString.
private func templateName(_ name: String) -> TestExtension {
    .raw("1.3.6.1.4.1.311.20.2", DER.element(0x1e, name.utf8.flatMap { [0, $0] }))
}

/// Where an enterprise CA publishes by default: only in the directory.
private let directoryPoints: [TestExtension] = {
    let services =
        "CN=Public%20Key%20Services,CN=Services,CN=Configuration,DC=corp,DC=example"
    return [
        .crlDistributionPoints([
            "ldap:///CN=corp-CA1-CA,CN=ca1,CN=CDP,\(services)"
                + "?certificateRevocationList?base?objectClass=cRLDistributionPoint"
        ]),
        .authorityInfoAccess(issuers: [
            "ldap:///CN=corp-CA1-CA,CN=AIA,\(services)"
                + "?cACertificate?base?objectClass=certificationAuthority"
        ]),
    ]
}()

/// Certificates that development servers make for themselves.
func mintDevelopmentCertificates(_ files: inout FixtureFiles) {
    let pki = Scenario()

    // dotnet dev-certs https
    let dotnetKey = TestKey.rsa2048("private dotnet")
    let dotnet = pki.root(
        PrivateProfile(subject: .printable("localhost"), key: dotnetKey, serialOctets: 8)
    ) { _ in
        [
            .basicConstraints(ca: false), .keyUsage([.digitalSignature, .keyEncipherment]),
            .extendedKeyUsage([OID.serverAuth]).critical(true),
            .subjectAltName([.dns("localhost")]).critical(true),
            // The version of this profile.
            .raw("1.3.6.1.4.1.311.84.1.1", [2]),
        ]
    }
    files.text("anchors/dotnet.pem", dotnet.pem)
    files.chain("cases/dotnet/chain.pem", [dotnet.certificate])

    // webpack-dev-server 3 --https, through the package `selfsigned`
    let usage: TestExtension.KeyUsage = [
        .digitalSignature, .nonRepudiation, .keyEncipherment, .dataEncipherment, .keyCertSign,
    ]
    let webpackKey = TestKey.rsa2048("private webpack")
    let webpack = pki.root(
        PrivateProfile(
            subject: .printable("localhost"), key: webpackKey,
            from: .at("2026-05-20T10:00:00Z"), days: 30, serialOctets: 9)
    ) { _ in
        [
            .keyUsage(usage).critical(false),
            .extendedKeyUsage([
                OID.serverAuth, OID.clientAuth, OID.codeSigning, "1.3.6.1.5.5.7.3.8",
            ]),
            .subjectAltName([
                .dns("localhost"), .dns("localhost.localdomain"), .dns("lvh.me"),
                .dns("*.lvh.me"), .dns("[::1]"), .ip("127.0.0.1"), .ip("fe80::1"),
            ]),
        ]
    }
    files.text("anchors/webpack.pem", webpack.pem)
    files.chain("cases/webpack/chain.pem", [webpack.certificate])
    // The key of the development server signs for another key. keyCertSign is set, but the
    // certificate is not a CA.
    files.chain(
        "cases/webpack-signs/chain.pem",
        [
            webpack.issue(
                PrivateProfile(
                    subject: .printable("localhost"), key: .rsa2048("private webpack's forger"),
                    from: .at("2026-05-20T10:00:00Z"), days: 30, serialOctets: 9),
                [
                    .extendedKeyUsage([OID.serverAuth]), .subjectAltName([.dns("localhost")]),
                ]), webpack.certificate,
        ])
}
