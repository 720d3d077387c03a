package import TrustEngine

/// The texts about a violation. They contain raw text of certificates and hosts: the renderer must
/// escape whole lines.
extension Violation {
    /// Both sides of the comparison in one line, for a reader who knows certificates.
    package var headline: String { texts.headline }

    /// The headline with what the situation adds to it.
    package func headline(_ situation: Situation) -> String { texts.headline(situation) }

    /// One sentence for a reader who only wanted to connect. It says what failed and names no
    /// culprit: of most failures there is more than one cause.
    package func forEndUser(_ situation: Situation) -> String { texts.forEndUser(situation) }

    /// The readings of the violation that the known facts leave open: the safer first, then the
    /// likelier. Never empty.
    package func readings(_ situation: Situation) -> [SideReading] { texts.readings(situation) }

    /// Whose side the violation is: the side of its first reading.
    package func side(_ situation: Situation) -> Side { readings(situation).first?.side ?? side }

    /// The section that the violation breaks: the one that makes the demand, and not only the one
    /// that defines the field.
    package var citation: String { texts.citation }

    /// The pointer that the violation is cited with, given the pointer of its check's demand. An
    /// entry of a map has a pointer of its own.
    package func pointer(_ demand: String) -> String {
        texts.entry.map { "\(demand)/\($0)" } ?? demand
    }
}

extension [Violation] {
    /// The violations in the order in which they are printed: first every violation whose first
    /// reading is that somebody else answers. An attacker who answers can cause other violations
    /// too, such as a wrong TLS version, and must not choose the first line.
    package func saferFirst(_ situation: Situation) -> [Violation] {
        // Most rejects have one violation, and a program counts each reject by this order.
        guard count > 1 else { return self }
        let marked = map { ($0, $0.texts.isInBetween(situation)) }
        return marked.filter(\.1).map(\.0) + marked.filter { !$0.1 }.map(\.0)
    }
}

extension Verdict {
    /// The violations of a reject on a host in the order in which they are printed, as far as it is
    /// known without the presented chain; empty for an accept.
    package func printedViolations(host: String) -> [Violation] {
        violations.saferFirst(Situation(host: host))
    }
}
