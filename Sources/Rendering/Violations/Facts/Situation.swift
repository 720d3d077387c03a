package import PolicyReading
package import TrustEngine

/// What the sentences about a violation may rest on besides the violation itself: the question, the
/// rule, and what was presented. Every value can be absent, and the sentence is then more general.
package struct Situation: Hashable, Sendable {
    /// The asked host with its port, for a reader; the host alone where the port is not known.
    package let host: String
    /// The rule, as the end of a clause: "rule `www`", "`default`", or "the policy".
    package let rule: String
    /// The subject of the first presented certificate.
    package let firstSubject: String?
    /// Where the presented chain begins with a CA: the position of the server's own certificate,
    /// from 0.
    package let misplacedEndEntity: Int?
    /// The other side of the clock: every certificate of the path that has dates is outside them,
    /// all of them in the same direction.
    package let isWholePathOutsideDates: Bool
    /// The facts about the request besides its trace.
    package let facts: RequestFacts

    /// The situation when nothing but the host is known.
    package init(host: String) {
        self.host = host
        self.rule = "the policy"
        self.firstSubject = nil
        self.misplacedEndEntity = nil
        self.isWholePathOutsideDates = false
        self.facts = RequestFacts()
    }

    /// The situation of an explanation.
    package init(_ explanation: Explanation, _ outline: TraceOutline) {
        let request = outline.request
        host = request.map { $0.canonicalHost ?? $0.host } ?? "the host"
        switch outline.rule?.selection {
        case .pattern: rule = "rule `\(outline.rule?.rule ?? "")`"
        case .defaultBody, .defaultDeny: rule = "`default`"
        case nil: rule = "the policy"
        }
        if case .read(let subject, _)? = outline.certificates.first?.status {
            firstSubject = subject
        } else {
            firstSubject = nil
        }
        misplacedEndEntity = explanation.misplacedEndEntity
        isWholePathOutsideDates = Situation.isWholePathOutside(explanation.verdict, outline)
        facts = explanation.facts
    }

    /// The sentence for a reader who only wanted to connect, where the presented chain begins with
    /// a CA; nil where it begins as it should.
    var wrongOrder: String? {
        misplacedEndEntity.map { position in
            "the server's own certificate is not the first that was sent for `\(host)`, but number "
                + "\(position + 1): an authority's stands before it"
        }
    }

    private static func isWholePathOutside(_ verdict: Verdict, _ outline: TraceOutline) -> Bool {
        var ended: Set<CertificateReference> = []
        var ahead: Set<CertificateReference> = []
        for violation in verdict.violations {
            guard case .path(let found) = violation.reason else { continue }
            if case .expired(let certificate, _, _, _) = found { ended.insert(certificate) }
            if case .notYetValid(let certificate, _, _) = found { ahead.insert(certificate) }
        }
        let path = outline.decisive(for: verdict)?.path.certificates ?? []
        // Of an anchor only the name and the key count, so its dates are not judged.
        let dated = path.filter { certificate in
            if case .anchor = certificate.origin { return false }
            return true
        }
        guard dated.count > 1 else { return false }
        return ended.isSuperset(of: dated) || ahead.isSuperset(of: dated)
    }
}
