import TestPKI
import TrustEngine

// Names: who a certificate says it is for, and what authorities say about that.

extension Oddity {
    // MARK: Distinguished names

    static let subjects: [Oddity] = [
        subject("without a common name", TestName(.organization("Shop"))),
        subject("with the common name of a product", named("Shop Front 2")),
        subject("with the common name of another host", named("other.example")),
        subject("with two common names", named("www.shop.example", "Shop Front 2")),
        Oddity("an empty subject, subjectAltName critical", .servers, shared: ["subject", "san"]) {
            draft, position in
            draft.nameEnd(.empty)
            draft.namesAreCritical = true
        },
        Oddity(
            "an empty subject, subjectAltName not critical", .servers, shared: ["subject", "san"]
        ) { draft, _ in draft.nameEnd(.empty) },
        Oddity("subjectAltName critical", .servers, shared: ["san"]) { draft, _ in
            draft.namesAreCritical = true
        },
        Oddity(
            "subjectAltName twice", .servers,
            refused: "RFC 5280 §4.2: an extension stands once", shared: ["san"]
        ) { draft, position in draft.repeated.append((position, OID.subjectAltName)) },
        .recipe(
            "the name of another issuer", [.endEntity],
            refused: "RFC 5280 §6.1.3(a)(4): the names do not chain", own: ["issuer"]
        ) { $0.issuer = named("Another CA") },
        issuer("with letters of another case") { text, tag in (text.uppercased(), tag) },
        issuer("in another type of string") { text, _ in (text, 0x13) },
        issuer("with more white space") { text, tag in
            (text.replacing(" ", with: "  "), tag)
        },
    ]

    private static func named(_ commonNames: String...) -> TestName {
        TestName(
            relativeNames: [[.organization("Shop")]] + commonNames.map { [.commonName($0)] })
    }

    private static func subject(_ name: String, _ subject: TestName) -> Oddity {
        Oddity("a subject " + name, .servers, shared: ["subject"]) { draft, _ in
            draft.nameEnd(subject)
        }
    }

    /// The issuer's name, written in another way that means the same.
    private static func issuer(
        _ name: String, _ change: @escaping @Sendable (String, UInt8) -> (String, UInt8)
    ) -> Oddity {
        .recipe("the issuer's name " + name, .issued, own: ["issuer"]) { recipe in
            for (row, attributes) in recipe.issuer.relativeNames.enumerated() {
                for (column, attribute) in attributes.enumerated() {
                    // A short string: one octet of length.
                    let old = String(decoding: attribute.value.dropFirst(2), as: UTF8.self)
                    let (text, tag) = change(old, attribute.value[0])
                    recipe.issuer.relativeNames[row][column] = .text(
                        attribute.type, text, tag: tag)
                }
            }
        }
    }

    // MARK: subjectAltName

    static let presentedNames: [Oddity] = [
        presents("an address", host: "10.1.2.3", [.ip("10.1.2.3")]),
        presents("an IPv6 address", host: "2001:db8::7", [.ip("2001:db8::7")]),
        presents("an address besides", [.dns(host), .ip("10.1.2.3")]),
        presents("a wildcard", [.dns("*.shop.example")]),
        presents("the name in capitals", [.dns("WWW.Shop.Example")]),
        presents("a name of one label", host: "localhost", [.dns("localhost")]),
        presents(
            "an internal name", host: "web.default.svc.cluster.local",
            [.dns("web"), .dns("web.default.svc.cluster.local")]),
        presents(
            "a name with an underscore", host: "my_host.shop.example",
            [.dns("my_host.shop.example")]),
        presents("a name with an underscore besides", [.dns(host), .dns("my_host.shop.example")]),
        presents(
            "a wildcard over a name with an underscore", host: "my_host.shop.example",
            [.dns("*.shop.example")]),
        presents("a name with two dots besides", [.dns("bad_name..x"), .dns(host)]),
        presents("a name with an empty label besides", [.dns(host), .dns(".shop.example")]),
        presents("an empty name besides", [.dns(""), .dns(host)]),
        presents("a name with a dot at its end besides", [.dns(host + "."), .dns(host)]),
        presents("a name with a space besides", [.dns("shop front"), .dns(host)]),
        presents("a name with a port besides", [.dns(host + ":8443"), .dns(host)]),
        presents("an address as a dNSName besides", [.dns("10.1.2.3"), .dns(host)]),
        presents("a name in UTF-8 besides", [.dns("schön.example"), .dns(host)]),
        presents(
            "a name with a NUL besides", [.dns("www.shop.example\0.evil.example"), .dns(host)]),
        presents(
            "an address of five octets besides", [.raw(tag: 7, [10, 1, 2, 3, 4]), .dns(host)]),
        presents("an e-mail address besides", [.email("ops@shop.example"), .dns(host)]),
        presents("no e-mail address besides", [.email("ops at shop"), .dns(host)]),
        presents("a URI besides", [.dns(host), .uri("spiffe://shop.example/ns/a/sa/b")]),
        presents("no URI besides", [.dns(host), .uri("not a uri")]),
        presents("a directory name besides", [.dns(host), .directory(TestName("Shop Front 2"))]),
        presents(
            "a registered identifier besides", [.dns(host), .registeredID("1.3.6.1.4.1.32473")]),
        presents(
            "a user principal name besides",
            [
                .dns(host),
                .other(type: "1.3.6.1.4.1.311.20.2.3", value: DER.utf8String("web@shop.example")),
            ]),
        presents("a wildcard over two labels besides", [.dns(host), .dns("*.*.shop.example")]),
        presents("a wildcard over a top level", host: "shop.example", [.dns("*.example")]),
        presents("the name with a dot at its end alone", [.dns(host + ".")]),
        presents("no subjectAltName", nil, refused: unnamed),
        presents("an empty subjectAltName", [], refused: unnamed),
        presents("an e-mail address alone", [.email("ops@shop.example")], refused: unnamed),
        presents("another host", [.dns("mail.shop.example")], refused: unnamed),
        presents("the parent domain alone", [.dns("shop.example")], refused: unnamed),
        presents(
            "a wildcard two labels above", host: "a.www.shop.example", [.dns("*.shop.example")],
            refused: unnamed),
        presents(
            "a wildcard over the name itself", host: "shop.example", [.dns("*.shop.example")],
            refused: unnamed),
        presents("a wildcard in the second label", [.dns("www.*.example")], refused: unnamed),
        presents("a wildcard alone", [.dns("*")], refused: unnamed),
        presents("an address as a dNSName", host: "10.9.9.9", [.dns("10.9.9.9")], refused: unnamed),
        presents("another address", host: "10.9.9.9", [.ip("10.9.9.8")], refused: unnamed),
        presents(
            "the name up to a NUL", [.dns("www.shop.example\0.evil.example")], refused: unnamed),
    ]

    private static let host = ShapeDraft.host
    private static let unnamed = "RFC 9525 §6: the name asked for is not presented"

    private static func presents(
        _ name: String, host: String = ShapeDraft.host, _ names: [TestGeneralName]?,
        refused refusal: String? = nil
    ) -> Oddity {
        Oddity("presents " + name, .servers, refused: refusal, shared: ["names"]) { draft, _ in
            draft.host = host
            draft.hostIsAddress = IPAddress(text: host) != nil
            draft.names = names
            draft.nameEnd(TestName(.organization("Shop"), .commonName(host)), isOdd: false)
        }
    }

    // MARK: Name constraints

    static let nameConstraints: [Oddity] =
        ConstrainedForm.allCases.flatMap { form in
            [true, false].flatMap { isCritical in
                constraints(form, isCritical: isCritical)
            }
        } + [
            .recipe(
                "empty name constraints", .authorities,
                refused: "LANGUAGE §12.10: empty constraints say nothing that can be kept",
                own: ["constraints"]
            ) { $0.set(.nameConstraints()) },
            .recipe("name constraints of an end entity", .servers, own: ["constraints"]) {
                $0.set(.nameConstraints(permitted: [.dns("shop.example")]))
            },
        ]

    private static func constraints(_ form: ConstrainedForm, isCritical: Bool) -> [Oddity] {
        let mark = isCritical ? "" : ", not critical"
        let refusal = "RFC 5280 §6.1.3(b), (c): a name that its issuer may not vouch for"
        func oddity(
            _ verb: String, permitted: [TestGeneralName] = [], excluded: [TestGeneralName] = [],
            refused: String? = nil
        ) -> Oddity {
            Oddity(
                "\(verb) \(form.rawValue)\(mark)", .authorities, refused: refused,
                own: ["constraints"], shared: form == .directory ? ["constraints", "subject"] : [],
                weight: 1, stage: .referring
            ) { draft, position in
                if let name = form.name { draft.present(name) }
                draft.path[position].recipe.set(
                    .nameConstraints(permitted: permitted, excluded: excluded)
                        .critical(isCritical))
            }
        }
        guard form != .dnsDotItself else {
            let reason = "LANGUAGE §12.10: the dot is read in the way that accepts less"
            return [
                oddity("permits", permitted: [form.inside], refused: reason),
                oddity("excludes", excluded: [form.inside], refused: reason),
            ]
        }
        return [
            oddity("permits", permitted: [form.inside]),
            oddity("permits a stranger to", permitted: [form.outside], refused: refusal),
            oddity("excludes a stranger to", excluded: [form.outside]),
            oddity("excludes", excluded: [form.inside], refused: refusal),
        ]
    }

    /// A form of names and a subtree that a name of the end entity is in.
    private enum ConstrainedForm: String, CaseIterable {
        case dns = "its domain"
        case dnsDot = "its domain, with a dot before it"
        case dnsDotItself = "its name, with a dot before it"
        case ip = "its range of addresses"
        case email = "its mail host"
        case mailbox = "its mailbox"
        case uri = "its URI's host"
        case uriDot = "its URI's domain"
        case directory = "its directory name"

        /// A name that the end entity presents besides, so that the form is there. No oddity asks
        /// for it.
        var name: TestGeneralName? {
            switch self {
            case .dns, .dnsDot, .dnsDotItself: return .dns("mail.shop.example")
            case .ip: return .ip("10.1.2.3")
            case .email, .mailbox: return .email("ops@shop.example")
            case .uri, .uriDot: return .uri("https://mail.shop.example/")
            case .directory: return nil
            }
        }

        var inside: TestGeneralName {
            switch self {
            case .dns: return .dns("shop.example")
            case .dnsDot: return .dns(".shop.example")
            case .dnsDotItself: return .dns(".mail.shop.example")
            case .ip: return .ipRange("10.0.0.0/8")
            case .email: return .email("shop.example")
            case .mailbox: return .email("ops@shop.example")
            case .uri: return .uri("mail.shop.example")
            case .uriDot: return .uri(".shop.example")
            case .directory: return .directory(TestName(.organization("Shop")))
            }
        }

        var outside: TestGeneralName {
            switch self {
            case .dns: return .dns("other.example")
            case .dnsDot, .dnsDotItself: return .dns(".other.example")
            case .ip: return .ipRange("192.168.0.0/16")
            case .email: return .email("other.example")
            case .mailbox: return .email("root@shop.example")
            case .uri: return .uri("other.example")
            case .uriDot: return .uri(".other.example")
            case .directory: return .directory(TestName(.organization("Other")))
            }
        }
    }
}
