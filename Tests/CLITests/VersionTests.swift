import CVersion
import Foundation
import Hawser
import Testing

@Suite("hawser version")
struct VersionTests {
    @Test("the version is one line", arguments: ["--version", "version"])
    func short(_ word: String) throws {
        let run = try Workshop().run(word)
        #expect(run.status == 0)
        #expect(run.output == "hawser \(HAWSER_VERSION)\n")
    }

    @Test("--verbose names the parts of the build; each digest is its file's")
    func verbose() throws {
        let run = try Workshop().run("version", "--verbose")
        #expect(run.status == 0 && run.error.isEmpty)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "hawser \(HAWSER_VERSION)")
        let named = lines.dropFirst().map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return (name: words[0], value: words[1].drop { $0 == " " })
        }
        try #require(
            named.map(\.name) == ["commit", "toolchain", "libcrypto", "schema", "catalogue"])
        #expect(named[0].value == "not recorded: this is not a release build")
        #expect(named[1].value.hasPrefix("Clang "))
        // The tests link the library of the system.
        #expect(named[2].value.hasPrefix("OpenSSL 3."))
        #expect(named[2].value.contains(", loaded from /"))
        #expect(named[2].value.hasSuffix("/libcrypto.so.3"))
        for (line, file) in [(named[3], "policy.schema.json"), (named[4], "diagnostics.yaml")] {
            let octets = try Data(
                contentsOf: CommandRun.repository.appending(path: "grammar/\(file)"))
            let digest = EngineLoader.digests.digest(.sha256, of: Array(octets).span)
            #expect(line.value == "sha256:\(digest.hex)")
        }
    }
}
