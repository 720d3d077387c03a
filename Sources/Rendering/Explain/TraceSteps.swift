import PolicyReading
import TrustEngine

/// Writes every step of a trace, one line each, in the order of the evaluation.
enum TraceSteps {
    static func tree(_ steps: [TraceStep], places: PlaceFinder) -> Tree {
        var tree = Tree()
        for step in steps where step.isListed { tree.node(step.id, words(step, places)) }
        return tree
    }

    private static func words(_ step: TraceStep, _ places: PlaceFinder) -> String {
        switch step {
        case .engine(let step):
            let store = step.systemStoreDigest.map { ", system store \($0.text)" } ?? ""
            let fresh =
                step.freshness.map {
                    ", confirmed \($0.confirmed), fresh until \($0.until), then \($0.whenStale.rawValue)"
                        + ($0.expires.map { ", and reject after \($0)" } ?? "")
                } ?? ""
            return "policy \(step.policyDigest.text)\(store)\(fresh)"
        case .request(let step):
            let host =
                step.canonicalHost.map { $0 == step.host ? "" : ", judged as `\($0)`" }
                ?? ", which is no host"
            return "`\(step.host)`\(host), port \(step.port), at \(step.time), "
                + Words.count(step.presented, "certificate") + " presented, TLS "
                + words(step.tls)
        case .pattern(let step):
            return "`\(step.pattern)` of rule `\(step.rule)`: "
                + CheckSentences.reason(step.outcome)
        case .rule(let step):
            let rule = step.rule.isEmpty ? "`default`" : "`\(step.rule)`"
            return "\(rule): anchors \(Words.list(step.anchors)), pins "
                + "\(Words.list(step.pins)), profile `\(step.profile)`"
        case .certificate(let step):
            return "\(step.index + 1): " + words(step.status)
        case .presentedKey, .issuerAddresses, .misplacedEndEntity:
            // These steps are not listed.
            return ""
        case .demand(let step):
            let place = step.pointer.flatMap { places.place(of: $0).text } ?? "the standard"
            return "\(step.check.rawValue), \(words(step.enforcement)), by \(place)"
        case .path(let step):
            return "\(step.number): \(PathWords.path(step))"
        case .check(let step):
            let target = step.path == 0 ? "request" : "path \(step.path)"
            let notices = step.notices.map { "; notice \($0.id)" + details(of: $0) }.joined()
            let wanted = step.wanted.map { "; wanted \($0.url)" }.joined()
            return "\(target): \(step.check.rawValue) \(words(step.outcome))\(notices)\(wanted)"
        case .search(let step):
            return words(step.end) + ", limit \(step.limit) cost units"
        case .work(let step):
            return "\(step.spent) of \(step.limit) cost units, "
                + Words.count(step.signatures, "signature") + ", "
                + Words.count(step.paths, "path")
        }
    }

    private static func words(_ tls: TLSState) -> String {
        switch tls {
        case .observed(let parameters): return "observed: " + words(parameters)
        case .enforced(let parameters, let rule, _):
            return "enforced by rule `\(rule)`: " + words(parameters)
        case .assumed(let parameters): return "assumed: " + words(parameters)
        case .notSupplied: return "not supplied"
        case .cleartext: return "not used"
        }
    }

    /// The breaches of a notice of issuance, one after the other; empty for any other notice.
    private static func details(of notice: Notice) -> String {
        guard case .issuance(let breaches) = notice else { return "" }
        return ": " + breaches.map(CheckSentences.breach).joined(separator: "; ")
    }

    private static func words(_ parameters: TLSParameters) -> String {
        let parts = [
            parameters.version?.name, parameters.cipherSuite, parameters.group,
            parameters.signatureScheme, parameters.alpn,
        ].compactMap { $0 }
        return parts.isEmpty ? "nothing known" : parts.joined(separator: ", ")
    }

    private static func words(_ status: CertificateStep.Status) -> String {
        switch status {
        case .read(let subject, let fingerprint):
            return "`\(Words.shortened(subject, to: 200))` \(fingerprint.text)"
        case .duplicate(let first): return "the same octets as \(first + 1)"
        case .setAside(let error):
            return "set aside: \(error.details)"
        }
    }

    private static func words(_ enforcement: DemandStep.Enforcement) -> String {
        switch enforcement {
        case .enforced: return "enforced"
        case .waived(let until, let limit):
            return "waived\(limit.map { " \(words($0))" } ?? "") until \(until)"
        case .reported(let until): return "reported" + (until.map { " until \($0)" } ?? "")
        }
    }

    private static func words(_ limit: DemandStep.WaiverLimit) -> String {
        switch limit {
        case .tolerance(let seconds): return "within \(Words.duration(seconds))"
        case .demands(let ids): return "for \(ids.joined(separator: ", "))"
        case .rsaMinimum(let bits): return "down to \(bits) bits"
        case .minimumHash(let hash): return "down to \(hash.name)"
        case .minimumVersion(let version): return "down to \(version.name)"
        }
    }

    private static func words(_ outcome: CheckStep.Outcome) -> String {
        switch outcome {
        case .passed(let passed):
            return "passed" + (CheckSentences.found(passed).map { ": \($0)" } ?? "")
        case .failed(let violations):
            return "failed: "
                + violations.map { "\($0.id): \($0.headline)" }
                .joined(separator: "; ")
        case .tolerated(let reported):
            return "tolerated: "
                + reported.map {
                    "\($0.violation.id): \($0.violation.headline) "
                        + "(\(CheckSentences.reason($0.reason)))"
                }.joined(separator: "; ")
        case .notAsked: return "not asked"
        }
    }

    private static func words(_ end: SearchStep.End) -> String {
        switch end {
        case .satisfied(let path): return "path \(path) meets every demand"
        case .exhausted: return "every candidate path was tried"
        case .budget: return "the work budget ran out"
        case .notBegun: return "no search: the request itself decides"
        }
    }
}
