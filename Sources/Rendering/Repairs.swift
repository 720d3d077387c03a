package import TrustEngine

/// One thing that would change a verdict: what to do, and what to write.
package struct Repair: Hashable, Sendable {
    /// What to do, lower case, no full stop.
    package let text: String
    /// Lines of policy to write, or nothing.
    package let snippet: [String]

    package init(_ text: String, snippet: [String] = []) {
        self.text = text
        self.snippet = snippet
    }
}

/// Finds what would change a reject, from what its violations carry.
package struct RepairFinder: Sendable {
    private let host: String
    private let time: UTCInstant
    /// Empty for `default`.
    private let rule: String
    private let anchors: [String]

    /// A finder for one explained request.
    package init(_ outline: TraceOutline) {
        self.host = outline.request.map { $0.canonicalHost ?? $0.host } ?? "the host"
        self.time = outline.request?.time ?? UTCInstant(secondsSinceEpoch: 0)
        self.rule = outline.rule?.rule ?? ""
        self.anchors = outline.rule?.anchors ?? []
    }

    /// The repairs for all violations of a verdict, each once. Pins are left out of it while the path
    /// reaches no anchor: the keys found are then nobody's that the rule trusts.
    package func repairs(for violations: [Violation]) -> [Repair] {
        let reachesAnchor = !violations.contains { ViolationSentences.check(of: $0) == .anchor }
        var seen: Set<Repair> = []
        var repairs: [Repair] = []
        for violation in violations {
            if case .pinMismatch = violation, !reachesAnchor { continue }
            for repair in self.repairs(for: violation) where seen.insert(repair).inserted {
                repairs.append(repair)
            }
        }
        return repairs
    }

    /// The repairs for one violation, the likeliest first.
    package func repairs(for violation: Violation) -> [Repair] {
        switch violation {
        case .badHost:
            return [Repair("ask for a host name, or for an address in its usual form")]
        case .noApplicableRule(let host):
            return [
                Repair(
                    "write a rule for it, or a body for `default`",
                    snippet: [
                        "rules:", "  new-rule:", "    hosts: [\"\(host)\"]",
                        "    anchors: [system]",
                    ])
            ]
        case .nothingPresented:
            return [
                Repair("hand over the chain that the server presents, its own certificate first")
            ]
        case .endEntityUnreadable:
            return [Repair("hand over the server's own certificate first, as PEM or DER")]
        case .issuerNotFound(let last, let issuer):
            return issuerRepairs(last: last, issuer: issuer)
        case .selfSignedLeaf(let leaf):
            return leafAnchorRepairs(leaf)
        case .anchorNotTrusted(_, let heldBy, let anchors):
            return anchorRepairs(heldBy: heldBy, anchors: anchors)
        case .expired(let certificate, let notAfter, _, _):
            return expiryRepairs(certificate, notAfter: notAfter)
        case .notYetValid(_, let notBefore, _):
            return [
                Repair("wait until \(notBefore), or judge then: `--at \(notBefore)`"),
                Repair("if the certificate is new, look at the clock of the machine that judges"),
            ]
        case .nameMismatch(let wanted, let presented):
            return nameRepairs(wanted, presented)
        case .pinMismatch(let mismatch):
            return pinRepairs(mismatch)
        default:
            return certificateRepairs(violation)
        }
    }

    // MARK: Reaching an anchor

    private func issuerRepairs(last: CertificateReference, issuer: String) -> [Repair] {
        [
            Repair(
                "have the server send the certificate of `\(issuer)` after "
                    + ViolationSentences.name(last)),
            trustsPinnedKeys
                ? Repair(
                    "or pin the key of that issuer in \(ruleName)",
                    snippet: ["keys:", "  new-issuer: { spki-file: issuer.pem, at: ca }"])
                : Repair(
                    "or trust that issuer itself, in an anchor set of this rule",
                    snippet: [
                        "anchors:", "  new-issuer:", "    files: [issuer.pem]",
                        "    kind: intermediate",
                    ]),
        ]
    }

    private func leafAnchorRepairs(_ leaf: CertificateReference) -> [Repair] {
        if trustsPinnedKeys {
            return [
                Repair(
                    "pin this very certificate in \(ruleName), if you know it to be right",
                    snippet: [
                        "keys:",
                        "  new-server: { certificate: \"\(leaf.fingerprint.text)\", at: leaf }",
                    ])
            ]
        }
        return [
            Repair("have the server use a certificate that an authority has issued"),
            Repair(
                "or trust this very certificate (\(leaf.fingerprint.text)), if you know it to be right",
                snippet: [
                    "anchors:", "  new-server:", "    files: [server.pem]", "    kind: leaf",
                ]),
        ]
    }

    private func anchorRepairs(heldBy: [String], anchors: [String]) -> [Repair] {
        if trustsPinnedKeys {
            return [
                Repair(
                    "if you know that authority, pin its key in a pin set of \(ruleName)",
                    snippet: ["keys:", "  new-authority: { spki-file: authority.pem, at: ca }"]),
                Repair("if you do not, nothing: refusing it is what the rule is for"),
            ]
        }
        if !heldBy.isEmpty {
            let united = (anchors + heldBy).joined(separator: ", ")
            return [
                Repair(
                    "if that authority may vouch for `\(host)`, name its set in \(ruleName)",
                    snippet: ["anchors: [\(united)]"])
            ]
        }
        return [
            Repair(
                "if you do not know that authority, nothing: refusing it is what the rule is for"),
            Repair(
                "if you do, add its certificate to an anchor set of \(ruleName)",
                snippet: [
                    "anchors:", "  new-authority:", "    files: [authority.pem]",
                ]),
        ]
    }

    // MARK: Dates

    private func expiryRepairs(
        _ certificate: CertificateReference, notAfter: UTCInstant
    ) -> [Repair] {
        let past = time.secondsSinceEpoch - notAfter.secondsSinceEpoch
        // Whole days, and one month for the renewal itself.
        let days = past / 86_400 + 31
        return [
            Repair("renew \(ViolationSentences.name(certificate)); it was good until \(notAfter)"),
            Repair(
                "until then, a waiver in \(ruleName)",
                snippet: dated("expired", "being renewed", "tolerance: \(days)d, ")),
        ]
    }

    /// A waiver to paste, with its own key if it has one.
    private func dated(_ waiver: String, _ reason: String, _ ownKey: String = "") -> [String] {
        [
            "waivers:",
            "  \(waiver): { \(ownKey)reason: \"\(reason)\", owner: OWNER, until: \(inAMonth) }",
        ]
    }

    private var inAMonth: String {
        ViolationSentences.day(time.advanced(bySeconds: 30 * 86_400))
    }

    // MARK: Names and pins

    private func nameRepairs(_ wanted: [String], _ presented: [String]) -> [Repair] {
        var repairs: [Repair] = []
        // Where the rule lists other names than the host, asking for another host does not help.
        guard wanted == [host] else {
            return [
                Repair(
                    "have the certificate issued for "
                        + wanted.prefix(3).map { "`\($0)`" }.joined(separator: " or ")),
                Repair("or change `identity` of \(ruleName), if what it presents is right"),
            ]
        }
        let names = presented.filter { $0.utf8.allSatisfy(RepairFinder.isPlain) }.prefix(3)
        if !names.isEmpty {
            let texts = names.map { "`\($0)`" }.joined(separator: " or ")
            repairs.append(Repair("ask for \(texts) instead"))
            if let name = names.first(where: { !$0.contains("*") }) {
                repairs.append(
                    Repair(
                        "or, where that is another name of the same service, say so in \(ruleName)",
                        snippet: ["identity: { reference: listed, dns: [\(name)] }"]))
            }
        }
        let alternative = repairs.isEmpty ? "" : "or "
        repairs.append(Repair("\(alternative)have the certificate issued for `\(host)` too"))
        return repairs
    }

    private func pinRepairs(_ mismatch: PinMismatch) -> [Repair] {
        let wrongPlace = mismatch.wanted.filter { wanted in
            !wanted.matched && mismatch.found.contains { wanted.digests.contains($0.spki) }
        }
        var repairs = wrongPlace.prefix(2).map { wanted in
            Repair("`\(wanted.id)` is on the path, but not at `\(wanted.position)`: see its `at`")
        }
        let keys = mismatch.found.enumerated().prefix(2).map { index, found in
            let last = mismatch.found.count - 1
            let position = index == 0 ? "leaf" : (index == last ? "anchor" : "intermediate")
            return "  new-\(position): { spki: \(found.spki), at: \(position) }"
        }
        repairs.append(
            Repair(
                "if the server's keys were changed on purpose, add one of them to pin set "
                    + "`\(mismatch.set)`",
                snippet: ["keys:"] + keys))
        repairs.append(
            Repair("if nobody knows of a change, nothing: refusing it is what the pins are for"))
        return repairs
    }

    // MARK: Everything else

    private func certificateRepairs(_ violation: Violation) -> [Repair] {
        switch violation {
        case .badSignature(let certificate, _), .algorithmMismatch(let certificate):
            return [
                Repair(
                    "fetch \(ViolationSentences.name(certificate)) again: it was altered, or made "
                        + "by somebody else")
            ]
        case .tooManyIntermediates(_, let actual):
            return [
                Repair(
                    "allow it in \(ruleName) or its profile",
                    snippet: ["path: { maximum-intermediates: \(actual) }"])
            ]
        case .keyTooSmall(let certificate, _, let minimum):
            return [
                Repair(
                    "have \(ViolationSentences.name(certificate)) issued with an RSA key of at "
                        + "least \(minimum) bits")
            ]
        case .keyTypeNotAllowed(let certificate, _, let allowed):
            return [
                Repair(
                    "have \(ViolationSentences.name(certificate)) issued with a key of "
                        + ViolationSentences.list(allowed))
            ]
        case .hashTooWeak(let certificate, _, _), .signatureSchemeNotAllowed(let certificate, _, _):
            return [
                Repair(
                    "have \(ViolationSentences.name(certificate)) signed again, as the rule wants")
            ]
        case .purposeNotAllowed(let certificate, let wanted, _):
            return [
                Repair(
                    "use a certificate for \(ViolationSentences.list(wanted)) instead of "
                        + ViolationSentences.name(certificate))
            ]
        case .anchorConstraintNotMet(let failure):
            return [
                Repair(
                    "have the certificate issued by another authority, or so that "
                        + "`constraints.\(failure.side.key)` is met"),
                Repair(
                    "or change `constraints.\(failure.side.key)` of anchor set "
                        + "`\(failure.set)`, or of the set it includes, if that authority may "
                        + "vouch for `\(host)`"),
            ]
        case .lifetimeTooLong(_, _, let maximum):
            return [
                Repair(
                    "have the certificate issued for at most "
                        + ViolationSentences.duration(maximum))
            ]
        case .certificatePolicyNotSatisfied(_, let wanted, _):
            let under = wanted.isEmpty ? "a certificate policy" : ViolationSentences.list(wanted)
            return [Repair("use certificates that were issued under \(under), all the way up")]
        case .forbiddenKey(let found):
            return [
                Repair(
                    "use certificates that \(ViolationSentences.name(found.certificate)) is no part "
                        + "of: whoever wrote `\(found.entry)` does not trust it"),
                Repair(
                    "if that was a mistake, delete the entry where it is written: no other layer takes "
                        + "a key off the list"),
            ]
        case .checkFailed(let name, _):
            return [
                Repair("ask whoever owns this program: it registers the check `\(name)` itself")
            ]
        case .cleartext:
            return [
                Repair("use TLS"),
                Repair(
                    "until then, a waiver in \(ruleName)",
                    snippet: dated("cleartext", "no TLS on the device yet")),
            ]
        case .tlsNotSupplied:
            return [
                Repair(
                    "say how the server was reached: `--connect ADDRESS` sees its TLS parameters")
            ]
        case .tlsVersion(let version, let minimum, let maximum):
            return tlsVersionRepairs(version, minimum: minimum, maximum: maximum)
        case .tlsForwardSecrecy:
            return [
                Repair(
                    "have the server speak `tls1.3`, or prefer suites that begin with `TLS_ECDHE_`")
            ]
        case .tlsParameter(let parameter, _, let allowed):
            return [
                Repair(
                    "have the server use a \(ViolationSentences.words(parameter)) of "
                        + ViolationSentences.list(allowed))
            ]
        case .transparencyNotMet(let report): return transparencyRepairs(report)
        case .logListStale:
            return [
                Repair(
                    "put a newer log list in its place and compile anew: "
                        + "`https://www.gstatic.com/ct/log_list/v3/log_list.json`")
            ]
        case .standardNotMet(let certificate, let demand, _):
            return [
                Repair(
                    "have \(ViolationSentences.name(certificate)) issued again: "
                        + StandardSentences.demand(demand))
            ] + otherStandard(demand, certificate)
        case .revoked(let certificate, _):
            return [
                Repair(
                    "replace \(ViolationSentences.name(certificate)), with a new key if the old one "
                        + "may be known: its authority has revoked it")
            ]
        case .revocationUndetermined(let certificate, let cause, _):
            return revocationRepairs(certificate, cause)
        case .stapleMissing:
            return [Repair("have the server staple an OCSP response to its handshake")]
        case .tableStale:
            return [
                Repair(
                    "see why the source of the table does not confirm it: the program's log and the "
                        + "state of its policy store name the last failure")
            ]
        case .budgetExhausted:
            return [Repair("have the server send the certificates of one chain, and no others")]
        case .engineError:
            return [Repair("report it, with the output of `--trace --format json`")]
        default:
            return [Repair("have the authority issue the certificates anew, without this fault")]
        }
    }

    /// Where `web-pki` alone asks for it, the other standard may be what was meant; and name constraints
    /// of an anchor can be left to the policy.
    private func otherStandard(
        _ demand: StandardDemand, _ certificate: CertificateReference
    ) -> [Repair] {
        if demand == .nameConstraintsNotCritical, case .anchor = certificate.origin {
            return [
                Repair(
                    "or let the policy say what that anchor may vouch for, in its anchor set",
                    snippet: ["ignore-limits: [name-constraints]"])
            ]
        }
        guard demand.section.hasPrefix("BR ") else { return [] }
        return [
            Repair(
                "or, where the anchor is no public authority, judge by the other standard, in its "
                    + "anchor set", snippet: ["standard: rfc5280"])
        ]
    }

    private func transparencyRepairs(_ report: TransparencyReport) -> [Repair] {
        var repairs: [Repair] = []
        let problems = report.timestamps.compactMap { finding -> TimestampProblem? in
            if case .unusable(let problem) = finding.standing { return problem }
            return nil
        }
        if problems.contains(.unknownLog) {
            repairs.append(
                Repair(
                    "put a newer log list in its place and compile anew, if these logs are new: "
                        + "`https://www.gstatic.com/ct/log_list/v3/log_list.json`"))
        }
        repairs.append(
            Repair(
                "have a public authority issue \(ViolationSentences.name(report.certificate)) anew: "
                    + "they embed timestamps of enough logs"))
        repairs.append(
            Repair(
                "until then, report it only, in \(ruleName)",
                snippet: ["report-only: { transparency: { until: \(inAMonth) } }"]))
        return repairs
    }

    private func revocationRepairs(
        _ certificate: CertificateReference, _ cause: RevocationCause
    ) -> [Repair] {
        let name = ViolationSentences.name(certificate)
        let report = Repair(
            "or let this cause be reported only, in \(ruleName) or its profile",
            snippet: ["revocation: { causes: { \(cause.name): report } }"])
        switch cause {
        case .noEndpoint:
            return [
                Repair("have \(name) issued so that it names a CRL or a responder"), report,
            ]
        case .unreachable:
            return [Repair("hand over a current CRL or OCSP response about \(name)"), report]
        case .stale:
            return [Repair("hand over a newer CRL or OCSP response about \(name)"), report]
        case .unknown, .malformed, .notCovered:
            return [
                Repair("hand over another CRL or OCSP response about \(name), from its authority"),
                report,
            ]
        }
    }

    private func tlsVersionRepairs(
        _ version: TLSVersion, minimum: TLSVersion, maximum: TLSVersion
    ) -> [Repair] {
        guard version < minimum else {
            return [
                Repair("have the server speak `\(maximum.name)` or earlier"),
                Repair(
                    "or allow it in \(ruleName) or its profile",
                    snippet: ["tls: { maximum-version: \(version.name) }"]),
            ]
        }
        let upgrade = Repair("have the server speak `\(minimum.name)` or later")
        guard version < .tls12 else { return [upgrade] }
        return [
            upgrade,
            Repair(
                "until then, a waiver in \(ruleName)",
                snippet: dated("tls", "being upgraded", "minimum-version: \(version.name), ")),
        ]
    }

    /// Whether what the rule pins is its only anchor.
    private var trustsPinnedKeys: Bool { anchors == ["pinned-keys"] }

    private var ruleName: String { rule.isEmpty ? "`default`" : "rule `\(rule)`" }

    /// Letters, digits and the signs of a name: what can be pasted into a policy as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"),
            UInt8(ascii: ":"):
            return true
        default: return false
        }
    }
}
