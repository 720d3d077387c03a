import Foundation
import TestPKI
import Testing

/// `hawser import pins-json`, `okhttp`, `trustkit` and `curl`: the unit, the findings, and files
/// that are refused.
@Suite("hawser import of lists of pins")
struct ImportPinsTests {
    private static let one = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let two = "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="
    private static let zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static let json = """
        {
          "_comment": "kept by hand",
          "enforcePinning": true,
          "domains": {
            "**.shop.example": { "hashes": ["\(one)", "\(two)"] },
            "ops.shop.example": { "hashes": ["\(two)"], "expirationDate": "2027-06-30" },
            "old.example": { "hashes": ["\(zero)"], "enforcePinning": false }
          }
        }

        """

    private static let kotlin = """
        // The pins of the app.
        val pinner = CertificatePinner.Builder()
            .add("*.shop.example", "sha256/\(one)", "sha256/\(two)")
            .add("api.shop.example", "sha256/\(one)", "sha1/DmxUShsZuNiqPQsX2Oi9uv2sCnw=", BuildConfig.PIN)
            .add("$host", "sha256/\(two)")
            .add("**.cdn.example", "sha256/\(zero)")
            .build()

        """

    private static let swift = """
        let trustKitConfig: [String: Any] = [
            kTSKSwizzleNetworkDelegates: false,
            kTSKPinnedDomains: [
                "shop.com": [
                    kTSKIncludeSubdomains: true,
                    kTSKExpirationDate: "2027-06-30",
                    kTSKPublicKeyHashes: ["\(one)", "\(two)"],
                ],
                "open.shop.com": [kTSKExcludeSubdomainFromParentPolicy: true],
                "test.com": [
                    kTSKEnforcePinning: false,
                    kTSKPublicKeyHashes: ["\(one)", "\(two)"],
                ],
            ],
        ]

        """

    private static let command = """
        #!/bin/sh
        curl -fsS -L --tlsv1.3 --cacert acme.pem --capath /dev/null --crlfile revoked.pem \\
            --pinnedpubkey 'sha256//\(one);sha256//GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk' \\
            --connect-to shop.example::127.0.0.1: https://shop.example:8443/health > /dev/null

        """

    private static func exists(_ path: String, _ workshop: Workshop) -> Bool {
        FileManager.default.fileExists(atPath: workshop.folder.appending(path: path).path)
    }

    /// The import of a file, the policy, and what check, fmt and lint say of it.
    private static func page(
        _ kind: String, _ file: String, _ workshop: Workshop, _ more: [String] = []
    ) throws -> String {
        let made = try workshop.run(
            ["import", kind, file, "-o", "made", "--owner", "mobile", "--at", "2026-06-01"] + more)
        #expect(made.status == 1, "\(made.transcript)")
        var page = made.transcript + "\n--- made/policy.yaml\n"
        page +=
            try String(
                contentsOf: workshop.folder.appending(path: "made/policy.yaml"), encoding: .utf8)
            + "\n"
        for words in [
            ["check", "made"], ["fmt", "--check", "made"],
            ["lint", "made", "--at", "2026-06-01", "--format", "concise"],
        ] {
            let run = try workshop.run(words)
            page += run.transcript + "\n"
            if words[0] != "lint" { #expect(run.status == 0, "\(run.transcript)") }
        }
        return page
    }

    @Test("pins in JSON")
    func pinsJSON() throws {
        let workshop = try Workshop()
        try workshop.write("pins.json", Self.json)
        try expectGolden(
            "import-pins-json", transcript: try Self.page("pins-json", "pins.json", workshop))
    }

    @Test("OkHttp")
    func okhttp() throws {
        let workshop = try Workshop()
        try workshop.write("Pins.kt", Self.kotlin)
        try expectGolden("import-okhttp", transcript: try Self.page("okhttp", "Pins.kt", workshop))
    }

    @Test("TrustKit")
    func trustKit() throws {
        let workshop = try Workshop()
        try workshop.write("AppDelegate.swift", Self.swift)
        try expectGolden(
            "import-trustkit", transcript: try Self.page("trustkit", "AppDelegate.swift", workshop))
    }

    @Test("curl, with the files that its options name")
    func curl() throws {
        let workshop = try Workshop()
        try workshop.write("health.sh", Self.command)
        try workshop.write("acme.pem", Workshop.root.pem)
        try expectGolden("import-curl", transcript: try Self.page("curl", "health.sh", workshop))
        #expect(Self.exists("made/anchors/acme-pem.pem", workshop))
    }

    @Test("a list that means the same ends with 0, from standard input and other versions too")
    func clean() throws {
        let workshop = try Workshop()
        let pins = "[\"sha256/\(Self.one)\", \"sha256/\(Self.two)\"]"
        try workshop.write("pins.json", "{\"a.example\": \(pins)}")
        let run = try workshop.run("import", "pins-json", "pins.json", "-o", "a", "--owner", "web")
        #expect(run.status == 0, "\(run.transcript)")
        try workshop.write(
            "Pins.java",
            "new CertificatePinner.Builder().add(\"*.a.example\", \"sha256/\(Self.one)\", "
                + "\"sha256/\(Self.two)\").build();")
        let java = try workshop.run(
            "import", "okhttp", "Pins.java", "--okhttp", "3.13", "-o", "b", "--owner", "web")
        #expect(java.status == 0, "\(java.transcript)")
        for (words, said) in [
            (["okhttp", "Pins.java", "--okhttp", "2", "-o", "c"], "a version from 3.2 on"),
            (["curl", "pins.json", "--curl", "x", "-o", "c"], "a version such as 7.88"),
        ] {
            let refused = try workshop.run(["import"] + words)
            #expect(refused.status == 2, "\(refused.transcript)")
            #expect(refused.transcript.contains(said), "\(refused.transcript)")
        }
    }

    @Test("a pinned key in a file, and files with private keys")
    func keys() throws {
        let workshop = try Workshop()
        try workshop.write("ca.pem", Workshop.root.pem)
        let words = ["import", "curl", "health.sh", "-o", "made"]
        try workshop.write("health.sh", "curl --cacert key.pem https://a.example/\n")
        #expect(try workshop.run(words).output.contains("HX104"))
        try workshop.write(
            "key.pem",
            Workshop.root.pem + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        let key = try workshop.run(words)
        #expect(key.status == 2)
        #expect(key.transcript.contains("private key"), "\(key.transcript)")
        try workshop.write("health.sh", "curl --pinnedpubkey ca.pem https://a.example/\n")
        let certificate = try workshop.run(words)
        #expect(certificate.status == 2)
        #expect(certificate.transcript.contains("no public key"), "\(certificate.transcript)")
        #expect(!Self.exists("made", workshop))
    }

    @Test("files that are refused name the place, and nothing is written")
    func hostile() throws {
        let workshop = try Workshop()
        let builder = "CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Self.one)\""
        let files: [(kind: String, text: String, status: Int32, words: String)] = [
            ("okhttp", "\(builder)\u{0})", 1, "U+0000"),
            ("okhttp", "// \u{202E}\n\(builder))", 1, "U+202E"),
            ("trustkit", "// \u{2066}\n", 1, "U+2066"), ("pins-json", "{\u{0}}", 1, "U+0000"),
            ("pins-json", String(repeating: "[", count: 60_000), 1, "inside each other"),
            ("pins-json", String(repeating: "[\n", count: 600_000), 1, "inside each other"),
            (
                "trustkit", "[kTSKPinnedDomains: " + String(repeating: "[", count: 60_000), 1,
                "inside"
            ),
            ("okhttp", builder, 1, "not closed"), ("okhttp", "/* \(builder))", 1, "comment"),
            ("curl", "curl \"https://a.example", 1, "quote"), ("curl", "nope = 1\n", 1, "HX102"),
            ("curl", String(repeating: "-", count: 70_000), 1, "a line of more than"),
            ("trustkit", "bplist00", 1, "it is cut"),
            ("pins-json", "{\"a\": \"-----BEGIN RSA PRIVATE KEY-----\"}", 1, "HX410"),
            ("okhttp", "\(builder)).build(); \(builder)).build()", 1, "HX402"),
        ]
        for (index, file) in files.enumerated() {
            try workshop.write("hostile-\(index)", file.text)
            let run = try workshop.run("import", file.kind, "hostile-\(index)", "-o", "made")
            #expect(run.status == file.status, "\(run.transcript.prefix(2_000))")
            #expect(run.transcript.contains(file.words), "\(run.transcript.prefix(2_000))")
            #expect(!Self.exists("made", workshop))
            #expect(!run.transcript.contains("\u{202E}"))
            #expect(!run.transcript.contains("\u{2066}"))
        }
        try workshop.write("large", String(repeating: " ", count: 50 << 20))
        for kind in ["pins-json", "okhttp", "trustkit", "curl"] {
            let run = try workshop.run("import", kind, "large", "-o", "made")
            #expect(run.status == 2, "\(run.transcript)")
        }
    }

    @Test("commands that want a policy name the import, and so does the group")
    func hints() throws {
        let workshop = try Workshop()
        try workshop.write("app-pins.json", Self.json)
        let lint = try workshop.run("lint", "app-pins.json")
        #expect(lint.transcript.contains("hawser import pins-json"), "\(lint.transcript)")
        let group = try workshop.run("import")
        for word in ["pins-json", "okhttp", "trustkit", "curl"] {
            #expect(group.output.contains(word), "\(group.transcript)")
        }
    }
}
