package import PolicyReading
package import TrustEngine

/// The words for candidate paths, and for the pins that were searched for on them.
package enum PathWords {
    /// The subjects of a path, end entity first, and how the path ends.
    package static func path(_ path: PathStep) -> String {
        let names = path.certificates.map { certificate in
            let subject = Words.shortSubject(certificate.subject)
            if case .offered(let set) = certificate.origin {
                return "\(subject) (offered by `\(set)`)"
            }
            return subject
        }
        switch path.end {
        case .anchor(let set, let standard):
            let members = names.dropLast() + [names.last.map { "anchor \($0)" } ?? "no anchor"]
            return members.joined(separator: " → ") + " of `\(set)` (\(standard.name))"
        case .deadEnd:
            return names.joined(separator: " → ") + " → nothing further"
        case .endEntityAlone:
            return names.joined(separator: " → ") + " alone, under a waiver of `path`"
        }
    }

    /// Every pin that was wanted, and every key of the path.
    package static func pins(_ mismatch: PinMismatch, places: PlaceFinder) -> [String] {
        var lines: [String] = []
        for wanted in mismatch.wanted {
            let place =
                places.exact(wanted.pointer(in: mismatch.set)).map { "  \($0.description)" }
                ?? ""
            let outcome = wanted.matched ? "matched" : "wanted"
            let backup = wanted.isBackup ? "backup, " : ""
            let digests = Cut.line(wanted.digests, most: 3, between: " or ", before: " or ")
            lines.append(
                "\(outcome)  `\(wanted.id)` (\(backup)at \(wanted.position)): \(digests)"
                    + place)
        }
        for found in mismatch.found {
            lines.append(
                "found   \(Words.shortSubject(found.certificate.subject)): "
                    + found.spki)
        }
        return lines
    }
}
