// The check `standard`: the demands of the standard of a path's anchor on the path's certificates.
extension PathValidator {
    /// The demands of its standard that a path's certificates fail, from the end entity upwards.
    ///
    /// A path that no anchor ends has no standard. A certificate that is trusted as itself is
    /// outside any public key infrastructure. Two demands apply to it: unprocessed extensions are
    /// not critical, and lists are not empty. Only `web-pki`, where its set names that standard,
    /// demands more. A member of the machine's store is spared: a root programme has judged it, and
    /// roots in use are older than the profiles.
    func standard(_ path: CandidatePath, _ budget: inout WorkBudget) -> [PathFailure] {
        guard path.endsAtAnchor else {
            return path.end == .endEntityAlone ? ofCertificateAlone(path) : []
        }
        let standard = standardOf(path)
        guard path.count > 1 || standard == .webPKI else { return ofCertificateAlone(path) }
        var found: [PathFailure] = []
        for position in 0..<path.count {
            let role = role(of: position, on: path)
            if role == .anchor, isSpared(path) { continue }
            let flaws = StandardRules.flaws(
                of: path.certificate(at: position, in: pool), at: role,
                neighbours: StandardRules.Neighbours(of: position, on: path, in: pool),
                standard: standard,
                constraintsBind: !ignores(.nameConstraints, path, position), budget: &budget)
            guard let flaws else {
                return PathFailure.all([.budgetExhausted(limit: budget.limit)])
            }
            if flaws.isEmpty { continue }
            // Parameters made in memory may lift the demand that an anchor says that it is a CA.
            let isLifted = ignores(.basicConstraintsPresence, path, position)
            found += failures(
                flaws.filter { !isLifted || $0.demand != .rootOfVersion1 }, at: position, on: path)
        }
        return found
    }

    /// The failures of the end entity where no standard judges it.
    private func ofCertificateAlone(_ path: CandidatePath) -> [PathFailure] {
        failures(
            StandardRules.flaws(ofCertificateAlone: path.certificate(at: 0, in: pool)), at: 0,
            on: path)
    }

    private func failures(
        _ flaws: [StandardRules.Flaw], at position: Int, on path: CandidatePath
    ) -> [PathFailure] {
        flaws.map {
            PathFailure(
                violation: .standardNotMet(
                    path.reference(at: position, in: pool), demand: $0.demand, found: $0.found),
                excuse: parameters.excuse($0.demand))
        }
    }

    /// Whether only the name and the key of a path's anchor count, so that its certificate is not
    /// judged.
    private func isSpared(_ path: CandidatePath) -> Bool {
        path.anchor.map { pool.anchors.anchors[$0].isOfStore } == true
            || ignores(.authority, path, path.count - 1)
    }

    private func role(of position: Int, on path: CandidatePath) -> StandardRules.Role {
        if position == 0 { return .endEntity }
        return position == path.count - 1 ? .anchor : .intermediate
    }
}
