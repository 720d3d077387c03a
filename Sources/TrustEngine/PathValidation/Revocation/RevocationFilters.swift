// CRLite filters as the engine sees them: a question about one certificate, and the reply of all
// filters together. The engine reads no file; the program implements the protocol.

/// CRLite filters that a program hands over with a request (c2sp.org/upki-revocation).
///
/// An evaluation asks at most one question for each key that may have issued the end entity, and
/// only on a path whose signatures verify up to an anchor. The provider answers without a network
/// and without waiting. Threads may ask at the same time.
public protocol RevocationFilters: AnyObject, Sendable {
    /// Asks every filter that covers the certificate. One filter that says *revoked* decides.
    func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply

    /// Reads the newest filters, so that no evaluation waits for that, and returns when they
    /// answer. Returns why the filters cannot be asked; nil when they can. A `PolicyStore` calls
    /// this when it is made, when it looks at its file, and for its state.
    func prepare() -> FilterFault?

    /// SHA-256 of the index of the filters, or of other octets that change with the filters; nil
    /// where nothing states it. A long run of `hawser audit` compares it when it continues.
    var digest: Digest? { get }
}

extension RevocationFilters {
    /// Filters that need no preparation.
    public func prepare() -> FilterFault? { nil }

    /// Nil.
    public var digest: Digest? { nil }
}

/// The filters of a request. Two values are equal if they are the same object.
public struct SuppliedFilters: Hashable, Sendable {
    /// The filters.
    public let filters: any RevocationFilters

    /// Makes the value from the program's filters.
    public init(_ filters: any RevocationFilters) { self.filters = filters }

    /// Compares the objects.
    public static func == (left: SuppliedFilters, right: SuppliedFilters) -> Bool {
        left.filters === right.filters
    }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(Swift.ObjectIdentifier(filters)) }
}

/// A time at which a log promised to include a certificate (RFC 6962 section 3.2).
public struct LoggedTime: Hashable, Sendable, BitwiseCopyable {
    /// SHA-256 of the log's key.
    public let log: Digest
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: UInt64

    /// Makes a time from its values.
    public init(log: Digest, milliseconds: UInt64) {
        self.log = log
        self.milliseconds = milliseconds
    }

    /// The instant in whole seconds. A fraction of a second is dropped.
    public var instant: UTCInstant { UTCInstant(milliseconds: milliseconds) }
}

/// A certificate that filters are asked about.
public struct RevocationFilterQuestion: Hashable, Sendable {
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    public let issuerKey: Digest
    /// The contents of the serial number's INTEGER. A leading `00` is a part of it.
    public let serial: [UInt8]
    /// The timestamps that count: embedded timestamps, which the issuer's signature covers, and
    /// timestamps of TLS and OCSP whose signatures verify. A certificate without timestamps is not
    /// covered.
    public let timestamps: [LoggedTime]

    /// Makes a question from its values.
    package init(issuerKey: Digest, serial: [UInt8], timestamps: [LoggedTime]) {
        self.issuerKey = issuerKey
        self.serial = serial
        self.timestamps = timestamps
    }
}

/// Why filters cannot be asked.
public struct FilterFault: Hashable, Sendable {
    /// The stable name of the reason, such as `truncated`.
    public let code: String
    /// Details, lower case, no full stop. Raw text: it may contain a path.
    public let context: String

    /// Makes a fault from its values.
    public init(code: String, context: String) {
        self.code = code
        self.context = context
    }
}

/// The reply of all filters together.
public struct RevocationFilterReply: Hashable, Sendable {
    /// What the filters say.
    public enum Status: Hashable, Sendable {
        /// At least one covering filter has the certificate as a revoked one.
        case revoked
        /// At least one covering filter knows the issuer, and none says *revoked*.
        case good
        /// Every covering filter knows nothing of the issuer.
        case notEnrolled
        /// No filter covers a timestamp of the certificate.
        case notCovered
        /// A filter or the index was refused. No filter that could be read says *revoked*.
        case refused(FilterFault)
        /// The filters are not there.
        case missing(FilterFault)
    }

    /// The filter that decides: of the filters with the reply's status the newest one.
    public struct Deciding: Hashable, Sendable {
        /// The name of its file. Raw text.
        public let file: String
        /// SHA-256 of the file.
        public let digest: Digest
        /// The newest instant that the filter covers for any log.
        public let newest: UTCInstant
        /// The instant at which the filter was built, if something beside the filter states it.
        public let built: UTCInstant?
        /// The timestamp of the question that the filter covers.
        public let timestamp: LoggedTime
        /// The first and the last instant that the filter covers of the timestamp's log.
        public let covered: ClosedRange<UTCInstant>

        /// Makes the value from its parts.
        public init(
            file: String, digest: Digest, newest: UTCInstant, built: UTCInstant? = nil,
            timestamp: LoggedTime, covered: ClosedRange<UTCInstant>
        ) {
            self.file = file
            self.digest = digest
            self.newest = newest
            self.built = built
            self.timestamp = timestamp
            self.covered = covered
        }
    }

    /// What the filters say.
    public let status: Status
    /// The filter that decides; nil if no filter covers the certificate.
    public let deciding: Deciding?
    /// The number of filters that cover the certificate. All were asked.
    public let asked: Int
    /// The newest instant that any filter covers; nil if there is none.
    public let newest: UTCInstant?
    /// SHA-256 of the index of the filters; nil if no index can be read.
    public let index: Digest?
    /// The words of filters that were read. The engine charges them to the request's budget.
    public let work: Int

    /// Makes a reply from its values. A reply of a filter without `deciding` counts as *refused*.
    public init(
        status: Status, deciding: Deciding?, asked: Int, newest: UTCInstant?, index: Digest?,
        work: Int
    ) {
        self.status = status
        self.deciding = deciding
        self.asked = asked
        self.newest = newest
        self.index = index
        self.work = work
    }
}

/// Where the replies about an end entity come from: replies that were recorded before, then the
/// filters themselves.
package struct FilterSource: Sendable {
    /// The recorded replies.
    package let recorded: [RevocationFilterQuestion: RevocationFilterReply]
    /// The filters for all other questions; nil where there are none.
    package let filters: (any RevocationFilters)?

    /// Makes a source from its values.
    package init(
        recorded: [RevocationFilterQuestion: RevocationFilterReply],
        filters: (any RevocationFilters)?
    ) {
        self.recorded = recorded
        self.filters = filters
    }

    /// The reply. Without filters, a question that was not recorded is answered with a fault.
    package func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply {
        if let reply = recorded[question] { return reply }
        return filters?.reply(to: question)
            ?? RevocationFilterReply(
                status: .missing(
                    FilterFault(
                        code: "not-recorded",
                        context: "the recorded replies are about other certificates, or about "
                            + "other timestamps of this one")), deciding: nil, asked: 0,
                newest: nil, index: nil, work: 0)
    }
}

/// How filters were asked about a certificate, as an answer shows it.
public struct AskedFilters: Hashable, Sendable {
    /// The timestamp by which a filter covers the certificate.
    public struct Cover: Hashable, Sendable {
        /// SHA-256 of the log's key.
        public let log: Digest
        /// The log's name in the rule's log list, raw text; nil where the list does not have it.
        public let logName: String?
        /// The instant of the timestamp.
        public let time: UTCInstant
        /// The first instant that the filter covers of the log.
        public let from: UTCInstant
        /// The last instant that the filter covers of the log.
        public let until: UTCInstant

        /// Makes a cover from its values.
        package init(
            log: Digest, logName: String?, time: UTCInstant, from: UTCInstant, until: UTCInstant
        ) {
            self.log = log
            self.logName = logName
            self.time = time
            self.from = from
            self.until = until
        }
    }

    /// How old a certificate is that no filter covers.
    public struct Youth: Hashable, Sendable {
        /// notBefore, or the earliest valid timestamp where that is earlier.
        public let since: UTCInstant
        /// The earliest valid timestamp.
        public let earliest: UTCInstant
        /// Seconds from `since` to the validation time; 0 where it lies ahead.
        public let age: Int64
        /// The last second at which `revocation.crlite.grace` lets the certificate pass; nil where
        /// the rule has no grace.
        public let passesUntil: UTCInstant?
        /// Whether the certificate passes at the validation time. It does not where the filters are
        /// too old.
        public let passes: Bool

        /// Makes the value from its parts.
        package init(
            since: UTCInstant, earliest: UTCInstant, age: Int64, passesUntil: UTCInstant?,
            passes: Bool
        ) {
            self.since = since
            self.earliest = earliest
            self.age = age
            self.passesUntil = passesUntil
            self.passes = passes
        }
    }

    /// The name of the file that decides, raw text; nil if no filter covers the certificate.
    public let file: String?
    /// The number of filters that cover the certificate. All were asked.
    public let asked: Int
    /// Why the deciding filter covers the certificate.
    public let cover: Cover?
    /// The newest instant that any filter covers; nil if there is none.
    public let newest: UTCInstant?
    /// The number of the certificate's timestamps that count.
    public let timestamps: Int
    /// How old the certificate is, if no filter covers it; nil if it has no timestamp that counts.
    public let youth: Youth?

    /// Makes the value from its parts.
    package init(
        file: String?, asked: Int, cover: Cover?, newest: UTCInstant?, timestamps: Int,
        youth: Youth?
    ) {
        self.file = file
        self.asked = asked
        self.cover = cover
        self.newest = newest
        self.timestamps = timestamps
        self.youth = youth
    }
}
