package import PolicyReading
package import TrustEngine

/// A recorded reply of CRLite filters, with its question, as `grammar/filter-reply.schema.json`
/// describes it: one line of JSON without a line end. The same reply is the same octets. A file
/// with a reply in a folder of evidence may end with a line end.
package enum FilterReplyJSON {
    /// The name and version of the format.
    package static let schema = "hawser/filter-reply/1"

    /// The most timestamps of a question that is read. The engine counts fewer.
    private static let mostTimestamps = 1_024

    /// Replies with the digests of their octets, by these digests.
    package static func ordered(
        _ replies: [RevocationFilterQuestion: RevocationFilterReply], _ crypto: any CryptoBackend
    ) -> [(digest: Digest, octets: [UInt8])] {
        guard !replies.isEmpty else { return [] }
        return replies.map { question, reply in
            let octets = octets(of: reply, to: question)
            return (crypto.digest(.sha256, of: octets.span), octets)
        }.sorted { $0.digest.hex < $1.digest.hex }
    }

    // MARK: Writing

    /// The octets of a reply.
    package static func octets(
        of reply: RevocationFilterReply, to question: RevocationFilterQuestion
    ) -> [UInt8] {
        let value = JSONValue.object([
            "schema": schema, "issuerKey": question.issuerKey.text,
            "serial": Hexadecimal.encode(question.serial),
            "timestamps": question.timestamps.map(json),
            "status": StatusWord(reply.status).rawValue,
            "fault": fault(reply.status).map { fault in
                JSONValue.object(["code": fault.code, "context": fault.context])
            } ?? .null,
            "deciding": reply.deciding.map(json) ?? .null,
            "asked": count(reply.asked), "newest": text(reply.newest),
            "index": reply.index.map { .string($0.text) } ?? JSONValue.null,
            "work": count(reply.work),
        ])
        return Array(value.render(.compact).utf8)
    }

    private enum StatusWord: String, CaseIterable {
        case revoked, good
        case notEnrolled = "not-enrolled"
        case notCovered = "not-covered"
        case refused, missing

        init(_ status: RevocationFilterReply.Status) {
            switch status {
            case .revoked: self = .revoked
            case .good: self = .good
            case .notEnrolled: self = .notEnrolled
            case .notCovered: self = .notCovered
            case .refused: self = .refused
            case .missing: self = .missing
            }
        }
    }

    private static func fault(_ status: RevocationFilterReply.Status) -> FilterFault? {
        switch status {
        case .refused(let fault), .missing(let fault): return fault
        case .revoked, .good, .notEnrolled, .notCovered: return nil
        }
    }

    /// A number as `StrictJSON.count` reads it.
    private static func count(_ number: Int) -> Int { Int(UInt32(clamping: number)) }

    private static func json(_ time: LoggedTime) -> JSONValue {
        // A number as text: JSON readers that take numbers for floating point lose digits.
        .object(["log": time.log.text, "milliseconds": String(time.milliseconds)])
    }

    private static func json(_ deciding: RevocationFilterReply.Deciding) -> JSONValue {
        .object([
            "file": deciding.file, "digest": deciding.digest.text,
            "newest": text(deciding.newest), "built": text(deciding.built),
            "timestamp": json(deciding.timestamp), "from": text(deciding.covered.lowerBound),
            "until": text(deciding.covered.upperBound),
        ])
    }

    /// An instant, within the years that can be written.
    private static func text(_ instant: UTCInstant?) -> JSONValue {
        guard let instant else { return .null }
        let range = UTCInstant.calendarSeconds
        let seconds = min(max(instant.secondsSinceEpoch, range.lowerBound), range.upperBound)
        return .string(UTCInstant(secondsSinceEpoch: seconds).description)
    }

    // MARK: Reading

    /// Reads a reply.
    ///
    /// - Throws: why the octets cannot be read as a reply.
    package static func read(
        _ octets: [UInt8]
    ) throws(StrictJSON.Problem) -> (
        question: RevocationFilterQuestion, reply: RevocationFilterReply
    ) {
        try StrictJSON(octets, subject: "the reply").object {
            (members) throws(StrictJSON.Problem) in
            let schema = try members.take("schema")
            guard try schema.text() == FilterReplyJSON.schema else {
                throw schema.problem("is not `\(FilterReplyJSON.schema)`", .otherFormat)
            }
            let question = RevocationFilterQuestion(
                issuerKey: try members.take("issuerKey").digest(),
                serial: try members.take("serial").hexadecimal(),
                timestamps: try members.take("timestamps").list(most: mostTimestamps) {
                    (time) throws(StrictJSON.Problem) in try time.loggedTime()
                })
            let deciding = try members.take("deciding").optional {
                (value) throws(StrictJSON.Problem) in try value.deciding()
            }
            let status = try status(&members)
            let reply = RevocationFilterReply(
                status: status, deciding: deciding,
                asked: try members.take("asked").count(),
                newest: try members.take("newest").optional { (value) throws(StrictJSON.Problem) in
                    try value.instant()
                },
                index: try members.take("index").optional { (value) throws(StrictJSON.Problem) in
                    try value.digest()
                }, work: try members.take("work").count())
            return (question, reply)
        }
    }

    private static func status(
        _ members: inout StrictJSON.Members
    ) throws(StrictJSON.Problem) -> RevocationFilterReply.Status {
        let word = try members.take("status").word(StatusWord.self)
        let value = try members.take("fault")
        let fault = try value.optional { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in
                FilterFault(
                    code: try members.take("code").text(),
                    context: try members.take("context").text())
            }
        }
        switch (word, fault) {
        case (.revoked, nil): return .revoked
        case (.good, nil): return .good
        case (.notEnrolled, nil): return .notEnrolled
        case (.notCovered, nil): return .notCovered
        case (.refused, let fault?): return .refused(fault)
        case (.missing, let fault?): return .missing(fault)
        case (.revoked, _?), (.good, _?), (.notEnrolled, _?), (.notCovered, _?), (.refused, nil),
            (.missing, nil):
            throw value.problem(
                "must be there if and only if `status` is `refused` or `missing`")
        }
    }
}

extension StrictJSON {
    fileprivate func loggedTime() throws(StrictJSON.Problem) -> LoggedTime {
        try object { (members) throws(StrictJSON.Problem) in
            let log = try members.take("log").digest()
            let number = try members.take("milliseconds")
            let text = try number.text()
            guard let milliseconds = UInt64(text), String(milliseconds) == text else {
                throw number.problem("is not a number of milliseconds")
            }
            return LoggedTime(log: log, milliseconds: milliseconds)
        }
    }

    fileprivate func deciding() throws(StrictJSON.Problem) -> RevocationFilterReply.Deciding {
        try object { (members) throws(StrictJSON.Problem) in
            let from = try members.take("from").instant()
            let until = try members.take("until")
            let last = try until.instant()
            guard from <= last else { throw until.problem("is before `from`") }
            return RevocationFilterReply.Deciding(
                file: try members.take("file").text(), digest: try members.take("digest").digest(),
                newest: try members.take("newest").instant(),
                built: try members.take("built").optional { (value) throws(StrictJSON.Problem) in
                    try value.instant()
                }, timestamp: try members.take("timestamp").loggedTime(), covered: from...last)
        }
    }

    /// A number that an `Int` can hold.
    fileprivate func count() throws(StrictJSON.Problem) -> Int {
        Int(try number(UInt32.self))
    }
}
