import LibCrypto
import PolicyCompiler

/// A policy of one file that a test writes itself and that names no other file.
enum InlinePolicy {
    private struct NoFiles: UnitResources {
        func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
            throw ResourceError(code: .notFound, context: "`\(path)` is not there")
        }
        func list(_ folder: String) throws(ResourceError) -> [String] { [] }
    }

    static func unit(_ text: String) -> PolicyUnit {
        PolicyUnit(
            files: [SourceFile(path: "inline.policy.yaml", bytes: Array(text.utf8))],
            resources: NoFiles(), isDirectory: false)
    }

    static func compile(_ text: String) -> Compilation {
        CompilerPipeline.compile(unit(text), crypto: LibCryptoBackend())
    }

    /// PEM text as the value of `pem: |`, indented below a set at the second level.
    static func literal(_ pem: String) -> String {
        pem.split(separator: "\n").map { "      \($0)\n" }.joined()
    }
}
