/// A constraint of an anchor set that the end entity does not meet, with both sides: the constraint
/// and the end entity's value (LANGUAGE section 5). Names are raw text: renderers escape them.
package struct AnchorConstraintFailure: Hashable, Sendable {
    /// The constraint that is not met, and the end entity's value.
    package enum Side: Hashable, Sendable {
        /// A DNS name or IP address that no pattern of `permitted-names` covers wholly.
        case permittedNames(name: String, patterns: [String])
        /// A DNS name or IP address that a pattern of `excluded-names` touches. `pattern` is nil
        /// for a name that is malformed, which counts as excluded.
        case excludedNames(name: String, pattern: String?)
        /// A URI that no pattern of `permitted-uris` matches.
        case permittedURIs(uri: String, patterns: [String])
        /// The earliest valid timestamp lies outside the window, whose ends are inclusive;
        /// `earliest` is nil where no timestamp is valid. `timestamps` are all timestamps that were
        /// judged.
        case sct(
            earliest: UTCInstant?, from: UTCInstant?, until: UTCInstant?,
            timestamps: [TimestampFinding])
        /// The end entity's notBefore lies outside the window, whose ends are inclusive.
        case notBefore(UTCInstant, from: UTCInstant?, until: UTCInstant?)
        /// The log list that timestamps are judged by is older than `maximumAge` seconds.
        case logList(issued: UTCInstant, time: UTCInstant, maximumAge: Int64)
        /// The end entity names none of the wanted purposes. Purposes are given by RFC 5280's names
        /// or as dotted identifiers.
        case keyPurposes(wanted: [String], named: [String])
        /// The end entity's lifetime is too long; both values are in seconds.
        case maximumLifetime(seconds: Int64, maximum: Int64)

        /// The key under `constraints` in a policy.
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

    /// The end entity that does not meet the constraint.
    package let certificate: CertificateReference
    /// Id of the rule's set that the anchor was tried in. The constraint belongs to this set or to
    /// a set that it includes.
    package let set: String
    /// The constraint that is not met, and the end entity's value.
    package let side: Side

    /// Makes a failure from its values.
    package init(certificate: CertificateReference, set: String, side: Side) {
        self.certificate = certificate
        self.set = set
        self.side = side
    }
}

extension AnchorConstraintFailure {
    /// The field `constraint` and the fields that depend on it: the shapes of
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
