package import CRLite
package import TrustEngine

/// The answer of the filters of a directory.
package struct FilterFolderAnswer: Sendable {
    /// The answers of all filters that cover the certificate, by their names.
    package let gathered: GatheredAnswer<String>
    /// The filter that decides, with the digest of its file; nil if no filter covers the
    /// certificate.
    package let deciding: (file: FilterFile, digest: Digest)?
    /// The newest millisecond that any filter of the directory covers.
    package let newest: UInt64?
    /// SHA-256 of the index.
    package let index: Digest
}

/// A directory of filters with an index, as c2sp.org/upki-revocation lays it out: `upki fetch`
/// fills it while services read it.
///
/// The index is read whole; a filter is mapped when a certificate first needs it. When another
/// index has taken its place, the directory is read anew. So a question always has filters of one
/// index.
package final class FilterFolder: Sendable {
    private let folder: RootFolder
    private let ownership: FilterOwnership
    private let current: Monitor<Reading>
    private var indexPath: String { path(CacheIndex.fileName) }

    /// An index, with the filters that were opened for it.
    private final class Reading: Sendable {
        let index: CacheIndex
        let identity: FileIdentity?
        let digest: Digest
        let opened = Monitor<[String: FilterFile]>([:])

        init(_ index: CacheIndex, _ identity: FileIdentity?, _ digest: Digest) {
            self.index = index
            self.identity = identity
            self.digest = digest
        }
    }

    /// Opens a directory and reads its index. Links in `path` itself are followed.
    package init(path: String, ownership: FilterOwnership) throws(FilterFileError) {
        do throws(FileReadError) {
            folder = try RootFolder(path: path)
        } catch {
            throw .file(error)
        }
        self.ownership = ownership
        current = Monitor(try FilterFolder.read(folder, ownership))
    }

    /// Whether the directory is still the one at its path. Another may have been renamed to it.
    var isInPlace: Bool {
        folder.identity(of: ".") == FileIdentity(at: folder.path)
    }

    /// The index that is in use.
    package var index: CacheIndex { current.withLock { $0 }.index }
    /// SHA-256 of the index that is in use.
    package var indexDigest: Digest { current.withLock { $0 }.digest }
    /// Whether the index in use is still the one at the directory's path. Another index, or another
    /// directory, may have been renamed to it. One look at the file: it is asked for each verdict.
    var isNewest: Bool { FileIdentity(at: indexPath) == current.withLock { $0 }.identity }

    /// Opens all filters of the index in use and computes their digests, so that no question waits
    /// for that.
    ///
    /// - Throws: why a filter cannot be asked. The other filters are open all the same.
    func openAll() throws(FilterFileError) {
        let reading = current.withLock { $0 }
        var problem: FilterFileError?
        for name in reading.index.names {
            do throws(FilterFileError) {
                _ = try filter(name, of: reading).digest()
            } catch {
                if problem == nil || error.isMissing { problem = error }
            }
        }
        if let problem { throw problem }
    }

    /// Opens a filter by its name in the index.
    package func filter(_ name: String) throws(FilterFileError) -> FilterFile {
        try filter(name, of: current.withLock { $0 })
    }

    /// Asks every filter that covers the certificate by the index. One filter that says *revoked*
    /// decides, whatever is wrong with the others.
    ///
    /// - Throws: why a filter or the index cannot be asked. No filter that can says *revoked*.
    package func answer(
        _ question: FilterQuestion
    ) throws(FilterFileError) -> FilterFolderAnswer {
        let reading = current.withLock { $0 }
        guard folder.identity(of: CacheIndex.fileName) == reading.identity else {
            return try answerAnew(question, before: reading)
        }
        do throws(FilterFileError) {
            return try answer(question, reading)
        } catch {
            // Another index came into its place, and its writer has removed the filter.
            guard error.isMissing else { throw error }
            return try answerAnew(question, before: reading)
        }
    }

    /// Asks as `answer` does, by the index in use, whether or not the directory has a newer one.
    func answerByIndexInUse(
        _ question: FilterQuestion
    ) throws(FilterFileError) -> FilterFolderAnswer {
        try answer(question, current.withLock { $0 })
    }

    /// Reads the index again and asks. Where that fails, the filters of the former index can still
    /// say *revoked*.
    private func answerAnew(
        _ question: FilterQuestion, before former: Reading
    ) throws(FilterFileError) -> FilterFolderAnswer {
        do throws(FilterFileError) {
            return try answer(question, try readAgain())
        } catch {
            do throws(FilterFileError) {
                let answer = try answer(question, former)
                if answer.gathered.status == .revoked { return answer }
            } catch {
                // The newer reason is told.
            }
            throw error
        }
    }

    private func answer(
        _ question: FilterQuestion, _ reading: Reading
    ) throws(FilterFileError) -> FilterFolderAnswer {
        var gathered = GatheredAnswer<String>()
        var asked: Set<String> = []
        var problem: FilterFileError?
        for number in reading.index.filters(for: question.timestamps) {
            let name = reading.index.names[number]
            guard asked.insert(name).inserted else { continue }
            do throws(FilterFileError) {
                let file = try filter(name, of: reading)
                gathered.add(
                    try file.answer(question), of: name, newest: file.filter.newest ?? 0)
            } catch {
                if problem == nil || error.isMissing { problem = error }
            }
        }
        if let problem, gathered.status != .revoked { throw problem }
        if let name = asked.first, gathered.asked == 0 { throw .disagrees(path: path(name)) }
        let deciding = try gathered.deciding.map { voice throws(FilterFileError) in
            let file = try filter(voice.filter, of: reading)
            return (file, try file.digest())
        }
        return FilterFolderAnswer(
            gathered: gathered, deciding: deciding, newest: reading.index.newest,
            index: reading.digest)
    }

    private func filter(
        _ name: String, of reading: Reading
    ) throws(FilterFileError) -> FilterFile {
        if let file = reading.opened.withLock({ $0[name] }) { return file }
        let mapped: MappedFile
        do throws(FileReadError) {
            mapped = try folder.map(name, limit: ClubcardFilter.largest)
        } catch {
            throw .file(error.naming(path(name), for: name))
        }
        let file = try FilterFile(mapped, path: path(name), ownership: ownership)
        // Of two threads that open a filter, one keeps it.
        return reading.opened.withLock { opened in
            if let other = opened[name] { return other }
            opened[name] = file
            return file
        }
    }

    private func readAgain() throws(FilterFileError) -> Reading {
        let reading = try FilterFolder.read(folder, ownership)
        current.withLock { $0 = reading }
        return reading
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private static func read(
        _ folder: RootFolder, _ ownership: FilterOwnership
    ) throws(FilterFileError) -> Reading {
        let path = "\(folder.path)/\(CacheIndex.fileName)"
        if ownership == .own, let writer = folder.stranger {
            throw .foreign(path: folder.path, writer: writer)
        }
        // Before the file is opened: a file that is replaced meanwhile is read again.
        let identity = folder.identity(of: CacheIndex.fileName)
        let file: MappedFile
        do throws(FileReadError) {
            file = try folder.map(CacheIndex.fileName, limit: CacheIndex.largest)
        } catch {
            throw .file(error.naming(path, for: CacheIndex.fileName))
        }
        if ownership == .own, let writer = file.stranger {
            throw .foreign(path: path, writer: writer)
        }
        do throws(FilterDamage) {
            let index = try file.withOctets { (bytes) throws(FilterDamage) in
                try CacheIndex(reading: bytes)
            }
            let digest = file.withOctets { EngineLoader.digests.digest(.sha256, of: $0) }
            return Reading(index, identity, digest)
        } catch {
            throw .damaged(path: path, error)
        }
    }
}

extension FileReadError {
    /// The error with the whole path in the place of a name in the folder.
    fileprivate func naming(_ path: String, for name: String) -> FileReadError {
        FileReadError(code: code, context: context.replacing("`\(name)`", with: "`\(path)`"))
    }
}
