import Rendering
public import TrustEngine

/// An input that differs from the receipt's.
public struct InputMismatch: Hashable, Sendable {
    /// The kinds of inputs.
    public enum Input: Hashable, Sendable {
        case host
        case port
        case policy
        case systemStore
        case logList
        /// A certificate of the presented chain, by its index; the first is 0.
        case certificate(Int)
        /// A piece of evidence, by its index in the receipt; the first is 0.
        case evidence(Int, DecisionReceipt.EvidenceDigest.Kind)
    }

    /// The input that differs.
    public let input: Input
    /// The receipt's value; nil when the receipt has no such input.
    public let recorded: String?
    /// The given value; nil when there is none.
    public let given: String?

    /// Makes a mismatch from its values.
    package init(input: Input, recorded: String?, given: String?) {
        self.input = input
        self.recorded = recorded
        self.given = given
    }
}

/// A difference between a receipt and a decision on the same inputs.
public enum ReplayDifference: Hashable, Sendable {
    /// One verdict is an accept, the other a reject.
    case verdict(recorded: String, replayed: String)
    /// The violations of a reject, by their ids.
    case violations(recorded: [String], replayed: [String])
    /// The failures that an accept reports, by the violations' ids.
    case reported(recorded: [String], replayed: [String])
    /// The digest of the trace.
    case trace(recorded: String, replayed: String)
}

extension DecisionReceipt {
    /// A part of a receipt that cannot be compared, because it is redacted or its key is missing.
    public enum Uncompared: String, Hashable, Sendable, CaseIterable {
        /// The host.
        case host
        /// The port.
        case port
        /// The chain and its evidence.
        case chain
        /// The digest of the trace.
        case trace
    }

    /// Compares a request and its verdict with the receipt. Returns the inputs that differ; an
    /// empty list when all are equal, as far as the receipt holds them. Redacted parts are not
    /// compared (`uncompared`).
    ///
    /// The file digest is not an input, because tables with the same policy digest have the same
    /// meaning.
    public func mismatches(
        with request: TrustRequest, _ verdict: Verdict, crypto: any CryptoBackend,
        key: RedactionKey? = nil
    ) -> [InputMismatch] {
        var found: [InputMismatch] = []
        func compare(_ input: InputMismatch.Input, _ recorded: String?, _ given: String?) {
            guard recorded != given else { return }
            found.append(InputMismatch(input: input, recorded: recorded, given: given))
        }
        switch host {
        case .text(let text): compare(.host, text, request.host)
        case .keyed(let digest):
            if let key { compare(.host, digest.hex, key.digest(.host, request.host).hex) }
        case .dropped: break
        }
        if let port { compare(.port, String(port), String(request.port)) }
        compare(.policy, table.policyDigest.text, verdict.policyDigest.text)
        compare(.systemStore, table.systemStoreDigest?.text, verdict.systemStoreDigest?.text)
        compare(.logList, table.logListDigest?.text, verdict.logListDigest?.text)
        if let chain {
            let given = request.presentedChain.map { crypto.digest(.sha256, of: $0.span) }
            for index in 0..<max(chain.count, given.count) {
                compare(
                    .certificate(index), chain.element(index)?.text, given.element(index)?.text)
            }
        }
        if let evidence {
            let given = request.evidence.pieces(crypto).map(\.piece)
            for index in 0..<max(evidence.count, given.count) {
                let (recorded, given) = (evidence.element(index), given.element(index))
                guard recorded != given, let kind = (recorded ?? given)?.kind else { continue }
                compare(.evidence(index, kind), recorded?.digest.text, given?.digest.text)
            }
        }
        return found
    }

    /// Compares an explanation of the same request with the receipt. Returns the differences; an
    /// empty list when the receipt replays.
    public func differences(
        from explanation: Explanation, crypto: any CryptoBackend, key: RedactionKey? = nil
    ) -> [ReplayDifference] {
        var differences: [ReplayDifference] = []
        let verdict = explanation.verdict
        func word(_ isAccept: Bool) -> String { isAccept ? "accept" : "reject" }
        if isAccept != verdict.isAccept {
            differences.append(
                .verdict(recorded: word(isAccept), replayed: word(verdict.isAccept)))
        }
        // The ids decide. Sides and places may be worded better by a later release.
        let (violations, found) = (violations.map(\.id), verdict.violations.map(\.id))
        if violations != found {
            differences.append(.violations(recorded: violations, replayed: found))
        }
        let before = reported.map { "\($0.violation.id) (\($0.reason.rawValue))" }
        let now = verdict.reported.map { "\($0.violation.id) (\($0.recordedReason.rawValue))" }
        if before != now { differences.append(.reported(recorded: before, replayed: now)) }
        let text = TraceJSON.canonical(explanation)
        switch trace {
        case .digest(let recorded):
            let replayed = crypto.digest(.sha256, of: Array(text.utf8).span)
            if recorded != replayed {
                differences.append(.trace(recorded: recorded.text, replayed: replayed.text))
            }
        case .keyed(let recorded):
            guard let replayed = key?.digest(.trace, text), replayed != recorded else { break }
            differences.append(
                .trace(
                    recorded: KeyedText.prefix + recorded.hex,
                    replayed: KeyedText.prefix + replayed.hex))
        case .dropped: break
        }
        return differences
    }

    /// The parts of the receipt that cannot be compared: redacted parts, and keyed parts without
    /// the key.
    public func uncompared(key: RedactionKey? = nil) -> [Uncompared] {
        Uncompared.allCases.filter { part in
            switch part {
            case .host:
                if case .text = host { return false }
                if case .keyed = host { return key == nil }
                return true
            case .port: return port == nil
            case .chain: return chain == nil || evidence == nil
            case .trace:
                if case .digest = trace { return false }
                if case .keyed = trace { return key == nil }
                return true
            }
        }
    }
}

extension Array {
    /// The element at an index; nil behind the end.
    fileprivate func element(_ index: Int) -> Element? {
        index < count ? self[index] : nil
    }
}
