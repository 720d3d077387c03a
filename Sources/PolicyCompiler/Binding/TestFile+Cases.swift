internal import TrustEngine

// The keys of a case (`grammar/test.schema.json`).
extension Binder {
    /// Keys of a case that are input of the engine. Without a chain, and beside a receipt, they
    /// have no meaning.
    private static let ofChains = [
        "cipher-suite", "group", "signature-scheme", "alpn", "staple", "ocsp", "crls", "sct-list",
        "evidence", "crlite", "crlite-newest",
    ]

    /// One case. A part that could not be read is left out, and a diagnostic was reported for it.
    ///
    /// - Parameter file: the file from whose folder `system` counts.
    func bindTestCase(
        _ name: Located<String>, _ map: MapContents, systemFrom file: String
    ) -> TestCase? {
        let shape = TestFields.testCase
        var one = TestCase(name: name.value, place: name.span)
        bindHost(map, of: name, into: &one)
        one.at = instant(map["at"], path: "at")
        one.system = path(map["system"], path: "system", from: file)
        bindSubject(map, into: &one)
        bindTLS(map, into: &one)
        one.staple = path(map["staple"], path: "staple")
        one.ocsp = paths(map["ocsp"], path: "ocsp")
        one.crls = paths(map["crls"], path: "crls")
        one.timestamps = path(map["sct-list"], path: "sct-list")
        one.evidence = map["evidence"].flatMap { folder($0.value, example: $0.shape.example) }
        bindFilters(map, into: &one)
        if let assume = map["assume"] { bindAssumed(assume, into: &one) }
        refuseIdle(map, in: one)
        requireKeys(["expect"], in: map, of: "case `\(name.value)`", at: name.span, shape: shape)
        guard let entry = map["expect"], bindExpected(entry, into: &one) else { return nil }
        return one
    }

    // MARK: Host and chain

    private func bindHost(
        _ map: MapContents, of name: Located<String>, into one: inout TestCase
    ) {
        guard map["receipt"] == nil else { return }
        requireKeys(
            ["host"], in: map, of: "case `\(name.value)`", at: name.span,
            shape: TestFields.testCase)
        let port = scan(map["port"], path: "port") { text throws(ScalarProblem) in
            try IntegerScanner.scan(text, for: "port", in: 1...65_535)
        }
        guard
            let host = scan(
                map["host"], path: "host",
                { text throws(ScalarProblem) in try RequestedHostScanner.scan(text) })
        else { return }
        one.host = Located(value: host.value.host, span: host.span)
        one.port = host.value.port ?? port.map { UInt16($0.value) } ?? 443
        if let own = host.value.port, let key = map["port"]?.key {
            report(
                .emptyTest, "`host` has the port \(own) already, so `port` says it twice",
                at: key.span, labels: [Diagnostic.Label(host.span, "the host")],
                help: ["remove one of the two"])
        }
    }

    private func bindSubject(_ map: MapContents, into one: inout TestCase) {
        if let chain = path(map["chain"], path: "chain") { one.subject = .chain(chain) }
        let currentPath = currentPath
        let receipt = scan(map["receipt"], path: "receipt") { text throws(ScalarProblem) in
            try ReceiptLineScanner.scan(text, namedIn: currentPath)
        }
        if let receipt { one.subject = .receipt(receipt) }
    }

    private func paths(_ entry: MapEntry?, path: String) -> [Located<String>] {
        guard let entry else { return [] }
        return list(entry, path: path) {
            file($0, path: path, example: entry.shape.example, from: currentPath)
        }.list.items
    }

    // MARK: TLS

    private func bindTLS(_ map: MapContents, into one: inout TestCase) {
        if let entry = map["tls"] {
            let version = word(
                entry.value, path: "tls", example: entry.shape.example, of: Binder.requestedTLS
            ) { text in
                text == "none"
                    ? .some(TLSVersion?.none)
                    : TLSVersion.allCases.first { $0.name == text }.map { .some($0) }
            }
            if let version {
                one.tls.version = version.value
                if version.value == nil { bindCleartext(map, entry, into: &one) }
            }
        }
        one.tls.cipherSuite = registered(map["cipher-suite"], PolicyWords.tlsCipherSuite)
        one.tls.group = registered(map["group"], PolicyWords.tlsGroup)
        one.tls.signatureScheme = registered(
            map["signature-scheme"], PolicyWords.tlsSignatureScheme)
        one.tls.alpn = map["alpn"].flatMap { entry in
            let style = entry.value.style
            return scan(entry.value, path: "alpn", example: entry.shape.example, isText: true) {
                text throws(ScalarProblem) in
                try FreeTextScanner.scan(text, for: "alpn", style: style, limit: 255)
            }?.value
        }
    }

    private func bindCleartext(
        _ map: MapContents, _ entry: MapEntry, into one: inout TestCase
    ) {
        if case .statement = one.subject { one.subject = .cleartext(entry.value.span) }
        for name in ["chain"] + Binder.ofChains {
            guard let key = map[name]?.key else { continue }
            report(
                .emptyTest, "without TLS a connection has no `\(name)`", at: key.span,
                labels: [Diagnostic.Label(entry.value.span, "no TLS")],
                help: ["remove `\(name)`, or write a version of TLS"])
        }
    }

    /// A name of an IANA registry.
    private func registered(_ entry: MapEntry?, _ words: ClosedWords) -> String? {
        guard let entry else { return nil }
        let name = entry.shape.name
        return scan(entry.value, path: name, example: entry.shape.example) {
            text throws(ScalarProblem) in
            if words.words.contains(text) { return text }
            let near = DidYouMean.near(text, among: words.words)
            throw ScalarProblem(
                .unknownValue,
                "\(self.quoted(text)) is not \(words.noun)"
                    + DidYouMean.question(for: text, among: words.words),
                help: near.isEmpty ? ["for example `\(entry.shape.example)`"] : [])
        }?.value
    }

    /// The words of `tls`.
    private static let requestedTLS = ClosedWords(
        "a version of TLS", TLSVersion.allCases.map(\.name) + ["none"])

    // MARK: Filters

    private func bindFilters(_ map: MapContents, into one: inout TestCase) {
        one.filtersNewest = instant(map["crlite-newest"], path: "crlite-newest")
        guard let entry = map["crlite"] else {
            guard let key = map["crlite-newest"]?.key else { return }
            report(
                .emptyTest, "`crlite-newest` changes nothing without `crlite`", at: key.span,
                help: ["write the reply of the filters, such as `crlite: good`, or remove it"])
            return
        }
        let words = ClosedWords(
            "a reply of filters", TestCase.FilterReply.allCases.map(\.rawValue))
        one.filterReply = word(
            entry.value, path: "crlite", example: entry.shape.example, of: words
        ) { TestCase.FilterReply(rawValue: $0) }
    }

    // MARK: Assumptions

    private func bindAssumed(_ entry: MapEntry, into one: inout TestCase) {
        guard requireMap(entry.value, for: "assume", example: entry.shape.example) else { return }
        let words = ClosedWords("an outcome", TestCase.AssumedCheck.Answer.allCases.map(\.rawValue))
        for (key, value) in entry.value.entries {
            noteUnread(value, key: key, example: entry.shape.example, isRequired: true)
            let answer = word(value, path: "assume", example: entry.shape.example, of: words) {
                TestCase.AssumedCheck.Answer(rawValue: $0)
            }
            guard let name = id(key), let answer else { continue }
            one.assumed.append(TestCase.AssumedCheck(name: name, answer: answer.value))
        }
    }

    // MARK: Keys without a meaning

    /// Refuses keys that nothing would look at.
    private func refuseIdle(_ map: MapContents, in one: TestCase) {
        if let receipt = map["receipt"] {
            for name in ["host", "port", "at", "chain", "tls"] + Binder.ofChains {
                guard let key = map[name]?.key else { continue }
                report(
                    .emptyTest,
                    "`\(name)` has no place beside `receipt`, which says how it was asked",
                    at: key.span, labels: [Diagnostic.Label(receipt.key.span, "the receipt")],
                    help: ["remove one of the two"])
            }
            return
        }
        // A chain that could not be read is a chain.
        guard map["chain"] == nil, !map.mayHold("chain"), !one.subject.isJudged else { return }
        for name in Binder.ofChains + ["tls", "system", "assume"] {
            guard let key = map[name]?.key else { continue }
            report(
                .emptyTest,
                "`\(name)` changes nothing here: without `chain`, `receipt` or `tls: none` a case is "
                    + "about the policy alone", at: key.span,
                help: ["write the `chain` that the server presents, or remove `\(name)`"])
        }
    }
}
