import Foundation
public import TestPKI

/// Files that are minted and checked in: chains of policy examples, keys, requests. A recipe says
/// how to make them, so that none is a mystery; running it again gives the same octets, and a test
/// holds the checked-in files to it.
public struct FixtureRecipe: Sendable {
    /// The folder under `policies/` that the files are for.
    public let name: String
    /// What the fixtures are meant to show, in a sentence.
    public let intent: String
    private let body: @Sendable (inout FixtureFiles) -> Void

    /// A recipe. `body` adds files with paths relative to `policies/<name>/`.
    public init(
        _ name: String, intent: String, _ body: @escaping @Sendable (inout FixtureFiles) -> Void
    ) {
        self.name = name
        self.intent = intent
        self.body = body
    }

    /// The files, paths relative to the repository root, in the order that the recipe adds them.
    public func files() -> [(path: String, bytes: [UInt8])] {
        var files = FixtureFiles()
        body(&files)
        return files.list.map { ("policies/\(name)/\($0.path)", $0.bytes) }
    }

    /// Writes the files below a repository root and returns the paths whose octets changed.
    public func write(below root: String) throws -> [String] {
        var written: [String] = []
        for file in files() {
            let url = URL(fileURLWithPath: root).appendingPathComponent(file.path)
            if let present = FileManager.default.contents(atPath: url.path),
                Array(present) == file.bytes
            {
                continue
            }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url)
            written.append(file.path)
        }
        return written
    }

    /// What a checked-in tree has otherwise than this recipe: one line per file that is absent or
    /// differs; empty when all is as minted.
    public func differences(below root: String) -> [String] {
        files().compactMap { file in
            let url = URL(fileURLWithPath: root).appendingPathComponent(file.path)
            guard let present = FileManager.default.contents(atPath: url.path) else {
                return "\(file.path) is missing"
            }
            return Array(present) == file.bytes ? nil : "\(file.path) is not what its recipe mints"
        }
    }
}

/// The files of one recipe while it runs.
public struct FixtureFiles {
    fileprivate var list: [(path: String, bytes: [UInt8])] = []

    /// Adds a text file.
    public mutating func text(_ path: String, _ text: String) {
        bytes(path, Array(text.utf8))
    }

    /// Adds a file of octets.
    public mutating func bytes(_ path: String, _ bytes: [UInt8]) {
        precondition(!list.contains { $0.path == path }, "two files at \(path)")
        list.append((path, bytes))
    }

    /// Adds a PEM bundle of certificates, in this order.
    public mutating func chain(_ path: String, _ certificates: [Minted]) {
        text(path, PEMWriter.certificates(certificates.map(\.der)))
    }
}
