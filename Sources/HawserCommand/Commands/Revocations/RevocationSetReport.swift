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
        RevocationSetJSON.Document(
            digest: set.digest.text, octets: set.bytes.count, lists: set.evidence.compactMap(list),
            leftOut: leftOut.map { piece in
                switch piece {
                case .unreadable(let digest, _):
                    return .init(
                        digest: digest.text, issuer: nil, reason: "unreadable",
                        context: context(piece))
                case .obstructed(let evidence, let obstacle):
                    return .init(
                        digest: evidence.digest.text, issuer: issuer(of: evidence),
                        reason: id(obstacle), context: context(piece))
                }
            }
        ).document
    }

    private static func list(_ piece: PreparedEvidence) -> RevocationSetJSON.Document.Lists? {
        guard case .list(let prepared) = piece.content else { return nil }
        let layout = prepared.list.layout
        return .init(
            issuer: prepared.list.issuerText, digest: piece.digest.text, entries: prepared.count,
            thisUpdate: layout.thisUpdate.description, nextUpdate: layout.nextUpdate?.description,
            delta: layout.isDelta, indirect: layout.isIndirect)
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
