import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// How far an audit came: which rows are judged, where the files that it writes end, and the counts
/// of the summary (`grammar/audit.md`). The files are on the disk before the
/// checkpoint names them, so whatever ends the process, the rows that it names are there, once
/// each; what stands behind them is cut off.
struct AuditCheckpoint {
    /// The name and version of the format.
    static let schema = "hawser/audit-checkpoint/1"
    /// The most octets that are read: the counts are bounded by the policy.
    private static let largest = 64 << 20

    /// Digest of the meaning of the policy, and of the old one where two are compared.
    let policy: Digest
    let old: Digest?
    /// Digest of everything else that decides what comes out: options, evidence, certificates, the
    /// names of the inputs.
    let options: Digest
    var place: AuditPlace
    var output: AuditMark?
    var receipts: AuditMark?
    var tally: AuditTally

    // MARK: Writing

    /// Replaces the checkpoint in one step.
    func write(_ path: String) throws(CommandFailure) {
        try OutputFile.write(Array((value.render(.compact) + "\n").utf8), to: path)
        try asking { () throws(GrowingFile.Problem) in try GrowingFile.syncFolder(of: path) }
    }

    private var value: JSONValue {
        .object([
            "schema": AuditCheckpoint.schema, "policyDigest": policy.text,
            "oldPolicyDigest": old?.text.json ?? .null, "options": options.text,
            "place": JSONValue.object([
                "input": place.input, "octets": place.octets, "lines": place.lines,
                "digest": place.digest?.text.json ?? .null,
            ]), "output": AuditCheckpoint.value(output),
            "receipts": AuditCheckpoint.value(receipts),
            "counts": JSONValue.object(tally.checkpoint),
        ])
    }

    private static func value(_ mark: AuditMark?) -> JSONValue {
        mark.map { mark in
            .object(["path": mark.path, "octets": mark.octets, "tail": mark.tail.text])
        } ?? .null
    }

    // MARK: Reading

    /// Reads a checkpoint; nil where there is none.
    static func read(_ path: String) throws(CommandFailure) -> AuditCheckpoint? {
        guard NamedPath.exists(path) else { return nil }
        let bytes = try InputFile.read(path, limit: largest)
        do throws(StrictJSON.Problem) {
            return try StrictJSON(bytes, subject: "the checkpoint").object {
                (members) throws(StrictJSON.Problem) in try AuditCheckpoint(&members)
            }
        } catch {
            throw .couldNotAsk("`\(path)` is not a checkpoint of an audit: \(error.context)")
        }
    }

    init(
        policy: Digest, old: Digest?, options: Digest, place: AuditPlace, output: AuditMark?,
        receipts: AuditMark?, tally: AuditTally
    ) {
        self.policy = policy
        self.old = old
        self.options = options
        self.place = place
        self.output = output
        self.receipts = receipts
        self.tally = tally
    }

    private init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        let schema = try members.take("schema")
        guard try schema.text() == AuditCheckpoint.schema else {
            throw schema.problem("is not `\(AuditCheckpoint.schema)`")
        }
        policy = try members.take("policyDigest").digest()
        old = try members.take("oldPolicyDigest").optional { (value) throws(StrictJSON.Problem) in
            try value.digest()
        }
        options = try members.take("options").digest()
        place = try members.take("place").object { (members) throws(StrictJSON.Problem) in
            AuditPlace(
                input: try members.count("input"), octets: try members.count("octets"),
                lines: try members.count("lines"),
                digest: try members.optional("digest") { (value) throws(StrictJSON.Problem) in
                    try value.digest()
                })
        }
        output = try members.mark("output")
        receipts = try members.mark("receipts")
        tally = try members.take("counts").object { (members) throws(StrictJSON.Problem) in
            try AuditTally(&members)
        }
    }

    /// Why a run may not go on from this checkpoint; nil where it may.
    func obstacle(to other: AuditCheckpoint) -> String? {
        if policy != other.policy || old != other.old {
            let which = policy != other.policy ? (policy, other.policy) : nil
            return "it is of another policy"
                + (which.map { ": \($0.0.text), and this one is \($0.1.text)" } ?? "")
        }
        if options != other.options {
            return "it is of a run with other options, inputs, evidence or certificates"
        }
        return nil
    }
}

extension StrictJSON.Members {
    fileprivate mutating func count(_ name: String) throws(StrictJSON.Problem) -> Int {
        let value = try take(name)
        let number = try value.number(UInt64.self)
        guard number <= UInt64(Int.max) else { throw value.problem("is too large") }
        return Int(number)
    }

    fileprivate mutating func mark(_ name: String) throws(StrictJSON.Problem) -> AuditMark? {
        try take(name).optional { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in
                AuditMark(
                    path: try members.take("path").text(), octets: try members.count("octets"),
                    tail: try members.take("tail").digest())
            }
        }
    }

    /// Counts by name.
    fileprivate mutating func counts(
        _ list: String, _ name: String
    ) throws(StrictJSON.Problem) -> [String: Int] {
        var counts: [String: Int] = [:]
        let found = try take(list).list { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in
                (try members.take(name).text(), try members.count("rows"))
            }
        }
        for (name, count) in found { counts[name] = count }
        return counts
    }

    /// A group of rows.
    fileprivate mutating func group()
        throws(StrictJSON.Problem) -> (AuditGroups.Key, AuditGroups.Group)
    {
        let word = try take("change")
        guard let change = AuditGroups.Change(rawValue: try word.text()) else {
            throw word.problem("is not a change of a verdict")
        }
        let key = AuditGroups.Key(
            change: change, rule: try text("rule"), violation: try text("violation"))
        let rows = try count("rows")
        let (input, line) = try take("first").object { (members) throws(StrictJSON.Problem) in
            (try members.text("input"), try members.count("row"))
        }
        let hosts = try counts("hosts", "host")
        _ = try count("otherRows")
        return (key, AuditGroups.Group(rows: rows, input: input, line: line, hosts: hosts))
    }

    fileprivate mutating func text(_ name: String) throws(StrictJSON.Problem) -> String? {
        try take(name).optional { (value) throws(StrictJSON.Problem) in try value.text() }
    }
}

extension AuditTally {
    /// The counts as a checkpoint holds them: the counts of the summary, and the flips without the
    /// changes in their classes.
    fileprivate var checkpoint: JSONMembers {
        members + [
            "flips": flips.sorted { $0.key < $1.key }.map { name, own in
                JSONValue.object([
                    "class": name, "toAccept": own.toAccept, "toReject": own.toReject,
                    "input": own.input?.json ?? .null, "row": own.line,
                ])
            }
        ]
    }

    fileprivate init(_ members: inout StrictJSON.Members) throws(StrictJSON.Problem) {
        self.init()
        rows = try members.count("rows")
        verdicts.accepted = try members.count("accepted")
        verdicts.rejected = try members.count("rejected")
        leftOut = try members.count("leftOut")
        changed = try members.count("changed")
        unchanged = try members.count("unchanged")
        changedToAccept = try members.count("changedToAccept")
        let groups = try members.take("groups").list { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in try members.group() }
        }
        for (key, group) in groups { self.groups.restore(key, group) }
        errors = try members.counts("errors", "code")
        let rules = try members.take("rules").list { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in
                (
                    try members.text("rule"),
                    Verdicts(
                        accepted: try members.count("accepted"),
                        rejected: try members.count("rejected"))
                )
            }
        }
        for (rule, verdicts) in rules { self.rules[rule] = verdicts }
        violations = try members.counts("violations", "id")
        reported = try members.counts("reported", "id")
        notices = try members.counts("notices", "id")
        (unmatchedRows, unmatchedHosts) = try members.take("unmatched").object {
            (members) throws(StrictJSON.Problem) in
            (try members.count("rows"), try members.counts("hosts", "host"))
        }
        signatures = try members.count("signatures")
        costly = try members.take("costliest").list { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in
                Costly(
                    input: try members.text("input"), line: try members.count("row"),
                    host: try members.take("host").text(), units: try members.count("units"))
            }
        }
        let flips = try members.take("flips").list { (value) throws(StrictJSON.Problem) in
            try value.object { (members) throws(StrictJSON.Problem) in
                (
                    try members.take("class").text(),
                    Flips(
                        toAccept: try members.count("toAccept"),
                        toReject: try members.count("toReject"),
                        input: try members.text("input"), line: try members.count("row"))
                )
            }
        }
        for (name, own) in flips { self.flips[name] = own }
    }
}
