public import TrustEngine

extension DER {
    /// A Time as RFC 5280 section 4.1.2.5 asks: UTCTime from 1950 through 2049, else
    /// GeneralizedTime.
    public static func time(_ instant: UTCInstant) -> [UInt8] {
        let year = Int(instant.description.prefix { $0 != "-" }) ?? 0
        return (1950...2049).contains(year) ? utcTime(instant) : generalizedTime(instant)
    }

    /// A UTCTime, whichever the year.
    public static func utcTime(_ instant: UTCInstant) -> [UInt8] {
        element(0x17, Array(digits(instant).dropFirst(2)) + [UInt8(ascii: "Z")])
    }

    /// A GeneralizedTime, whichever the year.
    public static func generalizedTime(_ instant: UTCInstant) -> [UInt8] {
        element(0x18, digits(instant) + [UInt8(ascii: "Z")])
    }

    /// `YYYYMMDDhhmmss`.
    private static func digits(_ instant: UTCInstant) -> [UInt8] {
        instant.description.utf8.filter { (0x30...0x39).contains($0) }
    }
}

extension UTCInstant {
    /// An instant written in a test, as RFC 3339 or a bare date.
    public static func at(_ text: String) -> UTCInstant {
        guard let instant = UTCInstant(text: text) else {
            preconditionFailure("not a time: \(text)")
        }
        return instant
    }
}
