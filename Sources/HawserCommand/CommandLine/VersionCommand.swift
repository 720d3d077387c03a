import ArgumentParser
import CSchemas
import CVersion
import Hawser
import PolicyTools
import Rendering

/// `hawser version`: prints the version, and what this build is made of.
struct VersionCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version, and with --verbose the parts of this build.",
        discussion: """
            `commit` and `toolchain` are written into release builds. `libcrypto` is the library that \
            verifies signatures in this process. The digests are SHA-256 of files of that commit: \
            `schema` of grammar/policy.schema.json, which `hawser schema` prints, and `catalogue` of \
            grammar/diagnostics.yaml, which `hawser rule` reads.
            """)

    @Flag(help: "Print also the commit, the toolchain, libcrypto, and the two digests.")
    var verbose = false

    func answer() throws(CommandFailure) -> ExitStatus {
        let lines = [HawserVersion.text] + (verbose ? VersionCommand.details : [])
        try Report.print(lines.map { $0 + "\n" }.joined())
        return .clean
    }

    /// Lines of a name and a value.
    private static var details: [String] {
        let commit = fact(HAWSER_BUILD_COMMIT)
        let file = fact(HAWSER_BUILD_LIBCRYPTO_FILE)
        let linked = file.isEmpty ? "linked statically" : "loaded from \(file)"
        return [
            ("commit", commit.isEmpty ? "not recorded: this is not a release build" : commit),
            ("toolchain", fact(HAWSER_BUILD_TOOLCHAIN)),
            ("libcrypto", "\(fact(HAWSER_BUILD_LIBCRYPTO)), \(linked)"),
            ("schema", digest(HAWSER_SCHEMA_POLICY)),
            ("catalogue", digest(HAWSER_DIAGNOSTIC_CATALOGUE)),
        ].map { TextWrap.padded($0.0, 11) + $0.1 }
    }

    /// A fact of `hawser_version.h`.
    private static func fact(_ number: some BinaryInteger) -> String {
        var octets: [UInt8] = []
        while true {
            let octet = hawser_build_octet(UInt32(number), octets.count)
            guard octet != 0 else { return String(decoding: octets, as: UTF8.self) }
            octets.append(octet)
        }
    }

    /// The digest of an embedded file, by its number in `schemas.h`.
    private static func digest(_ number: some BinaryInteger) -> String {
        let octets = EmbeddedFile.octets(UInt32(number))
        return "sha256:" + EngineLoader.digests.digest(.sha256, of: octets.span).hex
    }
}
