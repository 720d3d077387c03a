import Hawser
import Rendering
import TrustEngine

/// The sentences about a replayed receipt. Untrusted text in them is not escaped; the function that
/// writes a line escapes it.
enum ReplaySentences {
    /// The sentence for an input that differs from the receipt's: which input, both values, and the
    /// option to give.
    static func line(_ mismatch: InputMismatch) -> String {
        let given = mismatch.given.map { "is `\($0)`" } ?? "was not given"
        let recorded = mismatch.recorded.map { "`\($0)`" } ?? "none"
        let sides = "\(given), the receipt has \(recorded)"
        switch mismatch.input {
        case .host:
            return "the host \(sides); HOST is for a receipt that does not tell its own"
        case .port: return "the port \(sides); leave it to the receipt"
        case .policy:
            return "the policy's digest \(sides); give the table that was in force with `--table`, "
                + "or its policy with `--policy`"
        case .systemStore:
            return
                "the trust store's digest \(sides); give the store of the machine that wrote the "
                + "receipt with `--system-store`"
        case .logList:
            return "the log list's digest \(sides); give the list of that day with `--log-list`"
        case .certificate(let index):
            return "certificate \(index + 1) of the chain \(sides); give the chain as it was "
                + "presented with `--chain`"
        case .evidence(let index, let kind):
            return "evidence \(index + 1) (\(kind.rawValue)) \(sides); give it with "
                + option(kind)
        }
    }

    /// The option that hands over a kind of evidence.
    private static func option(_ kind: DecisionReceipt.EvidenceDigest.Kind) -> String {
        switch kind {
        case .staple: return "`--staple` or `--evidence`"
        case .preparedResponse, .unverifiedResponse, .response: return "`--ocsp` or `--evidence`"
        case .preparedList, .unverifiedList, .list: return "`--crl` or `--evidence`"
        case .revocationSet: return "`--evidence`, a folder with the revocation set"
        case .timestamps: return "`--sct-list` or `--evidence`"
        case .filterReply:
            return "`--evidence`, a folder with the recorded reply or with the filters of that day"
        }
    }

    /// The sentences of a replay: its answer, and what was not compared.
    static func lines(
        _ differences: [ReplayDifference], _ uncompared: [DecisionReceipt.Uncompared]
    ) -> [String] {
        var lines: [String] = []
        if differences.isEmpty {
            lines.append(
                uncompared.contains(.trace)
                    ? "replays to the same verdict" : "replays to the same verdict and trace")
        } else {
            lines.append("does not replay: " + differences.map(clause).joined(separator: "; "))
        }
        if case .trace? = differences.first {
            lines.append(
                "the verdict is the same; another version of hawser may have written the receipt, or "
                    + "its evidence was prepared with other signers")
        }
        if !uncompared.isEmpty {
            let parts = uncompared.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            lines.append("not compared, as the receipt has it redacted: \(parts)")
        }
        return lines
    }

    private static func clause(_ difference: ReplayDifference) -> String {
        let (what, recorded, replayed) = sides(difference)
        func text(_ side: [String]) -> String {
            side.isEmpty ? "none" : side.map { "`\($0)`" }.joined(separator: ", ")
        }
        return "\(what) \(text(recorded)) in the receipt, \(text(replayed)) now"
    }

    /// A difference as JSON.
    static func json(_ difference: ReplayDifference) -> JSONValue {
        let (what, recorded, replayed) = sides(difference)
        return .object(["what": what, "recorded": recorded, "replayed": replayed])
    }

    private static func sides(
        _ difference: ReplayDifference
    ) -> (what: String, recorded: [String], replayed: [String]) {
        switch difference {
        case .verdict(let recorded, let replayed): return ("verdict", [recorded], [replayed])
        case .violations(let recorded, let replayed): return ("violations", recorded, replayed)
        case .reported(let recorded, let replayed): return ("reported", recorded, replayed)
        case .trace(let recorded, let replayed): return ("trace", [recorded], [replayed])
        }
    }
}
