package import CRLite
package import TrustEngine

/// Why a file with a filter, or a directory of filters, cannot be asked.
package enum FilterFileError: Error, Hashable, Sendable {
    /// The file cannot be read.
    case file(FileReadError)
    /// The file is not a filter or an index, or is damaged.
    case damaged(path: String, FilterDamage)
    /// Another user may write the file or the directory.
    case foreign(path: String, writer: String)
    /// The index says that a filter covers a certificate, and the filter does not.
    case disagrees(path: String)

    /// Whether a file or the directory is not there.
    package var isMissing: Bool {
        if case .file(let error) = self { return error.code == .notFound }
        return false
    }

    /// The reason's stable name.
    package var code: String {
        switch self {
        case .file(let error): return error.code.rawValue
        case .damaged(_, let damage): return damage.code.rawValue
        case .foreign: return "foreign"
        case .disagrees: return "disagrees"
        }
    }

    /// What was found: lower case, no full stop. The text names the path.
    package var context: String {
        switch self {
        case .file(let error): return error.context
        case .damaged(let path, let damage): return "`\(path)`: \(damage.context)"
        case .foreign(let path, let writer):
            return "\(writer) may write `\(path)`, and so decide which certificates are revoked: "
                + "it must belong to root or to this process's user, with no right to write for "
                + "others"
        case .disagrees(let path):
            return "the index says that `\(path)` covers the certificate, and the filter does not; "
                + "make the index again"
        }
    }
}

/// Who may write the files that are asked.
package enum FilterOwnership: Hashable, Sendable {
    /// Only root and this process's user. Filters are not signed, so whoever can write one decides
    /// which certificates are revoked.
    case own
    /// Anybody: for a look at a file, by which nothing is decided.
    case any
}

/// An opened file with a filter. The file is mapped and not copied.
package final class FilterFile: Sendable {
    /// The path, for messages.
    package let path: String
    /// The filter.
    package let filter: ClubcardFilter
    private let file: MappedFile
    private let known = Monitor<Digest?>(nil)

    /// Opens a file that a person named.
    package convenience init(
        path: String, ownership: FilterOwnership
    ) throws(FilterFileError) {
        let file: MappedFile
        do throws(FileReadError) {
            file = try MappedFile(path: path, limit: ClubcardFilter.largest)
        } catch {
            throw .file(error)
        }
        try self.init(file, path: path, ownership: ownership)
    }

    /// Opens a mapped file.
    init(
        _ file: MappedFile, path: String, ownership: FilterOwnership
    ) throws(FilterFileError) {
        if ownership == .own, let writer = file.stranger {
            throw .foreign(path: path, writer: writer)
        }
        do throws(FilterDamage) {
            filter = try file.withOctets { (bytes) throws(FilterDamage) in
                try ClubcardFilter(reading: bytes)
            }
        } catch {
            throw .damaged(path: path, error)
        }
        self.path = path
        self.file = file
    }

    /// SHA-256 of the file. It is computed when it is first asked for, which reads the whole file,
    /// and kept.
    ///
    /// - Throws: if the file was written or cut since it was opened.
    package func digest() throws(FilterFileError) -> Digest {
        try expectUnchanged()
        let digest = known.withLock { known in
            if let known { return known }
            let digest = file.withOctets { EngineLoader.digests.digest(.sha256, of: $0) }
            known = digest
            return digest
        }
        // A file that is written meanwhile has a digest of no filter.
        try expectUnchanged()
        return digest
    }

    /// SHA-256 of the SubjectPublicKeyInfos of all issuers of whose certificates the filter knows,
    /// ascending.
    ///
    /// - Throws: if the file was written or cut since it was opened.
    package func issuers() throws(FilterFileError) -> [Digest256] {
        try expectUnchanged()
        return file.withOctets { filter.issuers(in: $0) }
    }

    private func expectUnchanged() throws(FilterFileError) {
        do throws(FileReadError) {
            try file.expectUnchanged()
        } catch {
            throw .file(error)
        }
    }

    /// Answers a question.
    package func answer(_ question: FilterQuestion) throws(FilterFileError) -> FilterAnswer {
        try expectUnchanged()
        do throws(FilterDamage) {
            return try file.withOctets { (bytes) throws(FilterDamage) in
                try filter.answer(question, in: bytes)
            }
        } catch {
            throw .damaged(path: path, error)
        }
    }
}
