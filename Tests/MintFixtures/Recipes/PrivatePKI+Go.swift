import TestPKI
import TrustEngine

// Go's crypto/x509 writes the extensions of a template in a fixed order and decides three things
// itself: keyUsage and basicConstraints are critical, subjectAltName is where the subject is empty,
// and a self-issued certificate has no authorityKeyIdentifier.

private let bothPurposes = [OID.serverAuth, OID.clientAuth]

/// mkcert, cfssl, minica, step-ca, Vault, and a CA of Go's documentation with name constraints.
func mintGoTools(_ files: inout FixtureFiles) {
    let pki = Scenario()

    // mkcert HOST 10.0.0.7 localhost
    let account = TestName.Attribute.text("2.5.4.11", "dev@laptop")
    let mkcertKey = TestKey.rsa3072("private mkcert ca")
    let mkcert = pki.root(
        PrivateProfile(
            subject: TestName(
                .printableOrganization("mkcert development CA"), account,
                .commonName("mkcert dev@laptop")),
            key: mkcertKey, days: 3_652, serialOctets: 16)
    ) { _ in
        [
            .keyUsage([.keyCertSign]), .basicConstraints(ca: true, pathLength: 0),
            mkcertKey.sha1SubjectKeyIdentifier,
        ]
    }
    files.text("anchors/mkcert.pem", mkcert.pem)
    files.chain(
        "cases/mkcert/chain.pem",
        [
            mkcert.issue(
                PrivateProfile(
                    subject: TestName(
                        .printableOrganization("mkcert development certificate"), account),
                    key: .rsa2048("private mkcert"), days: 823, serialOctets: 16),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment]),
                    .extendedKeyUsage([OID.serverAuth]), mkcert.keyOnly,
                    .subjectAltName([
                        .dns("mkcert.corp.example"), .dns("localhost"), .ip("10.0.0.7"),
                    ]),
                ])
        ])

    // cfssl gencert -initca; cfssl gencert -profile www
    let cfsslKey = TestKey.rsa2048("private cfssl ca")
    let cfssl = pki.root(
        PrivateProfile(
            subject: TestName(.printableOrganization("Corp"), .printableName("Corp CA")),
            key: cfsslKey, days: 1_825)
    ) { _ in
        [
            .keyUsage([.keyCertSign, .cRLSign]), .basicConstraints(ca: true),
            cfsslKey.sha1SubjectKeyIdentifier,
        ]
    }
    let cfsslHost = "cfssl.corp.example"
    let cfsslLeaf = TestKey.rsa2048("private " + cfsslHost)
    files.text("anchors/cfssl.pem", cfssl.pem)
    files.chain(
        "cases/cfssl/chain.pem",
        [
            cfssl.issue(
                PrivateProfile(subject: .printable(cfsslHost), key: cfsslLeaf),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment]),
                    .extendedKeyUsage([OID.serverAuth]), .basicConstraints(ca: false),
                    cfsslLeaf.sha1SubjectKeyIdentifier, cfssl.keyOnly,
                    .subjectAltName([.dns(cfsslHost), .ip("10.0.0.8")]),
                ])
        ])

    // minica --domains HOST
    let minicaKey = TestKey.rsa2048("private minica ca")
    let minica = pki.root(
        PrivateProfile(
            subject: .printable("minica root ca 3f21a7"), key: minicaKey, days: 36_500,
            serialOctets: 8)
    ) { _ in
        [
            .keyUsage([.digitalSignature, .keyCertSign]), .extendedKeyUsage(bothPurposes),
            .basicConstraints(ca: true, pathLength: 0), minicaKey.sha1SubjectKeyIdentifier,
        ]
    }
    let minicaHost = "minica.corp.example"
    files.text("anchors/minica.pem", minica.pem)
    files.chain(
        "cases/minica/chain.pem",
        [
            minica.issue(
                PrivateProfile(
                    subject: .printable(minicaHost), key: .rsa2048("private " + minicaHost),
                    from: .at("2026-05-01T10:00:00Z"), days: 90, serialOctets: 8),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment]),
                    .extendedKeyUsage(bothPurposes), .basicConstraints(ca: false),
                    minica.keyOnly, .subjectAltName([.dns(minicaHost)]),
                ])
        ])

    mintStep(&files)
    mintVault(&files)
    mintGoTemplate(&files)
}

/// step ca init; step ca certificate HOST
private func mintStep(_ files: inout FixtureFiles) {
    let rootKey = TestKey.p256("private step root")
    let usage = TestExtension.keyUsage([.keyCertSign, .cRLSign])
    let root = Scenario().root(
        PrivateProfile(
            subject: TestName(
                .printableOrganization("Corp"), .printableName("Corp Root CA")),
            key: rootKey, days: 3_650, serialOctets: 16)
    ) { _ in
        [usage, .basicConstraints(ca: true, pathLength: 1), rootKey.sha1SubjectKeyIdentifier]
    }
    let issuingKey = TestKey.p256("private step intermediate")
    let issuing = root.issueCA(
        PrivateProfile(
            subject: TestName(
                .printableOrganization("Corp"), .printableName("Corp Intermediate CA")),
            key: issuingKey, days: 3_650, serialOctets: 16),
        [
            usage, .basicConstraints(ca: true, pathLength: 0),
            issuingKey.sha1SubjectKeyIdentifier, root.keyOnly,
        ])
    let host = "step.corp.example"
    let key = TestKey.p256("private " + host)
    files.text("anchors/step-ca.pem", root.pem)
    files.chain(
        "cases/step-ca/chain.pem",
        [
            issuing.issue(
                PrivateProfile(
                    subject: .printable(host), key: key, from: .at("2026-06-01T06:00:00Z"),
                    days: 1, serialOctets: 16),
                [
                    .keyUsage([.digitalSignature]), .extendedKeyUsage(bothPurposes),
                    key.sha1SubjectKeyIdentifier, issuing.keyOnly, .subjectAltName([.dns(host)]),
                    // The provisioner that issued: its kind, its name and the id of its key.
                    .raw(
                        "1.3.6.1.4.1.37476.9000.64.1",
                        DER.sequence(
                            DER.integer(1), DER.octetString(Array("admin@corp.example".utf8)),
                            DER.octetString(Array("Wq3vTlPz0m8".utf8)))),
                ]),
            issuing.certificate,
        ])
}

/// Vault's PKI engine: `generate/internal`, `sign-intermediate`, then `issue/ROLE`. Its early
/// versions write the common name of a CA as a dNSName too, spaces and all.
private func mintVault(_ files: inout FixtureFiles) {
    let usage = TestExtension.keyUsage([.keyCertSign, .cRLSign])
    let rootKey = TestKey.rsa2048("private vault root")
    let root = Scenario().root(
        PrivateProfile(subject: .printable("Corp Root"), key: rootKey, days: 3_650)
    ) { _ in
        [
            usage, .basicConstraints(ca: true), rootKey.sha1SubjectKeyIdentifier,
            .authorityKeyIdentifier(rootKey.sha1Identifier), .subjectAltName([.dns("Corp Root")]),
        ]
    }
    let issuingKey = TestKey.rsa2048("private vault intermediate")
    let issuing = root.issueCA(
        PrivateProfile(subject: .printable("Corp Intermediate"), key: issuingKey, days: 1_825),
        [
            usage, .basicConstraints(ca: true), issuingKey.sha1SubjectKeyIdentifier,
            root.keyOnly, .subjectAltName([.dns("Corp Intermediate")]),
        ])
    let host = "vault.corp.example"
    let key = TestKey.rsa2048("private " + host)
    files.text("anchors/vault.pem", root.pem)
    files.chain(
        "cases/vault/chain.pem",
        [
            issuing.issue(
                PrivateProfile(
                    subject: .printable(host), key: key, from: .at("2026-05-20T10:00:00Z"),
                    days: 32),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment, .keyAgreement]),
                    .extendedKeyUsage(bothPurposes), key.sha1SubjectKeyIdentifier,
                    issuing.keyOnly, .subjectAltName([.dns(host)]),
                ]), issuing.certificate,
        ])
}

/// A CA from a template of crypto/x509 with `PermittedDNSDomains`, whose constraints are critical
/// only where the program says so.
private func mintGoTemplate(_ files: inout FixtureFiles) {
    let key = TestKey.p256("private go template ca")
    let root = Scenario().root(
        PrivateProfile(
            subject: .printable("Inside CA"), key: key, days: 3_650, serial: [1])
    ) { _ in
        [
            .keyUsage([.digitalSignature, .keyCertSign]), .basicConstraints(ca: true),
            key.sha1SubjectKeyIdentifier,
            .nameConstraints(permitted: [.dns("inside.zone.corp.example")]).critical(false),
        ]
    }
    files.text("anchors/go-template.pem", root.pem)
    for (name, host) in [
        ("go-template", "www.inside.zone.corp.example"),
        ("go-template-outside", "www.outside.zone.corp.example"),
    ] {
        files.chain(
            "cases/\(name)/chain.pem",
            [
                root.issue(
                    PrivateProfile(
                        subject: .printable(host), key: .p256("private " + host), serial: [2]),
                    [
                        .keyUsage([.digitalSignature]), .extendedKeyUsage([OID.serverAuth]),
                        .basicConstraints(ca: false), root.keyOnly, .subjectAltName([.dns(host)]),
                    ])
            ])
    }
}

/// The certificates of a cluster that kubeadm set up, of its kubelets, and of cert-manager in it.
func mintKubernetes(_ files: inout FixtureFiles) {
    let pki = Scenario()

    func cluster(_ name: String, _ label: String, serial: [UInt8]?) -> Authority {
        let key = TestKey.rsa2048(label)
        return pki.root(
            PrivateProfile(
                subject: .printable(name), key: key, days: 3_650, serialOctets: 8, serial: serial)
        ) { _ in
            [
                .keyUsage([.digitalSignature, .keyEncipherment, .keyCertSign]),
                .basicConstraints(ca: true), key.sha1SubjectKeyIdentifier,
                .subjectAltName([.dns(name)]),
            ]
        }
    }
    func component(
        _ name: String, _ issuer: Authority, purposes: [String], _ names: [TestGeneralName]
    ) -> Minted {
        issuer.issue(
            PrivateProfile(
                subject: .printable(name), key: .rsa2048("private component " + name),
                serialOctets: 8),
            [
                .keyUsage([.digitalSignature, .keyEncipherment]), .extendedKeyUsage(purposes),
                .basicConstraints(ca: false), issuer.keyOnly, .subjectAltName(names),
            ])
    }
    // Clusters that client-go before 0.28 set up have a CA with the serial number 0.
    let kubernetes = cluster("kubernetes", "private kubernetes ca", serial: [0])
    files.text("anchors/kubernetes.pem", kubernetes.pem)
    files.chain(
        "cases/kubeadm-api-server/chain.pem",
        [
            component(
                "kube-apiserver", kubernetes, purposes: [OID.serverAuth],
                [
                    .dns("cp-1"), .dns("kubernetes"), .dns("kubernetes.default"),
                    .dns("kubernetes.default.svc"), .dns("kubernetes.default.svc.cluster.local"),
                    .ip("10.96.0.1"), .ip("10.20.0.5"),
                ])
        ])
    let etcd = cluster("etcd-ca", "private etcd ca", serial: nil)
    files.text("anchors/etcd.pem", etcd.pem)
    files.chain(
        "cases/kubeadm-etcd-by-address/chain.pem",
        [
            component(
                "cp-1", etcd, purposes: bothPurposes,
                [
                    .dns("cp-1"), .dns("localhost"), .ip("10.20.0.5"), .ip("127.0.0.1"),
                    .ip("::1"),
                ])
        ])

    // The certificate that a kubelet makes for itself, below a CA that it makes for it.
    let node = "node-1.kubelet.corp.example"
    let nodeKey = TestKey.rsa2048("private kubelet ca")
    let kubelet = pki.root(
        PrivateProfile(
            subject: TestName("\(node)-ca@1772357400"), key: nodeKey, serial: [1])
    ) { _ in
        [
            .keyUsage([.digitalSignature, .keyEncipherment, .keyCertSign]),
            .basicConstraints(ca: true), nodeKey.sha1SubjectKeyIdentifier,
        ]
    }
    files.text("anchors/kubelet.pem", kubelet.pem)
    files.chain(
        "cases/kubelet/chain.pem",
        [
            kubelet.issue(
                PrivateProfile(
                    subject: TestName("\(node)@1772357400"), key: .rsa2048("private kubelet"),
                    serial: [2]),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment]),
                    .extendedKeyUsage([OID.serverAuth]), .basicConstraints(ca: false),
                    kubelet.keyOnly, .subjectAltName([.dns(node), .ip("10.20.1.1")]),
                ]), kubelet.certificate,
        ])

    // A self-signed CA issuer, and a Certificate with only `dnsNames`.
    let managerKey = TestKey.p256("private cert-manager ca")
    let manager = pki.root(
        PrivateProfile(
            subject: .printable("corp-selfsigned-ca"), key: managerKey,
            days: 3_650, serialOctets: 16)
    ) { _ in
        [
            .keyUsage([.digitalSignature, .keyEncipherment, .keyCertSign]),
            .basicConstraints(ca: true), managerKey.sha1SubjectKeyIdentifier,
        ]
    }
    files.text("anchors/cert-manager.pem", manager.pem)
    files.chain(
        "cases/cert-manager/chain.pem",
        [
            manager.issue(
                PrivateProfile(
                    subject: .empty, key: .rsa2048("private cert-manager"),
                    from: .at("2026-04-20T10:00:00Z"), days: 90, serialOctets: 16),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment]),
                    .basicConstraints(ca: false), manager.keyOnly,
                    .subjectAltName([.dns("cert-manager.corp.example")]).critical(true),
                ])
        ])
}

/// Istio's own CA and SPIRE.
func mintMeshes(_ files: inout FixtureFiles) {
    let pki = Scenario()
    let from = UTCInstant.at("2026-06-01T06:00:00Z")

    let istioKey = TestKey.rsa2048("private istio ca")
    let istio = pki.root(
        PrivateProfile(
            subject: TestName(.printableOrganization("cluster.local")), key: istioKey,
            days: 3_650, serialOctets: 16)
    ) { _ in
        [
            .keyUsage([.keyCertSign]), .basicConstraints(ca: true),
            istioKey.sha1SubjectKeyIdentifier,
        ]
    }
    files.text("anchors/istio.pem", istio.pem)
    let workload = "spiffe://cluster.local/ns/pay/sa/ledger"
    let controlPlane = ["istiod.istio-system.svc", "istiod-remote.istio-system.svc"]
    for (name, names) in [
        ("istio-control-plane", controlPlane.map { TestGeneralName.dns($0) }),
        ("istio-workload", [.uri(workload)]),
        ("istio-other-workload", [.uri("spiffe://cluster.local/ns/pay/sa/reports")]),
    ] {
        files.chain(
            "cases/\(name)/chain.pem",
            [
                istio.issue(
                    PrivateProfile(
                        subject: .empty, key: .rsa2048("private " + name), from: from, days: 1,
                        serialOctets: 16),
                    [
                        .keyUsage([.digitalSignature, .keyEncipherment]),
                        .extendedKeyUsage(bothPurposes), .basicConstraints(ca: false),
                        istio.keyOnly, .subjectAltName(names).critical(true),
                    ])
            ])
    }

    let spireName = [TestName.Attribute.country("US"), .printableOrganization("SPIRE")]
    let spireKey = TestKey.p256("private spire ca")
    let spire = pki.root(
        PrivateProfile(
            subject: TestName(relativeNames: spireName.map { [$0] }), key: spireKey,
            days: 365, serialOctets: 16)
    ) { _ in
        [
            .keyUsage([.digitalSignature, .keyCertSign, .cRLSign]), .basicConstraints(ca: true),
            spireKey.sha1SubjectKeyIdentifier, .subjectAltName([.uri("spiffe://corp.example")]),
        ]
    }
    let host = "rates.spire.corp.example"
    let key = TestKey.p256("private " + host)
    files.text("anchors/spire.pem", spire.pem)
    files.chain(
        "cases/spire-with-dns/chain.pem",
        [
            spire.issue(
                PrivateProfile(
                    subject: TestName(
                        relativeNames: (spireName + [.printableName(host)]).map { [$0] }),
                    key: key, from: from, days: 1, serialOctets: 16),
                [
                    .keyUsage([.digitalSignature, .keyEncipherment, .keyAgreement]),
                    .extendedKeyUsage(bothPurposes), .basicConstraints(ca: false),
                    key.sha1SubjectKeyIdentifier, spire.keyOnly,
                    .subjectAltName([.dns(host), .uri("spiffe://corp.example/rates")]),
                ])
        ])
}
