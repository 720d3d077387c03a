/// A reason against a request or a path. The fields are both sides of the comparison: the demanded
/// value and the value found. The module `Rendering` writes the sentences.
///
/// `grammar/violations.yaml` lists every violation with its id and fields. Later versions can add
/// violations, and can add fields to a violation. No later version changes an id or the meaning of
/// a field. So code that acts on violations compares ids. It treats a violation with an unknown id
/// as a reject like any other.
public struct Violation: Hashable, Sendable {
    /// The parts of the reason.
    private enum Content: Sendable {
        case reason(ViolationReason)
        /// `revocation-undetermined`. Accepts report it of every certificate where a rule lets an
        /// unknown status pass, so it is kept without an allocation of its own.
        case undetermined(
            CertificateReference, cause: RevocationCause, answers: [RevocationAnswer])
    }

    private let content: Content

    /// The violation as a closed enum. A switch over it cannot forget a violation.
    package var reason: ViolationReason {
        switch content {
        case .reason(let reason): return reason
        case .undetermined(let certificate, let cause, let answers):
            return .revocationUndetermined(certificate, cause: cause, answers: answers)
        }
    }

    /// The kind of the reason. Nothing is allocated.
    package var kind: ViolationKind {
        switch content {
        case .reason(let reason): return reason.kind
        case .undetermined: return .revocationUndetermined
        }
    }

    /// Makes a violation.
    package init(_ reason: ViolationReason) { content = .reason(reason) }

    /// Makes the violation that a revocation status is not known. Nothing is allocated.
    init(
        undetermined certificate: CertificateReference, cause: RevocationCause,
        answers: [RevocationAnswer]
    ) {
        content = .undetermined(certificate, cause: cause, answers: answers)
    }

    /// Compares the reasons.
    public static func == (left: Violation, right: Violation) -> Bool {
        left.reason == right.reason
    }

    /// Hashes the reason.
    public func hash(into hasher: inout Hasher) { hasher.combine(reason) }

    /// Makes a violation that the path validator raised.
    package init(_ violation: PathViolation) { self.init(.path(violation)) }

    /// The stable id, as in traces and documentation: `expired`.
    public var id: String { reason.id }

    /// The check that the violation belongs to.
    public var check: Check { kind.declaration.check }

    /// The side that is most often at fault, as a hint whom to tell. When somebody else answers in
    /// the server's place, any violation is possible, whatever its side.
    public var side: Side { kind.declaration.side }

    /// The certificate of the path that the violation is about; nil when the violation is about the
    /// request or the whole path.
    public var certificate: CertificateReference? { self["certificate"]?.certificate }

    /// Every field, with the names and in the order of `grammar/trace.schema.json`.
    public var fields: [Field] { reason.fields }

    /// The field with a name; nil when the violation has no such field. For example
    /// `violation["notAfter"]?.instant`.
    public subscript(name: String) -> Field? { fields.first { $0.name == name } }

    /// The side that is at fault for a reject.
    public enum Side: String, Hashable, Sendable {
        /// The operator of the server, or the issuer of its certificates.
        case server
        /// The owner of the policy.
        case policy
        /// The machine that evaluates the request, or the program on this machine.
        case thisMachine = "this-machine"
        /// The network: evidence could not be fetched.
        case network
        /// Somebody else may be answering in the server's place.
        case inBetween = "in-between"
    }

    /// One field of a violation. The field's value has one kind. A property that reads another kind
    /// is nil.
    public struct Field: Hashable, Sendable {
        /// The name in `grammar/trace.schema.json`.
        public let name: String
        /// The value.
        package let value: ViolationValue

        /// Makes a field.
        package init(_ name: String, _ value: ViolationValue) {
            self.name = name
            self.value = value
        }
    }
}

/// The value of a field of a violation.
package enum ViolationValue: Hashable, Sendable {
    case text(String)
    /// Nil when there is nothing to name.
    case optionalText(String?)
    case texts([String])
    case integer(Int64)
    /// Nil when the field is the end of a window that is open at this end.
    case instant(UTCInstant?)
    case digest(Digest)
    case certificate(CertificateReference)
    /// Nil when no certificate is meant.
    case optionalCertificate(CertificateReference?)
    case demand(StandardDemand)
    case answer(RevocationAnswer)
    case answers([RevocationAnswer])
    case criteria([TransparencyCriterion])
    case timestamps([TimestampFinding])
    case wantedPins([PinMismatch.Wanted])
    case foundKeys([PinMismatch.Found])
}

extension Violation.Field {
    /// The value of a field that is a text, a digest or a demand of a standard. A digest is written
    /// as in traces; a demand is given by its id. Text from certificates and hosts is raw.
    public var text: String? {
        switch value {
        case .text(let text): return text
        case .optionalText(let text): return text
        case .digest(let digest): return digest.text
        case .demand(let demand): return demand.rawValue
        case .texts, .integer, .instant, .certificate, .optionalCertificate, .answer, .answers,
            .criteria, .timestamps, .wantedPins, .foundKeys:
            return nil
        }
    }

    /// The value of a field that is a list of texts.
    public var list: [String]? {
        if case .texts(let texts) = value { return texts }
        return nil
    }

    /// The value of a field that is a number. The field's name says the unit: `maximumSeconds`.
    public var integer: Int64? {
        switch value {
        case .integer(let number): return number
        case .text, .optionalText, .texts, .instant, .digest, .certificate, .optionalCertificate,
            .demand, .answer, .answers, .criteria, .timestamps, .wantedPins, .foundKeys:
            return nil
        }
    }

    /// The value of a field that is an instant. It is also nil when the field is the end of a
    /// window that is open at this end.
    public var instant: UTCInstant? {
        switch value {
        case .instant(let instant): return instant
        case .text, .optionalText, .texts, .integer, .digest, .certificate, .optionalCertificate,
            .demand, .answer, .answers, .criteria, .timestamps, .wantedPins, .foundKeys:
            return nil
        }
    }

    /// The value of a field that holds a certificate of the path; nil for other fields, and where
    /// the field names no certificate.
    public var certificate: CertificateReference? {
        if case .certificate(let certificate) = value { return certificate }
        if case .optionalCertificate(let certificate) = value { return certificate }
        return nil
    }

    /// The value of a field that is one answer, or a list of answers, of revocation evidence about
    /// a certificate.
    public var answers: [RevocationAnswer]? {
        if case .answer(let answer) = value { return [answer] }
        if case .answers(let answers) = value { return answers }
        return nil
    }

    /// The value of a field that is a list of criteria. A path meets a demand for transparency by
    /// any one of the criteria.
    public var criteria: [TransparencyCriterion]? {
        if case .criteria(let criteria) = value { return criteria }
        return nil
    }

    /// The value of a field that is a list of signed certificate timestamps with their standings.
    public var timestamps: [TimestampFinding]? {
        if case .timestamps(let timestamps) = value { return timestamps }
        return nil
    }

    /// The value of a field that is the list of pins of a pin set.
    public var wantedPins: [PinMismatch.Wanted]? {
        if case .wantedPins(let pins) = value { return pins }
        return nil
    }

    /// The value of a field that is the list of keys that were compared with the pins.
    public var foundKeys: [PinMismatch.Found]? {
        if case .foundKeys(let keys) = value { return keys }
        return nil
    }
}
