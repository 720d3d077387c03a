package import PolicyCompiler
import TrustEngine

/// A file of another system as a policy, and the differences between the two.
package struct ForeignImport: Sendable {
    package let policy: WrittenPolicy
    /// The certificates that the policy names, in DER, by their files' paths from the unit's root.
    package let files: [(name: String, certificates: [[UInt8]])]
    /// In the order of the file. The only file that spans name is the imported one.
    package let findings: [Diagnostic]
    /// The differences between the file and the policy.
    package let gaps: [ForeignGap]

    init(
        policy: WrittenPolicy, files: [(name: String, certificates: [[UInt8]])] = [],
        findings: [Diagnostic], gaps: [ForeignGap] = []
    ) {
        self.policy = policy
        self.files = files
        self.findings = DiagnosticCollector.sorted(findings)
        self.gaps = gaps
    }
}

extension ForeignImport {
    /// The files of the unit by their paths from its root, `policy.yaml` first.
    package var unitFiles: [(name: String, octets: [UInt8])] {
        [("policy.yaml", Array(policy.text.utf8))]
            + files.map { ($0.name, PEMText.certificates($0.certificates)) }
    }

    /// The unit that the import writes.
    package var unit: PolicyUnit {
        let written = unitFiles
        return PolicyUnit(
            files: [SourceFile(path: written[0].name, bytes: written[0].octets)],
            resources: FilesOfMemory(written), isDirectory: true)
    }
}

/// The hosts that entries of other systems name, as patterns of the language.
enum ForeignHosts {
    /// A name and the names above it: `a.b.example`, `b.example`, `example`.
    static func ends(of name: String) -> some Sequence<Substring> {
        sequence(first: Substring(name)) { rest in
            rest.firstIndex(of: ".").map { rest[rest.index(after: $0)...] }
        }
    }

    /// The pattern of one exact host; nil for a text that no request can name.
    static func exact(_ text: String) -> String? {
        guard let scanned = try? HostPatternScanner.scan(text), scanned.isCanonical,
            scanned.canonicalText == text, scanned.pattern.port == nil
        else { return nil }
        switch scanned.pattern.host {
        case .name, .address: return text
        case .oneLabel, .anyLabels, .network: return nil
        }
    }

    /// A host in the form in which requests name it: lower case, labels in their ASCII form,
    /// addresses in their shortest form. Nil for a text that is not a host. A dot at the end stays.
    static func canonical(_ text: String) -> String? {
        guard let scanned = try? HostPatternScanner.scan(text), scanned.pattern.port == nil else {
            return nil
        }
        switch scanned.pattern.host {
        case .name, .address: return text.hasSuffix(".") ? text : scanned.canonicalText
        case .oneLabel, .anyLabels, .network: return nil
        }
    }

    /// The pattern of a network of addresses; nil for other texts.
    static func network(_ text: String) -> String? {
        guard let scanned = try? HostPatternScanner.scan(text), scanned.isCanonical,
            scanned.pattern.port == nil, case .network = scanned.pattern.host
        else { return nil }
        return text
    }

    /// The pattern of names below a host, with `*` or `**`; nil for addresses, which have none.
    static func below(_ host: String, _ stars: String) -> String? {
        guard let scanned = try? HostPatternScanner.scan("\(stars).\(host)") else { return nil }
        switch scanned.pattern.host {
        case .oneLabel, .anyLabels: return scanned.canonicalText
        case .name, .address, .network: return nil
        }
    }

    /// A pin in base64; nil for a text that is not 32 octets.
    static func digest(_ text: String) -> String? {
        guard let octets = Base64.decode(Array(text.utf8)[...]), octets.count == 32 else {
            return nil
        }
        return Base64.encode(octets)
    }
}

extension SourceFile {
    /// The line on which a part of the file begins, from 1 on.
    func line(of range: Range<Int>) -> Int { lines.line(of: range.lowerBound) + 1 }

    /// Waivers for a part of the file that permits what the checks reject.
    func waivers(
        _ checks: [WrittenPolicy.Waiver.Check], _ cause: String, _ place: Range<Int>
    ) -> [WrittenPolicy.Waiver] {
        let reason = "\(cause), line \(line(of: place))"
        return checks.map { WrittenPolicy.Waiver(check: $0, reason: reason) }
    }
}
