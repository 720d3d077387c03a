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
/// index. When a file is not there, the folder is opened anew, once. A folder that is not there yet
/// is looked for at each question.
public final class CRLiteFolder: RevocationFilters {
    /// The folder's path.
    public let path: String
    private let ownership: FilterOwnership
    private let opened = Monitor<FilterFolder?>(nil)

    /// Makes the value. The folder is opened for the first question.
    public convenience init(_ path: String) { self.init(path, ownership: .own) }

    /// Makes the value, with the users that may write the folder.
    package init(_ path: String, ownership: FilterOwnership) {
        self.path = path
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
            let fault = FilterFault(code: error.code, context: error.context)
            return .fault(error.isMissing ? .missing(fault) : .refused(fault))
        }
    }

    private func answer(_ question: FilterQuestion) throws(FilterFileError) -> FilterFolderAnswer {
        let folder = try current()
        do throws(FilterFileError) {
            return try folder.answer(question)
        } catch {
            guard error.isMissing else { throw error }
            return try openAnew().answer(question)
        }
    }

    private func current() throws(FilterFileError) -> FilterFolder {
        guard let folder = opened.withLock({ $0 }), folder.isInPlace else { return try openAnew() }
        return folder
    }

    private func openAnew() throws(FilterFileError) -> FilterFolder {
        let folder = try FilterFolder(path: path, ownership: ownership)
        opened.withLock { $0 = folder }
        return folder
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
