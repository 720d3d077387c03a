import TestPKI
import TrustEngine

/// OpenSSL with its own configuration, with the one of old, and easy-rsa, which configures it.
func mintOpenSSLStyles(_ files: inout FixtureFiles) {
    let pki = Scenario()

    // openssl req -x509 -subj "/CN=Corp CA"; openssl x509 -req -CA -extfile
    let current = pki.root(
        PrivateProfile(subject: "Corp CA", key: .rsa2048("private openssl ca"), days: 3_650)
    ) { recipe in
        let key = TestKey.rsa2048("private openssl ca")
        return [
            key.sha1SubjectKeyIdentifier, .authorityKeyIdentifier(key.sha1Identifier),
            .basicConstraints(ca: true),
        ]
    }
    func byCurrent(_ host: String, _ issuer: Authority) -> Minted {
        let key = TestKey.rsa2048("private " + host)
        return issuer.issue(
            PrivateProfile(subject: TestName(host), key: key),
            [
                .subjectAltName([.dns(host)]), .extendedKeyUsage([OID.serverAuth]),
                key.sha1SubjectKeyIdentifier, issuer.keyOnly,
            ])
    }
    let server = byCurrent("openssl.corp.example", current)
    files.text("anchors/openssl-3.pem", current.pem)
    files.chain("cases/openssl-3/chain.pem", [server])
    // A server of this CA signs a certificate for another host. Its own certificate does not limit
    // its uses: it has neither basicConstraints nor keyUsage.
    let other = byCurrent("www.openssl.corp.example", pki.holder(of: server))
    files.chain("cases/openssl-3-server-signs/chain.pem", [other, server])

    // CA.pl -newca and openssl ca with openssl.cnf of OpenSSL 0.9.8 through 1.0.0
    let oldName = TestName(
        .country("DE"), .text("2.5.4.8", "Berlin"), .organization("Corp"),
        .commonName("Corp CA 2010"))
    let oldKey = TestKey.rsa2048("private ca.pl")
    let old = pki.root(
        PrivateProfile(subject: oldName, key: oldKey, days: 3_650, serialOctets: 8)
    ) { recipe in
        [
            oldKey.sha1SubjectKeyIdentifier,
            .authorityKeyIdentifier(
                oldKey.sha1Identifier, issuer: recipe.issuer, serial: recipe.serialOctets),
            .basicConstraints(ca: true).critical(false),
        ]
    }
    let oldHost = "ca-pl.corp.example"
    let oldLeafKey = TestKey.rsa2048("private " + oldHost)
    files.text("anchors/openssl-old-config.pem", old.pem)
    files.chain(
        "cases/openssl-old-config/chain.pem",
        [
            old.issue(
                PrivateProfile(
                    subject: TestName(
                        .country("DE"), .text("2.5.4.8", "Berlin"), .organization("Corp"),
                        .commonName(oldHost)),
                    key: oldLeafKey, serialOctets: 8),
                [
                    .basicConstraints(ca: false).critical(false),
                    // nsComment
                    .raw(
                        "2.16.840.1.113730.1.13",
                        DER.element(0x16, Array("OpenSSL Generated Certificate".utf8))),
                    oldLeafKey.sha1SubjectKeyIdentifier, old.keyIssuerAndSerial,
                    .subjectAltName([.dns(oldHost)]),
                ])
        ])

    // easyrsa build-ca nopass; easyrsa build-server-full HOST nopass
    func easyRSA(_ label: String) -> Authority {
        let key = TestKey.rsa2048(label)
        return pki.root(PrivateProfile(subject: "Easy-RSA CA", key: key, days: 3_650)) { recipe in
            [
                .basicConstraints(ca: true).critical(false), key.sha1SubjectKeyIdentifier,
                .authorityKeyIdentifier(
                    key.sha1Identifier, issuer: recipe.issuer, serial: recipe.serialOctets),
                .keyUsage([.keyCertSign, .cRLSign]).critical(false),
            ]
        }
    }
    func easyServer(_ host: String, _ issuer: Authority, _ label: String) -> Minted {
        let key = TestKey.rsa2048(label)
        return issuer.issue(
            PrivateProfile(subject: TestName(host), key: key, days: 825, serialOctets: 16),
            [
                .basicConstraints(ca: false).critical(false), key.sha1SubjectKeyIdentifier,
                issuer.keyIssuerAndSerial, .extendedKeyUsage([OID.serverAuth]),
                .keyUsage([.digitalSignature, .keyEncipherment]).critical(false),
                .subjectAltName([.dns(host)]),
            ])
    }
    let easy = easyRSA("private easy-rsa ca")
    let stranger = easyRSA("private easy-rsa stranger")
    let easyHost = "easy-rsa.corp.example"
    files.text("anchors/easy-rsa.pem", easy.pem)
    files.chain(
        "cases/easy-rsa/chain.pem", [easyServer(easyHost, easy, "private " + easyHost)])
    // Everybody's CA of easy-rsa has this name. A stranger's differs only in its key.
    files.chain(
        "cases/easy-rsa-stranger/chain.pem",
        [easyServer(easyHost, stranger, "private easy-rsa stranger's"), stranger.certificate])
}

/// Authorities from before today's rules, and shapes that come from no one tool.
func mintOldAuthorities(_ files: inout FixtureFiles) {
    let pki = Scenario()

    // A corporate root of 2006: SHA-1, no key identifier. It signs with SHA-256 today.
    let root = pki.root(
        PrivateProfile(
            subject: TestName(
                .country("DE"), .text("2.5.4.10", "Old Corp AG", tag: 0x13),
                .text("2.5.4.3", "Old Corp Root", tag: 0x13)),
            key: .rsa2048("private old root"), from: .at("2006-05-02T08:00:00Z"), days: 10_957,
            serial: [1], signature: .rsaPKCS1(.sha1))
    ) { _ in
        [.basicConstraints(ca: true).critical(false)]
    }
    func byRoot(_ signature: TestSignature) -> Minted {
        let host = "old-root.corp.example"
        let key = TestKey.rsa2048("private " + host)
        return root.issue(
            PrivateProfile(
                subject: TestName(host), key: key, serialOctets: 8, signature: signature),
            [
                .basicConstraints(ca: false).critical(false), key.sha1SubjectKeyIdentifier,
                // Of `keyid,issuer` OpenSSL writes the second where the issuer has no identifier.
                .authorityKeyIdentifier(
                    nil, issuer: root.name, serial: root.certificate.recipe.serialOctets),
                .keyUsage([.digitalSignature, .keyEncipherment]).critical(false),
                .extendedKeyUsage([OID.serverAuth]), .subjectAltName([.dns(host)]),
            ])
    }
    files.text("anchors/old-root.pem", root.pem)
    files.chain("cases/old-root/chain.pem", [byRoot(.rsaPKCS1(.sha256))])
    files.chain("cases/old-root-signs-sha1/chain.pem", [byRoot(.rsaPKCS1(.sha1))])

    // An intermediate without subjectKeyIdentifier, below a root that lacks nothing.
    let sound = pki.root("Corp Root 2020", key: .p256("private sound root"))
    let plain = sound.issueCA(
        PrivateProfile(
            subject: "Corp Issuing 2020", key: .p256("private plain intermediate"), days: 3_650,
            serialOctets: 16),
        [
            .basicConstraints(ca: true, pathLength: 0), .keyUsage([.keyCertSign, .cRLSign]),
            .authorityKeyIdentifier(sound.key.keyIdentifier),
        ])
    files.text("anchors/sound-root.pem", sound.pem)
    files.chain(
        "cases/intermediate-without-identifier/chain.pem",
        [plain.issueLeaf(dns: ["intermediate.corp.example"]), plain.certificate])

    // A build machine whose name has an underscore.
    files.chain(
        "cases/underscore/chain.pem", [sound.issueLeaf(dns: ["build_01.ci.example"])])
}

/// Java's keytool and GnuTLS's certtool.
func mintOtherTools(_ files: inout FixtureFiles) {
    let pki = Scenario()

    // keytool -genkeypair -ext bc=ca:true; keytool -gencert -ext san -ext ku -ext eku
    let javaKey = TestKey.rsa2048("private keytool ca")
    let java = pki.root(
        PrivateProfile(
            subject: .printable("Corp CA"), key: javaKey, days: 3_650, serialOctets: 8)
    ) { _ in
        [javaKey.sha1SubjectKeyIdentifier, .basicConstraints(ca: true).critical(false)]
    }
    let javaHost = "keytool.corp.example"
    let javaLeaf = TestKey.rsa2048("private " + javaHost)
    files.text("anchors/keytool.pem", java.pem)
    files.chain(
        "cases/keytool/chain.pem",
        [
            java.issue(
                PrivateProfile(
                    subject: .printable(javaHost), key: javaLeaf, serialOctets: 8),
                [
                    javaLeaf.sha1SubjectKeyIdentifier,
                    .keyUsage([.digitalSignature, .keyEncipherment]).critical(false),
                    .subjectAltName([.dns(javaHost)]), java.keyOnly,
                    .extendedKeyUsage([OID.serverAuth]),
                ])
        ])

    // certtool --generate-self-signed; certtool --generate-certificate
    let gnuKey = TestKey.rsa3072("private certtool ca")
    let gnu = pki.root(
        PrivateProfile(subject: .printable("Corp CA"), key: gnuKey, days: 3_650)
    ) { _ in
        [
            .basicConstraints(ca: true), .keyUsage([.keyCertSign, .cRLSign]),
            gnuKey.sha1SubjectKeyIdentifier,
        ]
    }
    let gnuHost = "certtool.corp.example"
    let gnuLeaf = TestKey.rsa3072("private " + gnuHost)
    files.text("anchors/certtool.pem", gnu.pem)
    files.chain(
        "cases/certtool/chain.pem",
        [
            gnu.issue(
                PrivateProfile(subject: .printable(gnuHost), key: gnuLeaf),
                [
                    .basicConstraints(ca: false), .subjectAltName([.dns(gnuHost)]),
                    .extendedKeyUsage([OID.serverAuth]),
                    .keyUsage([.digitalSignature, .keyEncipherment]),
                    gnuLeaf.sha1SubjectKeyIdentifier, gnu.keyOnly,
                ])
        ])
}
