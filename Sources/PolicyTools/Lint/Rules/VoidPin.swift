import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW418: one entry is enough for a pin set, and an entry pins the CA that issued, directly or
    /// through other CAs, what an entry in service pins. Each certificate of that CA then satisfies
    /// the set, so the narrower entry refuses nothing. Only signatures of certificates that the
    /// unit has prove it.
    static let voidPin = LintRule(.voidPin) { context in
        context.bound.pinSets.flatMap { set -> [Diagnostic] in
            guard set.isComplete, LintRule.neededEntries(set) == 1 else { return [] }
            let wide =
                set.keys.map { (pin: $0, isBackup: false) }
                + set.backups.map { (pin: $0, isBackup: true) }
            return wide.compactMap { other in
                guard other.pin.position != .leaf else { return nil }
                for pin in set.keys where pin.id.value != other.pin.id.value {
                    guard let issued = context.issued(pin, by: other.pin) else { continue }
                    return finding(pin, issued, by: other.pin, isBackup: other.isBackup, of: set)
                }
                return nil
            }
        }
    }

    /// How many entries of a set must lie on a path.
    private static func neededEntries(_ set: BoundPinSet) -> Int {
        switch set.match?.value ?? .any {
        case .any: return 1
        case .all: return set.keys.count
        case .count(let count): return count
        }
    }

    private static func finding(
        _ pin: BoundPin, _ certificates: LintContext.Issued, by authority: BoundPin,
        isBackup: Bool, of set: BoundPinSet
    ) -> Diagnostic {
        let (name, other) = (pin.id.value, authority.id.value)
        let subject = Words.shortened(certificates.subject.subjectText, to: 200)
        let issuer = Words.shortened(certificates.issuer.subjectText, to: 200)
        let spare =
            certificates.subject.layout.extensions.isCA
            ? "pin the key of another CA under `backups` in place of `\(other)`"
            : "make the server's next key, pin it under `backups` in place of `\(other)`: `hawser pin "
                + "--backup next.csr.pem`"
        return Diagnostic(
            .voidPin,
            "`\(name)` of `\(set.id.value)` refuses nothing: \(isBackup ? "the backup " : "")"
                + "`\(other)` pins the CA that issued its certificate, and every certificate of that "
                + "CA satisfies the set",
            at: Diagnostic.Label(authority.key.span),
            labels: [Diagnostic.Label(pin.key.span, "the narrower pin")],
            help: [
                "to hold the connection to `\(name)`, \(spare)",
                "to pin the CA, keep `\(other)` under `keys` and take `\(name)` out",
            ], notes: ["`\(issuer)` issued `\(subject)`, as the signature shows"])
    }
}

extension LintContext {
    /// A certificate that a pin matches, and the CA above it that another pin matches.
    fileprivate struct Issued {
        let subject: Certificate
        let issuer: Certificate
    }

    /// The certificates by which one pin is under another one. Nil unless each known certificate
    /// that `pin` matches is issued under a CA that `authority` matches at its position.
    fileprivate func issued(_ pin: BoundPin, by authority: BoundPin) -> Issued? {
        let authorities = authority.key.matches.flatMap { known.carriers(of: $0) }
            .filter { isPossible(authority.position, for: $0) }
        guard !authorities.isEmpty else { return nil }
        var first: Issued?
        for match in pin.key.matches {
            let carriers = known.carriers(of: match)
            guard !carriers.isEmpty else { return nil }
            for carrier in carriers {
                let above = known.ancestors(of: carrier)
                guard let issuer = authorities.first(where: { above.contains($0) }) else {
                    return nil
                }
                first = first ?? Issued(subject: carrier, issuer: issuer)
            }
        }
        return first
    }

    /// Whether a pin at a position can match a CA's certificate where a path goes through it or
    /// ends at it. A self-issued certificate does not count as an intermediate, and only a
    /// self-issued one is sure to be the end of a path.
    private func isPossible(_ position: PinPosition, for certificate: Certificate) -> Bool {
        guard certificate.layout.extensions.isCA else { return false }
        switch position {
        case .any, .ca: return true
        case .intermediate: return !certificate.isSelfIssued
        case .anchor: return certificate.isSelfIssued
        case .leaf: return false
        }
    }
}
