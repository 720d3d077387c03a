import PolicyCompiler
import TestPKI
import Testing

/// Files that policies name (LANGUAGE section 5): their contents, their encodings, and the messages
/// about other files.
@Suite("files of certificates and keys")
struct KeyMaterialTests {
    static let root = SketchedCertificate()
    static let leaf = SketchedCertificate(subject: "leaf", issuer: "Root", isCA: false, key: 9)
    static let issuing = SketchedCertificate(subject: "Issuing", issuer: "Root", key: 3)
    /// A server's certificate that nothing else here has issued.
    static let strange = SketchedCertificate(
        subject: "strange", issuer: "Elsewhere", isCA: false, key: 12)
    static let next = SketchedCertificate(subject: "next", key: 10)

    /// A policy whose one anchor set has these fields.
    static func anchors(_ fields: String) -> String {
        "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  corp: { \(fields) }\n"
    }

    /// A policy whose one pin set has these entries.
    static func pins(_ key: String, _ backup: String) -> String {
        "hawser: 1\ndefault: { anchors: [system], pins: [api] }\npins:\n  api:\n"
            + "    keys: { one: { \(key) } }\n    backups: { two: { \(backup) } }\n"
    }

    static let resources: [String: [UInt8]] = [
        "root.pem": Array(("text before\n" + root.pem).utf8),
        "root.DER": root.der,
        "both.crt": Array((root.pem + leaf.pem).utf8),
        "leaf.cer": leaf.der,
        "issuing.pem": Array(issuing.pem.utf8),
        "strangers.pem": Array((strange.pem + root.pem).utf8),
        "below.pem": Array((issuing.pem + strange.pem).utf8),
        "next.csr": next.request,
        "next.csr.pem": Array(SketchedCertificate.pem("CERTIFICATE REQUEST", next.request).utf8),
        "next.pub.pem": Array(SketchedCertificate.pem("PUBLIC KEY", next.spki).utf8),
        "next.pem": Array(next.pem.utf8),
        "renewed.pem": Array(
            SketchedCertificate(subject: "leaf", issuer: "Root", isCA: false, key: 9, serial: 9).pem
                .utf8),
        "key.pem": Array(
            (root.pem + SketchedCertificate.pem("PRIVATE KEY", root.privateKey)).utf8),
        "key.der": root.privateKey,
        "torn.pem": Array("-----BEGIN EC PRIVATE KEY-----\nnot base64!\n".utf8),
        "disguised.pem": Array(SketchedCertificate.pem("CERTIFICATE", root.privateKey).utf8),
        "empty.pem": [],
        "text.pem": Array("hello\n".utf8),
        "crl.pem": Array(SketchedCertificate.pem("X509 CRL", root.der).utf8),
        "broken.pem": Array(SketchedCertificate.pem("CERTIFICATE", [0x30, 0x01, 0x00]).utf8),
        "bundle/root.pem": Array(root.pem.utf8),
        "bundle/second.CER": SketchedCertificate(subject: "Second", issuer: "Second", key: 11).der,
        "bundle/README": Array("hello\n".utf8),
        "bundle/older/not-a-certificate.pem": Array("hello\n".utf8),
        "keys/leaf.crt": leaf.der,
        "keys/next.pem": Array(next.pem.utf8),
        "mixed/root.pem": Array(root.pem.utf8),
        "mixed/text.pem": Array("hello\n".utf8),
        "notes/README": Array("hello\n".utf8),
    ]

    static let rows: [MarkedRow] = [
        row("5 PEM", anchors("files: [root.pem]")),
        row("5 DER, extension in capitals", anchors("files: [root.DER]")),
        row(
            "5 kind leaf takes any certificate", anchors("files: [both.crt, leaf.cer], kind: leaf")),
        row("5 kind intermediate", anchors("files: [issuing.pem], kind: intermediate")),
        row(
            "5 a leaf among roots",
            anchors("files: [«HW304:both.crt»]").replacing(
                "  corp:", with: "  «label:corp»:"),
            says: [
                "leave `CN=Root` (certificate 1 of `both.crt`) here, and take `CN=leaf`",
                "certificate 2 of `both.crt` is not a CA by its basicConstraints, so it is not a `root`",
                "its subject is `CN=leaf`",
            ]),
        row(
            "5 a leaf beside a root that is not its own, in any order",
            anchors("files: [«HW304:strangers.pem»]").replacing(
                "  corp:", with: "  «label:corp»:"),
            says: [
                "leave `CN=Root` (certificate 2 of `strangers.pem`) here, and take `CN=strange`",
                "a set of its own with `kind: leaf` trusts this one alone",
            ]),
        row(
            "5 a leaf beside an intermediate that is not its own",
            anchors("files: [«HW304:below.pem»], kind: «label:intermediate»"),
            says: ["leave `CN=Issuing` (certificate 1 of `below.pem`) here, and take"]),
        row(
            "5 an intermediate among roots",
            anchors("files: [«HW304:issuing.pem»], kind: «label:root»"),
            says: ["is not self-issued, so it is an `intermediate`", "write `kind: intermediate`"]),
        row(
            "5 a root among intermediates",
            anchors("files: [«HW304:root.pem»], kind: «label:intermediate»"),
            says: ["write `kind: root`"]),
        row(
            "5 the messages on a chain lead to a policy that compiles",
            anchors("files: [root.pem], intermediates: [issuing.pem]")),
        row(
            "5 a private key beside a certificate", anchors("files: [«HW307:key.pem»]"),
            says: ["`key.pem` holds a private key"]),
        row("5 a private key in DER", anchors("files: [«HW307:key.der»]")),
        row("5 a private key cut short", anchors("files: [«HW307:torn.pem»]")),
        row(
            "5 a private key that calls itself a certificate",
            anchors("files: [«HW307:disguised.pem»]")),
        row(
            "5 an empty file", anchors("files: [«HW301:empty.pem»]"), says: ["`empty.pem` is empty"]
        ),
        row(
            "5 a file of text", anchors("files: [«HW301:text.pem»]"),
            says: ["holds no certificate: it is neither PEM nor DER"]),
        row("5 a CRL", anchors("files: [«HW301:crl.pem»]"), says: ["holds `X509 CRL`"]),
        row(
            "5 a certificate that cannot be read", anchors("files: [«HW301:broken.pem»]"),
            says: ["holds a certificate that cannot be read"]),
        row(
            "5 a public key is no anchor", anchors("files: [«HW301:next.pub.pem»]"),
            says: ["`spki-file` takes public keys and requests"]),
        row(
            "5 inline certificates",
            "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  corp:\n    pem: |\n"
                + indented(root.pem)),
        row(
            "5 an inline private key is reported at its key",
            "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  corp:\n    «HW307:pem»: |\n"
                + indented(SketchedCertificate.pem("PRIVATE KEY", root.privateKey))),
        row("2.5 a folder is the certificate files directly in it", anchors("files: [bundle/]")),
        row(
            "2.5 a folder without certificate files", anchors("files: [«HW301:notes/»]"),
            says: ["`notes/` holds no certificate file", "`*.pem`, `*.crt`, `*.cer`, `*.der`"]),
        row("2.5 a folder that is not there", anchors("files: [«HW301:none/»]")),
        row(
            "2.5 a folder with a file that cannot be used", anchors("files: [«HW301:mixed/»]"),
            says: ["`mixed/text.pem` holds no certificate"]),

        row(
            "2.5 a folder of pinned keys",
            pins("certificate-file: «label:keys/»", "spki-file: «HW402:next.csr»")),
        row(
            "6 spki-file of a certificate and a request",
            pins("spki-file: leaf.cer", "spki-file: next.csr")),
        row("6 spki-file in PEM", pins("spki-file: both.crt, at: leaf", "spki-file: next.csr.pem")),
        row("6 certificate-file", pins("certificate-file: leaf.cer", "certificate-file: next.pem")),
        row(
            "6 a request is no certificate",
            pins("certificate-file: leaf.cer", "certificate-file: «HW301:next.csr.pem»"),
            says: ["`spki-file` takes public keys and requests"]),
        row(
            "6 a backup with the key of a key, through files",
            pins("spki-file: «label:next.pub.pem»", "spki-file: «HW402:next.csr»")),
        row(
            "6 a renewed certificate of the same key is no backup",
            pins("certificate-file: «label:leaf.cer»", "certificate-file: «HW402:renewed.pem»")),
        row(
            "6 a private key as a pin", pins("spki-file: «HW307:key.pem»", "spki-file: next.csr")),
    ]

    @Test("marked texts", arguments: rows)
    func marked(_ row: MarkedRow) {
        row.verify()
    }

    /// An impossible key is refused by its own words, in a certificate, in a request or by itself,
    /// whether the policy trusts, pins or forbids it.
    @Test("keys that are none", arguments: SpoiltKey.all)
    func spoilt(_ key: SpoiltKey) {
        let holder = Scenario().root("Spoilt", key: .p256("spoilt file")) { $0.spki = key.spki }
        var request = RequestRecipe(subject: "Spoilt", key: .p256("spoilt file"))
        request.spki = key.spki
        let files = [
            "spoilt.csr": request.der, "spoilt.csr.pem": Array(request.pem.utf8),
            "leaf.cer": KeyMaterialTests.leaf.der, "spoilt.der": key.spki, "spoilt.cer": holder.der,
            "spoilt.pub.pem": Array(PEMWriter.block("PUBLIC KEY", key.spki).utf8),
            "spoilt.pem": Array(holder.pem.utf8),
        ]
        func forbidden(_ entry: String) -> String {
            "hawser: 1\ndefault:\n  anchors: [system]\n  forbidden-keys:\n    it: { \(entry) }\n"
        }
        let texts = [
            KeyMaterialTests.anchors("files: [spoilt.pem]"),
            KeyMaterialTests.anchors("files: [spoilt.cer], kind: leaf"),
            KeyMaterialTests.pins("spki-file: spoilt.pub.pem", "certificate-file: leaf.cer"),
            KeyMaterialTests.pins("spki-file: spoilt.der", "certificate-file: leaf.cer"),
            KeyMaterialTests.pins("spki-file: spoilt.cer", "certificate-file: leaf.cer"),
            KeyMaterialTests.pins("spki-file: spoilt.csr", "certificate-file: leaf.cer"),
            KeyMaterialTests.pins("spki-file: spoilt.csr.pem", "certificate-file: leaf.cer"),
            KeyMaterialTests.pins("certificate-file: leaf.cer", "certificate-file: spoilt.pem"),
            forbidden("spki-file: spoilt.der"), forbidden("certificate-file: spoilt.pem"),
        ]
        for text in texts {
            let (policy, diagnostics) = MemoryUnit.check(
                MemoryUnit.unit(["policy.yaml": Array(text.utf8)], resources: files))
            #expect(policy == nil)
            #expect(diagnostics.map(\.code) == [.anchorUnreadable], "\(text)")
            let message = diagnostics.first?.message ?? ""
            #expect(message.contains("cannot be read") && message.contains("key"), "\(message)")
        }
    }

    @Test("no diagnostic repeats a private key")
    func noEcho() {
        for file in ["key.pem", "key.der", "torn.pem", "disguised.pem"] {
            let text = KeyMaterialTests.anchors("files: [\(file)]")
            let (policy, diagnostics) = MemoryUnit.check(
                MemoryUnit.unit(
                    ["policy.yaml": Array(text.utf8)], resources: KeyMaterialTests.resources))
            #expect(policy == nil)
            for text in diagnostics.flatMap({ [$0.message] + $0.help + $0.notes }) {
                #expect(!text.contains("BEGIN") && !text.contains("base64"))
            }
        }
    }

    private static func row(_ name: String, _ text: String, says: [String] = []) -> MarkedRow {
        MarkedRow(name, text, says: says, resources: resources)
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "      \($0)\n" }.joined()
    }
}
