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
                entry.value, shape: shape, name: path, example: entry.shape.example,
                path: "\(path).")
        else { return bound }
        reportMissingParts(of: check, map, at: entry.key.span, rule: rule)
        if check == .expired {
            requireKeys(
                ["tolerance"], in: map, of: "waiver `expired` of `\(rule)`", at: entry.key.span,
                shape: shape)
        }
        let reason = text(map["reason"], path: "\(path).reason")
        let owner = text(map["owner"], path: "\(path).owner")
        let ticket = text(map["ticket"], path: "\(path).ticket")
        let until = scan(map["until"], path: "\(path).until", DateScanner.scan)
        let tolerance = scan(map["tolerance"], path: "\(path).tolerance") {
            text throws(ScalarProblem) in
            try DurationScanner.scan(
                text, for: "\(path).tolerance", in: 1...DurationScanner.longest)
        }
        let tolerated: Waiver.Tolerance
        switch check {
        case .identity: tolerated = .identity
        case .path: tolerated = .path
        case .pins: tolerated = .pins
        case .expired:
            guard let tolerance else { return bound }
            tolerated = .expired(seconds: tolerance.value)
        }
        guard let reason, let owner, let until else { return bound }
        bound.waiver = Waiver(
            tolerance: tolerated, until: until.value.lastSecond, reason: reason.value,
            owner: owner.value, ticket: ticket?.value)
        return bound
    }

    /// A waiver says why, whose it is, and when it ends.
    private func reportMissingParts(
        of check: WaivedCheck, _ map: MapContents, at place: SourceSpan, rule: String
    ) {
        let waiver = "waiver `\(check.rawValue)` of `\(rule)`"
        if map["until"] == nil, !map.mayHold("until") {
            report(
                .exceptionOpenEnded,
                "\(waiver) never ends, and \(check.effect) while it lasts", at: place,
                help: ["add `until: YYYY-MM-DD`"])
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
