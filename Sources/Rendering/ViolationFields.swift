import TrustEngine

/// The typed fields of each violation in JSON: the payload of `Violation`, field by field.
struct ViolationFields {
    /// How a certificate is written.
    let certificate: (CertificateReference) -> JSONValue

    func fields(_ violation: Violation) -> [(String, JSONValue)] {
        switch violation {
        case .badHost(let host, let problem):
            return [("host", .string(host)), ("problem", .string(problem))]
        case .noApplicableRule(let host): return [("host", .string(host))]
        case .nothingPresented: return []
        case .endEntityUnreadable(let error):
            return [
                ("field", .string(error.field)), ("reason", .string(error.reason)),
                ("offset", .whole(error.offset)),
            ]
        case .tlsNotSupplied(let parameter): return [("parameter", .string(parameter))]
        case .tlsVersion(let version, let minimum, let maximum):
            return [
                ("version", .string(version.name)), ("minimumVersion", .string(minimum.name)),
                ("maximumVersion", .string(maximum.name)),
            ]
        case .tlsForwardSecrecy(let suite): return [("cipherSuite", .string(suite))]
        case .tlsParameter(let parameter, let found, let allowed):
            return [
                ("parameter", .string(parameter)), ("found", .string(found)),
                ("allowed", .strings(allowed)),
            ]
        case .cleartext: return []
        case .checkFailed(let name, let reason):
            return [("name", .string(name)), ("reason", .string(reason))]
        case .forbiddenKey(let found): return forbiddenKey(found)
        case .logListStale(let digest, let issued, let time, let maximumAge):
            return [
                ("logList", .string(digest.text)), ("logListIssued", .string(issued.description)),
                ("time", .string(time.description)), ("maximumAgeSeconds", .whole(maximumAge)),
            ]
        case .tableStale(let confirmed, let until, let time):
            return [
                ("confirmed", .string(confirmed.description)),
                ("until", .string(until.description)), ("time", .string(time.description)),
            ]
        case .budgetExhausted(let limit): return [("limit", .whole(limit))]
        case .engineError(let problem): return [("problem", .string(problem))]
        case .nameMismatch(let wanted, let presented):
            return [("wanted", .strings(wanted)), ("presented", .strings(presented))]
        case .pinMismatch(let mismatch): return pins(mismatch)
        case .tooManyIntermediates(let limit, let actual):
            return [("limit", .whole(limit)), ("actual", .whole(actual))]
        default: return ofCertificate(violation)
        }
    }

    /// The fields of a violation of one certificate.
    private func ofCertificate(_ violation: Violation) -> [(String, JSONValue)] {
        switch violation {
        case .issuerNotFound(let last, let issuer):
            return subject(last) + [("issuer", .string(issuer))]
        case .selfSignedLeaf(let subject), .algorithmMismatch(let subject),
            .notACertificateAuthority(let subject):
            return self.subject(subject)
        case .certificatePolicyNotSatisfied(let holder, let wanted, let found):
            return subject(holder) + [("wanted", .strings(wanted)), ("found", .strings(found))]
        case .anchorNotTrusted(let top, let heldBy, let anchors):
            return subject(top) + [("heldBy", .strings(heldBy)), ("anchors", .strings(anchors))]
        case .anchorConstraintNotMet(let failure):
            return subject(failure.certificate) + [
                ("set", .string(failure.set)), ("constraint", .string(failure.side.key)),
            ] + constraint(failure.side)
        case .badSignature(let signed, let issuer), .unsupportedSignature(let signed, let issuer):
            return subject(signed) + [("issuerCertificate", certificate(issuer))]
        case .expired(let ended, let notAfter, let time, let tolerance):
            return subject(ended) + [
                ("notAfter", .string(notAfter.description)), ("time", .string(time.description)),
                ("toleranceSeconds", .whole(tolerance)),
            ]
        case .notYetValid(let future, let notBefore, let time):
            return subject(future) + [
                ("notBefore", .string(notBefore.description)), ("time", .string(time.description)),
            ]
        case .pathLengthExceeded(let issuer, let limit, let actual):
            return subject(issuer) + [("limit", .whole(limit)), ("actual", .whole(actual))]
        case .keyUsageMissing(let user, let wanted):
            return subject(user) + [("wanted", .strings([wanted]))]
        case .purposeNotAllowed(let user, let wanted, let allowed):
            return subject(user) + [("wanted", .strings(wanted)), ("allowed", .strings(allowed))]
        case .unknownCriticalExtension(let holder, let extensionID):
            return subject(holder) + [("extensionID", .string(extensionID))]
        case .nameNotPermitted(let holder, let name, let by, let subtree, let isExcluded):
            return subject(holder) + [
                ("name", .string(name)), ("by", certificate(by)), ("subtree", .string(subtree)),
                ("relation", .string(isExcluded ? "excluded" : "permitted")),
            ]
        case .constraintNotEvaluated(let holder, let problem):
            return subject(holder) + [("problem", .string(problem))]
        case .keyTypeNotAllowed(let holder, let type, let allowed):
            return subject(holder) + [("type", .string(type)), ("allowed", .strings(allowed))]
        case .keyTooSmall(let holder, let bits, let minimum):
            return subject(holder) + [("bits", .whole(bits)), ("minimum", .whole(minimum))]
        case .hashTooWeak(let signed, let hash, let minimum):
            return subject(signed) + [("hash", .string(hash)), ("minimumHash", .string(minimum))]
        case .signatureSchemeNotAllowed(let signed, let scheme, let allowed):
            return subject(signed) + [("scheme", .string(scheme)), ("allowed", .strings(allowed))]
        case .lifetimeTooLong(let leaf, let seconds, let maximum):
            return subject(leaf) + [
                ("seconds", .whole(seconds)), ("maximumSeconds", .whole(maximum)),
            ]
        case .standardNotMet(let holder, let demand, let found):
            return subject(holder) + [
                ("demand", .string(StandardSentences.demand(demand))), ("found", .string(found)),
            ]
        case .transparencyNotMet(let report):
            return subject(report.certificate) + TransparencyFields.report(report)
        case .revoked(let revoked, let answer):
            return subject(revoked) + [("answer", EvidenceFields.answer(answer))]
        case .revocationUndetermined(let unknown, let cause, let answers):
            return subject(unknown) + [
                ("cause", .string(cause.name)), ("answers", EvidenceFields.answers(answers)),
            ]
        case .stapleMissing(let leaf, let answers):
            return subject(leaf) + [("answers", EvidenceFields.answers(answers))]
        default: return []
        }
    }

    private func constraint(_ side: AnchorConstraintFailure.Side) -> [(String, JSONValue)] {
        switch side {
        case .permittedNames(let name, let patterns), .permittedURIs(let name, let patterns):
            return [("name", .string(name)), ("patterns", .strings(patterns))]
        case .excludedNames(let name, let pattern):
            return [("name", .string(name)), ("patterns", .strings(pattern.map { [$0] } ?? []))]
        case .notBefore(let notBefore, let from, let until):
            return [
                ("notBefore", .string(notBefore.description)),
                ("from", from.map { .string($0.description) } ?? .null),
                ("until", until.map { .string($0.description) } ?? .null),
            ]
        case .logList(let issued, let time, let maximumAge):
            return [
                ("logListIssued", .string(issued.description)),
                ("time", .string(time.description)), ("maximumAgeSeconds", .whole(maximumAge)),
            ]
        case .sct(let earliest, let from, let until, let timestamps):
            return [
                ("earliest", earliest.map { .string($0.description) } ?? .null),
                ("from", from.map { .string($0.description) } ?? .null),
                ("until", until.map { .string($0.description) } ?? .null),
                ("timestamps", TransparencyFields.timestamps(timestamps)),
            ]
        case .keyPurposes(let wanted, let named):
            return [("wanted", .strings(wanted)), ("allowed", .strings(named))]
        case .maximumLifetime(let seconds, let maximum):
            return [("seconds", .whole(seconds)), ("maximumSeconds", .whole(maximum))]
        }
    }

    private func subject(_ reference: CertificateReference) -> [(String, JSONValue)] {
        [("certificate", certificate(reference))]
    }

    private func forbiddenKey(_ found: ForbiddenKeyFound) -> [(String, JSONValue)] {
        func text(_ instant: UTCInstant?) -> JSONValue {
            instant.map { .string($0.description) } ?? .null
        }
        return subject(found.certificate) + [
            ("entry", .string(found.entry)), ("digest", .string(found.digest)),
            ("from", text(found.from)), ("until", text(found.until)),
            ("issued", text(found.issued)),
        ]
    }

    private func pins(_ mismatch: PinMismatch) -> [(String, JSONValue)] {
        let wanted = mismatch.wanted.map { wanted -> JSONValue in
            .members([
                ("id", .string(wanted.id)), ("backup", .bool(wanted.isBackup)),
                ("at", .string(wanted.position)), ("digests", .strings(wanted.digests)),
                ("matched", .bool(wanted.matched)),
            ])
        }
        let found = mismatch.found.map { found -> JSONValue in
            .members([
                ("certificate", certificate(found.certificate)), ("spki", .string(found.spki)),
            ])
        }
        return [
            ("set", .string(mismatch.set)), ("needed", .whole(mismatch.needed)),
            ("matched", .whole(mismatch.matched)), ("wantedPins", .array(wanted)),
            ("foundKeys", .array(found)),
        ]
    }
}
