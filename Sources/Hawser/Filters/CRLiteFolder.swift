import CRLite
public import TrustEngine

/// A folder of CRLite filters that engines ask: an index and the filters that it names, as
/// c2sp.org/upki-revocation lays them out and `upki fetch` fills them.
///
/// Filters are not signed. So the folder and its files must belong to root or to this process's
/// user, and nobody else may write them; otherwise the filters are refused. Files are mapped, so
/// that all processes of a machine share their memory.
///
/// `upki fetch` may fill the folder at any time. A question is answered by the filters of one
/// index. A folder that is not there yet is looked for at each question.
///
/// A `PolicyStore` prepares its folder: it opens all filters and computes their digests when it is
/// made. From then on a new index is read by a thread of this object, and until its filters are
/// open, some milliseconds, the filters of the former index answer. Without preparation, and with
/// `Renewal.atQuestion`, the first question reads the index and the filters that it needs. When a
/// file is not there, the folder is opened anew, once.
public final class CRLiteFolder: RevocationFilters {
    /// Who reads an index that takes the place of another.
    public enum Renewal: Hashable, Sendable {
        /// A thread that is started for it. The filters of the former index answer meanwhile.
        case inBackground
        /// The first question after the change, which waits for it. For processes that must have no
        /// thread of ours.
        case atQuestion
    }

    /// The folder's path.
    public let path: String
    private let ownership: FilterOwnership
    private let renewal: Renewal
    private let held = Monitor(Held())

    /// The folder as it was opened last.
    private struct Held: Sendable {
        var folder: FilterFolder?
        /// Whether all filters of the folder are open, with their digests.
        var isPrepared = false
        /// Whether a thread opens the folder anew.
        var isRenewing = false

        /// Whether the folder can answer without opening a file, and nothing newer is there.
        var isReady: Bool {
            guard isPrepared, let folder else { return false }
            return folder.isNewest
        }
    }

    /// Makes the value. The folder is opened by `prepare`, or for the first question.
    public convenience init(_ path: String, renewal: Renewal = .inBackground) {
        self.init(path, renewal: renewal, ownership: .own)
    }

    /// Makes the value, with the users that may write the folder.
    package init(
        _ path: String, renewal: Renewal = .inBackground, ownership: FilterOwnership
    ) {
        self.path = path
        self.renewal = renewal
        self.ownership = ownership
    }

    /// Whether a file of this name is an index of filters, or a filter by the endings that people
    /// give them.
    package static func isOfFilters(_ name: String) -> Bool {
        name == CacheIndex.fileName || endings.contains(where: name.hasSuffix)
    }

    private static let endings = [".filter", ".clubcard"]

    /// SHA-256 of the index that is in use; nil if the folder cannot be asked.
    public var digest: Digest? {
        do throws(FilterFileError) {
            return try current().indexDigest
        } catch {
            return nil
        }
    }

    /// Asks every filter that covers the certificate.
    public func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply {
        guard let question = FilterQuestion(question) else {
            return .fault(.refused(FilterFault(code: "digest", context: "a digest is not SHA-256")))
        }
        do throws(FilterFileError) {
            return RevocationFilterReply(try answer(question))
        } catch {
            let fault = FilterFault(error)
            return .fault(error.isMissing ? .missing(fault) : .refused(fault))
        }
    }

    private func answer(_ question: FilterQuestion) throws(FilterFileError) -> FilterFolderAnswer {
        let now = held.withLock { $0 }
        if let folder = now.folder, now.isPrepared, now.isReady || beginRenewal() {
            do throws(FilterFileError) {
                return try folder.answerByIndexInUse(question)
            } catch {
                guard error.isMissing else { throw error }
            }
        }
        let folder = try current()
        do throws(FilterFileError) {
            return try folder.answer(question)
        } catch {
            guard error.isMissing else { throw error }
            return try openAnew().answer(question)
        }
    }

    private func current() throws(FilterFileError) -> FilterFolder {
        guard let folder = held.withLock({ $0.folder }), folder.isInPlace else {
            return try openAnew()
        }
        return folder
    }

    private func openAnew() throws(FilterFileError) -> FilterFolder {
        let folder = try FilterFolder(path: path, ownership: ownership)
        held.withLock { held in
            held.folder = folder
            held.isPrepared = false
        }
        return folder
    }

    // MARK: Preparation

    /// Reads the newest index, opens all filters and computes their digests. Waits where another
    /// thread does so. Returns at once when nothing has changed.
    public func prepare() -> FilterFault? {
        let isToRenew = held.wait { held -> Bool? in
            if held.isRenewing { return nil }
            held.isRenewing = !held.isReady
            return held.isRenewing
        }
        return isToRenew ? renew() : nil
    }

    /// Starts a thread that reads the new index, unless one runs. Returns false where no thread may
    /// or can run: then the question reads the index.
    private func beginRenewal() -> Bool {
        guard renewal == .inBackground else { return false }
        let isFirst = held.withLock { held in
            defer { held.isRenewing = true }
            return !held.isRenewing
        }
        guard isFirst, !BackgroundThread.start({ _ = self.renew() }) else { return true }
        held.withLock { $0.isRenewing = false }
        return false
    }

    /// Opens the folder anew, with all filters. Where that fails, the next questions find the
    /// failure themselves. INVARIANT (`isRenewing` was set by the caller).
    private func renew() -> FilterFault? {
        var folder: FilterFolder?
        var problem: FilterFileError?
        // A filter that is not there may mean that another index has taken the place of this one.
        for _ in 0..<2 {
            do throws(FilterFileError) {
                let opened = try FilterFolder(path: path, ownership: ownership)
                folder = opened
                problem = nil
                try opened.openAll()
                break
            } catch {
                problem = error
                guard error.isMissing else { break }
            }
        }
        held.withLock { held in
            // The former filters may still say *revoked* where the new ones cannot be asked.
            if problem == nil || held.folder == nil { held.folder = folder }
            held.isPrepared = problem == nil
            held.isRenewing = false
        }
        return problem.map(FilterFault.init)
    }
}

extension FilterFault {
    fileprivate init(_ error: FilterFileError) {
        self.init(code: error.code, context: error.context)
    }
}

extension FilterQuestion {
    /// The engine's question; nil if a digest of it is not SHA-256.
    fileprivate init?(_ question: RevocationFilterQuestion) {
        guard let issuer = Digest256(question.issuerKey.bytes) else { return nil }
        var times: [LogTime] = []
        for time in question.timestamps {
            guard let log = Digest256(time.log.bytes) else { return nil }
            times.append(LogTime(log: log, milliseconds: time.milliseconds))
        }
        self.init(issuer: issuer, serial: question.serial, timestamps: times) { octets in
            let digest = EngineLoader.digests.digest(.sha256, of: octets.span)
            guard let digest = Digest256(digest.bytes) else {
                preconditionFailure("SHA-256 has 32 octets")
            }
            return digest
        }
    }
}

extension RevocationFilterReply {
    fileprivate static func fault(_ status: Status) -> RevocationFilterReply {
        RevocationFilterReply(
            status: status, deciding: nil, asked: 0, newest: nil, index: nil, work: 0)
    }

    fileprivate init(_ answer: FilterFolderAnswer) {
        let status: Status
        switch answer.gathered.status {
        case .revoked: status = .revoked
        case .good: status = .good
        case .notEnrolled: status = .notEnrolled
        case .notCovered: status = .notCovered
        }
        self.init(
            status: status, deciding: Deciding(answer), asked: answer.gathered.asked,
            newest: answer.newest.map { UTCInstant(milliseconds: $0) }, index: answer.index,
            work: answer.gathered.work)
    }
}

extension RevocationFilterReply.Deciding {
    /// The filter that decides; nil if no filter covers the certificate.
    fileprivate init?(_ answer: FilterFolderAnswer) {
        guard let (file, digest) = answer.deciding, let voice = answer.gathered.deciding,
            let cover = voice.answer.cover, let newest = file.filter.newest,
            let log = Digest(.sha256, bytes: cover.time.log.octets)
        else { return nil }
        self.init(
            file: voice.filter, digest: digest, newest: UTCInstant(milliseconds: newest),
            timestamp: LoggedTime(log: log, milliseconds: cover.time.milliseconds),
            covered: UTCInstant(
                milliseconds: cover.interval.low)...UTCInstant(
                    milliseconds: cover.interval.high))
    }
}
