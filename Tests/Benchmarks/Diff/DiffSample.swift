import LibCrypto
import PolicyCompiler
import TrustEngine

/// A change of policy, as two units of many rules: what the rules say before and after.
struct DiffSample: Sendable {
    let name: String
    /// Which patterns a rule has, by its number.
    var hosts: @Sendable (Int) -> [String] = DiffSample.usual
    /// The lines of a rule besides its hosts and anchors, by its number, after the change or
    /// before it.
    var lines: @Sendable (_ number: Int, _ isNew: Bool) -> [String] = { number, _ in
        DiffSample.fields(number)
    }
    /// A field of the profile that all rules use.
    var profile: @Sendable (_ isNew: Bool) -> String = { _ in "rsa-minimum: 3072" }

    /// What people do to a policy.
    static let all: [DiffSample] = [
        DiffSample(name: "nothing changed"),
        DiffSample(
            name: "a note of each rule changed",
            lines: { number, isNew in
                fields(number) + ["note: \(isNew ? "now" : "then")"]
            }),
        DiffSample(
            name: "one rule of a hundred changed",
            lines: { number, isNew in
                fields(number)
                    + (isNew && number % 100 == 7 ? ["tls: { minimum-version: tls1.3 }"] : [])
            }),
        DiffSample(
            name: "a profile that all rules use changed",
            profile: { isNew in
                "rsa-minimum: \(isNew ? 2048 : 3072)"
            }),
        DiffSample(
            name: "every rule changed, in one of forty ways",
            lines: { number, isNew in
                fields(number) + [
                    "validity: { maximum-lifetime: \(isNew ? number % 40 + 41 : 40)d }"
                ]
            }),
        DiffSample(
            name: "every rule changed in a way of its own",
            lines: { number, isNew in
                fields(number)
                    + ["validity: { maximum-lifetime: \(isNew ? number + 90_000 : 90_000)s }"]
            }),
        DiffSample(
            name: "a waiver of each rule, ten thousand days, ends a second later",
            lines: { number, isNew in
                [
                    "waivers: { expired: { tolerance: 7d, reason: r, owner: o, "
                        + "until: \"\(instant(number % 10_000, isNew ? 1 : 0))\" } }"
                ]
            }),
        DiffSample(
            name: "names under one `**.base`, each changed in a way of its own",
            hosts: { $0 == 0 ? ["**.base.example"] : ["n\($0).base.example"] },
            lines: { number, isNew in
                ["validity: { maximum-lifetime: \(isNew ? number + 90_000 : 90_000)s }"]
            }),
        DiffSample(
            name: "the `**.base` around all names changed",
            hosts: { $0 == 0 ? ["**.base.example"] : ["n\($0).base.example"] },
            lines: { number, isNew in
                isNew && number == 0 ? ["tls: { minimum-version: tls1.3 }"] : []
            }),
        DiffSample(
            name: "one of forty ports each, every rule changed",
            hosts: { ["s\($0).corp.example", "s\($0).corp.example:\(8000 + $0 % 40)"] },
            lines: { number, isNew in
                ["validity: { maximum-lifetime: \(isNew ? number % 40 + 41 : 40)d }"]
            }),
        DiffSample(
            name: "wildcards sixty deep, every rule changed",
            hosts: { number in
                let labels = Array(repeating: "a.", count: number % 60).joined()
                return ["**.\(labels)t\(number / 60).example"]
            },
            lines: { number, isNew in
                ["validity: { maximum-lifetime: \(isNew ? number % 40 + 41 : 40)d }"]
            }),
        DiffSample(
            name: "networks in networks, every rule changed",
            hosts: { number in
                let (low, high) = (number % 256, number / 256)
                return number % 256 == 0
                    ? ["10.\(high / 256).\(high % 256).0/24"]
                    : ["10.\(high / 256).\(high % 256).\(low)"]
            },
            lines: { number, isNew in
                ["validity: { maximum-lifetime: \(isNew ? number % 40 + 41 : 40)d }"]
            }),
    ]

    /// The table of the unit before or after the change.
    func table(rules: Int, isNew: Bool) -> PolicyTable {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: text(rules: rules, isNew: isNew))],
            resources: NoFiles(), isDirectory: true)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        guard let table = compilation.table else {
            fatalError("\(name): \(compilation.diagnostics.prefix(3).map(\.message))")
        }
        return table
    }

    private func text(rules: Int, isNew: Bool) -> [UInt8] {
        var text = """
            hawser: 1
            default: deny
            profiles:
              corp:
                keys: { \(profile(isNew)) }
                path: { maximum-intermediates: 3 }
            rules:

            """
        for number in 0..<rules {
            text += "  service-\(number):\n    hosts:\n"
            for host in hosts(number) { text += "      - \"\(host)\"\n" }
            text += "    anchors: [system]\n    profile: corp\n"
            for line in lines(number, isNew) { text += "    \(line)\n" }
        }
        return Array(text.utf8)
    }

    /// The patterns of a service as people write them.
    private static let usual: @Sendable (Int) -> [String] = { number in
        let name = "s\(number).team-\(number % 300).corp.example"
        return [name] + (number % 3 == 0 ? ["*.\(name)"] : [])
            + (number % 7 == 0 ? ["\(name):8443"] : [])
    }

    private static func fields(_ number: Int) -> [String] {
        (number % 5 == 0 ? ["owner: team-\(number % 300)"] : [])
            + (number % 9 == 0 ? ["revocation: { preset: require }"] : [])
    }

    /// A day after 2030-01-01 by its number, with a second of it.
    private static func instant(_ day: Int, _ second: Int) -> String {
        UTCInstant(secondsSinceEpoch: 1_893_456_000 + Int64(day) * 86_400 + Int64(second))
            .description
    }
}

/// A unit that names no files.
private struct NoFiles: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        throw ResourceError(code: .notFound, context: "`\(path)` is not there")
    }

    func list(_ folder: String) throws(ResourceError) -> [String] { [] }
}
