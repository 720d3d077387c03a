import TestPKI
import TrustEngine

// The certificates behind twelve organisations' policies, one recipe a folder: what each chain
// shows is in its name and in the folder's README.

/// The roots that stand for the machine's store in these folders, and an issuer below.
private struct PublicWeb {
    let root: Authority
    let issuing: Authority

    init(_ label: String) {
        root = Scenario().root("Public Root", key: .p256("public root of \(label)"))
        issuing = root.issueCA("Public Issuing", key: .p256("public issuing of \(label)"))
    }

    func chain(_ host: String, key: TestKey? = nil) -> [Minted] {
        [issuing.issueLeaf(dns: [host], key: key), issuing.certificate]
    }

    /// The chain of a certificate with embedded timestamps.
    func chain(_ host: String, logged timestamps: [TestTimestamp]) -> [Minted] {
        [issuing.issueLogged(dns: [host], timestamps), issuing.certificate]
    }
}

/// The logs of a recipe, each of an operator of its own; one has retired.
struct PublicLogs {
    let larch: TestLog
    let maple: TestLog
    let birch: TestLog
    let rowan: TestLog

    init(_ label: String) {
        func log(_ name: String) -> TestLog {
            TestLog("\(name) 2026", of: name, key: .p256("log \(name) of \(label)"))
        }
        larch = log("Larch")
        maple = log("Maple")
        birch = log("Birch")
        rowan = log("Rowan").with {
            $0.state = .retired
            $0.since = .at("2026-04-20")
        }
    }

    /// log_list.json.
    var list: String { TestLogList.json([larch, maple, birch, rowan]) }

    /// Timestamps of three logs, enough for a certificate of more than 180 days; of the first
    /// second of the certificate unless said otherwise.
    func timestamps(at time: UTCInstant = .at("2026-04-01")) -> [TestTimestamp] {
        [larch, maple, birch].map { $0.timestamp(at: time) }
    }
}

extension Authority {
    /// A server certificate with embedded timestamps.
    func issueLogged(
        dns: [String], key: TestKey? = nil, notBefore: UTCInstant? = nil,
        notAfter: UTCInstant? = nil, _ timestamps: [TestTimestamp]
    ) -> Minted {
        issueLeaf(dns: dns, key: key, notBefore: notBefore, notAfter: notAfter) {
            $0.embed(timestamps, issuedBy: self.key)
        }
    }
}

let smallStartup = FixtureRecipe(
    "startup-pin-digests", intent: "an issuing key pinned by its digest, the spare in a safe"
) { files in
    let web = PublicWeb("small-startup")
    let other = web.root.issueCA("Public Issuing", key: .p256("another issuing of small-startup"))
    files.text("store.pem", web.root.pem)
    files.text("pinned/issuing-2026.pem", web.issuing.pem)
    files.text(
        "pinned/offline.csr.pem",
        RequestRecipe(subject: "Offline", key: .p256("offline of small-startup")).pem)
    files.chain("cases/pinned-issuer/chain.pem", web.chain("api.acme.example"))
    files.chain(
        "cases/other-issuer/chain.pem",
        [other.issueLeaf(dns: ["api.acme.example"]), other.certificate])
}

let bank = FixtureRecipe(
    "bank", intent: "own roots for own names, and revocation that must be shown"
) { files in
    let pki = Scenario()
    let old = pki.root("Bank Root 2020", key: .p256("bank root 2020"))
    let new = pki.root("Bank Root 2026", key: .p256("bank root 2026"))
    let web = PublicWeb("bank")
    files.text("anchors/bank-2020.pem", old.pem)
    files.text("anchors/bank-2026.pem", new.pem)
    files.text("store.pem", web.root.pem)
    files.chain(
        "cases/core-without-crl/chain.pem", [new.issueLeaf(dns: ["ledger.core.bank.example"])])
    files.chain(
        "cases/core-public-root/chain.pem", web.chain("ledger.core.bank.example"))
    files.chain(
        "cases/core-outside-name/chain.pem",
        [new.issueLeaf(dns: ["ledger.core.bank.example", "www.elsewhere.example"])])
    let late = old.issueLeaf(
        dns: ["gw.core.bank.example"], notAfter: .at("2026-05-25T00:00:00Z"))
    files.chain("cases/gateway-a-week-late/chain.pem", [late])
    files.chain("cases/gateway-a-month-late/chain.pem", [late])
    /// A CRL of the day before `date`.
    func list(_ root: Authority, _ date: String, _ revoked: [Minted] = []) -> [UInt8] {
        root.revocationList(revoked, reason: .keyCompromise) {
            $0.thisUpdate = .at("\(date)T00:00:00Z").advanced(bySeconds: -2 * 3_600)
            $0.nextUpdate = .at("\(date)T00:00:00Z").advanced(bySeconds: 7 * 86_400)
        }
    }
    let ledger = new.issueLeaf(dns: ["ledger.core.bank.example"])
    for name in ["core", "core-old-crl", "core-revoked"] {
        files.chain("cases/\(name)/chain.pem", [ledger])
    }
    files.bytes("cases/core/root.crl", list(new, "2026-06-01"))
    files.bytes("cases/core-old-crl/root.crl", list(new, "2026-05-30"))
    files.bytes("cases/core-revoked/root.crl", list(new, "2026-06-01", [ledger]))
    files.bytes("cases/gateway-a-week-late/root.crl", list(old, "2026-06-01"))
    files.bytes("cases/gateway-a-month-late/root.crl", list(old, "2026-06-20"))
}

let mobileApp = FixtureRecipe(
    "mobile-app", intent: "pinned keys, pinned certificates, and developers' machines"
) { files in
    let web = PublicWeb("mobile-app")
    let pki = Scenario()
    func api(_ key: String) -> [Minted] { web.chain("api.shop.example", key: .p256(key)) }
    func images(_ key: String) -> Minted {
        pki.selfSignedLeaf(dns: ["img.shop.example"], key: .p256(key))
    }
    files.text("store.pem", web.root.pem)
    files.bytes("pins/api-2026.cer", api("mobile api 2026")[0].der)
    files.text(
        "pins/api-next.csr.pem",
        RequestRecipe(subject: "Shop API, next key", key: .p256("mobile api 2027")).pem)
    files.bytes("pins/bundle/images-a.cer", images("mobile images a").der)
    files.bytes("pins/bundle/images-b.der", images("mobile images b").der)
    files.bytes("pins/next.cer", images("mobile images next").der)
    files.chain("cases/api/chain.pem", api("mobile api 2026"))
    files.chain("cases/api-other-key/chain.pem", api("mobile api of nobody"))
    files.chain("cases/images-bundled/chain.pem", [images("mobile images b")])
    files.chain("cases/images-unknown/chain.pem", [images("mobile images unknown")])
    files.chain(
        "cases/images-appended/chain.pem",
        [images("mobile images unknown"), images("mobile images a")])
    files.chain(
        "cases/laptop/chain.pem", [pki.selfSignedLeaf(dns: ["laptop-17"], key: .p256("laptop"))])
}

let alamofire = FixtureRecipe(
    "alamofire-policies", intent: "six ways to evaluate a server's trust"
) { files in
    let web = PublicWeb("alamofire")
    let pki = Scenario()
    let pinned = web.root.issueCA("Pinned Issuer", key: .p256("alamofire pinned issuer"))
    files.text("store.pem", web.root.pem)
    files.bytes("anchors/issuer.cer", pinned.der)
    func key(_ host: String, _ name: String) -> [Minted] {
        web.chain(host, key: .p256("alamofire \(name)"))
    }
    files.bytes("pins/one.cer", key("api.d.example", "one")[0].der)
    files.bytes("pins/two.cer", key("api.d.example", "two")[0].der)
    files.chain("cases/default/chain.pem", web.chain("a.example"))
    files.chain("cases/default-other-name/chain.pem", web.chain("z.example"))
    files.chain("cases/revoked-without-evidence/chain.pem", web.chain("b.example"))
    let b = web.chain("b.example")
    for name in ["not-revoked", "revoked"] {
        files.chain("cases/\(name)/chain.pem", b)
        files.bytes("cases/\(name)/root.crl", web.root.revocationList())
    }
    files.bytes("cases/not-revoked/leaf.ocsp", web.issuing.ocspResponse(for: b[0]))
    files.bytes(
        "cases/revoked/leaf.ocsp",
        web.issuing.ocspResponse(
            for: b[0], .revoked(.keyCompromise, at: .at("2026-05-20T08:00:00Z"))))
    files.chain(
        "cases/certificates/chain.pem",
        [pinned.issueLeaf(dns: ["c.example"]), pinned.certificate])
    files.chain("cases/certificates-other-issuer/chain.pem", web.chain("c.example"))
    files.chain("cases/keys/chain.pem", key("api.d.example", "one"))
    files.chain("cases/keys-backup/chain.pem", key("api.d.example", "two"))
    files.chain("cases/keys-other/chain.pem", key("api.d.example", "three"))
    files.chain(
        "cases/disabled/chain.pem",
        [pki.selfSignedLeaf(dns: ["rig.lab"], key: .p256("alamofire rig"))])
    files.chain("cases/custom-passes/chain.pem", web.chain("f.example"))
    files.chain("cases/custom-fails/chain.pem", web.chain("f.example"))
    files.chain("cases/no-policy/chain.pem", web.chain("g.example"))
}

let appTransport = FixtureRecipe(
    "ats-timestamps", intent: "App Transport Security, and a partner that is behind"
) { files in
    let web = PublicWeb("app-transport")
    files.text("store.pem", web.root.pem)
    let logs = PublicLogs("app-transport")
    files.text("ct/log_list.json", logs.list)
    let app = web.chain("www.app.example", logged: logs.timestamps())
    for name in ["logged", "old-version", "no-forward-secrecy"] {
        files.chain("cases/\(name)/chain.pem", app)
    }
    let bare = web.chain("www.app.example")
    files.chain("cases/without-timestamps/chain.pem", bare)
    files.chain("cases/by-handshake/chain.pem", bare)
    files.bytes(
        "cases/by-handshake/timestamps.sct",
        TestTimestamp.list([logs.larch.timestamp(), logs.maple.timestamp()], over: bare[0]))
    files.chain(
        "cases/forged-timestamp/chain.pem",
        web.chain(
            "www.app.example",
            logged: [
                logs.larch.timestamp(), logs.maple.timestamp { $0.damage = .otherMessage },
                logs.birch.timestamp(), logs.rowan.timestamp(at: .at("2026-04-21")),
            ]))
    files.chain(
        "cases/partner-old-version/chain.pem",
        web.chain("api.partner.example", logged: logs.timestamps()))
    files.chain(
        "cases/partner-after-the-waiver/chain.pem",
        [
            web.issuing.issueLogged(
                dns: ["api.partner.example"], notBefore: .at("2027-03-01"),
                notAfter: .at("2027-08-31T23:59:59Z"), logs.timestamps(at: .at("2027-03-01"))),
            web.issuing.certificate,
        ])
}

let serviceMesh = FixtureRecipe(
    "spiffe-revocation", intent: "identities are URIs and certificates live for hours"
) { files in
    let mesh = Scenario().root("Mesh Root", key: .p256("mesh root"))
    func workload(_ uri: String, hours: Int = 12) -> Minted {
        mesh.issueLeaf(
            subject: .empty, key: .p256("workload \(uri)"), notBefore: .at("2026-06-01T06:00:00Z"),
            notAfter: .at("2026-06-01T06:00:00Z").advanced(bySeconds: Int64(hours) * 3_600)
        ) {
            $0.set(.subjectAltName([.uri(uri)]).critical(true))
        }
    }
    files.text("bundles/mesh.example/root.pem", mesh.pem)
    files.chain(
        "cases/ledger/chain.pem", [workload("spiffe://mesh.example/ns/pay/sa/ledger")])
    files.chain(
        "cases/ledger-asked-of-another/chain.pem",
        [workload("spiffe://mesh.example/ns/pay/sa/reports")])
    files.chain(
        "cases/lives-too-long/chain.pem",
        [workload("spiffe://mesh.example/ns/pay/sa/ledger", hours: 24 * 30)])
    files.chain(
        "cases/other-domain/chain.pem", [workload("spiffe://other.example/ns/pay/sa/ledger")])
    files.chain(
        "cases/rest-of-pay/chain.pem", [workload("spiffe://mesh.example/ns/pay/sa/reports")])
}

let inspectingProxy = FixtureRecipe(
    "proxy-as-named-anchor", intent: "a proxy that may open some connections and not others"
) { files in
    let web = PublicWeb("inspecting-proxy")
    let proxy = Scenario().root("Inspection", key: .p256("inspection"))
    func opened(_ host: String) -> [Minted] {
        [
            proxy.issueLeaf(
                dns: [host], notBefore: .at("2026-05-20T00:00:00Z"),
                notAfter: .at("2026-06-10T00:00:00Z"))
        ]
    }
    files.text("store.pem", web.root.pem)
    files.text("anchors/inspection-proxy.pem", proxy.pem)
    let logs = PublicLogs("inspecting-proxy")
    files.text("ct/log_list.json", logs.list)
    files.chain("cases/opened/chain.pem", opened("www.news.example"))
    files.chain("cases/not-opened-without-timestamps/chain.pem", web.chain("www.news.example"))
    files.chain(
        "cases/not-opened/chain.pem",
        web.chain("www.news.example", logged: logs.timestamps()))
    files.chain("cases/login-opened/chain.pem", opened("login.saas.example"))
    files.chain("cases/login/chain.pem", web.chain("login.saas.example"))
    files.chain("cases/bank-opened/chain.pem", opened("www.bank.example"))
}

let iotFleet = FixtureRecipe(
    "iot-fleet", intent: "devices that outlive their certificates, found by address"
) { files in
    var pki = Scenario()
    pki.authorityValidity = .at("2016-01-01")...(.at("2025-12-31T23:59:59Z"))
    let factory = pki.root("Factory 2016", key: .p256("factory 2016"))
    files.text("anchors/factory-2016.pem", factory.pem)
    func device(_ names: [String], ips: [String] = [], notAfter: String) -> Minted {
        factory.issueLeaf(
            dns: names, ips: ips, key: .p256("device \(names + ips)"),
            notBefore: .at("2016-06-01"), notAfter: .at(notAfter))
    }
    files.chain(
        "cases/gateway-by-name/chain.pem", [device(["gateway"], notAfter: "2026-12-31")])
    files.chain(
        "cases/gateway-by-address/chain.pem",
        [device([], ips: ["10.40.0.9", "fd00:40::9"], notAfter: "2026-12-31")])
    let sensor = ["sensor.fleet.example"]
    files.chain("cases/sensor-overdue/chain.pem", [device(sensor, notAfter: "2025-12-31")])
    files.chain("cases/sensor-long-overdue/chain.pem", [device(sensor, notAfter: "2025-04-30")])
    files.chain(
        "cases/sensor-by-address/chain.pem",
        [device([], ips: ["10.40.7.7"], notAfter: "2026-12-31")])
}

let cdnCustomer = FixtureRecipe(
    "cdn-customer", intent: "a content network's issuers pinned, the origin carved out"
) { files in
    let root = Scenario().root("Public Root", key: .p256("public root of cdn-customer"))
    let cdn = root.issueCA("CDN Issuing", key: .p256("cdn issuing"))
    let second = root.issueCA("Second CDN Issuing", key: .p256("second cdn issuing"))
    let other = root.issueCA("Public Issuing", key: .p256("public issuing of cdn-customer"))
    files.text("store.pem", root.pem)
    files.text("pinned/cdn-issuer.pem", cdn.pem)
    files.text("pinned/second-cdn.pem", second.pem)
    for (name, authority, host) in [
        ("edge", cdn, "www.cdn.shop.example"),
        ("edge-second-network", second, "a.b.assets.shop.example"),
        ("edge-other-issuer", other, "www.cdn.shop.example"),
        ("origin", other, "origin.cdn.shop.example"),
        ("measured", other, "js.widgets.example"),
        ("measured-to-the-end", other, "js.widgets.example"),
    ] {
        files.chain(
            "cases/\(name)/chain.pem",
            [
                authority.issueLeaf(
                    dns: [host], notBefore: .at("2026-03-01"), notAfter: .at("2027-06-30")),
                authority.certificate,
            ])
    }
}

let regulated = FixtureRecipe(
    "regulated", intent: "lifetimes that shrink by date, larger keys, P-384 where money settles"
) { files in
    let root = Scenario().root("Public Root", key: .rsa3072("public root of regulated"))
    let issuing = root.issueCA("Public Issuing", key: .rsa3072("public issuing of regulated"))
    let small = root.issueCA("Small Issuing", key: .rsa2048("small issuing of regulated"))
    files.text("store.pem", root.pem)
    let logs = PublicLogs("regulated")
    files.text("ct/log_list.json", logs.list)
    func settlement(_ timestamps: [TestTimestamp]) -> [Minted] {
        [
            issuing.issueLogged(
                dns: ["net.settle.example"], key: .p384("settlement"),
                notBefore: .at("2026-04-01"), notAfter: .at("2026-10-01"), timestamps),
            issuing.certificate,
        ]
    }
    let three = logs.timestamps()
    files.chain("cases/settlement/chain.pem", settlement(three))
    files.chain("cases/settlement-stale-list/chain.pem", settlement(three))
    files.chain("cases/settlement-two-logs/chain.pem", settlement(Array(three.prefix(2))))
    files.chain(
        "cases/settlement-retired-log/chain.pem",
        settlement(Array(three.prefix(2)) + [logs.rowan.timestamp(at: .at("2026-04-01"))]))
    files.chain(
        "cases/settlement-p256/chain.pem",
        [issuing.issueLogged(dns: ["net.settle.example"], three), issuing.certificate])
    files.chain(
        "cases/small-key/chain.pem",
        [small.issueLogged(dns: ["www.regulated.example"], three), small.certificate])
    let long = [
        issuing.issueLogged(
            dns: ["www.regulated.example"], notBefore: .at("2026-04-01"),
            notAfter: .at("2027-04-20"), three), issuing.certificate,
    ]
    files.chain("cases/long-lived-reported/chain.pem", long)
    files.chain("cases/long-lived-enforced/chain.pem", long)
}

let caMigration = FixtureRecipe(
    "ca-migration",
    intent: "from one corporate root to the next, with a cut-off and two keys cast out"
) { files in
    var pki = Scenario()
    pki.leafValidity = .at("2026-03-01")...(.at("2026-12-20"))
    let web = PublicWeb("ca-migration")
    let retired = pki.root("Retired Root", key: .p256("retired root"))
    let old = pki.root("Corp Root 2016", key: .p256("corp root 2016"))
    let new = pki.root("Corp Root 2026", key: .p256("corp root 2026"))
    let stolen = new.issueCA("Stolen CA", key: .p256("stolen ca"))
    let distrusted = new.issueCA("Distrusted CA", key: .p256("distrusted ca"))
    files.text("store.pem", web.root.pem + retired.pem)
    files.text("anchors/corp-2016.pem", old.pem)
    files.text("anchors/corp-2026.pem", new.pem)
    files.text(
        "anchors/corp-2026-signed-by-2016.pem", PEMWriter.certificates([old.crossSign(new).der]))
    files.text("pinned/retired-root.pem", retired.pem)
    files.text("pinned/stolen-ca.pem", stolen.pem)
    files.text("pinned/distrusted-ca.pem", distrusted.pem)
    let host = "wiki.corp.example"
    files.chain("cases/old-root/chain.pem", [old.issueLeaf(dns: [host])])
    files.chain(
        "cases/old-root-issued-too-late/chain.pem",
        [
            old.issueLeaf(
                dns: [host], notBefore: .at("2027-01-02"), notAfter: .at("2027-06-30"))
        ])
    files.chain("cases/new-root/chain.pem", [new.issueLeaf(dns: [host])])
    files.chain(
        "cases/stolen/chain.pem", [stolen.issueLeaf(dns: [host]), stolen.certificate])
    files.chain(
        "cases/distrusted-issued-before/chain.pem",
        [distrusted.issueLeaf(dns: [host]), distrusted.certificate])
    files.chain(
        "cases/distrusted-issued-after/chain.pem",
        [
            distrusted.issueLeaf(
                dns: [host], notBefore: .at("2026-10-01"), notAfter: .at("2026-12-31")),
            distrusted.certificate,
        ])
    files.chain("cases/public/chain.pem", web.chain("www.partner.example"))
    files.chain(
        "cases/retired/chain.pem", [retired.issueLeaf(dns: ["www.partner.example"])])
}

let monorepo = FixtureRecipe(
    "monorepo", intent: "security owns the default, each team its own file"
) { files in
    let web = PublicWeb("monorepo")
    let corp = Scenario().root("Corp Root", key: .p256("corp root of monorepo"))
    files.text("store.pem", web.root.pem)
    files.text("anchors/corp.pem", corp.pem)
    let logs = PublicLogs("monorepo")
    files.text("ct/log_list.json", logs.list)
    files.text("pinned/issuing.pem", web.issuing.pem)
    files.text(
        "pinned/spare.csr.pem",
        RequestRecipe(subject: "Search, spare key", key: .p256("spare of monorepo")).pem)
    files.chain("cases/api-without-timestamps/chain.pem", web.chain("search.shop.example"))
    files.chain(
        "cases/api/chain.pem", web.chain("search.shop.example", logged: logs.timestamps()))
    files.chain(
        "cases/internal/chain.pem", [corp.issueLeaf(dns: ["index.search.corp.example"])])
    files.chain("cases/internal-public-root/chain.pem", web.chain("index.search.corp.example"))
    files.chain("cases/nobodys/chain.pem", web.chain("www.unknown.example"))
}

/// The twelve, in the order of their letters.
let twelveOrganisations = [
    smallStartup, bank, mobileApp, alamofire, appTransport, serviceMesh, inspectingProxy, iotFleet,
    cdnCustomer, regulated, caMigration, monorepo,
]
