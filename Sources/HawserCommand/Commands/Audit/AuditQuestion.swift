import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// What a row asks: a request, and what was decided before.
struct AuditQuestion: Sendable {
    /// The name that the row gives itself, which the row that comes out repeats.
    var id: String?
    var request: TrustRequest
    /// Whether an earlier decision accepted; nil where the row tells of none.
    var earlier: Bool?
    /// CRLs of the row, which are prepared for the engine that judges.
    var lists: [[UInt8]] = []
    /// The receipt that the row is; nil for a request.
    var receipt: DecisionReceipt?
}

/// Reads rows: requests (`grammar/audit-row.schema.json`) and decision receipts.
struct AuditRowReader: Sendable {
    /// The certificates that rows name by their digests.
    let dictionary: [Digest: [UInt8]]
    /// The time of rows that have none; nil where a row without a time is an error.
    let time: UTCInstant?

    /// The first member of a receipt as it is written.
    private static let receiptBegins = Array(#"{"schema":"hawser/receipt/"#.utf8)

    /// Reads a row without its line end.
    func read(_ octets: [UInt8]) throws(AuditRow.Problem) -> AuditQuestion {
        guard !octets.starts(with: AuditRowReader.receiptBegins),
            let row = try request(octets)
        else { return try receipt(octets) }
        return try question(row)
    }

    /// Reads a request; nil for a receipt.
    private func request(_ octets: [UInt8]) throws(AuditRow.Problem) -> RowRequest? {
        do throws(StrictJSON.Problem) {
            return try RowRequest(octets)
        } catch {
            throw AuditRow.Problem(ReceiptError(error))
        }
    }

    private func recorded(_ octets: [UInt8]) throws(AuditRow.Problem) -> DecisionReceipt {
        do throws(ReceiptError) {
            return try DecisionReceipt(json: octets)
        } catch {
            throw AuditRow.Problem(error)
        }
    }

    private func certificate(_ digest: Digest) throws(AuditRow.Problem) -> [UInt8] {
        guard let certificate = dictionary[digest] else {
            throw AuditRow.Problem(
                .unknownCertificate, "no file of `--certificates` has \(digest.text)")
        }
        return certificate
    }

    private func question(_ row: RowRequest) throws(AuditRow.Problem) -> AuditQuestion {
        guard let time = row.time ?? time else {
            throw AuditRow.Problem(
                .malformed, "the row has no `time`; `--at` gives the time of rows without one")
        }
        var chain: [[UInt8]] = []
        for item in row.chain {
            switch item {
            case .octets(let octets): chain.append(octets)
            case .digest(let digest): chain.append(try certificate(digest))
            }
        }
        var evidence = row.evidence
        for (question, reply) in row.replies { evidence.add(reply, to: question) }
        return AuditQuestion(
            id: row.id,
            request: TrustRequest(
                host: row.host, port: row.port, presentedChain: chain, time: time, tls: row.tls,
                evidence: evidence), earlier: row.earlier, lists: row.lists)
    }

    private func receipt(_ octets: [UInt8]) throws(AuditRow.Problem) -> AuditQuestion {
        let receipt = try recorded(octets)
        guard case .text(let host) = receipt.host, let port = receipt.port else {
            throw AuditRow.Problem(.redacted, "the receipt's host or port is redacted")
        }
        var chain: [[UInt8]] = []
        if let inputs = receipt.inputs {
            chain = inputs.chain
        } else {
            guard let digests = receipt.chain else {
                throw AuditRow.Problem(.redacted, "the receipt's chain is redacted")
            }
            for digest in digests { chain.append(try certificate(digest)) }
        }
        return AuditQuestion(
            request: TrustRequest(
                host: host, port: port, presentedChain: chain, time: receipt.time,
                tls: receipt.tls), earlier: receipt.isAccept, receipt: receipt)
    }
}

/// A request as a row has it.
private struct RowRequest {
    /// The name and version of the format.
    static let schema = "hawser/audit-row/1"

    enum Item {
        case octets([UInt8])
        case digest(Digest)
    }

    let id: String?
    let host: String
    let port: UInt16
    let time: UTCInstant?
    let tls: TLSState
    let chain: [Item]
    let evidence: Evidence
    let lists: [[UInt8]]
    let replies: [(question: RevocationFilterQuestion, reply: RevocationFilterReply)]
    let earlier: Bool?

    /// Reads a request; nil for a receipt.
    init?(_ octets: [UInt8]) throws(StrictJSON.Problem) {
        let row = try StrictJSON(octets, subject: "the row").object {
            (members) throws(StrictJSON.Problem) -> RowRequest? in
            guard let schema = try members.takeIfPresent("schema")?.text(),
                schema != RowRequest.schema
            else { return try RowRequest(&members) }
            guard schema.hasPrefix("hawser/receipt/") else {
                throw StrictJSON.Problem(
                    kind: .otherFormat, pointer: "/schema",
                    context: "it is `\(schema.prefix(60))`, neither `\(RowRequest.schema)` nor a "
                        + "receipt")
            }
            members.leaveRest()
            return nil
        }
        guard let row else { return nil }
        self = row
    }

    private init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        id = try members.optional("id") { (id) throws(StrictJSON.Problem) in try id.text() }
        host = try members.take("host").text()
        port =
            try members.optional("port") { (port) throws(StrictJSON.Problem) in
                try port.number(UInt16.self)
            } ?? 443
        time = try members.optional("time") { (time) throws(StrictJSON.Problem) in
            try time.rowInstant()
        }
        // Without it, what `explain` and `diff` take for a chain of which no more is known.
        tls =
            try members.optional("tls") { (tls) throws(StrictJSON.Problem) in try tls.rowTLS() }
            ?? .assumed(TLSParameters())
        let chain = try members.optional("chain") { (chain) throws(StrictJSON.Problem) in
            try chain.list { (item) throws(StrictJSON.Problem) in try item.rowCertificate() }
        }
        let isCleartext = tls == .cleartext
        guard isCleartext || chain != nil else {
            throw StrictJSON.Problem(
                kind: .malformed, pointer: "", context: "the row has no `chain`")
        }
        guard !isCleartext || chain?.isEmpty ?? true else {
            throw StrictJSON.Problem(
                kind: .malformed, pointer: "",
                context: "`chain` stands beside a connection without TLS")
        }
        self.chain = chain ?? []
        earlier = try members.optional("was") { (was) throws(StrictJSON.Problem) in
            try was.word(VerdictWord.self) == .accept
        }
        evidence = Evidence(
            stapledOCSP: try members.octets("staple"),
            ocspResponses: try members.pieces("ocsp"), sctList: try members.octets("sctList"))
        lists = try members.pieces("crls")
        replies = try members.filterReplies()
    }

    private enum VerdictWord: String, CaseIterable {
        case accept, reject
    }
}

extension StrictJSON.Members {
    fileprivate mutating func octets(_ name: String) throws(StrictJSON.Problem) -> [UInt8]? {
        try optional(name) { (value) throws(StrictJSON.Problem) in try value.base64() }
    }

    fileprivate mutating func pieces(_ name: String) throws(StrictJSON.Problem) -> [[UInt8]] {
        try optional(name) { (value) throws(StrictJSON.Problem) in
            try value.list { (piece) throws(StrictJSON.Problem) in try piece.base64() }
        } ?? []
    }

    fileprivate mutating func filterReplies() throws(StrictJSON.Problem) -> [(
        question: RevocationFilterQuestion, reply: RevocationFilterReply
    )] {
        try optional("filterReplies") { (value) throws(StrictJSON.Problem) in
            try value.list { (piece) throws(StrictJSON.Problem) in
                let octets = try piece.base64()
                do throws(StrictJSON.Problem) {
                    return try FilterReplyJSON.read(octets)
                } catch {
                    throw piece.problem("is not a reply of CRLite filters: \(error.context)")
                }
            }
        } ?? []
    }

    fileprivate mutating func text(_ name: String) throws(StrictJSON.Problem) -> String? {
        try optional(name) { (value) throws(StrictJSON.Problem) in try value.text() }
    }
}

extension StrictJSON {
    /// A certificate in base64, or by its digest. No base64 has a colon.
    fileprivate func rowCertificate() throws(StrictJSON.Problem) -> RowRequest.Item {
        begins(with: "sha256:") ? .digest(try digest()) : .octets(try base64())
    }

    /// The last second that four digits of a year can name.
    private static var lastSecond: UInt64 { 253_402_300_799 }

    /// An instant as text of RFC 3339 in UTC, or as whole seconds since 1970.
    fileprivate func rowInstant() throws(StrictJSON.Problem) -> UTCInstant {
        guard isText else {
            let seconds = try number(UInt64.self)
            guard seconds <= StrictJSON.lastSecond else { throw problem("is after the year 9999") }
            return UTCInstant(secondsSinceEpoch: Int64(seconds))
        }
        guard let instant = UTCInstant(text: try text()) else {
            throw problem(
                "is not an instant; wanted the form 2026-11-21T12:00:00Z, or whole seconds")
        }
        return instant
    }

    private enum TLSWord: String, CaseIterable {
        case observed, assumed
        case notSupplied = "not-supplied"
        case cleartext
    }

    /// TLS parameters of a handshake, unless `state` says otherwise.
    fileprivate func rowTLS() throws(StrictJSON.Problem) -> TLSState {
        try object { (members) throws(StrictJSON.Problem) in
            let state = try members.optional("state") { (state) throws(StrictJSON.Problem) in
                try state.word(TLSWord.self)
            }
            let version = try members.optional("version") { (value) throws(StrictJSON.Problem) in
                let name = try value.text()
                guard let version = TLSVersion.allCases.first(where: { $0.name == name }) else {
                    let known = TLSVersion.allCases.map { "`\($0.name)`" }
                    throw value.problem(
                        "is `\(name.prefix(40))`, none of \(known.joined(separator: ", "))")
                }
                return version
            }
            let parameters = TLSParameters(
                version: version, cipherSuite: try members.text("cipherSuite"),
                group: try members.text("group"),
                signatureScheme: try members.text("signatureScheme"),
                alpn: try members.text("alpn"))
            switch state {
            case .assumed: return .assumed(parameters)
            case .observed, nil: return .observed(parameters)
            case .notSupplied, .cleartext: break
            }
            // Columns that hold nothing are written as nulls.
            guard parameters == TLSParameters() else {
                throw problem("has parameters beside a `state` that says that there are none")
            }
            return state == .cleartext ? .cleartext : .notSupplied
        }
    }
}

extension AuditRow.Problem {
    /// The problem of a row, from the problem of its text.
    fileprivate init(_ error: ReceiptError) {
        switch error.code {
        case .tooLong: self.init(.tooLong, error.context)
        case .notJSON: self.init(.notJSON, error.context)
        case .otherFormat: self.init(.otherFormat, error.context)
        case .malformed: self.init(.malformed, error.context)
        }
    }
}
