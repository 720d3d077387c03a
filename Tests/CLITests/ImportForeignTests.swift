import Foundation
import TestPKI
import Testing

/// `hawser import nsc` and `hawser import ats`: the unit, the findings, and files that are refused.
@Suite("hawser import nsc and ats")
struct ImportForeignTests {
    private static let one = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let two = "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="

    private static let configuration = """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config>
            <base-config cleartextTrafficPermitted="false">
                <trust-anchors>
                    <certificates src="system" />
                    <certificates src="user" />
                </trust-anchors>
            </base-config>
            <domain-config>
                <domain includeSubdomains="true">shop.example</domain>
                <pin-set expiration="2027-06-30">
                    <pin digest="SHA-256">\(one)</pin>
                    <pin digest="SHA-256">\(two)</pin>
                </pin-set>
                <trustkit-config enforcePinning="true" />
                <domain-config cleartextTrafficPermitted="true">
                    <domain>static.shop.example</domain>
                </domain-config>
            </domain-config>
            <domain-config>
                <domain>ops.shop.example</domain>
                <trust-anchors>
                    <certificates src="@raw/acme_root" />
                </trust-anchors>
            </domain-config>
            <debug-overrides>
                <trust-anchors>
                    <certificates src="user" />
                </trust-anchors>
            </debug-overrides>
        </network-security-config>

        """

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleName</key>
            <string>Shop</string>
            <key>NSAppTransportSecurity</key>
            <dict>
                <key>NSAllowsLocalNetworking</key>
                <true/>
                <key>NSExceptionDomains</key>
                <dict>
                    <key>old.shop.example</key>
                    <dict>
                        <key>NSExceptionMinimumTLSVersion</key>
                        <string>TLSv1.1</string>
                    </dict>
                </dict>
                <key>NSPinnedDomains</key>
                <dict>
                    <key>shop.example</key>
                    <dict>
                        <key>NSIncludesSubdomains</key>
                        <true/>
                        <key>NSPinnedCAIdentities</key>
                        <array>
                            <dict>
                                <key>SPKI-SHA256-BASE64</key>
                                <string>\(one)</string>
                            </dict>
                        </array>
                    </dict>
                </dict>
            </dict>
        </dict>
        </plist>

        """

    private static func read(_ path: String, _ workshop: Workshop) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    private static func exists(_ path: String, _ workshop: Workshop) -> Bool {
        FileManager.default.fileExists(atPath: workshop.folder.appending(path: path).path)
    }

    /// A workshop with both files and the app's resource.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        for folder in ["res/xml", "res/raw"] {
            try FileManager.default.createDirectory(
                at: workshop.folder.appending(path: folder), withIntermediateDirectories: true)
        }
        try workshop.write("res/xml/network_security_config.xml", configuration)
        try workshop.write("res/raw/acme_root.pem", Workshop.root.pem)
        try workshop.write("Info.plist", list)
        return workshop
    }

    @Test("Android: the unit, its findings, and what check, fmt and lint say of it")
    func android() throws {
        let workshop = try Self.workshop()
        let made = try workshop.run(
            "import", "nsc", "res/xml/network_security_config.xml", "-o", "android", "--owner",
            "mobile", "--at", "2026-06-01")
        #expect(made.status == 1)
        var page = made.transcript + "\n--- android/policy.yaml\n"
        page += try Self.read("android/policy.yaml", workshop) + "\n"
        for words in [
            ["check", "android"], ["fmt", "--check", "android"],
            ["lint", "android", "--at", "2026-06-01", "--format", "concise"],
        ] {
            let run = try workshop.run(words)
            page += run.transcript + "\n"
            if words[0] != "lint" { #expect(run.status == 0, "\(run.transcript)") }
        }
        #expect(Self.exists("android/anchors/acme-root.pem", workshop))
        try expectGolden("import-nsc", transcript: page)
    }

    @Test("Apple: the unit, its findings, and what check, fmt and lint say of it")
    func apple() throws {
        let workshop = try Self.workshop()
        let made = try workshop.run(
            "import", "ats", "Info.plist", "-o", "ios", "--at", "2026-06-01")
        #expect(made.status == 1)
        var page = made.transcript + "\n--- ios/policy.yaml\n"
        page += try Self.read("ios/policy.yaml", workshop) + "\n"
        for words in [
            ["check", "ios"], ["fmt", "--check", "ios"],
            ["lint", "ios", "--at", "2026-06-01", "--format", "concise"],
        ] {
            let run = try workshop.run(words)
            page += run.transcript + "\n"
            if words[0] != "lint" { #expect(run.status == 0, "\(run.transcript)") }
        }
        try expectGolden("import-ats", transcript: page)
    }

    @Test("a file that means the same ends with 0, from standard input too")
    func clean() throws {
        let workshop = try Self.workshop()
        let text = """
            <network-security-config><domain-config><domain>a.example</domain><pin-set>
            <pin digest="SHA-256">\(Self.one)</pin><pin digest="SHA-256">\(Self.two)</pin>
            </pin-set></domain-config></network-security-config>
            """
        try workshop.write("clean.xml", text)
        let run = try workshop.run(
            "import", "nsc", "clean.xml", "-o", "clean", "--owner", "mobile", "--at", "2026-06-01")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.contains("HW404"), "\(run.transcript)")
        let again = try workshop.run("import", "nsc", "clean.xml", "-o", "clean")
        #expect(again.status == 2, "\(again.transcript)")
        #expect(again.transcript.contains("is there already"))
    }

    @Test("files that are refused name the place, and nothing is written")
    func hostile() throws {
        let workshop = try Self.workshop()
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
            <network-security-config>&b;</network-security-config>
            """
        let outside = """
            <!DOCTYPE plist SYSTEM "file:///etc/passwd" [<!ENTITY x SYSTEM "file:///etc/passwd">]>
            <plist><dict><key>NSAppTransportSecurity</key><string>&x;</string></dict></plist>
            """
        let files: [(kind: String, text: String, status: Int32, words: String)] = [
            ("nsc", bomb, 1, "bomb.xml:2:13"), ("ats", outside, 1, "declare entities"),
            ("nsc", "<network-security-config>\u{0}</network-security-config>", 1, "U+0000"),
            ("nsc", "<network-security-config>\u{202E}</network-security-config>", 1, "U+202E"),
            ("ats", "bplist00", 1, "it is cut"),
            ("ats", "{ NSAppTransportSecurity = { }; }", 1, "first element"),
            (
                "nsc", "<network-security-config><domain-config/></network-security-config>", 1,
                "HX102"
            ),
            ("nsc", String(repeating: "<a>\n", count: 100_000), 1, "inside each other"),
            ("nsc", String(repeating: "<a/>", count: 100_000), 1, "a line of more than"),
            ("ats", String(repeating: " ", count: 50 << 20), 2, "bytes"),
        ]
        for (index, file) in files.enumerated() {
            let name = index == 0 ? "bomb.xml" : "hostile-\(index)"
            try workshop.write(name, file.text)
            let run = try workshop.run("import", file.kind, name, "-o", "made")
            #expect(run.status == file.status, "\(run.transcript.prefix(2_000))")
            #expect(run.transcript.contains(file.words), "\(run.transcript.prefix(2_000))")
            #expect(!Self.exists("made", workshop))
            #expect(!run.transcript.contains("\u{202E}"))
            #expect(!run.transcript.contains("root:"))
        }
    }

    @Test("resources: a missing one is named, and one with a private key is refused")
    func resources() throws {
        let workshop = try Self.workshop()
        try workshop.write("moved.xml", Self.configuration)
        let words = ["import", "nsc", "moved.xml", "-o", "made"]
        let missing = try workshop.run(words)
        #expect(missing.status == 1)
        #expect(missing.output.contains("HX104"), "\(missing.transcript)")
        #expect(!Self.exists("made", workshop))
        try workshop.write(
            "res/raw/acme_root.pem",
            Workshop.root.pem + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        let key = try workshop.run(words + ["--resources", "res"])
        #expect(key.status == 2)
        #expect(key.transcript.contains("private key"), "\(key.transcript)")
        #expect(!Self.exists("made", workshop))
    }

    @Test("commands that want a policy name the import of these files")
    func hints() throws {
        let workshop = try Self.workshop()
        for (words, hint) in [
            (["lint", "Info.plist"], "hawser import ats Info.plist -o policy"),
            (["check", "Info.plist"], "hawser import ats Info.plist -o policy"),
            (
                ["lint", "res/xml/network_security_config.xml"],
                "hawser import nsc res/xml/network_security_config.xml -o policy"
            ),
        ] {
            let run = try workshop.run(words)
            #expect(run.status == 2, "\(run.transcript)")
            #expect(run.transcript.contains(hint), "\(run.transcript)")
        }
        let group = try workshop.run("import")
        for word in ["nsc", "ats", "chrome-root-store"] {
            #expect(group.output.contains(word), "\(group.transcript)")
        }
        let lint = try workshop.run("lint", "--select", "HX301", "Info.plist")
        #expect(lint.transcript.contains("hawser import"), "\(lint.transcript)")
        let rule = try workshop.run("rule", "HX303")
        #expect(rule.output.contains("midnight"), "\(rule.transcript)")
    }
}
