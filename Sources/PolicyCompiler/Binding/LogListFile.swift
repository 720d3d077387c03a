internal import TrustEngine

/// A log list as the compiler takes it: one that timestamps can be judged by where the table is loaded.
enum LogListFile {
    /// Octets a log list may have; the public one has about 60,000.
    static let limit = 16 << 20

    /// What is wrong with a file, to stand after its name; nil for a log list.
    static func problem(_ bytes: [UInt8], crypto: any CryptoBackend) -> String? {
        do throws(LogListError) {
            _ = try LogList(json: bytes, crypto: crypto)
            return nil
        } catch {
            return error.reason
        }
    }
}
