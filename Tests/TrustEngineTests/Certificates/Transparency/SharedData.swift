import Foundation

/// Data that may lie beside the checkout, in `../shared/data`.
enum SharedData {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../../shared/data").standardizedFileURL

    /// A file's octets; nil, with a word, where it is absent.
    static func octets(_ name: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else {
            print("absent: \(folder.path)/\(name)")
            return nil
        }
        return [UInt8](data)
    }
}
