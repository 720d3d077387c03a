/// The formats with a domain of their own. Few answers have them, and their writers stay with their
/// answers.
package enum DomainFormat: String, Hashable, Sendable, CaseIterable {
    /// Which lines of a policy the cases of a test ask, as trace files of lcov.
    case lcov
    /// A calendar (RFC 5545).
    case ics
    /// Samples for a Prometheus that scrapes a file (OpenMetrics 1.0).
    case openmetrics
    /// One line for each field, to be compared by other programs.
    case flat
    /// One line for each finding, as compilers and editors write them.
    case concise
    /// Sentences without drawings, for screen readers and logs.
    case plain
    /// One JSON object on a line.
    case jsonl
}
