import TestPKI

/// One team's service, as a line of the table that the fleet's files are written from.
private struct Service {
    /// What kind of rule it needs.
    enum Kind {
        /// On the corporate root, through the team's profile.
        case inside
        /// Reached from outside through a pinned issuer.
        case pinned
        /// In the mesh, known by its URI.
        case mesh
        /// Somebody else's, on the machine's store.
        case partner
        /// Somebody else's, whose pins are only measured yet.
        case measured
        /// Late with a renewal.
        case late
    }

    let name: String
    let kind: Kind
    var profile = "internal"
}

private let teams: [(name: String, services: [Service])] = [
    (
        "payments",
        [
            Service(name: "ledger", kind: .inside, profile: "payments"),
            Service(name: "checkout", kind: .pinned), Service(name: "fraud", kind: .mesh),
            Service(name: "acquirer", kind: .partner),
            Service(name: "vault", kind: .inside, profile: "payments"),
        ]
    ),
    (
        "search",
        [
            Service(name: "search-api", kind: .pinned), Service(name: "index", kind: .inside),
            Service(name: "suggest", kind: .mesh), Service(name: "crawler", kind: .inside),
            Service(name: "maps", kind: .measured),
        ]
    ),
    (
        "catalog",
        [
            Service(name: "catalog-api", kind: .pinned), Service(name: "prices", kind: .inside),
            Service(name: "images", kind: .inside), Service(name: "feeds", kind: .partner),
            Service(name: "translations", kind: .partner),
        ]
    ),
    (
        "identity",
        [
            Service(name: "login", kind: .pinned), Service(name: "sessions", kind: .mesh),
            Service(name: "directory", kind: .inside, profile: "payments"),
            Service(name: "tokens", kind: .mesh), Service(name: "audit", kind: .inside),
        ]
    ),
    (
        "logistics",
        [
            Service(name: "tracking", kind: .pinned), Service(name: "warehouse", kind: .late),
            Service(name: "routes", kind: .inside), Service(name: "carriers", kind: .partner),
            Service(name: "labels", kind: .inside),
        ]
    ),
    (
        "media",
        [
            Service(name: "streams", kind: .inside), Service(name: "thumbnails", kind: .mesh),
            Service(name: "captions", kind: .measured), Service(name: "uploads", kind: .pinned),
            Service(name: "archive", kind: .inside),
        ]
    ),
    (
        "data",
        [
            Service(name: "warehouse-sql", kind: .inside), Service(name: "events", kind: .mesh),
            Service(name: "reports", kind: .inside), Service(name: "exports", kind: .partner),
            Service(name: "models", kind: .inside),
        ]
    ),
    (
        "edge",
        [
            Service(name: "gateway", kind: .pinned), Service(name: "status", kind: .inside),
            Service(name: "flags", kind: .mesh), Service(name: "mail", kind: .partner),
        ]
    ),
]

private func text(of service: Service, team: String) -> String {
    let name = service.name
    var lines = ["# \(team): \(name)", "hawser: 1"]
    let owner = "    owner: \(team)"
    switch service.kind {
    case .inside:
        lines += [
            "rules:", "  \(name):", "    hosts:", "      - \"\(name).corp.example\"",
            "      - \"*.\(name).corp.example\"", "    anchors: [corp]",
            "    profile: \(service.profile)", owner,
        ]
    case .pinned:
        lines += [
            "pins:", "  \(name):", "    keys:",
            "      issuing-2026: { spki: \(key("issuing").pin), at: ca }", "    backups:",
            "      spare: { spki: \(key("\(name) spare").pin), note: \"in \(team)'s safe\" }",
            "    warn-from: 2027-04-30", "    enforce-until: 2027-06-30", "rules:",
            "  \(name):", "    hosts:", "      - \"\(name).shop.example\"",
            "    anchors: [system]", "    pins: [\(name)]", owner,
        ]
    case .mesh:
        lines += [
            "rules:", "  \(name):", "    hosts:", "      - \"\(name).svc.internal:8443\"",
            "    anchors: [mesh]", "    profile: workload", "    identity:",
            "      reference: listed",
            "      uri: [\"spiffe://mesh.example/ns/\(team)/sa/\(name)\"]", owner,
        ]
    case .partner:
        lines += [
            "rules:", "  \(name):", "    hosts:", "      - \"\(name).partners.example\"",
            "    anchors: [system]", "    profile: org", owner,
            "    note: \"\(name) is not ours: what the web demands is what we demand\"",
        ]
    case .measured:
        lines += [
            "pins:", "  \(name):", "    keys:",
            "      expected: { spki: \(key("\(name) expected").pin) }", "    backups:",
            "      second: { spki: \(key("\(name) second").pin) }", "    enforce-until: 2027-12-31",
            "rules:", "  \(name):", "    hosts:", "      - \"\(name).widgets.example\"",
            "    anchors: [system]", "    pins: [\(name)]", "    report-only:",
            "      pins: { until: 2026-10-31, note: \"measured first\" }", owner,
        ]
    case .late:
        lines += [
            "rules:", "  \(name):", "    hosts:", "      - \"\(name).corp.example\"",
            "    anchors: [corp]", "    profile: internal", owner, "    waivers:",
            "      expired:", "        tolerance: 30d",
            "        reason: \"scanners renew in July\"",
            "        owner: \(team)", "        until: 2026-07-31", "        ticket: LOG-118",
        ]
    }
    return lines.joined(separator: "\n") + "\n"
}

private func key(_ name: String) -> TestKey { .p256("fleet \(name)") }

let fleet = FixtureRecipe(
    "monorepo-forty-files", intent: "forty files of eight teams, as one service would load them"
) { files in
    let pki = Scenario()
    let publicRoot = pki.root("Public Root", key: key("public root"))
    let issuing = publicRoot.issueCA("Public Issuing", key: key("issuing"))
    let other = publicRoot.issueCA("Other Issuing", key: key("other issuing"))
    let corp = pki.root("Corp Root", key: key("corp root"))
    let inside = corp.issueCA("Corp Issuing", key: key("corp issuing"))
    let stolen = corp.issueCA("Stolen Issuing", key: key("stolen issuing"))
    let mesh = pki.root("Mesh Root", key: key("mesh root"))
    for team in teams {
        for service in team.services {
            files.text(
                "teams/\(team.name)/\(service.name).policy.yaml", text(of: service, team: team.name)
            )
        }
    }
    files.text("store.pem", publicRoot.pem)
    files.text("anchors/corp.pem", corp.pem)
    files.text("anchors/mesh.pem", mesh.pem)
    files.text("keys/stolen-issuing.pem", stolen.pem)
    let logs = PublicLogs("fleet")
    files.text("ct/log_list.json", logs.list)
    func chain(_ name: String, _ leaf: Minted, _ authority: Authority) {
        files.chain("cases/\(name)/chain.pem", [leaf, authority.certificate])
    }
    let ledger = ["ledger.corp.example"]
    chain("ledger", inside.issueLeaf(dns: ledger, key: .p384("fleet ledger")), inside)
    chain("ledger-p256", inside.issueLeaf(dns: ledger), inside)
    chain("ledger-stolen-issuer", stolen.issueLeaf(dns: ledger, key: .p384("fleet ledger")), stolen)
    chain("ledger-public-root", issuing.issueLeaf(dns: ledger, key: .p384("fleet ledger")), issuing)
    chain("search-api", issuing.issueLeaf(dns: ["search-api.shop.example"]), issuing)
    chain("search-api-other-issuer", other.issueLeaf(dns: ["search-api.shop.example"]), other)
    func workload(_ path: String) -> Minted {
        mesh.issueLeaf(
            subject: .empty, key: key("workload \(path)"), notBefore: .at("2026-06-01T06:00:00Z"),
            notAfter: .at("2026-06-02T06:00:00Z")
        ) {
            $0.set(.subjectAltName([.uri("spiffe://mesh.example/\(path)")]).critical(true))
        }
    }
    files.chain("cases/fraud/chain.pem", [workload("ns/payments/sa/fraud")])
    files.chain("cases/fraud-asked-of-another/chain.pem", [workload("ns/search/sa/suggest")])
    chain(
        "partner-without-timestamps", issuing.issueLeaf(dns: ["acquirer.partners.example"]), issuing
    )
    chain(
        "partner",
        issuing.issueLogged(dns: ["acquirer.partners.example"], logs.timestamps()), issuing)
    chain(
        "maps-measured", issuing.issueLeaf(dns: ["maps.widgets.example"]), issuing)
    let late = inside.issueLeaf(
        dns: ["warehouse.corp.example"], notAfter: .at("2026-05-20T00:00:00Z"))
    chain("warehouse-late", late, inside)
    chain("warehouse-too-late", late, inside)
    chain("nobodys-host", issuing.issueLeaf(dns: ["www.unknown.example"]), issuing)
}
