package import PolicyCompiler
package import TrustEngine

/// Writes a trust bundle of SPIFFE as a policy: its certificates are anchors, and a server has to
/// present an X509-SVID of the trust domain.
package enum SPIFFEImport {
    /// The URI pattern of every workload of a trust domain; nil for a text that is not one
    /// ("SPIFFE ID", section 2.1: lower-case letters, digits, dots, hyphens and underscores).
    package static func pattern(ofTrustDomain name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= 255,
            name.utf8.allSatisfy({ byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || ".-_".utf8.contains(byte)
            })
        else { return nil }
        return ForeignNames.uris(below: "spiffe://\(name)/")
    }

    /// Imports a bundle.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - hosts: the patterns of the hosts whose servers are workloads of the domain; empty for
    ///     every host.
    ///   - instant: when the bundle is taken over.
    package static func policy(
        of bundle: SPIFFEBundle, trustDomain: String, source: SourceFile, hosts: [String] = [],
        owner: String? = nil, at instant: UTCInstant
    ) -> ForeignImport {
        var findings = ForeignFindings()
        let place = ForeignFindings.Hosts()
        for other in bundle.others {
            findings.add(
                .keyOfAnotherUse,
                "a key for `\(other.use.prefix(60))` is not an anchor of TLS, and is not taken over",
                at: other.range, .none, place)
        }
        var facts = "trust domain \(trustDomain)"
        if let sequence = bundle.sequence { facts += ", spiffe_sequence \(sequence.number)" }
        if let hint = bundle.refreshHint {
            facts += ", spiffe_refresh_hint \(hint.seconds) s"
            findings.add(
                .bundleRefresh,
                "the bundle is due for renewal \(hint.seconds) s after it was fetched: "
                    + "\(due(hint.seconds, instant)) if it was fetched now",
                at: hint.range, .none, place,
                help: ["import the bundle again by then; `hawser forecast` does not know this day"])
        }
        var ids = WrittenIDs()
        var anchors = ForeignAnchors()
        var body = WrittenPolicy.Body()
        body.anchors = anchors.ids(
            of: bundle.certificates, named: trustDomain, note: "\(facts), \(source.path)", &ids)
        if bundle.certificates.isEmpty {
            findings.add(
                .hostsWithoutAnchors, "the bundle has no certificate, so no server is accepted",
                at: bundle.range, .none, place)
            body.anchors = [anchors.nothing("the bundle has no certificate")]
        }
        if let pattern = Self.pattern(ofTrustDomain: trustDomain) {
            body.names = WrittenPolicy.Names(uri: [pattern])
        }
        var policy = WrittenPolicy()
        policy.heading = [
            "Written by `hawser import spiffe` from \(source.path).",
            "`hawser help foreign-files.md` describes the import.",
        ]
        policy.owner = owner
        policy.anchorSets = anchors.sets
        if hosts.isEmpty {
            policy.defaultBody = body
        } else {
            policy.rules = [WrittenPolicy.Rule(id: "workloads", hosts: hosts, body: body)]
        }
        return ForeignImport(
            policy: policy, files: anchors.files, findings: findings.diagnostics)
    }

    /// The instant after some seconds, as text; the last instant of the calendar at the latest.
    private static func due(_ seconds: Int64, _ instant: UTCInstant) -> String {
        let last = UTCInstant.calendarSeconds.upperBound
        let (sum, isOver) = instant.secondsSinceEpoch.addingReportingOverflow(seconds)
        return "\(UTCInstant(secondsSinceEpoch: isOver ? last : min(sum, last)))"
    }
}
