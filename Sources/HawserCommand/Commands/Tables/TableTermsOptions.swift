import ArgumentParser
import PolicyCompiler
import TrustEngine

/// The options for the terms of a table: when it was issued, and until when it may be used.
struct TableTermsOptions: ParsableArguments {
    @Option(
        help: "The instant at which the table is issued, as 2026-11-21T12:00:00Z; by default now.")
    var issued: String?

    @Option(
        help: """
            How long the table may be used from its issue, as 30d or 12h, or a last day or second; by \
            default without an end. After it, a service rejects everything.
            """)
    var expires: String?

    @Flag(
        name: .customLong("without-dates"),
        help: """
            State neither, in an envelope of version 1, for services whose hawser reads no other.
            """)
    var isWithoutDates = false

    /// The first option given; nil if there is none.
    var firstGiven: String? {
        if issued != nil { return "--issued" }
        if expires != nil { return "--expires" }
        return isWithoutDates ? "--without-dates" : nil
    }

    /// The terms that the options state; nil for an envelope without terms.
    func terms() throws(CommandFailure) -> TableTerms? {
        if isWithoutDates {
            guard issued == nil, expires == nil else {
                throw .couldNotAsk("`--without-dates` states no date; leave the other option out")
            }
            return nil
        }
        let first: UTCInstant
        if let issued {
            first = try TableTermsOptions.date(issued, "--issued").firstSecond
        } else {
            first = StandardStreams.now()
        }
        let last = try expires.map { text throws(CommandFailure) in
            try TableTermsOptions.end(text, from: first)
        }
        guard let terms = TableTerms(issued: first, expires: last) else {
            throw .couldNotAsk(
                "`--expires` is \(last.map(\.description) ?? "none"), and the table is issued at "
                    + "\(first): it must end later, and both in the years 1970 to 9999")
        }
        return terms
    }

    /// The end that a text states: a time from the issue, or a date.
    private static func end(
        _ text: String, from issued: UTCInstant
    ) throws(CommandFailure) -> UTCInstant {
        guard !text.utf8.contains(UInt8(ascii: "-")) else {
            return try date(text, "--expires").lastSecond
        }
        do throws(ScalarProblem) {
            return issued.advanced(
                bySeconds: try DurationScanner.scan(
                    text, for: "--expires", in: 1...DurationScanner.longest))
        } catch {
            throw .couldNotAsk("`--expires`: \(error.message)")
        }
    }

    private static func date(
        _ text: String, _ option: String
    ) throws(CommandFailure) -> ScannedDate {
        do throws(ScalarProblem) {
            return try DateScanner.scan(text)
        } catch {
            throw .couldNotAsk("`\(option)`: \(error.message)")
        }
    }
}
