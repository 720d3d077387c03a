import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Trust stores in JKS, JCEKS and PKCS#12: anchors and refusals.
@Suite("import of trust stores") struct StoreImportTests {
    private static let pki = Scenario()
    private static let root = pki.root("Store Root", key: .p256("store-import-root"))
    private static let issuing = root.issueCA("Store Issuing", key: .p256("store-import-issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["api.acme.example"])

    private typealias Store = StoreFixtures

    private static func codes(_ imported: ForeignImport) -> [String] {
        ForeignImports.codes(imported)
    }

    // MARK: Java

    @Test(
        "a Java store: roots, intermediates and servers are sets of their kinds",
        arguments: [0xFEED_FEED, 0xCECE_CECE])
    func java(_ magic: Int) throws {
        let store = Store.java(
            [
                Store.trusted("Acme Root", Self.root.der), Store.trusted("again", Self.root.der),
                Store.trusted("issuing", Self.issuing.der), Store.trusted("api", Self.leaf.der),
            ], magic: magic)
        let imported = try Store.imported(store)
        #expect(Self.codes(imported) == [])
        #expect(imported.policy.anchorSets.map(\.kind.name) == ["root", "intermediate", "leaf"])
        #expect(
            imported.policy.anchorSets.map(\.files) == [
                ["anchors/acme-root.pem"], ["anchors/issuing.pem"], ["anchors/api.pem"],
            ])
        #expect(
            imported.files.map(\.certificates) == [
                [Self.root.der], [Self.issuing.der], [Self.leaf.der],
            ])
        #expect(
            imported.policy.defaultBody?.anchors == [
                "trust-store", "trust-store-intermediates", "trust-store-servers",
            ])
        _ = try ForeignImports.table(imported)
    }

    @Test("version 1 has no type of a certificate")
    func version1() throws {
        let store = Store.java([Store.trusted("a", Self.root.der, type: nil)], version: 1)
        #expect(try Store.imported(store).files.count == 1)
        #expect(Store.refusal(Store.java([], version: 3))?.code == "HX601")
    }

    @Test("the digest: checked with a password, told without one, refused if it does not fit")
    func digest() throws {
        let store = Store.java([Store.trusted("a", Self.root.der)])
        #expect(try Store.read(store).file.integrity == .checked)
        #expect(try Store.read(store, nil).file.integrity == .withoutPassword)
        let untold = try Store.imported(store, nil)
        #expect(Self.codes(untold) == ["HX605"])
        #expect(untold.findings.map(\.severity) == [.info])
        #expect(Store.refusal(store, StorePassword("other"))?.code == "HX604")
        var changed = store
        changed[changed.count - 1] ^= 1
        #expect(Store.refusal(changed)?.code == "HX604")
        // Octets behind the digest are refused without a password, too.
        #expect(Store.refusal(store + [0], nil)?.code == "HX601")
        // The alias is part of what the digest covers.
        var renamed = store
        renamed[18] ^= 1
        #expect(Store.refusal(renamed)?.code == "HX604")
    }

    @Test("a key anywhere is HX602, with a password and without one", arguments: [1, 3])
    func keys(_ tag: Int) throws {
        let certificate = Store.trusted("a", Self.root.der)
        for entries in [[Store.key("web", tag: tag)], [certificate, Store.key("web", tag: tag)]] {
            for password in [nil, Store.changeit] {
                let refusal = Store.refusal(Store.java(entries), password)
                #expect(refusal?.code == "HX602")
                #expect(refusal?.message.contains("`web`") == true)
            }
        }
    }

    @Test("an entry of another type is left out, and told with its line")
    func otherTypes() throws {
        let store = Store.java([
            Store.trusted("a", Self.root.der),
            Store.trusted("b", Self.issuing.der, type: "PGP"),
            Store.trusted("c", [0x30, 0]),
        ])
        let imported = try Store.imported(store)
        #expect(Self.codes(imported) == ["HX606", "HX606"])
        let listing = try Store.read(store).listing
        let lines = imported.findings.map {
            listing.position(of: Int($0.primary.span.start)).line
        }
        #expect(lines == [2, 3])
        #expect(imported.policy.anchorSets.map(\.files) == [["anchors/a.pem"]])
    }

    @Test("a store without a trusted certificate is HX607")
    func empty() throws {
        #expect(Self.codes(try Store.imported(Store.java([]))) == ["HX607"])
    }

    @Test("names of entries cannot forge lines of the listing")
    func names() throws {
        let hostile = "a\nb\u{202E}c\u{7F}`d"
        let read = try Store.read(Store.java([Store.trusted(hostile, Self.root.der)]))
        let text = String(decoding: read.listing.bytes, as: UTF8.self)
        #expect(text.hasPrefix("octet 12: trusted certificate `a_b_c__d`, "))
        #expect(text.count(where: { $0 == "\n" }) == 1)
        let imported = try Store.imported(Store.java([Store.trusted(hostile, Self.root.der)]))
        #expect(imported.files.map(\.name) == ["anchors/a-b-c-d.pem"])
    }

    // MARK: PKCS#12

    @Test("keytool's PKCS#12 opens with its password, and each certificate with the mark counts")
    func keytool() throws {
        let read = try Store.read(Store.keytool)
        #expect(read.file.integrity == .checked && read.file.format == .pkcs12)
        let imported = try Store.imported(Store.keytool)
        #expect(Self.codes(imported) == [])
        #expect(imported.files.map(\.name) == ["anchors/acme.pem"])
        #expect(imported.files.map(\.certificates) == [[Store.acme]])
        #expect(Store.refusal(Store.keytool, nil)?.code == "HX603")
        #expect(Store.refusal(Store.keytool, StorePassword("other"))?.code == "HX604")
    }

    @Test("a PKCS#12 file of another version, and one whose MAC does not fit, are refused")
    func header() {
        // The file ends with the MAC, its salt of 20 octets and two octets of iterations.
        let mac = Store.keytool.count - 3 - 22 - 1
        var changed = Store.keytool
        changed[mac] ^= 1
        #expect(Store.refusal(changed)?.code == "HX604")
        let marked = Store.bag(certificate: Self.root.der, named: "root", isTrusted: true)
        var version = Store.pkcs12([Store.part([marked])])
        #expect(Store.refusal(version) == nil)
        let place = version.firstRange(of: [2, 1, 3] as [UInt8])
        version[(place?.upperBound ?? 1) - 1] = 4
        #expect(Store.refusal(version)?.message.contains("version that is not 3") == true)
    }

    @Test("OpenSSL's PKCS#12 has no mark: its certificates count only with `--all-certificates`")
    func openSSL() throws {
        #expect(Self.codes(try Store.imported(Store.tripleDES)) == ["HX606", "HX607"])
        let all = try Store.imported(Store.tripleDES, takesAll: true)
        #expect(Self.codes(all) == [])
        #expect(all.files.map(\.certificates) == [[Store.acme]])
    }

    @Test("RC2 is refused, and the message names the ciphers that are read")
    func rc2() throws {
        let refusal = Store.refusal(Store.rc2)
        #expect(refusal?.code == "HX601")
        #expect(refusal?.message.contains("AES and triple DES are") == true)
    }

    @Test("open bags: marked and unmarked certificates, a CRL, and bags of bags")
    func openBags() throws {
        let marked = Store.bag(certificate: Self.root.der, named: "root", isTrusted: true)
        let unmarked = Store.bag(certificate: Self.leaf.der, named: "leaf", isTrusted: false)
        let list = Store.bag(4, [0x30, 0])
        let nested = Store.bag(6, Store.der(0x30, marked))
        let imported = try Store.imported(Store.pkcs12([Store.part([nested, unmarked, list])]))
        #expect(Self.codes(imported) == ["HX605", "HX606", "HX606"])
        #expect(imported.files.map(\.name) == ["anchors/root.pem"])
    }

    @Test("a bag with a key is HX602 before a password is asked for", arguments: [1, 2, 5])
    func keyBags(_ type: UInt8) throws {
        let key = Store.bag(type, [0x30, 0])
        let marked = Store.bag(certificate: Self.root.der, named: "root", isTrusted: true)
        for bags in [[key], [marked, key], [Store.bag(6, Store.der(0x30, key))]] {
            let file = Store.pkcs12([Store.locked(iterations: 1), Store.part(bags)])
            #expect(Store.refusal(file, nil)?.code == "HX602")
        }
    }

    @Test("work is bounded: iterations of one part and of all parts, salts, lengths of keys")
    func work() {
        for (part, words) in [
            (Store.locked(iterations: 5_000_001), "iterations"),
            (Store.locked(iterations: 0x7FFF_FFFF), "iterations"),
            (Store.locked(iterations: 0), "iterations"),
            (Store.locked(iterations: 1, saltOctets: 2_000), "the salt has 2000 octets"),
            (Store.locked(iterations: 1, keyOctets: 16), "a key of 16 octets"),
        ] {
            let refusal = Store.refusal(Store.pkcs12([part]))
            #expect(refusal?.code == "HX601")
            #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "read")")
        }
        #expect(Store.refusal(Store.pkcs12([Store.locked(iterations: 2)]))?.code == "HX604")
        let many = [[UInt8]](repeating: Store.locked(iterations: 1), count: 65)
        #expect(Store.refusal(Store.pkcs12(many))?.message.contains("64 parts") == true)
        var nested = Store.bag(4, [0x30, 0])
        for _ in 0..<6 { nested = Store.bag(6, Store.der(0x30, nested)) }
        let deep = Store.refusal(Store.pkcs12([Store.part([nested])]))
        #expect(deep?.message.contains("inside each other") == true)
    }

    // MARK: Other files

    @Test("files of other kinds are named")
    func otherFiles() {
        let salted = Store.number(2, 4) + Store.number(20, 4) + [UInt8](repeating: 9, count: 60)
        for (bytes, words) in [
            (salted, "Bouncy Castle"), (Array("-----BEGIN CERTIFICATE-----".utf8), "PEM"),
            ([], "neither"), (Array("hello".utf8), "neither"),
            ([0x30, 0x80, 2, 1, 3, 0x30, 0x80], "BER"),
        ] {
            let refusal = Store.refusal(bytes)
            #expect(refusal?.code == "HX601")
            #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "read")")
        }
    }

    @Test("false lengths and counts are refused, and nothing is allocated for them")
    func falseLengths() {
        let whole = Store.java([Store.trusted("a", Self.root.der)])
        for (offset, octets) in [(8, 4), (16, 2), (27, 2), (34, 4)] {
            var bytes = whole
            for index in offset..<offset + octets { bytes[index] = 0xFF }
            #expect(Store.refusal(bytes)?.code == "HX601", "\(offset)")
        }
    }

    @Test("every cut, and every octet changed, is refused or read, and nothing traps")
    func damaged() {
        let files = [
            Store.java([Store.trusted("a", Store.acme)]), Store.keytool, Store.tripleDES,
            Store.pkcs12([
                Store.part([
                    Store.bag(certificate: Store.acme, named: "acme", isTrusted: true)
                ])
            ]),
        ]
        for file in files {
            for length in 0..<file.count {
                #expect(Store.refusal(Array(file.prefix(length))) != nil, "\(length)")
            }
            for index in file.indices {
                for value in [0x00, 0x7F, 0x80, 0x84, 0xFF, file[index] ^ 1] as [UInt8] {
                    var bytes = file
                    bytes[index] = value
                    _ = try? Store.imported(bytes)
                }
            }
        }
    }
}
