import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The CA that `hawser init --private-ca` writes a policy for: the files with its certificates and
/// the hosts of the rule.
struct PrivateCA {
    /// A file with certificates, and its path below the folder of the policy.
    struct File {
        /// The file as it was named.
        let source: String
        let path: String
        let bytes: [UInt8]
        let certificates: [Certificate]

        fileprivate var isOfRoots: Bool { certificates.allSatisfy(\.isSelfIssued) }
    }

    /// The files whose certificates a path may end at.
    let anchors: [File]
    /// Whether `anchors` holds no root, so that the set is of kind `intermediate`.
    let isOfKindIntermediate: Bool
    /// The files that are offered to the path search.
    let intermediates: [File]
    /// The host patterns in canonical form; the placeholder if none was given.
    let hosts: [String]
    /// Whether `hosts` is the placeholder.
    let isPlaceholder: Bool
    /// A host that the first pattern matches.
    let exampleHost: String

    /// The same host with the port of the pattern, where it has one.
    let exampleRequest: String

    /// The pattern of the starter policy where no host is given: a name that is reserved (RFC 6761
    /// section 6.5), so nobody has it.
    static let placeholder = "**.corp.example"

    /// Reads the certificates. Roots are the anchors, and files with certificates that others
    /// issued are offered to the path search. Without a root, the others are the anchors.
    init(files: [String], hosts: [String]) throws(CommandFailure) {
        var read: [File] = []
        for source in files {
            let file = try PrivateCA.read(source)
            if let other = read.first(where: { $0.path == file.path }) {
                throw .couldNotAsk(
                    "`\(other.source)` and `\(source)` would both be `\(file.path)`; rename one")
            }
            read.append(file)
        }
        let roots = read.filter(\.isOfRoots)
        isOfKindIntermediate = roots.isEmpty && !read.isEmpty
        anchors = isOfKindIntermediate ? read : roots
        intermediates = isOfKindIntermediate ? [] : read.filter { !$0.isOfRoots }
        var patterns: [ScannedHostPattern] = []
        for text in hosts.isEmpty ? [PrivateCA.placeholder] : hosts {
            do throws(ScalarProblem) {
                let scanned = try HostPatternScanner.scan(text)
                if !patterns.contains(where: { $0.pattern == scanned.pattern }) {
                    patterns.append(scanned)
                }
            } catch {
                throw .couldNotAsk(
                    "`--host`: " + ([error.message] + error.help).joined(separator: "; "))
            }
        }
        self.hosts = patterns.map(\.canonicalText)
        isPlaceholder = hosts.isEmpty
        exampleHost = patterns.first.map(PrivateCA.host) ?? "www.corp.example"
        exampleRequest = patterns.first.map(PrivateCA.request) ?? "www.corp.example"
    }

    /// Reads one file. Its certificates must be of CAs, and all of one kind.
    private static func read(_ source: String) throws(CommandFailure) -> File {
        let name = source.split(separator: "/").last.map(String.init) ?? ""
        guard isPlain(name) else {
            throw .couldNotAsk(
                "`\(source)` cannot be the name of a file of a policy; take letters, digits, `-`, `_` "
                    + "and dots, and an end such as `.pem`")
        }
        let bytes = try InputFile.read(source, limit: CertificateFile.limit)
        if ForeignCertificateForm(bytes)?.holdsPrivateKey != true {
            try CertificateFile.refuseForeign(bytes, path: source)
        }
        let blocks = try CertificateFile.blocks(bytes, path: source)
        let ders = blocks.map { $0.map(\.der) } ?? [bytes]
        let hasKeyLabel = (blocks ?? []).contains { $0.label.hasSuffix("PRIVATE KEY") }
        let hasKey =
            ForeignCertificateForm(bytes)?.holdsPrivateKey == true
            || ders.contains(where: KeyMaterial.isPrivateKey)
        guard !hasKeyLabel, !hasKey else {
            throw .couldNotAsk(
                "`\(source)` has a private key, and the files of a policy are read by many; give "
                    + "the certificate alone; nothing was written")
        }
        let certificates = try CertificateFile.certificates(bytes, path: source)
        for certificate in certificates
        where !certificate.layout.extensions.isCA
            && !(certificate.layout.version == 1 && certificate.isSelfIssued)
        {
            throw .couldNotAsk(
                "`\(source)` has `\(certificate.subjectText)`, which is not a CA by its "
                    + "basicConstraints; give the certificate of the CA that issued it; nothing was "
                    + "written")
        }
        let file = File(
            source: source, path: "anchors/\(name)", bytes: bytes, certificates: certificates)
        guard file.isOfRoots || !certificates.contains(where: \.isSelfIssued) else {
            throw .couldNotAsk(
                "`\(source)` has a root and certificates that another CA issued; put each kind into a "
                    + "file of its own, because a path may end at roots alone; nothing was written")
        }
        return file
    }

    /// Whether a file's name can stand in every policy, and is not a policy's name.
    private static func isPlain(_ name: String) -> Bool {
        let letters = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.".utf8.contains(byte)
        }
        let end = name.lowercased()
        return letters && !name.isEmpty && !name.hasPrefix(".")
            && !end.hasSuffix(".yaml") && !end.hasSuffix(".yml")
    }

    /// A host that a pattern matches.
    private static func host(of scanned: ScannedHostPattern) -> String {
        let text = scanned.canonicalText
        switch scanned.pattern.host {
        case .name, .address: return text
        case .oneLabel, .anyLabels: return "www" + text.drop { $0 == "*" }
        case .network(let address, _): return address.description
        }
    }

    /// That host with the pattern's port. The text of any pattern but a network has its port.
    private static func request(of scanned: ScannedHostPattern) -> String {
        guard case .network(let address, _) = scanned.pattern.host,
            let port = scanned.pattern.port
        else { return host(of: scanned) }
        return HostWithPort.text(address.description, port)
    }

    // MARK: The policy

    /// What `lint` finds in the policy, before anything is written.
    func lint() throws(CommandFailure) -> LintResult {
        let files = anchors + intermediates
        let unit = PolicyUnit(
            files: [
                SourceFile(path: "policy.yaml", bytes: Array(StarterFiles.policy(of: self).utf8))
            ],
            resources: FilesOfMemory(files.map { ($0.path, $0.bytes) }),
            isDirectory: true)
        let result = Linter.lint(
            unit, LintOptions(time: StandardStreams.now()), crypto: EngineLoader.makeBackend())
        // Without a file the policy says itself that one is missing.
        if !files.isEmpty,
            let error = result.compilation.diagnostics.first(where: { $0.severity == .error })
        {
            throw .couldNotAsk(
                ([error.message] + error.help).joined(separator: "; ") + "; nothing was written")
        }
        return result
    }
}

extension StarterFiles {
    /// A unit of one file for a team with a CA of its own: one anchor set and one rule.
    static func policy(of authority: PrivateCA) -> String {
        let files = authority.anchors.map(\.path)
        var lines = head
        lines += ["anchors:"]
        lines +=
            files.isEmpty ? missingFile : ["  # \(setIs[0])", "  # \(setIs[1])", "  private-ca:"]
        lines += ["    files:"] + (files.isEmpty ? [missingPath] : files).map(item)
        if authority.isOfKindIntermediate {
            lines += [
                "    # Issued by another CA, which is not trusted for that.",
                "    kind: intermediate",
            ]
        }
        if !authority.intermediates.isEmpty {
            lines += ["    # For servers that do not send them; no path ends at these."]
            lines += ["    intermediates:"] + authority.intermediates.map { item($0.path) }
        }
        lines += ["", "rules:"] + ruleHead
        if authority.isPlaceholder {
            lines += ["    # A name that nobody has: put your hosts in its place."]
        }
        lines += ["    hosts:"] + authority.hosts.map { item("\"\($0)\"") }
        return (lines + ruleRest).map { $0 + "\n" }.joined()
    }

    /// Where the certificate of the CA belongs, if no file with it was given.
    static let missingPath = "anchors/private-ca.pem"

    private static func item(_ text: String) -> String { "      - \(text)" }

    private static let head = [
        "# yaml-language-server: $schema=policy.schema.json", "#",
        "# Trust in servers whose certificates a CA of your own issues. A rule says who;",
        "# a profile says how strictly; only a dated waiver goes below the baseline.",
        "# `hawser help language` explains every key, and `hawser rule hosts` one.",
        "hawser: 1", "", "# Every host that no rule matches is refused.", "default: deny", "",
    ]

    private static let setIs = [
        "A path must end at one of these certificates. No public CA can vouch for",
        "the hosts of a rule that names only this set.",
    ]

    private static let missingFile = [
        "  # \(setIs[0])", "  # \(setIs[1])", "  private-ca:",
        "    # Put the certificate of your CA here, PEM or DER, without its key. Until",
        "    # then `hawser check` says that the file is missing.",
    ]

    private static let ruleHead = [
        "  # The id is yours; verdicts, traces and reports cite it.", "  private-hosts:",
        "    # `**.` is one or more labels, `*.` exactly one; the name itself is neither.",
    ]

    private static let ruleRest = [
        "    anchors: [private-ca]", "    # Who is asked when a connection is refused.",
        "    owner: platform",
        "    # Rules that are addressed to those who issue, and whose breach lets nobody",
        "    # vouch for more than was meant, do not reject: a breach is a notice of the",
        "    # accept (`path.issuance: report`, the baseline). Those that the files above",
        "    # breach are listed by `hawser lint --level audit`. Once none is left, write",
        "    #   path:", "    #     issuance: enforce",
        "    # A certificate that evidence calls revoked is always refused. Where your CA",
        "    # publishes CRLs, demand one for every certificate that it issues:",
        "    #   revocation:", "    #     preset: require", "    #     sources: [crl]",
    ]
}
