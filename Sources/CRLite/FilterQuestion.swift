/// A time at which a log promised to include a certificate (RFC 6962 section 3.2).
package struct LogTime: Hashable, Sendable {
    /// The log's identifier.
    package let log: Digest256
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    package let milliseconds: UInt64

    /// Makes a time.
    package init(log: Digest256, milliseconds: UInt64) {
        self.log = log
        self.milliseconds = milliseconds
    }
}

/// A certificate that filters are asked about.
///
/// A caller must have verified the certificate's signature. It must have verified the signature of
/// each timestamp from TLS or from an OCSP response, too: with invented timestamps, a server would
/// choose the filters that are asked.
package struct FilterQuestion: Sendable {
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    package let issuer: Digest256
    /// The contents of the serial number's INTEGER. A leading `00` is a part of it: with and
    /// without it are two certificates.
    package let serial: [UInt8]
    /// The certificate's timestamps. A certificate without timestamps is not covered.
    package let timestamps: [LogTime]
    /// SHA-256 of the issuer's digest and the serial number.
    let key: Digest256

    /// Makes a question. `sha256` computes the digest of octets and is called once.
    package init(
        issuer: Digest256, serial: [UInt8], timestamps: [LogTime],
        sha256: ([UInt8]) -> Digest256
    ) {
        self.issuer = issuer
        self.serial = serial
        self.timestamps = timestamps
        key = sha256(issuer.octets + serial)
    }
}

/// What one filter, or all filters together, say of a certificate.
package enum FilterStatus: String, Hashable, Sendable, CaseIterable {
    /// The filter has the certificate as a revoked one.
    case revoked
    /// The filter knows the issuer, covers the certificate, and does not have it as a revoked one.
    case good
    /// The filter covers the certificate and knows nothing of its issuer.
    case notEnrolled = "not-enrolled"
    /// The filter covers no timestamp of the certificate.
    case notCovered = "not-covered"
}

/// The time of a log for which a filter was made. Both ends are within it.
package struct LogInterval: Hashable, Sendable {
    /// The log's identifier.
    package let log: Digest256
    /// The first millisecond since 1970-01-01T00:00:00Z.
    package let low: UInt64
    /// The last millisecond. An interval whose end is before its beginning covers nothing.
    package let high: UInt64

    init(log: Digest256, low: UInt64, high: UInt64) {
        self.log = log
        self.low = low
        self.high = high
    }

    /// Whether a time of this log is within the interval.
    func contains(_ milliseconds: UInt64) -> Bool { low <= milliseconds && milliseconds <= high }
}

/// The answer of one filter.
package struct FilterAnswer: Hashable, Sendable {
    /// The first timestamp of the question that the filter covers, with the interval.
    package struct Cover: Hashable, Sendable {
        /// The timestamp.
        package let time: LogTime
        /// The interval that contains it.
        package let interval: LogInterval
    }

    /// What the filter says.
    package let status: FilterStatus
    /// Why the filter may answer; nil only for `notCovered`.
    package let cover: Cover?
    /// The words of columns and the exceptions that were read: the cost of the answer.
    package let work: Int
}
