package import PolicyCompiler
package import TrustEngine

/// Writes what a curl command or configuration file means as a policy, and finds where the two
/// differ.
package struct CurlImport {
    /// The files that the options name.
    package struct Resources {
        /// The certificates of `--cacert`.
        package var anchors: [Certificate]?
        /// The SHA-256 digest, in base64, of the key in the file of `--pinnedpubkey`.
        package var pinnedKey: String?
        package init(anchors: [Certificate]? = nil, pinnedKey: String? = nil) {
            self.anchors = anchors
            self.pinnedKey = pinnedKey
        }
    }

    private let model: CurlModel
    private let source: SourceFile
    private let resources: Resources
    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var findings = ForeignFindings()
    private var files: [(name: String, certificates: [[UInt8]])] = []

    private var file: CurlFile { model.file }

    /// Imports a command or a configuration file.
    ///
    /// - Throws: HX103 for a pin that is not a digest.
    package static func policy(
        of file: CurlFile, version: CurlModel.Version, source: SourceFile,
        resources: Resources = Resources(), owner: String? = nil
    ) throws(ForeignError) -> ForeignImport {
        var imported = CurlImport(
            model: CurlModel(file, version), source: source, resources: resources)
        imported.policy.owner = owner
        try imported.write()
        return ForeignImport(
            policy: imported.policy, files: imported.files,
            findings: file.findings + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(model: CurlModel, source: SourceFile, resources: Resources) {
        self.model = model
        self.source = source
        self.resources = resources
    }

    private var follows: CurlFile.Option? {
        [file.last("location"), file.last("location-trusted")].compactMap { $0 }.first(
            where: \.isOn)
    }

    private mutating func write() throws(ForeignError) {
        policy.heading = [
            "Written by `hawser import curl` from \(source.path).",
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        let encrypted = patterns { $0.usesTLS }
        let cleartext = patterns { !$0.usesTLS }
        let bindsAll = file.urls.isEmpty || follows != nil
        let hosts = ForeignFindings.Hosts(
            patterns: cleartext + encrypted.filter { !cleartext.contains($0) }, others: bindsAll)
        let body = try self.body(hosts)
        for (patterns, isCleartext) in [
            (cleartext, true), (encrypted.filter { !cleartext.contains($0) }, false),
        ] where !patterns.isEmpty {
            var own = body
            let place = file.urls.first { $0.usesTLS != isCleartext }?.range ?? 0..<0
            own.note = "\(source.path):\(source.line(of: place))"
            if isCleartext {
                own.cleartextReason =
                    "a URL of the file is in cleartext, line \(source.line(of: place))"
                findings.add(
                    .permitsCleartext, "the URL is in cleartext", at: place, .none,
                    ForeignFindings.Hosts(patterns: patterns),
                    help: [
                        "the policy has it as a waiver, which needs an owner and an end; the file "
                            + "states neither"
                    ])
            }
            policy.rules.append(
                WrittenPolicy.Rule(id: ids.id(patterns[0]), hosts: patterns, body: own))
        }
        if bindsAll { policy.defaultBody = body }
        if let follows, !file.urls.isEmpty {
            findings.add(
                .optionNotTaken,
                "`-L` follows redirects to other hosts, in cleartext too; the policy has the same "
                    + "demands on every host, and permits TLS only", at: follows.range,
                .policyIsStricter, ForeignFindings.Hosts(others: true))
        }
        reportOthers(hosts)
    }

    /// The patterns of URLs, each once, with the port where it is not the usual one.
    private mutating func patterns(_ isWanted: (CurlFile.URL) -> Bool) -> [String] {
        var patterns: [String] = []
        for url in file.urls where isWanted(url) {
            guard let host = url.host else {
                findings.add(
                    .matchesNoHost, "`\(url.text)` has a host that a policy cannot name",
                    at: url.range,
                    .none, ForeignFindings.Hosts())
                continue
            }
            let written = host.contains(":") ? "[\(host)]" : host
            let pattern = url.port == 443 || url.port == 80 ? host : "\(written):\(url.port)"
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        return patterns
    }

    // MARK: Demands

    private mutating func body(
        _ hosts: ForeignFindings.Hosts
    ) throws(ForeignError) -> WrittenPolicy.Body {
        var body = WrittenPolicy.Body(anchors: ["system"])
        if let option = file.last("cacert"), let path = option.literal {
            body.anchors = anchors(option, path, hosts)
        }
        if let option = file.last("pinnedpubkey"), let argument = option.literal {
            let digests = try pins(option, argument, hosts)
            if digests.isEmpty {
                body.anchors = [nothing()]
            } else {
                body.pins = [set(digests, option, hosts)]
            }
        }
        if let option = file.last("insecure"), option.isOn {
            findings.add(
                .verificationOff,
                "`-k` switches the checks of the chain and of the name off"
                    + (file.last("pinnedpubkey") == nil ? "" : "; the pin stays in force"),
                at: option.range, .policyIsStricter, hosts,
                help: ["delete it; for a server with its own CA use `--cacert`"])
        }
        if let floor = file.floor, let version = file.minimumTLS {
            switch version {
            case "1.3": body.needsTLS13 = true
            case "1.2": break
            default:
                body.waivedTLS = "tls\(version)"
                body.waivedTLSReason =
                    "the file permits TLS \(version), line \(source.line(of: floor.range))"
                findings.add(
                    .permitsOldTls, "TLS is permitted from \(version) on", at: floor.range, .none,
                    hosts,
                    help: [
                        "the policy has it as a waiver, which needs an owner and an end; the file "
                            + "states neither"
                    ])
            }
        }
        return body
    }

    private mutating func anchors(
        _ option: CurlFile.Option, _ path: String, _ hosts: ForeignFindings.Hosts
    ) -> [String] {
        guard let certificates = resources.anchors else {
            findings.add(
                .missingResource, "the certificates of `\(path)` are missing",
                at: option.argumentRange, .none, ForeignFindings.Hosts(),
                help: ["run the command in the folder from which the path counts"])
            return ["system"]
        }
        if file.last("capath") == nil {
            findings.add(
                .optionNotTaken,
                "a curl that was built with a directory of CAs, as Debian's is, trusts those beside "
                    + "`--cacert`; the policy does not", at: option.range, .policyIsStricter, hosts,
                help: ["`--capath /dev/null` takes the directory away"])
        }
        var made: [String] = []
        for (kind, members) in ForeignAnchors.byKind(certificates) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let id = ids.id(name)
            let file = "anchors/\(id).pem"
            files.append((file, members.map(\.der)))
            policy.anchorSets.append(
                WrittenPolicy.AnchorSet(
                    id: id, files: [file], kind: kind,
                    note: "--cacert, \(source.path):\(source.line(of: option.range))"))
            made.append(id)
        }
        return made.isEmpty ? [nothing()] : made
    }

    /// The digests of a pin of which one has to match. Reports those that never match.
    private mutating func pins(
        _ option: CurlFile.Option, _ argument: String, _ hosts: ForeignFindings.Hosts
    ) throws(ForeignError) -> [String] {
        let range = option.argumentRange
        guard case .hashes(let hashes) = model.pinnedKey(argument) else {
            guard let key = resources.pinnedKey else {
                findings.add(
                    .missingResource,
                    "`\(argument)` does not begin with `sha256//`, so it is the name of a file, and "
                        + "the file is missing", at: range, .none, ForeignFindings.Hosts(),
                    help: [
                        "a hash is written `sha256//` and base64, in this case, with two slashes"
                    ])
                return []
            }
            return [key]
        }
        let other = CurlModel(
            file, CurlModel.Version(splitsAtSemicolons: !model.version.splitsAtSemicolons))
        if other.pinnedKey(argument) != .hashes(hashes) {
            findings.add(
                .doubtfulInTarget,
                "curl before 8.18 and later ones split these hashes in different ways; the policy "
                    + "has what curl \(model.version.splitsAtSemicolons ? "8.18" : "before 8.18") "
                    + "does", at: range, .none, hosts,
                help: ["write `sha256//` before each hash, and end without a semicolon"])
        }
        var digests: [String] = []
        for hash in hashes {
            switch try Self.pin(hash, range) {
            case .digest(let digest): if !digests.contains(digest) { digests.append(digest) }
            case .dud(let why): findings.add(.dudPin, why, at: range, .none, hosts)
            case .neverMatches(let why):
                findings.add(.pinNeverMatches, why, at: range, .none, hosts)
            case .sha1: continue
            }
        }
        if digests.isEmpty {
            findings.add(
                .pinNeverMatches, "no key satisfies the pins, so every connection fails", at: range,
                .none, hosts)
        }
        return digests
    }

    /// What curl makes of the text of a hash.
    ///
    /// - Throws: HX103 for a text that is not a digest, whatever stands at its end.
    static func pin(_ hash: String, _ range: Range<Int>) throws(ForeignError) -> ForeignPin.Kind {
        var trimmed = Substring(hash)
        while let last = trimmed.last, "; \t".contains(last) { trimmed = trimmed.dropLast() }
        let octets = ForeignPinText.octets(of: trimmed.utf8)
        guard let octets, let kind = ForeignPinText.kind(octets) else {
            throw ForeignPinText.refusal(octets, at: range)
        }
        let text = Base64.encode(octets)
        guard text == hash else {
            return .neverMatches(
                "curl compares this hash as text with `\(text)`, and it never matches")
        }
        return kind
    }

    private mutating func set(
        _ digests: [String], _ option: CurlFile.Option, _ hosts: ForeignFindings.Hosts
    ) -> String {
        if digests.count == 1 {
            findings.add(
                .onePin, "the file has only one pin, without a spare key", at: option.range, .none,
                hosts,
                help: [
                    "the policy has a digest that no key has as its backup, and `hawser lint` "
                        + "reports it (HW409); write the digest of a spare key there"
                ])
        }
        let id = ids.id("curl")
        policy.pinSets.append(
            WrittenPolicy.PinSet(
                id: id, pins: digests.map { WrittenPolicy.Pin(digest: $0, at: "leaf") }, end: nil,
                note: "--pinnedpubkey, \(source.path):\(source.line(of: option.range))"))
        return id
    }

    private mutating func nothing() -> String {
        policy.anchorSets.nothing("the file has pins that no key satisfies")
    }

    // MARK: Options that the policy does not have

    private mutating func reportOthers(_ hosts: ForeignFindings.Hosts) {
        let replaced: Set<String> = [
            "pinnedpubkey", "cacert", "capath", "crlfile", "tls-max", "ciphers",
        ]
        for (index, option) in file.options.enumerated() {
            let isLater = file.options[(index + 1)...].contains {
                $0.name == option.name
                    || ($0.name.hasPrefix("tlsv1") && option.name.hasPrefix("tlsv1"))
            }
            if isLater, replaced.contains(option.name) || option.name.hasPrefix("tlsv1") {
                findings.add(
                    .ignoredByTarget, "a later option takes the place of this `--\(option.name)`",
                    at: option.range, .none, ForeignFindings.Hosts(), help: ["delete it"])
                continue
            }
            guard !isLater else { continue }
            reportNotTaken(option, hosts)
        }
    }

    private mutating func reportNotTaken(
        _ option: CurlFile.Option, _ hosts: ForeignFindings.Hosts
    ) {
        func add(_ message: String, _ difference: ForeignDifference) {
            findings.add(.optionNotTaken, message, at: option.range, difference, hosts)
        }
        switch option.name {
        case "capath":
            if option.literal != "/dev/null" {
                add("the policy does not have the directory of `--capath`", .policyIsStricter)
            }
        case "ca-native" where option.isOn:
            if file.last("cacert") != nil {
                add(
                    "`--ca-native` adds the system's anchors; the policy trusts `--cacert`",
                    .policyIsStricter)
            }
        case "crlfile":
            add("the policy does not have the revocations of `--crlfile`", .policyIsWeaker)
        case "cert-status" where option.isOn:
            add(
                "`--cert-status` demands a stapled OCSP answer, and the policy does not",
                .policyIsWeaker)
        case "ciphers":
            add(
                "`--ciphers` lists suites of TLS 1.2 and older, and leaves TLS 1.3 as it is; the "
                    + "policy has the usual suites", .policyIsWeaker)
        case "tls13-ciphers":
            add("the policy does not have the suites of `--tls13-ciphers`", .policyIsWeaker)
        case "tls-max":
            switch option.literal {
            case "1.2":
                add("`--tls-max` ends at TLS 1.2; the policy permits TLS 1.3", .policyIsWeaker)
            case "1.0", "1.1":
                add(
                    "`--tls-max` ends below TLS 1.2; the policy permits later versions",
                    .policyIsWeaker)
            default: break
            }
        case "connect-to", "resolve":
            findings.add(
                .noEffectOnTrust,
                "`--\(option.name)` changes the address, and not the name that is checked",
                at: option.range, .none, ForeignFindings.Hosts())
        case "proxy-insecure" where option.isOn, "doh-insecure" where option.isOn:
            add(
                "`--\(option.name)` is about another server, and the policy does not have it", .none
            )
        default: break
        }
    }
}
