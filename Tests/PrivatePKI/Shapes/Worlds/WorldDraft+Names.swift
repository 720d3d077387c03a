import TestPKI
import TrustEngine

// Names that an end entity presents against subtrees that its authorities permit and exclude.

extension WorldDraft {
    /// A form of names: those that an end entity can present, and the subtrees beside them.
    private struct Form {
        let name: String
        let presented: [(String, TestGeneralName)]
        let subtrees: [(String, TestGeneralName)]
    }

    private static func form(
        _ name: String, _ presented: [String], _ subtrees: [String],
        _ make: (String) -> TestGeneralName,
        _ makeSubtree: (String) -> TestGeneralName
    ) -> Form {
        Form(
            name: name, presented: presented.map { ($0, make($0)) },
            subtrees: subtrees.map { ($0, makeSubtree($0)) })
    }

    private static let dns = form(
        "dns",
        [
            "www.shop.example", "WWW.Shop.example", "*.shop.example", "shop.example",
            "a.www.shop.example", "mail.shop.example", "api.other.example", "*.www.shop.example",
            "wwwshop.example", "w*.shop.example",
        ],
        [
            "shop.example", "www.shop.example", ".shop.example", ".www.shop.example", "example",
            "", "w.shop.example", "SHOP.Example", "other.example", "op.example",
            "a.www.shop.example", "*.shop.example", "shop.example.", "b.a.www.shop.example",
        ], { .dns($0) }, { .dns($0) })
    private static let ip = form(
        "ip", ["10.1.2.3", "10.9.9.9", "2001:db8::7", "::ffff:10.1.2.3", "192.168.1.1"],
        [
            "10.0.0.0/8", "10.1.2.0/24", "10.1.2.3/32", "0.0.0.0/0", "192.168.0.0/16",
            "2001:db8::/32", "::/0", "2001:db8::7/128", "10.1.2.128/25",
        ], { $0 == "::ffff:10.1.2.3" ? mapped : .ip($0) }, { .ipRange($0) })
    /// An address of IPv4 in sixteen octets.
    private static let mapped = TestGeneralName.raw(
        tag: 7, [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 1, 2, 3])
    private static let uri = form(
        "uri",
        [
            "https://www.shop.example/a", "spiffe://shop.example/x", "HTTPS://WWW.SHOP.EXAMPLE/",
            "https://mail.shop.example:8443/", "https://user@mail.shop.example/", "urn:uuid:1",
            "https://10.1.2.3/", "https://[2001:db8::7]/", "https://api.other.example/",
            "https://evil.example\\@shop.example/", "https://www.shop.example./", "//shop.example/",
            "https://a.%73hop.example/",
        ],
        [
            "shop.example", ".shop.example", "mail.shop.example", "www.shop.example",
            "other.example", ".other.example", "SHOP.EXAMPLE", ".example", "10.1.2.3", "",
            "https://shop.example",
        ], { .uri($0) }, { .uri($0) })
    private static let email = form(
        "email",
        [
            "ops@shop.example", "Ops@mail.shop.example", "ops@MAIL.shop.example",
            "ops@other.example", "ops@", "\"a b\"@shop.example",
        ],
        [
            "shop.example", ".shop.example", "ops@shop.example", "OPS@shop.example",
            "other.example", "mail.shop.example", "",
        ], { .email($0) }, { .email($0) })
    /// The subject is a directory name of every certificate, so that it is looked at whether or
    /// not one is presented.
    private static let directory = Form(
        name: "directory",
        presented: [
            ("O=Shop, OU=Web", .directory(TestName(.organization("Shop"), .unit("Web")))),
            ("O=Other", .directory(TestName(.organization("Other")))),
        ],
        subtrees: [
            ("O=Shop", .directory(TestName(.organization("Shop")))),
            ("O=SHOP", .directory(TestName(.organization("SHOP")))),
            ("O=Other", .directory(TestName(.organization("Other")))),
            ("empty", .directory(.empty)),
            (
                "O=Shop, CN=host",
                .directory(TestName(.organization("Shop"), .commonName(ShapeDraft.host)))
            ),
            ("CN=host", .directory(TestName(ShapeDraft.host))),
        ])

    private static let hosts = [
        "www.shop.example", "WWW.shop.example", "www.shop.example.", "shop.example",
        "a.www.shop.example", "mail.shop.example", "api.other.example", "10.1.2.3", "2001:db8::7",
    ]

    mutating func drawNames() {
        guard !hasOddity(of: ["names", "constraints", "san", "subject"]),
            !isBare(shape.end), shape.names != nil
        else { return }
        if random.below(4) == 0 {
            let host = WorldDraft.hosts[random.below(WorldDraft.hosts.count)]
            shape.host = host
            shape.hostIsAddress = IPAddress(text: host) != nil
            facts.append("host: \(host)")
        }
        let forms = [
            WorldDraft.dns, WorldDraft.ip, WorldDraft.uri, WorldDraft.email, WorldDraft.directory,
        ]
        let drawn = random.some(forms, atMost: 2)
        var names: [TestGeneralName] =
            shape.hostIsAddress ? [.ip(shape.host)] : [.dns(ShapeDraft.host)]
        if random.below(6) == 0 { names = [] }
        for form in drawn where random.below(3) > 0 {
            for (text, name) in random.some(form.presented, atMost: 2) {
                names.append(name)
                facts.append("name: \(form.name) \(text)")
            }
        }
        if random.below(3) == 0 { names.shuffle(using: &random) }
        if names.isEmpty {
            names = [.dns("www.shop.example")]
        }
        shape.names = names
        facts.append("names: \(names.count)")
        guard !isTrustedEndEntity else { return }
        for position in random.some(Array(authorities), atMost: 2) where !isBare(position) {
            constrain(position, drawn)
        }
    }

    private mutating func constrain(_ position: Int, _ forms: [Form]) {
        var lists: [[TestGeneralName]] = [[], []]
        let isCritical = random.below(4) > 0
        let mark = isCritical ? "" : ", not critical"
        for form in forms {
            let which = random.below(3)
            for (list, verb) in ["permits", "excludes"].enumerated()
            where which == 2 || which == list {
                for (text, name) in random.some(form.subtrees, atMost: 2) {
                    lists[list].append(name)
                    facts.append("\(place(position)): \(verb) \(form.name) \(text)\(mark)")
                }
            }
        }
        shape.path[position].recipe.set(
            .nameConstraints(permitted: lists[0], excluded: lists[1], critical: isCritical))
    }
}
