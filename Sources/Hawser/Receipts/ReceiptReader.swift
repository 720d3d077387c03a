import Rendering
import TrustEngine

extension DecisionReceipt {
    /// Octets of the longest line that is read as a receipt.
    public static let maximumLineOctets = 16 << 20

    /// Reads a receipt: one line of JSON, with or without a line end. An unknown member is an
    /// error, because its meaning would be lost.
    ///
    /// - Throws: `ReceiptError`. A receipt that is read is consistent: it has as many inputs as
    ///   digests of inputs. Whether the inputs have these digests is not checked here: `mismatches`
    ///   compares them.
    public init(json line: [UInt8]) throws(ReceiptError) {
        guard line.count <= DecisionReceipt.maximumLineOctets else {
            throw ReceiptError(
                code: .tooLong,
                context:
                    "it has \(line.count) octets; at most "
                    + "\(DecisionReceipt.maximumLineOctets) are read")
        }
        do throws(StrictJSON.Problem) {
            self = try StrictJSON(line, subject: "the receipt").object {
                (members) throws(StrictJSON.Problem) in
                try DecisionReceipt(&members)
            }
        } catch {
            throw ReceiptError(error)
        }
    }

    private init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        let schema = try members.take("schema").text()
        guard schema == DecisionReceipt.schema else {
            throw .otherFormat(
                "it is `\(schema.prefix(60))`, not `\(DecisionReceipt.schema)`: another version or "
                    + "an unreleased build of Hawser wrote it")
        }
        // Unreleased builds wrote a version 1 too, with the time in `request`.
        guard let time = members.takeIfPresent("time") else {
            throw .otherFormat(
                "it has no `time`: it was written by an unreleased build of Hawser, which no release "
                    + "reads")
        }
        self.time = try time.instant()
        id = try members.take("id").optional { (value) throws(StrictJSON.Problem) in
            guard let id = DecisionID(text: try value.text()) else {
                throw value.problem("is no id; wanted `r` and 16 hexadecimal digits")
            }
            return id
        }
        table = try members.take("table").object { (table) throws(StrictJSON.Problem) in
            try Table(&table)
        }
        decisionMaker = try DecisionMaker(&members)
        rule = try members.optionalText("rule")
        host = try members.host()
        port = try members.take("port").optional { (value) throws(StrictJSON.Problem) in
            try value.number(UInt16.self)
        }
        let request = try members.take("request").object { (members) throws(StrictJSON.Problem) in
            try Request(&members)
        }
        tls = request.tls
        chain = request.chain
        evidence = request.evidence
        isAccept = try members.take("verdict").word(VerdictWord.self) == .accept
        violations = try members.take("violations").list { (value) throws(StrictJSON.Problem) in
            try value.violation()
        }
        reported = try members.take("reported").list { (value) throws(StrictJSON.Problem) in
            try value.object { (reported) throws(StrictJSON.Problem) in
                ReportedFailure(
                    violation: try reported.take("violation").violation(),
                    reason: try reported.take("reason").word(ReportedFailure.Reason.self),
                    until: try reported.takeIfPresent("until")?.instant())
            }
        }
        trace = try members.take("trace").mark()
        let inputs = members.takeIfPresent("inputs")
        guard isAccept == violations.isEmpty, isAccept || reported.isEmpty else {
            throw StrictJSON.Problem(
                kind: .malformed, pointer: "",
                context: "an accept has no violations; a reject has some, and reports nothing")
        }
        guard let inputs else { return }
        let octets = try inputs.object { (inputs) throws(StrictJSON.Problem) in try Inputs(&inputs)
        }
        guard octets.chain.count == chain?.count, octets.evidence.count == evidence?.count else {
            throw inputs.problem("holds another number of pieces than `request` has digests")
        }
        self.inputs = octets
    }

    private enum VerdictWord: String, CaseIterable {
        case accept, reject
    }

    private struct Request {
        let tls: TLSState
        let chain: [Digest]?
        let evidence: [EvidenceDigest]?

        init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
            tls = try members.take("tls").tlsState { (members) throws(StrictJSON.Problem) in
                try members.tlsParameters()
            }
            chain = try members.take("chain").optional { (value) throws(StrictJSON.Problem) in
                try value.list { (digest) throws(StrictJSON.Problem) in try digest.digest() }
            }
            evidence = try members.take("evidence").optional { (value) throws(StrictJSON.Problem) in
                try value.list { (piece) throws(StrictJSON.Problem) in
                    try piece.object { (piece) throws(StrictJSON.Problem) in
                        EvidenceDigest(
                            kind: try piece.take("kind").word(EvidenceDigest.Kind.self),
                            digest: try piece.take("digest").digest())
                    }
                }
            }
        }
    }
}

extension StrictJSON.Problem {
    fileprivate static func otherFormat(_ context: String) -> StrictJSON.Problem {
        StrictJSON.Problem(kind: .otherFormat, pointer: "/schema", context: context)
    }
}

extension DecisionMaker {
    fileprivate init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        service = try members.optionalText("service")
        store = try members.optionalText("store")
        epoch = try members.take("epoch").optional { (value) throws(StrictJSON.Problem) in
            // As far as the writer writes a number (`JSONValue.integer`).
            let number = try value.number(UInt64.self)
            guard number <= UInt64(Int64.max) else { throw value.problem("is no epoch") }
            return number
        }
    }
}

extension DecisionReceipt.Table {
    fileprivate init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        policyDigest = try members.take("policyDigest").digest()
        fileDigest = try members.take("fileDigest").digest()
        systemStoreDigest = try members.take("systemStoreDigest").optionalDigest()
        logListDigest = try members.take("logListDigest").optionalDigest()
        let revision = try members.take("revision")
        self.revision = try revision.optional { (value) throws(StrictJSON.Problem) in
            let text = try value.text()
            guard let number = UInt64(text), String(number) == text else {
                throw value.problem("is no revision")
            }
            return number
        }
        freshness = try members.take("freshness").optional { (value) throws(StrictJSON.Problem) in
            try value.freshness()
        }
    }
}

extension DecisionReceipt.Inputs {
    fileprivate init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        chain = try members.take("chain").list { (value) throws(StrictJSON.Problem) in
            try value.base64()
        }
        evidence = try members.take("evidence").list { (value) throws(StrictJSON.Problem) in
            try value.optional { (value) throws(StrictJSON.Problem) in try value.base64() }
        }
    }
}

extension StrictJSON {
    fileprivate func violation() throws(StrictJSON.Problem) -> RecordedViolation {
        try object { (members) throws(StrictJSON.Problem) in
            RecordedViolation(
                id: try members.take("id").text(), check: try members.take("check").text(),
                side: try members.take("side").text(),
                place: try members.take("place").optional { (value) throws(StrictJSON.Problem) in
                    try value.object { (members) throws(StrictJSON.Problem) in
                        try RecordedViolation.Place(&members)
                    }
                })
        }
    }

    fileprivate func mark() throws(StrictJSON.Problem) -> DecisionReceipt.Trace {
        if isNull { return .dropped }
        if try text().hasPrefix(KeyedText.prefix) {
            return .keyed(try digest(after: KeyedText.prefix))
        }
        return .digest(try digest())
    }

    fileprivate func optionalDigest() throws(StrictJSON.Problem) -> Digest? {
        try optional { (value) throws(StrictJSON.Problem) in try value.digest() }
    }

    private enum WhenStaleWord: String, CaseIterable {
        case reject, notice
    }

    fileprivate func freshness() throws(StrictJSON.Problem) -> TableFreshness {
        try object { (members) throws(StrictJSON.Problem) in
            let confirmed = try members.take("confirmed").instant()
            let until = try members.take("until").instant()
            let whenStale: TableFreshness.WhenStale
            switch try members.take("whenStale").word(WhenStaleWord.self) {
            case .reject: whenStale = .reject
            case .notice: whenStale = .notice
            }
            let expires = try members.takeIfPresent("expires")?.instant()
            let basis = try members.takeIfPresent("basis")?.word(TableFreshness.Basis.self)
            return TableFreshness(
                confirmed: confirmed, until: until, whenStale: whenStale,
                basis: basis ?? .confirmed, expires: expires)
        }
    }
}

extension RecordedViolation.Place {
    fileprivate init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        pointer = try members.take("pointer").text()
        layer = try members.take("layer").text()
        file = try members.takeIfPresent("file")?.text()
        line = try members.takeIfPresent("line")?.number(UInt32.self)
        column = try members.takeIfPresent("column")?.number(UInt32.self)
    }
}

extension StrictJSON.Members {
    fileprivate mutating func host() throws(StrictJSON.Problem) -> DecisionReceipt.Host {
        let text = try optionalText("host")
        let keyed = try take("hostDigest")
        let digest = try keyed.optional { (value) throws(StrictJSON.Problem) in
            try value.digest(after: KeyedText.prefix)
        }
        switch (text, digest) {
        case (let text?, nil): return .text(text)
        case (nil, let digest?): return .keyed(digest)
        case (nil, nil): return .dropped
        case (_?, _?): throw keyed.problem("stands beside the host itself")
        }
    }

    fileprivate mutating func tlsParameters() throws(StrictJSON.Problem) -> TLSParameters {
        TLSParameters(
            version: try take("version").optional { (value) throws(StrictJSON.Problem) in
                try value.tlsVersion()
            },
            cipherSuite: try optionalText("cipherSuite"), group: try optionalText("group"),
            signatureScheme: try optionalText("signatureScheme"), alpn: try optionalText("alpn"))
    }

    fileprivate mutating func optionalText(_ name: String) throws(StrictJSON.Problem) -> String? {
        try take(name).optional { (value) throws(StrictJSON.Problem) in try value.text() }
    }
}
