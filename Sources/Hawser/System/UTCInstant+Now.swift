import CLibC
public import TrustEngine

extension UTCInstant {
    /// The present instant, by the clock of the machine. The engine reads no clock: a program puts
    /// the time into each request.
    public static var now: UTCInstant { UTCInstant(secondsSinceEpoch: Int64(time(nil))) }
}
