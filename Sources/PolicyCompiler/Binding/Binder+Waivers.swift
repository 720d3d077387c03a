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

    /// One waiver. It stands by its key even when a part of it is missing.
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
        let tolerance = tolerance(of: check, map, path: path)
        let reason = text(map["reason"], path: "\(path).reason")
        let owner = text(map["owner"], path: "\(path).owner")
        let ticket = text(map["ticket"], path: "\(path).ticket")
        let until = scan(map["until"], path: "\(path).until", DateScanner.scan)
        guard let tolerance, let reason, let owner, let until else { return bound }
        bound.waiver = Waiver(
            tolerance: tolerance, until: until.value.lastSecond, reason: reason.value,
            owner: owner.value, ticket: ticket?.value)
        return bound
    }

    /// What a waiver tolerates, by its own key where it has one; nil when that could not be read.
    private func tolerance(
        of check: WaivedCheck, _ map: MapContents, path: String
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
            return entry.flatMap { entry in
                word(
                    entry.value, path: path, example: entry.shape.example,
                    of: PolicyWords.oldTlsVersion
                ) { text in
                    TLSVersion.allCases.first { $0.name == text }
                }
            }
            .map { .tls(minimumVersion: $0.value) }
        case .keys:
            let bits = scan(entry, path: path) { text throws(ScalarProblem) in
                try IntegerScanner.scan(text, for: path, in: 1024...2047)
            }
            return bits.map { .keys(rsaMinimum: $0.value) }
        case .signatures:
            return entry.flatMap { entry in
                word(
                    entry.value, path: path, example: entry.shape.example,
                    of: ClosedWords("a hash below the baseline", [SignatureHash.sha1.name])
                ) { _ in
                    SignatureHash.sha1
                }
            }
            .map { .signatures(minimumHash: $0.value) }
        }
    }

    /// A waiver says why, whose it is, and when it ends.
    private func reportMissingParts(
        of check: WaivedCheck, _ map: MapContents, at place: SourceSpan, rule: String
    ) {
        let waiver = "waiver `\(check.rawValue)` of `\(rule)`"
        if map["until"] == nil, !map.mayHold("until") {
            let instead =
                check == .revocation
                ? "; for a slow server write `revocation: { causes: { unreachable: report } }` instead"
                : ""
            report(
                .exceptionOpenEnded,
                "\(waiver) never ends, and \(check.effect) while it lasts", at: place,
                help: ["add `until: YYYY-MM-DD`\(instead)"])
        }
        let missing = ["reason", "owner"].filter { map[$0] == nil && !map.mayHold($0) }
        guard !missing.isEmpty else { return }
        let example = missing.map { $0 == "reason" ? "reason: \"…\"" : "owner: …" }
        report(
            .noReason,
            "\(waiver) has no \(missing.joined(separator: " and no ")), and \(check.effect) while "
                + "it lasts",
            at: place, help: ["add `\(example.joined(separator: ", "))`"])
    }
}
