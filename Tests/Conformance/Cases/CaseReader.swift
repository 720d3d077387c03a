import Foundation

/// Reads cases out of files line by line, so that a file of any length is one case in memory.
package enum CaseReader {
    /// Octets of the longest line: far above any vector, far below a machine's memory.
    static let longestLine = 64 << 20

    /// A line that cannot be read, for people: `file:line: problem`.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The files that paths name: files as they are, of folders every `.ndjson` below, sorted.
    ///
    /// - Throws: `Problem` for a path where nothing is, and for a folder without any.
    package static func files(at paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw Problem(description: "\(path): no such file or folder")
            }
            guard isFolder.boolValue else { return [path] }
            let below = FileManager.default.enumerator(atPath: path)?.allObjects ?? []
            let files = below.compactMap { $0 as? String }.filter { $0.hasSuffix(".ndjson") }
            guard !files.isEmpty else {
                throw Problem(description: "\(path): no .ndjson file is below")
            }
            return files.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
        }
    }

    /// Hands every case of a file over, in its order. Lines of white space alone are passed over.
    ///
    /// - Throws: `Problem` for a file that cannot be read and for the first line that is not a
    ///   case.
    package static func read(
        _ path: String, _ body: (ConformanceCase) throws -> Void
    ) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Problem(description: "\(path): cannot be opened")
        }
        defer { try? handle.close() }
        var number = 0
        func take(_ line: Data) throws {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { return }
            let vector: ConformanceCase
            do {
                vector = try ConformanceCase(json: line)
            } catch {
                throw Problem(description: "\(path):\(number): \(error)")
            }
            try body(vector)
        }
        var rest = Data()
        while true {
            let part: Data
            do {
                part = try handle.read(upToCount: 1 << 20) ?? Data()
            } catch {
                throw Problem(description: "\(path): \(error.localizedDescription)")
            }
            guard !part.isEmpty else { break }
            var lines = part.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let last = lines.removeLast()
            for line in lines {
                try take(rest + line)
                rest = Data()
            }
            rest += last
            guard rest.count <= longestLine else {
                throw Problem(
                    description:
                        "\(path):\(number + 1): the line has more than \(longestLine) octets")
            }
        }
        if !rest.isEmpty { try take(rest) }
    }
}
