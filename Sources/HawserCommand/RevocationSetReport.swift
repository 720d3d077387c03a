import PolicyTools
import Rendering
import TrustEngine

/// The output of `hawser revocations` about a set and about the CRLs that it leaves out.
enum RevocationSetReport {
    /// A piece of evidence that is not in the set.
    enum LeftOut {
        case unreadable(Digest, EvidenceError)
        case obstructed(PreparedEvidence, RevocationSetObstacle)
    }

    // MARK: Text

    /// A line for each list and one for the set. Escaped.
    static func text(_ set: RevocationSet) -> String {
        let count = set.evidence.count
        let last =
            "\(count) \(count == 1 ? "list" : "lists"), \(set.bytes.count) octets, "
            + set.digest.text
        return (set.evidence.compactMap(line) + [last])
            .map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    private static func line(_ piece: PreparedEvidence) -> String? {
        guard case .list(let prepared) = piece.content else { return nil }
        let layout = prepared.list.layout
        let entries = prepared.count == 1 ? "entry" : "entries"
        var line = "\(name(of: piece)): \(prepared.count) \(entries), from \(layout.thisUpdate)"
        line += layout.nextUpdate.map { " until \($0)" } ?? ", with no end"
        if layout.isDelta { line += ", delta" }
        if layout.isIndirect { line += ", indirect" }
        return line
    }

    /// A line for a piece that is not in the set. Not escaped.
    static func line(_ piece: LeftOut) -> String {
        switch piece {
        case .unreadable(let digest, _): return "left out \(digest.text): \(context(piece))"
        case .obstructed(let evidence, _):
            return "left out \(name(of: evidence)): \(context(piece))"
        }
    }

    private static func name(of piece: PreparedEvidence) -> String {
        guard let issuer = issuer(of: piece) else { return piece.digest.text }
        return "\(issuer) \(piece.digest.text)"
    }

    private static func issuer(of piece: PreparedEvidence) -> String? {
        guard case .list(let prepared) = piece.content else { return nil }
        return prepared.list.issuerText
    }

    private static func context(_ piece: LeftOut) -> String {
        switch piece {
        case .unreadable(_, let error): return "`\(error.field)`: \(error.reason)"
        case .obstructed(_, let obstacle): return words(obstacle)
        }
    }

    /// Why a CRL cannot be in a set, and what to do.
    static func words(_ obstacle: RevocationSetObstacle) -> String {
        switch obstacle {
        case .notAList: return "it is of a revocation set already; give the CRL itself"
        case .notVerified:
            return
                "no CA that the policy trusts signed it; name the CA below an anchor that did with "
                + "`--issuer FILE`"
        case .unknownCritical(let identifier):
            return "its critical extension \(identifier) is not known, so it says nothing"
        case .tooLarge: return "the format has no room for it"
        }
    }

    // MARK: JSON

    /// The set as JSON (`grammar/revocations.schema.json`), with a line feed at its end.
    static func json(_ set: RevocationSet, leftOut: [LeftOut]) -> String {
        JSONValue.object([
            ("schema", .string("hawser/revocations/1")), ("digest", .string(set.digest.text)),
            ("octets", .integer(set.bytes.count)),
            ("lists", .array(set.evidence.compactMap(fields))),
            ("leftOut", .array(leftOut.map(fields))),
        ]).render(.pretty) + "\n"
    }

    private static func fields(_ piece: PreparedEvidence) -> JSONValue? {
        guard case .list(let prepared) = piece.content else { return nil }
        let layout = prepared.list.layout
        return .object([
            ("issuer", .string(prepared.list.issuerText)), ("digest", .string(piece.digest.text)),
            ("entries", .integer(prepared.count)),
            ("thisUpdate", .string(layout.thisUpdate.description)),
            ("nextUpdate", layout.nextUpdate.map { .string($0.description) } ?? .null),
            ("delta", .bool(layout.isDelta)), ("indirect", .bool(layout.isIndirect)),
        ])
    }

    private static func fields(_ piece: LeftOut) -> JSONValue {
        switch piece {
        case .unreadable(let digest, _):
            return .object([
                ("digest", .string(digest.text)), ("issuer", .null),
                ("reason", .string("unreadable")), ("context", .string(context(piece))),
            ])
        case .obstructed(let evidence, let obstacle):
            return .object([
                ("digest", .string(evidence.digest.text)),
                ("issuer", issuer(of: evidence).map { .string($0) } ?? .null),
                ("reason", .string(id(obstacle))), ("context", .string(context(piece))),
            ])
        }
    }

    private static func id(_ obstacle: RevocationSetObstacle) -> String {
        switch obstacle {
        case .notAList: return "not-a-list"
        case .notVerified: return "not-verified"
        case .unknownCritical: return "unknown-critical-extension"
        case .tooLarge: return "too-large"
        }
    }
}
