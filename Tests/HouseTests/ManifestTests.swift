import Foundation
import Testing

/// What a package that depends on this one sees.
@Suite struct ManifestTests {
    @Test("libraries and the command are the only products")
    func products() throws {
        let manifest = try Tree.read("Package.swift")
        let products = try #require(
            manifest.components(separatedBy: "    products: [").last?
                .components(separatedBy: "    traits: [").first)
        let lines = products.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(
            lines.filter { $0.hasPrefix(".executable") }
                == [".executable(name: \"hawser\", targets: [\"HawserCommand\"]),"])
        #expect(lines.filter { $0.hasPrefix(".library") }.count >= 8)
    }
}
