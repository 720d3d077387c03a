/// A constraint of an anchor set that the end entity does not meet, both sides (LANGUAGE section
/// 5). Names are raw text: renderers escape it.
package struct AnchorConstraintFailure: Hashable, Sendable {
    /// What is constrained: what the set wants and what the end entity has.
    package enum Side: Hashable, Sendable {
        /// A DNS or IP name that no pattern of `permitted-names` permits wholly.
        case permittedNames(name: String, patterns: [String])
        /// A DNS or IP name that a pattern of `excluded-names` touches; no pattern where the name
        /// is none that could be told apart.
        case excludedNames(name: String, pattern: String?)
        /// A URI that no pattern of `permitted-uris` matches.
        case permittedURIs(uri: String, patterns: [String])
        /// The earliest valid timestamp, outside the window, whose ends are inclusive; nil where
        /// none is valid. With every timestamp that was judged.
        case sct(
            earliest: UTCInstant?, from: UTCInstant?, until: UTCInstant?,
            timestamps: [TimestampFinding])
        /// A notBefore outside the window, whose ends are inclusive.
        case notBefore(UTCInstant, from: UTCInstant?, until: UTCInstant?)
        /// The log list by which timestamps would be judged is too old, seconds.
        case logList(issued: UTCInstant, time: UTCInstant, maximumAge: Int64)
        /// No purpose that is wanted is named. Names as in RFC 5280, or dotted OIDs.
        case keyPurposes(wanted: [String], named: [String])
        /// A lifetime that is too long, seconds.
        case maximumLifetime(seconds: Int64, maximum: Int64)

        /// The key under `constraints`.
        package var key: String {
            switch self {
            case .permittedNames: return "permitted-names"
            case .excludedNames: return "excluded-names"
            case .permittedURIs: return "permitted-uris"
            case .notBefore: return "not-before"
            case .sct, .logList: return "sct"
            case .keyPurposes: return "key-purposes"
            case .maximumLifetime: return "maximum-lifetime"
            }
        }
    }

    /// The end entity.
    package let certificate: CertificateReference
    /// The set of the rule that the anchor was tried in; the constraint is its own, or that of a
    /// set that it includes.
    package let set: String
    /// What is constrained.
    package let side: Side

    /// A failure.
    package init(certificate: CertificateReference, set: String, side: Side) {
        self.certificate = certificate
        self.set = set
        self.side = side
    }
}

extension AnchorConstraintFailure {
    /// The field `constraint` and those that depend on it: the shapes of
    /// `anchor-constraint-not-met` in `grammar/violations.yaml`.
    var shapedFields: [Violation.Field] {
        [.init("constraint", .text(side.key))] + side.fields
    }
}

extension AnchorConstraintFailure.Side {
    fileprivate var fields: [Violation.Field] {
        switch self {
        case .permittedNames(let name, let patterns), .permittedURIs(let name, let patterns):
            return [.init("name", .text(name)), .init("patterns", .texts(patterns))]
        case .excludedNames(let name, let pattern):
            return [
                .init("name", .text(name)), .init("patterns", .texts(pattern.map { [$0] } ?? [])),
            ]
        case .notBefore(let notBefore, let from, let until):
            return [
                .init("notBefore", .instant(notBefore)), .init("from", .instant(from)),
                .init("until", .instant(until)),
            ]
        case .logList(let issued, let time, let maximumAge):
            return [
                .init("logListIssued", .instant(issued)), .init("time", .instant(time)),
                .init("maximumAgeSeconds", .integer(maximumAge)),
            ]
        case .sct(let earliest, let from, let until, let timestamps):
            return [
                .init("earliest", .instant(earliest)), .init("from", .instant(from)),
                .init("until", .instant(until)), .init("timestamps", .timestamps(timestamps)),
            ]
        case .keyPurposes(let wanted, let named):
            return [.init("wanted", .texts(wanted)), .init("allowed", .texts(named))]
        case .maximumLifetime(let seconds, let maximum):
            return [
                .init("seconds", .integer(seconds)), .init("maximumSeconds", .integer(maximum)),
            ]
        }
    }
}
