import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser export` and `hawser export --check`: files, losses and refusals.
@Suite("hawser export")
struct ExportCommandTests {
    private static let one = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let two = "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="

    private static let policy = """
        hawser: 1
        default:
          anchors: [system]
          owner: mobile
        anchors:
          acme-roots:
            files:
              - anchors/root.pem
        pins:
          shop:
            keys:
              live: { spki: sha256/\(one), at: ca }
            backups:
              spare: { spki: sha256/\(two), at: ca }
        rules:
          legacy:
            hosts:
              - "static.shop.example"
            anchors: [system]
            owner: mobile
            waivers:
              cleartext:
                reason: the old cameras
                owner: mobile
                until: 2026-12-31
          ops:
            hosts:
              - "**.ops.example"
            anchors: [acme-roots]
            owner: ops
            revocation: { preset: require }
          shop:
            hosts:
              - "shop.example"
              - "*.shop.example"
            anchors: [system]
            owner: mobile
            pins: [shop]

        """

    private static let exports = """
        hawser-exports: 1
        exports:
          android:
            to: nsc
            file: ../app/res/xml/network_security_config.xml
            target-sdk: 36
          ios:
            to: ats-pins
            file: ../ios/Info.plist

        """

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \t<key>CFBundleName</key>
        \t<string>Shop</string>
        </dict>
        </plist>

        """

    /// A repository with a policy, an app and a property list.
    private static func workshop(
        policy: String = policy, exports: String? = exports
    ) throws -> Workshop {
        let workshop = try Workshop()
        for folder in [".git", "trust/anchors", "app/res/xml", "ios"] {
            try FileManager.default.createDirectory(
                at: workshop.folder.appending(path: folder), withIntermediateDirectories: true)
        }
        try workshop.write("trust/policy.yaml", policy)
        try workshop.write("trust/anchors/root.pem", Workshop.root.pem)
        if let exports { try workshop.write("trust/exports.yaml", exports) }
        try workshop.write("ios/Info.plist", list)
        return workshop
    }

    private static let android = "app/res/xml/network_security_config.xml"

    private static func read(_ path: String, _ workshop: Workshop) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    private static func exists(_ path: String, _ workshop: Workshop) -> Bool {
        FileManager.default.fileExists(atPath: workshop.folder.appending(path: path).path)
    }

    private static func export(_ workshop: Workshop, _ words: String...) throws -> CommandRun {
        try workshop.run(["export", "--policy", "trust", "--at", "2026-06-01"] + words)
    }

    @Test("the files of exports.yaml, their losses, and the check before and after an edit")
    func wholeLoop() throws {
        let workshop = try Self.workshop()
        var page = ""
        func run(_ status: Int32, _ words: String...) throws {
            let run = try workshop.run(
                ["export", "--policy", "trust", "--at", "2026-06-01"] + words)
            #expect(run.status == status, "\(run.transcript)")
            page += run.transcript + "\n"
        }
        try run(1, "--check", "android")
        try run(0)
        for path in [Self.android, "ios/Info.plist"] {
            page += "--- \(path)\n" + (try Self.read(path, workshop)) + "\n"
        }
        #expect(try Self.read("app/res/raw/hawser_acme_roots.pem", workshop) == Workshop.root.pem)
        try run(0)
        try run(0, "--check")
        let file = try Self.read(Self.android, workshop)
        try workshop.write(
            Self.android,
            file.replacing("<certificates src=\"system\" />", with: "<certificates src=\"user\"/>")
                .replacing("        ", with: "\t"))
        try run(1, "--check")
        try run(0, "android")
        try run(0, "--check")
        try expectGolden("export", transcript: page)
    }

    @Test("the recipe of one app: its files mean the policy, and an edit names hosts")
    func recipe() throws {
        let folder = CommandRun.repository.appending(path: "policies/one-app")
        let words = ["export", "--policy", "trust", "--at", "2026-06-01", "--check"]
        let run = try CommandRun(words, in: folder)
        #expect(run.status == 0, "\(run.transcript)")
        let workshop = try Workshop()
        let copy = workshop.folder.appending(path: "one-app")
        try FileManager.default.copyItem(at: folder, to: copy)
        try FileManager.default.createDirectory(
            at: copy.appending(path: ".git"), withIntermediateDirectories: true)
        let list = copy.appending(path: "ios/App/Info.plist")
        let text = try String(contentsOf: list, encoding: .utf8)
        try Data(text.replacing("TLSv1.3", with: "TLSv1.1").utf8).write(to: list)
        let edited = try CommandRun(words, in: copy)
        #expect(edited.status == 1)
        try expectGolden("export-recipe", edited)
    }

    @Test("Chrome's policies are printed, written, and checked after an edit")
    func chrome() throws {
        let workshop = try Self.workshop()
        let words = ["--to", "chrome-enterprise"]
        let printed = try workshop.run(
            ["export", "--policy", "trust", "--at", "2026-06-01"] + words)
        #expect(printed.status == 0, "\(printed.transcript)")
        let place = words + ["--output", "app/certificates.json"]
        func run(_ status: Int32, _ more: String...) throws -> CommandRun {
            let run = try workshop.run(
                ["export", "--policy", "trust", "--at", "2026-06-01"] + place + more)
            #expect(run.status == status, "\(run.transcript)")
            return run
        }
        _ = try run(0)
        #expect(try Self.read("app/certificates.json", workshop) == printed.output)
        _ = try run(0, "--check")
        try workshop.write(
            "app/certificates.json", printed.output.replacing(".ops.example", with: ".example"))
        let edited = try run(1, "--check")
        #expect(edited.output.contains("weaker than the export"), "\(edited.transcript)")
        try expectGolden(
            "export-chrome-enterprise", transcript: printed.transcript + "\n" + edited.transcript)
    }

    @Test("the same in JSON, by its schema")
    func json() throws {
        let workshop = try Self.workshop()
        let run = try Self.export(workshop, "--format", "json")
        #expect(run.status == 0, "\(run.transcript)")
        let document = try JSONDocument(text: run.output)
        #expect(try AuditTests.schema("export").violations(of: document) == [])
        try expectGolden("export-json", run)
        let check = try Self.export(workshop, "--check", "--format", "json")
        #expect(check.status == 0)
        let checked = try JSONDocument(text: check.output)
        #expect(try AuditTests.schema("export").violations(of: checked) == [])
    }

    @Test("one file without exports.yaml: printed, and written with --output")
    func oneFile() throws {
        let workshop = try Self.workshop(exports: nil)
        let printed = try Self.export(workshop, "--to", "nsc")
        #expect(printed.status == 0)
        #expect(printed.output.hasPrefix("<?xml"))
        #expect(printed.error.contains("weaker than the policy"))
        let written = try Self.export(workshop, "--to", "nsc", "-o", "app/res/xml/nsc.xml")
        #expect(written.status == 0, "\(written.transcript)")
        #expect(try Self.read("app/res/xml/nsc.xml", workshop) == printed.output)
        #expect(Self.exists("app/res/raw/hawser_acme_roots.pem", workshop))
        let checked = try Self.export(
            workshop, "--to", "nsc", "-o", "app/res/xml/nsc.xml", "--check")
        #expect(checked.status == 0, "\(checked.transcript)")
        // A failure never lands in the file that was named.
        let failed = try workshop.run(
            ["export", "--to", "nsc", "--policy", "absent", "-o", "app/res/xml/nsc.xml"])
        #expect(failed.status == 2)
        #expect(try Self.read("app/res/xml/nsc.xml", workshop) == printed.output)
    }

    @Test("a file that no export wrote is replaced only if it means the same, or by force")
    func foreignFile() throws {
        let workshop = try Self.workshop()
        try workshop.write(Self.android, "<network-security-config/>")
        let refused = try Self.export(workshop, "android")
        #expect(refused.status == 2, "\(refused.transcript)")
        #expect(refused.output.contains("was not written by `hawser export`"))
        #expect(try Self.read(Self.android, workshop) == "<network-security-config/>")
        #expect(!Self.exists("app/res/raw", workshop))
        #expect(try Self.export(workshop, "android", "--force").status == 0)
        let written = try Self.read(Self.android, workshop)
        let other = written.replacing(
            #/<!-- .+? -->\n/#.dotMatchesNewlines(), with: "<!-- by hand -->")
        #expect(other != written)
        try workshop.write(Self.android, other)
        let left = try Self.export(workshop, "android")
        #expect(left.status == 0 && left.output.contains("it means the same"))
        #expect(try Self.read(Self.android, workshop) == other)
    }

    @Test("--require writes nothing that is weaker")
    func requirement() throws {
        let workshop = try Self.workshop()
        let unmet = try Self.export(workshop, "--require", "no-weaker", "android")
        #expect(unmet.status == 1, "\(unmet.transcript)")
        #expect(unmet.output.contains("would be weaker than the policy"))
        #expect(!Self.exists(Self.android, workshop))
        let plain = try Self.workshop(
            policy: "hawser: 1\ndefault: { anchors: [system], owner: mobile }\n")
        let met = try Self.export(plain, "--require", "equal", "android")
        #expect(met.status == 0, "\(met.transcript)")
    }

    @Test(
        "files that are refused, each with its reason, and nothing is written",
        arguments: [
            ("a NUL", "<network-security-config>\0</network-security-config>", "HX101"),
            (
                "a bidi override", "<network-security-config>\u{202E}</network-security-config>",
                "HX101"
            ),
            ("an entity", "<!DOCTYPE x [<!ENTITY a \"b\">]><network-security-config/>", "HX101"),
            ("another root", "<manifest/>", "HX102"),
            (
                "a key", "-----BEGIN PRIVATE KEY-----\nMAo=\n-----END PRIVATE KEY-----\n",
                "private key"
            ),
        ])
    func refusedFiles(_ name: String, _ content: String, _ reason: String) throws {
        let workshop = try Self.workshop()
        try workshop.write(Self.android, content)
        for words in [["android"], ["android", "--check"]] {
            let run = try workshop.run(
                ["export", "--policy", "trust", "--at", "2026-06-01"] + words)
            #expect(run.status == 2, "\(name): \(run.transcript)")
            #expect(run.output.contains(reason), "\(name): \(run.transcript)")
        }
        #expect(try Self.read(Self.android, workshop) == content)
        let forced = try Self.export(workshop, "android", "--force")
        #expect(forced.status == (name == "a key" ? 2 : 0), "\(forced.transcript)")
    }

    @Test("a file of 50 MB is refused")
    func longFile() throws {
        let workshop = try Self.workshop()
        let octets = Data(repeating: 0x20, count: 50 << 20)
        try octets.write(to: workshop.folder.appending(path: "ios/Info.plist"))
        let run = try Self.export(workshop, "ios", "--force")
        #expect(run.status == 2, "\(run.transcript)")
        let size =
            try FileManager.default.attributesOfItem(
                atPath: workshop.folder.appending(path: "ios/Info.plist").path)[.size] as? Int
        #expect(size == 50 << 20)
    }

    @Test("links are not followed")
    func links() throws {
        let workshop = try Self.workshop()
        try workshop.write("victim", "as it was")
        func link(_ path: String, to target: String) throws {
            let place = workshop.folder.appending(path: path)
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.createSymbolicLink(
                atPath: place.path, withDestinationPath: target)
        }
        try link(Self.android, to: "../../../victim")
        try link("ios", to: "app")
        let run = try Self.export(workshop, "--force")
        #expect(run.status == 2)
        #expect(run.output.contains("network_security_config.xml` is a link"), "\(run.transcript)")
        #expect(run.output.contains("`ios` is a link"), "\(run.transcript)")
        #expect(try Self.read("victim", workshop) == "as it was")
        try link("trust/exports.yaml", to: "../victim")
        let out = try Self.export(workshop)
        #expect(out.status == 2 && out.error.contains("exports.yaml"), "\(out.transcript)")
        try FileManager.default.removeItem(
            at: workshop.folder.appending(path: "trust/exports.yaml"))
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "trust/exports.yaml"),
            withIntermediateDirectories: false)
        let folder = try Self.export(workshop)
        #expect(folder.status == 2 && folder.error.contains("folder"), "\(folder.transcript)")
    }

    @Test("exports.yaml with mistakes is refused at its lines, and nothing is written")
    func badExports() throws {
        let workshop = try Self.workshop(
            exports: """
                hawser-exports: 1
                exports:
                  android: { to: ncs, file: ../app/res/xml/a.xml }
                  ios: { to: ats-pins, file: ../../Info.plist, target-sdk: 36 }
                  one: { to: nsc, file: ../app/res/xml/b.xml }
                  two: { to: nsc, file: ../app/./res/xml/b.xml }

                """)
        let run = try Self.export(workshop)
        #expect(run.status == 2)
        try expectGolden("export-mistakes", run)
        #expect(!Self.exists("app/res/xml/b.xml", workshop))
    }

    @Test("outside a repository a file stays below the folder of exports.yaml")
    func noRepository() throws {
        let workshop = try Self.workshop()
        try FileManager.default.removeItem(at: workshop.folder.appending(path: ".git"))
        let run = try Self.export(workshop)
        #expect(run.status == 2)
        #expect(run.error.contains("HX703"), "\(run.transcript)")
    }

    @Test(
        "options that make no sense together",
        arguments: [
            (["--hosts", "**.a.example"], "belongs to `--to FORMAT`"),
            (["-o", "x.xml"], "belongs to `--to FORMAT`"),
            (["--to", "nsc", "android"], "names an export"),
            (["--to", "nsc", "--check"], "name it with `--output FILE`"),
            (["--to", "ats-pins", "--target-sdk", "36"], "not an option of the format"),
            (["--to", "nsc", "--target-sdk", "0"], "takes a number from 1"),
            (["--to", "ncs"], "did you mean `nsc`"),
            (["adnroid"], "did you mean `android`"),
        ])
    func options(_ words: [String], _ reason: String) throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(["export", "--policy", "trust"] + words)
        #expect(run.status == 2 && run.error.contains(reason), "\(run.transcript)")
    }

    @Test("exports.yaml is a guard: an export less, fewer hosts, another format")
    func guards() throws {
        let workshop = try Self.workshop()
        try FileManager.default.copyItem(
            at: workshop.folder.appending(path: "trust"),
            to: workshop.folder.appending(path: "changed"))
        func compared(_ exports: String?) throws -> CommandRun {
            if let exports {
                try workshop.write("changed/exports.yaml", exports)
            } else {
                try FileManager.default.removeItem(
                    at: workshop.folder.appending(path: "changed/exports.yaml"))
            }
            return try workshop.run(
                ["diff", "trust", "changed", "--at", "2026-06-01", "--require", "no-weaker"])
        }
        #expect(try compared(Self.exports).status == 0)
        let less = try compared(
            Self.exports.split(separator: "  ios:")[0].description)
        #expect(less.status == 1 && less.output.contains("export `ios` is removed"), "\(less)")
        let narrower = try compared(
            Self.exports + "    hosts:\n      - \"**.shop.example\"\n")
        #expect(narrower.status == 1, "\(narrower.transcript)")
        #expect(narrower.output.contains("hosts: all -> **.shop.example"))
        let moved = try compared(Self.exports.replacing("Info.plist", with: "Other.plist"))
        #expect(moved.status == 1 && moved.output.contains("Other.plist"), "\(moved.transcript)")
        let more = try compared(
            Self.exports + "  web:\n    to: nsc\n    file: ../web.xml\n")
        #expect(more.status == 0, "\(more.transcript)")
        #expect(try compared(nil).status == 1)
    }
}
