import Glibc
import TrustEngine

/// A folder that keeps a fetcher's evidence between runs. Each piece has one file, which is named
/// by the digest of the need. A file is written whole or not at all, and its digest is checked when
/// it is read. The fetcher trusts a file no more than an answer from the network: it verifies the
/// signature again.
final class EvidenceFolder: Sendable {
    private let descriptor: Int32
    private let limit: Int
    private let files: Monitor<Files>
    private let crypto: any CryptoBackend

    private struct Files {
        var sizes: [String: Int] = [:]
        /// Names in the order in which they were written. Names of files from an earlier run come
        /// first.
        var order: [String] = []
        var octets = 0
        var serial = 0
    }

    /// Opens a folder, and makes it if it does not exist. Links in `path` itself are followed.
    ///
    /// - Parameter limit: octets of all files together. The file that was written first is removed
    ///   first.
    init(path: String, limit: Int, crypto: any CryptoBackend) throws(FileReadError) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw FileReader.failure(of: path) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw FileReader.failure(of: path) }
        self.descriptor = descriptor
        self.limit = limit
        self.crypto = crypto
        let found: Files
        do throws(FileReadError) {
            found = try EvidenceFolder.files(in: path)
        } catch {
            close(descriptor)
            throw error
        }
        self.files = Monitor(found)
    }

    deinit { close(descriptor) }

    /// The octets under a key, and when they were fetched; nil when the file is missing or damaged.
    /// A damaged file is removed.
    func read(_ key: Digest, limit: Int) -> (octets: [UInt8], fetched: UTCInstant)? {
        let name = key.hex
        let file = unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let room = limit + EvidenceFolder.headLength
        guard let bytes = try? FileReader.read(descriptor: file, path: name, limit: room),
            let found = parse(bytes, key)
        else {
            remove(name)
            return nil
        }
        return found
    }

    /// Keeps octets under a key. A failure has no effect: what cannot be written is fetched again.
    func write(_ octets: [UInt8], for key: Digest, fetched: UTCInstant) {
        let name = key.hex
        let size = octets.count + EvidenceFolder.headLength
        guard size <= limit else { return }
        let serial = files.withLock { files in
            files.serial += 1
            return files.serial
        }
        let temporary = "new-\(getpid())-\(serial)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(descriptor, temporary, flags, 0o600)
        guard file >= 0 else { return }
        let whole = head(octets, key, fetched) + octets
        let isWritten = OpenFiles.write(whole[...], to: file) && fsync(file) == 0
        guard close(file) == 0, isWritten,
            unsafe renameat(descriptor, temporary, descriptor, name) == 0
        else {
            unsafe unlinkat(descriptor, temporary, 0)
            return
        }
        let surplus = files.withLock { files in
            if let old = files.sizes[name] {
                files.octets -= old
                files.order.removeAll { $0 == name }
            }
            files.sizes[name] = size
            files.order.append(name)
            files.octets += size
            var left = files.octets
            return Array(
                files.order.prefix { other in
                    guard left > limit else { return false }
                    left -= files.sizes[other] ?? 0
                    return true
                })
        }
        for other in surplus { remove(other) }
    }

    private func remove(_ name: String) {
        unsafe unlinkat(descriptor, name, 0)
        files.withLock { files in
            guard let size = files.sizes.removeValue(forKey: name) else { return }
            files.octets -= size
            files.order.removeAll { $0 == name }
        }
    }

    // MARK: A file: mark, key, time fetched, digest of the octets, octets

    private func head(_ octets: [UInt8], _ key: Digest, _ fetched: UTCInstant) -> [UInt8] {
        let seconds = UInt64(bitPattern: fetched.secondsSinceEpoch)
        return EvidenceFolder.mark + key.bytes
            + (0..<8).map { UInt8(truncatingIfNeeded: seconds >> UInt64(56 - 8 * $0)) }
            + crypto.digest(.sha256, of: octets.span).bytes
    }

    private func parse(_ bytes: [UInt8], _ key: Digest) -> (octets: [UInt8], fetched: UTCInstant)? {
        guard bytes.count > EvidenceFolder.headLength else { return nil }
        let start = EvidenceFolder.mark.count + 32
        let seconds = bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let fetched = UTCInstant(secondsSinceEpoch: Int64(bitPattern: seconds))
        let octets = Array(bytes[EvidenceFolder.headLength...])
        guard bytes.starts(with: head(octets, key, fetched)) else { return nil }
        return (octets, fetched)
    }

    private static let mark = Array("hawser evidence 1\n".utf8)
    private static let headLength = mark.count + 32 + 8 + 32

    /// The files that are in the folder already.
    private static func files(in path: String) throws(FileReadError) -> Files {
        let folder = try RootFolder(path: path, limits: RootFolder.Limits(entries: 1 << 20))
        var files = Files()
        for entry in try folder.entries(of: "") where entry.kind == .regular {
            var status = stat()
            guard entry.name.utf8.count == 64,
                unsafe stat("\(path)/\(entry.name)", &status) == 0
            else { continue }
            files.sizes[entry.name] = Int(status.st_size)
            files.order.append(entry.name)
            files.octets += Int(status.st_size)
        }
        return files
    }
}
