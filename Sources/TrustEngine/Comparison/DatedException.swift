/// A waiver or an entry of `report-only`, with its end. It makes a failure not reject.
package struct DatedException: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case waiver(Waiver.Tolerance)
        case report(ReportOnly.Check)
    }

    let kind: Kind
    /// The last second in which the exception is in force.
    let until: UTCInstant

    init(_ kind: Kind, until: UTCInstant) {
        self.kind = kind
        self.until = until
    }

    /// The exceptions of a rule.
    package static func all(_ waivers: [Waiver], _ reportOnly: [ReportOnly]) -> [DatedException] {
        waivers.map { DatedException(.waiver($0.tolerance), until: $0.until) }
            + reportOnly.map { DatedException(.report($0.check), until: $0.until) }
    }

    /// The path, as the language has it: `waivers.pins`.
    var path: String {
        switch kind {
        case .waiver(let tolerance): return "waivers.\(tolerance.name)"
        case .report(let check): return "report-only.\(check.name)"
        }
    }

    /// The exception as of an instant: nil where it has ended; with an end that never comes where
    /// it is in force.
    func asOf(_ time: UTCInstant) -> DatedException? {
        DatedTerm.isInForce(until: until, at: time)
            ? DatedException(kind, until: UTCInstant(secondsSinceEpoch: 253_402_300_799)) : nil
    }

    /// Whether the exception lets every failure of a check pass.
    func lets(_ check: ReportOnly.Check) -> Bool {
        switch (kind, check) {
        case (.report(let own), _): return own == check
        case (.waiver(.pins), .pins), (.waiver(.transparency), .transparency),
            (.waiver(.revocation), .revocation):
            return true
        case (.waiver, _): return false
        }
    }

    /// Whether another exception lets every failure pass that this exception lets pass, and for as
    /// long.
    func lies(in other: DatedException) -> Bool {
        guard until <= other.until else { return false }
        switch (kind, other.kind) {
        case (.waiver(let own), .waiver(let theirs)): return own.lies(in: theirs)
        case (.report(let own), _): return other.lets(own)
        // `report-only` does not cover revoked certificates. It lets every other failure pass that
        // these waivers let pass.
        case (.waiver(.pins), .report(.pins)), (.waiver(.transparency), .report(.transparency)):
            return true
        case (.waiver, .report): return false
        }
    }

    /// Whether a body demands nothing that this exception could let pass.
    func isIdle(in body: BehaviourBody) -> Bool {
        switch kind {
        case .waiver(.pins), .report(.pins): return body.pins.isEmpty
        case .waiver(.transparency), .report(.transparency):
            return !body.requirements.transparency.isDemanded
        case .report(.lifetime):
            return body.requirements.maximumLifetime == nil
                && body.requirements.lifetimeSteps.isEmpty
        case .waiver(.issuance): return !body.requirements.enforcesIssuance
        case .report(.custom(let name)): return !body.requirements.checks.contains(name)
        case .waiver, .report: return false
        }
    }

    /// Whether the exception also changes which demands revocation evidence must meet
    /// (`Demands.evidenceParameters`).
    var decidesEvidence: Bool { kind == .report(.keys) || kind == .report(.signatures) }
}

extension Waiver.Tolerance {
    /// Whether another tolerance lets at least the same failures pass.
    fileprivate func lies(in other: Waiver.Tolerance) -> Bool {
        switch (self, other) {
        case (.expired(let own), .expired(let theirs)): return own <= theirs
        case (.tls(let own), .tls(let theirs)): return own >= theirs
        case (.keys(let own), .keys(let theirs)): return own >= theirs
        case (.signatures(let own), .signatures(let theirs)): return own >= theirs
        case (.issuance(let own), .issuance(let theirs)): return own.isSubset(of: theirs)
        case (.expired, _), (.tls, _), (.keys, _), (.signatures, _), (.issuance, _), (.identity, _),
            (.path, _),
            (.revocation, _), (.pins, _), (.transparency, _), (.cleartext, _):
            return self == other
        }
    }
}
