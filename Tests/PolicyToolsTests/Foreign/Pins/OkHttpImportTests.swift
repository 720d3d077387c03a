import PolicyCompiler
import PolicyTools
import Testing

/// OkHttp's CertificatePinner: each rule of the model, reading of source text, and what the
/// findings say.
@Suite struct OkHttpImportTests {
    private static let (one, two, three) = (PinImports.one, PinImports.two, PinImports.three)

    private static func pinned(
        _ pattern: String, _ host: String, _ version: String = "5"
    ) throws -> Bool {
        let text = PinImports.kotlin((pattern, ["sha256/\(one)", "sha256/\(two)"]))
        let found = try PinImports.okhttpModel(text, version).behaviour(of: host).digests != nil
        #expect((PinImports.demanded(host, try PinImports.okhttp(text, version)) != nil) == found)
        return found
    }

    @Test(
        "one asterisk is exactly one label, in every version",
        arguments: ["3.13", "4.2", "4.12", "5"])
    func oneAsterisk(_ version: String) throws {
        #expect(try Self.pinned("*.a.example", "x.a.example", version))
        #expect(try !Self.pinned("*.a.example", "a.example", version))
        #expect(try !Self.pinned("*.a.example", "y.x.a.example", version))
        #expect(try !Self.pinned("*.a.example", "xa.example", version))
    }

    @Test("before 4.3 `*.name` is the name too, if it has one label")
    func oneLabel() throws {
        #expect(try Self.pinned("*.localhost", "localhost", "4.2"))
        #expect(try !Self.pinned("*.localhost", "localhost", "4.3"))
        #expect(try Self.pinned("*.localhost", "x.localhost", "4.2"))
    }

    @Test("two asterisks are the name and every name below, from 4.3 on")
    func twoAsterisks() throws {
        for version in ["4.3", "4", "5"] {
            #expect(try Self.pinned("**.a.example", "a.example", version))
            #expect(try Self.pinned("**.a.example", "x.a.example", version))
            #expect(try Self.pinned("**.a.example", "y.x.a.example", version))
            #expect(try !Self.pinned("**.a.example", "xa.example", version))
        }
        for version in ["3.13", "4.2.2"] {
            let text = PinImports.kotlin(("**.a.example", ["sha256/\(Self.one)"]))
            let imported = try PinImports.okhttp(text, version)
            #expect(ForeignImports.codes(imported) == ["HX202"])
            #expect(PinImports.demanded("x.a.example", imported) == nil)
        }
    }

    @Test("patterns are made canonical from 3.4 on")
    func canonical() throws {
        #expect(try Self.pinned("API.A.Example", "api.a.example", "3.4"))
        #expect(try !Self.pinned("API.A.Example", "api.a.example", "3.3"))
        #expect(try Self.pinned("api.a.example:443", "api.a.example", "3.13"))
        #expect(try Self.pinned("user@api.a.ex%61mple/path", "api.a.example", "4.2"))
    }

    @Test(
        "patterns that stop the program are refused at their place",
        arguments: [
            ("api.a.example:443", "5"), ("a*.example", "4.3"), ("*.*.example", "5"), ("a b", "4"),
            ("api.a.example:x", "3.13"), ("", "5"),
        ])
    func refused(_ pattern: String, _ version: String) throws {
        let text = PinImports.kotlin((pattern, ["sha256/\(Self.one)"]))
        let refusal = ForeignImports.refusal { try PinImports.okhttp(text, version) }
        #expect(refusal?.code == "HX102")
        let place = try #require(text.utf8.firstRange(of: Array("\"\(pattern)\"".utf8)))
        #expect(refusal?.at == text.utf8.distance(from: text.startIndex, to: place.lowerBound))
    }

    @Test("the pins of every pattern that matches are united")
    func united() throws {
        let text = PinImports.kotlin(
            ("a.example", ["sha256/\(Self.one)"]), ("*.a.example", ["sha256/\(Self.two)"]),
            ("**.a.example", ["sha256/\(Self.three)"]), ("x.a.example", ["sha256/\(Self.one)"]))
        let imported = try PinImports.okhttp(text)
        _ = try ForeignImports.table(imported)
        let expected: [String: Set<String>?] = [
            "a.example": [Self.one, Self.three],
            "x.a.example": [Self.one, Self.two, Self.three],
            "y.a.example": [Self.two, Self.three], "z.y.a.example": [Self.three],
            "b.example": nil,
        ]
        for (host, digests) in expected {
            #expect(PinImports.demanded(host, imported) == digests, "\(host)")
            #expect(
                try PinImports.okhttpModel(text).behaviour(of: host).digests == digests, "\(host)")
        }
    }

    @Test("a host without pins is accepted with the system's anchors")
    func others() throws {
        let imported = try PinImports.okhttp(
            PinImports.kotlin(("a.example", ["sha256/\(Self.one)", "sha256/\(Self.two)"])))
        #expect(imported.policy.defaultBody?.anchors == ["system"])
        #expect(imported.policy.defaultBody?.pins == [])
        #expect(imported.findings.isEmpty)
    }

    // MARK: Source text

    @Test("comments are not code, and literals may be joined, named and in Java")
    func literals() throws {
        for text in [
            """
            /* CertificatePinner.Builder().add("x.example", "sha256/AAAA") */
            val p = okhttp3.CertificatePinner.Builder() // .add("y.example", "sha256/AAAA")
                .add(pattern = "a.example", "sha256/" + "\(Self.one)", "sha256/\(Self.two)",)
                .build()
            """,
            """
            CertificatePinner p = new CertificatePinner.Builder()
                .add("a.ex" + "ample", "sha256/\(Self.one)", "sha256/\(Self.two)").build();
            """,
            """
            val builder = CertificatePinner.Builder()
            builder.add("a.example", "sha256/\(Self.one)")
            other.add("b.example", "sha256/\(Self.two)")
            builder.add("a.example", "sha256/\(Self.two)").build()
            """,
        ] {
            let imported = try PinImports.okhttp(text)
            #expect(PinImports.demanded("a.example", imported) == [Self.one, Self.two], "\(text)")
            #expect(imported.policy.rules.map(\.hosts) == [["a.example"]], "\(text)")
            #expect(ForeignImports.codes(imported).allSatisfy { $0 == "HX203" }, "\(text)")
        }
    }

    @Test(
        "what is not a literal is a finding at its place, and is not guessed",
        arguments: [
            ("BuildConfig.HOST", "\"sha256/ONE\"", "BuildConfig.HOST"),
            ("\"${prefix}.example\"", "\"sha256/ONE\"", "\"${prefix}.example\""),
            ("\"$host\"", "\"sha256/ONE\"", "\"$host\""),
            ("\"a.example\"", "PIN", "\"a.example\""),
            ("\"a.example\"", "*pins", "\"a.example\""),
        ])
    func notLiteral(_ pattern: String, _ pin: String, _ place: String) throws {
        let pin = pin.replacing("ONE", with: Self.one)
        let text = "CertificatePinner.Builder().add(\(pattern), \(pin)).build()"
        let imported = try PinImports.okhttp(text)
        let found = imported.findings.filter { $0.code == .notLiteral }.map { finding in
            let span = finding.primary.span
            return String(
                decoding: Array(text.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
        }
        #expect(found.contains(place), "\(found)")
        #expect(imported.policy.rules.isEmpty)
        #expect(imported.policy.pinSets.isEmpty)
    }

    @Test("one pin that is not a literal leaves the others")
    func oneOfTwo() throws {
        let text =
            "CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Self.one)\", PIN).build()"
        let imported = try PinImports.okhttp(text)
        #expect(ForeignImports.codes(imported).sorted() == ["HX309", "HX401"])
        #expect(PinImports.demanded("a.example", imported)?.contains(Self.one) == true)
    }

    @Test("calls of blocks and of other functions are not read")
    func blocks() throws {
        let text = """
            CertificatePinner.Builder().apply { add("a.example", "sha256/\(Self.one)") }
              .also(::more).add("b.example", "sha256/\(Self.one)", "sha256/\(Self.two)").build()
            """
        let imported = try PinImports.okhttp(text)
        #expect(ForeignImports.codes(imported) == ["HX401", "HX401"])
        #expect(imported.policy.rules.map(\.hosts) == [["b.example"]])
    }

    @Test("a second builder is refused, and so is a file without one")
    func builders() throws {
        let text = PinImports.kotlin(("a.example", ["sha256/\(Self.one)"]))
        #expect(ForeignImports.refusal { try PinImports.okhttp(text + text) }?.code == "HX402")
        #expect(ForeignImports.refusal { try PinImports.okhttp("val a = 1") }?.code == "HX101")
        #expect(ForeignImports.refusal { try PinImports.okhttp("val a = \"") }?.code == "HX101")
    }

    // MARK: Pins

    @Test("pins: padding may lack, SHA-1 is left out, duds are named, other lengths are refused")
    func pins() throws {
        let bare = String(Self.one.dropLast())
        let unpadded = try PinImports.okhttp(
            PinImports.kotlin(("a.example", ["sha256/\(bare)", "sha256/\(Self.two)"])))
        #expect(PinImports.demanded("a.example", unpadded) == [Self.one, Self.two])
        #expect(unpadded.findings.isEmpty)

        let sha1 = "sha1/" + "DmxUShsZuNiqPQsX2Oi9uv2sCnw="
        let both = PinImports.kotlin(
            ("a.example", [sha1, "sha256/\(Self.one)", "sha256/\(Self.two)"]))
        #expect(ForeignImports.codes(try PinImports.okhttp(both)) == ["HX404"])
        #expect(try PinImports.okhttpModel(both).behaviour(of: "a.example").sha1.count == 1)
        let only = try PinImports.okhttp(PinImports.kotlin(("a.example", [sha1])))
        #expect(ForeignImports.codes(only).sorted() == ["HX404", "HX405"])
        #expect(PinImports.demanded("a.example", only) == [])
        #expect(only.findings.allSatisfy { $0.notes.contains { $0.contains("stricter") } })
        _ = try ForeignImports.table(only)

        let duds = try PinImports.okhttp(
            PinImports.kotlin(
                ("a.example", ["sha256/\(PinImports.zero)", "sha256/\(PinImports.ofNothing)"])))
        #expect(ForeignImports.codes(duds).sorted() == ["HX403", "HX403", "HX405"])
        #expect(PinImports.demanded("a.example", duds) == [])

        for pin in ["sha256/Zm9v", "sha1/\(Self.one)"] {
            let text = PinImports.kotlin(("a.example", [pin]))
            #expect(ForeignImports.refusal { try PinImports.okhttp(text) }?.code == "HX103")
        }
        for pin in ["md5/Zm9v", "sha256/!", Self.one] {
            let text = PinImports.kotlin(("a.example", [pin]))
            #expect(ForeignImports.refusal { try PinImports.okhttp(text) }?.code == "HX102")
        }
    }

    @Test("versions")
    func versions() {
        #expect(OkHttpModel.Version("3.1") == nil)
        #expect(OkHttpModel.Version("4.x") == nil)
        #expect(OkHttpModel.Version("") == nil)
        #expect(OkHttpModel.Version("4") == OkHttpModel.Version(4, 999))
        #expect(OkHttpModel.Version("4.12.0") == OkHttpModel.Version(4, 12))
    }
}
