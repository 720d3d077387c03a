internal import TrustEngine

// `waivers` (LANGUAGE section 10).
extension Binder {
    func bindWaivers(_ entry: MapEntry?, of rule: String) -> [BoundWaiver] {
        guard let map = section(entry) else { return [] }
        return WaivedCheck.allCases
            .compactMap { check in
                map[check.rawValue].map { bindWaiver(check, $0, of: rule) }
            }
            .sorted { $0.key.start < $1.key.start }
    }

    /// One waiver. It is kept with its key even if a part of it is missing.
    private func bindWaiver(
        _ check: WaivedCheck, _ entry: MapEntry, of rule: String
    ) -> BoundWaiver {
        var bound = BoundWaiver(check: check, key: entry.key.span, waiver: nil)
        let path = "waivers.\(check.rawValue)"
        guard let shape = entry.shape.map,
            let map = section(
                entry.value, shape: shape, name: path, example: entry.shape.example)
        else { return bound }
        reportMissingParts(of: check, map, at: entry.key.span, rule: rule)
        if let key = check.ownKey {
            requireKeys(
                [key], in: map, of: "waiver `\(check.rawValue)` of `\(rule)`", at: entry.key.span,
                shape: shape)
        }
        let until = date(map["until"], path: "\(path).until")
        let end = until == nil ? nil : map["until"]?.value.text
        let tolerance = tolerance(
            of: check, map, path: path, Written(rule: rule, until: end ?? "YYYY-MM-DD"))
        let reason = text(map["reason"], path: "\(path).reason")
        let owner = text(map["owner"], path: "\(path).owner")
        let ticket = text(map["ticket"], path: "\(path).ticket")
        guard let tolerance, let reason, let owner, let until else { return bound }
        bound.waiver = Waiver(
            tolerance: tolerance, until: until.value.lastSecond, reason: reason.value,
            owner: owner.value, ticket: ticket?.value)
        return bound
    }

    /// The parts of a waiver that messages repeat.
    private struct Written {
        let rule: String
        let until: String
    }

    /// The failure that a waiver tolerates. Some waivers state it with a key of their own; nil if
    /// that key could not be read.
    private func tolerance(
        of check: WaivedCheck, _ map: MapContents, path: String, _ waiver: Written
    ) -> Waiver.Tolerance? {
        let entry = check.ownKey.flatMap { map[$0] }
        let path = "\(path).\(check.ownKey ?? "")"
        switch check {
        case .identity: return .identity
        case .path: return .path
        case .revocation: return .revocation
        case .pins: return .pins
        case .transparency: return .transparency
        case .cleartext: return .cleartext
        case .expired:
            let seconds = scan(entry, path: path) { text throws(ScalarProblem) in
                try DurationScanner.scan(text, for: path, in: 1...DurationScanner.longest)
            }
            return seconds.map { .expired(seconds: $0.value) }
        case .tls:
            return scan(entry, path: path) { text throws(ScalarProblem) in
                if let version = TLSVersion.allCases.first(where: { $0.name == text }),
                    PolicyWords.oldTlsVersion.words.contains(text)
                {
                    return version
                }
                guard let written = Binder.knownVersion(text) else {
                    throw self.unknownWord(text, of: PolicyWords.oldTlsVersion)
                }
                throw self.notBelowBaseline(
                    text, of: check, path, takes: self.listed(PolicyWords.oldTlsVersion.words),
                    written: written, highest: PolicyWords.tlsVersion.words.last, waiver)
            }
            .map { .tls(minimumVersion: $0.value) }
        case .keys:
            let bits = scan(entry, path: path) { text throws(ScalarProblem) in
                guard let written = DecimalNumber.value(of: text), (2048...16_384).contains(written)
                else {
                    return try IntegerScanner.scan(text, for: path, in: 1024...2047)
                }
                throw self.notBelowBaseline(
                    text, of: check, path, takes: "1024 to 2047", written: "\(written)",
                    highest: "16384", waiver)
            }
            return bits.map { .keys(rsaMinimum: $0.value) }
        case .issuance: return entry.flatMap { issuanceDemands($0, path) }.map { .issuance($0) }
        case .signatures:
            let old = SignatureHash.sha1
            return scan(entry, path: path) { text throws(ScalarProblem) in
                if text == old.name { return old }
                guard PolicyWords.signatureHash.words.contains(text) else {
                    throw self.unknownWord(
                        text,
                        of: ClosedWords("a hash below the baseline", [old.name], weaker: [old.name])
                    )
                }
                throw self.notBelowBaseline(
                    text, of: check, path, takes: "`\(old.name)`", written: text,
                    highest: PolicyWords.signatureHash.words.last, waiver)
            }
            .map { .signatures(minimumHash: $0.value) }
        }
    }

    /// The demands whose breach the waiver `issuance` lets through.
    private func issuanceDemands(_ entry: MapEntry, _ path: String) -> IssuanceDemands? {
        let example = entry.shape.example
        let (bound, isWhole) = list(entry, path: path) { node in
            scan(node, path: path, example: example) { text throws(ScalarProblem) in
                guard let demand = StandardDemand(rawValue: text) else {
                    throw self.unknownWord(text, of: PolicyWords.issuanceDemand)
                }
                guard demand.isIssuance else {
                    throw ScalarProblem(
                        .unknownValue,
                        "`\(text)` is a demand of validation, and no waiver lets its breach through",
                        help: [
                            "leave it out; the page `demands.md` lists the demands that can be named"
                        ])
                }
                return demand
            }
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        return IssuanceDemands(bound.items.map(\.value))
    }

    /// The problem of a waiver's value that is not below the baseline. The author wants an
    /// exception from a rule that demands more than this value. A waiver cannot give that
    /// exception, and the values that the waiver takes would let more through than was meant.
    ///
    /// - Parameters:
    ///   - takes: the values that the waiver takes, as the message lists them.
    ///   - written: the value, as the field of the rule spells it.
    ///   - highest: the value of that field that demands the most.
    private func notBelowBaseline(
        _ text: String, of check: WaivedCheck, _ path: String, takes: String, written: String,
        highest: String?, _ waiver: Written
    ) -> ScalarProblem {
        let name = check.rawValue
        let help =
            written == highest
            ? ["leave the waiver out: no rule demands more than `\(written)`"]
            : [
                "where `\(waiver.rule)` demands more than that, write `report-only: { \(name): { until: "
                    + "\(waiver.until) } }` in place of the waiver: until then what the baseline of "
                    + "`\(name)` accepts is reported and not rejected",
                "to accept it for good, write `\(name): { \(check.ownKey ?? ""): \(written) }` in "
                    + "`\(waiver.rule)`",
            ]
        return ScalarProblem(
            .unknownValue,
            "\(quoted(text)) is not below the baseline; a waiver is for what is, and `\(path)` takes "
                + takes,
            help: help)
    }

    /// The version at or above the baseline that a text means, in any usual spelling; nil if it
    /// means no such version.
    static func knownVersion(_ text: String) -> String? {
        let version = WordSpelling.tlsVersion(text)
        return version.flatMap { PolicyWords.tlsVersion.words.contains($0) ? $0 : nil }
    }

    /// Reports a waiver without a reason, an owner or an end.
    private func reportMissingParts(
        of check: WaivedCheck, _ map: MapContents, at span: SourceSpan, rule: String
    ) {
        let waiver = "waiver `\(check.rawValue)` of `\(rule)`"
        if map["until"] == nil, !map.mayHold("until") {
            let instead =
                check == .revocation
                ? "; for a slow server write `revocation: { causes: { unreachable: report } }` instead"
                : ""
            report(
                .exceptionOpenEnded,
                "\(waiver) never ends, and \(check.effect) while it lasts", at: span,
                help: ["add `until: YYYY-MM-DD`\(instead)"])
        }
        let missing = ["reason", "owner"].filter { map[$0] == nil && !map.mayHold($0) }
        guard !missing.isEmpty else { return }
        let example = missing.map { $0 == "reason" ? "reason: \"…\"" : "owner: …" }
        report(
            .noReason,
            "\(waiver) has no \(missing.joined(separator: " and no ")), and \(check.effect) while "
                + "it lasts",
            at: span, help: ["add `\(example.joined(separator: ", "))`"])
    }
}
