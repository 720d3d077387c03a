import PolicyReading
import TrustEngine

/// The fields of a violation in JSON, by the kind of each field.
struct ViolationFields {
    /// Writes a certificate of the path.
    let certificate: (CertificateReference) -> JSONValue

    func fields(_ violation: Violation) -> JSONMembers {
        JSONMembers(violation.fields.map { ($0.name, value($0.value)) })
    }

    private func value(_ value: ViolationValue) -> JSONValue {
        switch value {
        case .text(let text): return .string(text)
        case .optionalText(let text): return text.map { .string($0) } ?? .null
        case .texts(let texts): return .strings(texts)
        case .integer(let number): return .whole(number)
        case .instant(let instant): return instant.map { .string($0.description) } ?? .null
        case .digest(let digest): return .string(digest.text)
        case .certificate(let reference): return certificate(reference)
        case .optionalCertificate(let reference): return reference.map(certificate) ?? .null
        case .demand(let demand): return .string(demand.sentence)
        case .answer(let answer): return EvidenceFields.answer(answer)
        case .answers(let answers): return EvidenceFields.answers(answers)
        case .criteria(let criteria): return TransparencyFields.criteria(criteria)
        case .timestamps(let timestamps): return TransparencyFields.timestamps(timestamps)
        case .wantedPins(let pins): return .array(pins.map(wanted))
        case .foundKeys(let keys): return .array(keys.map(found))
        }
    }

    private func wanted(_ pin: PinMismatch.Wanted) -> JSONValue {
        .object([
            "id": pin.id, "backup": pin.isBackup, "at": pin.position, "digests": pin.digests,
            "matched": pin.matched,
        ])
    }

    private func found(_ key: PinMismatch.Found) -> JSONValue {
        .object(["certificate": certificate(key.certificate), "spki": key.spki])
    }
}
