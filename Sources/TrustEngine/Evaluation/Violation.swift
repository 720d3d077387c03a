/// A reason against a request or a path: what was wanted, what was found. Sentences are made
/// elsewhere.
///
/// `grammar/violations.yaml` lists every violation with its id and fields. Later versions add
/// violations, and fields to known ones; none changes its id or the meaning of a field. So code
/// that acts on violations compares ids, and treats an id that it does not know as a reject like
/// any other.
public struct Violation: Hashable, Sendable {
    /// The reason as the engine knows it: a closed list, for code that must not forget one.
    package let reason: ViolationReason

    /// A violation.
    package init(_ reason: ViolationReason) { self.reason = reason }

    /// A violation of the path validator.
    package init(_ violation: PathViolation) { self.init(.path(violation)) }

    /// The stable id, as in traces and documentation: `expired`.
    public var id: String { reason.id }

    /// The check that it belongs to.
    public var check: Check { reason.kind.declaration.check }

    /// Whose fault it most often is: a hint for whom to tell. Where somebody answers in the
    /// server's place, any violation can come of it.
    public var side: Side { reason.kind.declaration.side }

    /// The certificate of the path that it is about; nil where it is about the request or the path
    /// as a whole.
    public var certificate: CertificateReference? { self["certificate"]?.certificate }

    /// Both sides of the comparison: every field, in the order and by the names of
    /// `grammar/trace.schema.json`.
    public var fields: [Field] { reason.fields }

    /// The field of a name, or nil: `violation["notAfter"]?.instant`.
    public subscript(name: String) -> Field? { fields.first { $0.name == name } }

    /// Whose fault a reject is.
    public enum Side: String, Hashable, Sendable {
        /// Whoever runs the server, or issued its certificates.
        case server
        /// Whoever owns the policy.
        case policy
        /// The machine that judges, or the program on it.
        case thisMachine = "this-machine"
        /// The network: what was to be had there was not.
        case network
        /// Something may be answering in the server's place.
        case inBetween = "in-between"
    }

    /// One field. A field has a value of one kind; what asks for another kind gets nil.
    public struct Field: Hashable, Sendable {
        /// The name in `grammar/trace.schema.json`.
        public let name: String
        /// The value.
        package let value: ViolationValue

        /// A field.
        package init(_ name: String, _ value: ViolationValue) {
            self.name = name
            self.value = value
        }
    }
}

/// The value of a field of a violation.
package enum ViolationValue: Hashable, Sendable {
    case text(String)
    case texts([String])
    case integer(Int64)
    /// Nil where a window has no such end.
    case instant(UTCInstant?)
    case digest(Digest)
    case certificate(CertificateReference)
    case demand(StandardDemand)
    case answer(RevocationAnswer)
    case answers([RevocationAnswer])
    case criteria([TransparencyCriterion])
    case timestamps([TimestampFinding])
    case wantedPins([PinMismatch.Wanted])
    case foundKeys([PinMismatch.Found])
}

extension Violation.Field {
    /// A text, a digest as traces write it, or the id of a standard's demand. Text of certificates
    /// and hosts is raw.
    public var text: String? {
        switch value {
        case .text(let text): return text
        case .digest(let digest): return digest.text
        case .demand(let demand): return demand.rawValue
        case .texts, .integer, .instant, .certificate, .answer, .answers, .criteria, .timestamps,
            .wantedPins, .foundKeys:
            return nil
        }
    }

    /// A list of texts.
    public var list: [String]? {
        if case .texts(let texts) = value { return texts }
        return nil
    }

    /// A number; the name says its unit, as in `maximumSeconds`.
    public var integer: Int64? {
        switch value {
        case .integer(let number): return number
        case .text, .texts, .instant, .digest, .certificate, .demand, .answer, .answers, .criteria,
            .timestamps, .wantedPins, .foundKeys:
            return nil
        }
    }

    /// An instant; nil also where a window has no such end.
    public var instant: UTCInstant? {
        switch value {
        case .instant(let instant): return instant
        case .text, .texts, .integer, .digest, .certificate, .demand, .answer, .answers, .criteria,
            .timestamps, .wantedPins, .foundKeys:
            return nil
        }
    }

    /// A certificate of the path.
    public var certificate: CertificateReference? {
        if case .certificate(let certificate) = value { return certificate }
        return nil
    }

    /// What pieces of revocation evidence say of a certificate.
    public var answers: [RevocationAnswer]? {
        if case .answer(let answer) = value { return [answer] }
        if case .answers(let answers) = value { return answers }
        return nil
    }

    /// The ways to meet a demand for transparency.
    public var criteria: [TransparencyCriterion]? {
        if case .criteria(let criteria) = value { return criteria }
        return nil
    }

    /// What signed certificate timestamps are worth.
    public var timestamps: [TimestampFinding]? {
        if case .timestamps(let timestamps) = value { return timestamps }
        return nil
    }

    /// The pins that were wanted.
    public var wantedPins: [PinMismatch.Wanted]? {
        if case .wantedPins(let pins) = value { return pins }
        return nil
    }

    /// The keys that were found where pins were wanted.
    public var foundKeys: [PinMismatch.Found]? {
        if case .foundKeys(let keys) = value { return keys }
        return nil
    }
}
