import Testing
import TrustEngine

@Suite("public suffixes") struct PublicSuffixTests {
    @Test(
        "names",
        arguments: [
            ("com", true), ("example.com", false), ("co.uk", true), ("CO.uk", true),
            ("acme.co.uk", false), ("uk.com", false), ("github.io", false),
            ("s3.amazonaws.com", false), ("nosuchtoplevel", true), ("a.nosuchtoplevel", false),
            ("ck", true), ("co.ck", true), ("www.ck", false), ("a.co.ck", false),
            ("kawasaki.jp", false), ("x.kawasaki.jp", true), ("city.kawasaki.jp", false),
            ("aisai.aichi.jp", true), ("xn--55qx5d.cn", true), ("xn--p1ai", true), ("zw", true),
            ("ac", true), ("a", true), ("0.bg", true),
        ])
    func names(row: (name: String, isSuffix: Bool)) {
        let bytes = Array(row.name.utf8)
        let found = PublicSuffixes.contains(bytes.span)
        #expect(found == row.isSuffix, "\(row.name)")
    }

    @Test(
        "what a wildcard spans",
        arguments: [
            ("com", true), ("co.uk", true), ("kawasaki.jp", true), ("example.com", false),
            ("github.io", false), ("sch.uk", true), ("www.ck", false),
        ])
    func wildcards(row: (base: String, isSpanned: Bool)) {
        let bytes = Array(row.base.utf8)
        let found = PublicSuffixes.isSpanned(byWildcardOver: bytes.span)
        #expect(found == row.isSpanned, "\(row.base)")
    }

    @Test("the list says when it was published")
    func version() {
        #expect(PublicSuffixes.version.hasPrefix("20"))
    }
}
