internal import TrustEngine

/// Checks a log list when it is compiled: that the engine can judge timestamps by it where the
/// table is loaded.
enum LogListFile {
    /// The most octets of a log list. The public list has about 60,000.
    static let limit = 16 << 20

    /// The problem of a file, to be written after its name; nil if the file is a log list.
    static func problem(_ bytes: [UInt8], crypto: any CryptoBackend) -> String? {
        do throws(LogListError) {
            _ = try LogList(json: bytes, crypto: crypto)
            return nil
        } catch {
            return error.reason
        }
    }
}
