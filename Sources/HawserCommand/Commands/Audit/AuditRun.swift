import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// One audit, from its options to its summary.
struct AuditRun {
    private let old: (engine: Engine, classes: FlipClasses)?
    private let judge: AuditJudge
    private let reader: AuditReader
    private let jobs: Int
    private let running: AuditRunOptions
    /// The file of the rows; nil for standard output.
    private let rowsFile: String?
    private let summaries: AnswerOutput<AuditSummary>
    private let signatures: CountedSignatures
    /// The command line that writes the whole summary.
    private let again: String?
    /// What a checkpoint must agree with.
    private let beginning: AuditCheckpoint

    /// The most octets of the certificates that rows name by digests.
    private static let largestDictionary = 256 << 20
    /// The most octets of a log list; the public list has about 100 kB.
    private static let largestLogList = 16 << 20

    /// Reads everything but the rows.
    init(_ command: AuditCommand) throws(CommandFailure) {
        let (rows, inputs) = (command.rows, command.inputs)
        try rows.check()
        running = command.running
        rowsFile = try running.rowsFile()
        summaries = try running.summaries()
        jobs = try running.threads()
        let sample = try rows.sample.map { text throws(CommandFailure) in try AuditSample(text) }
        let time = try inputs.at.map { text throws(CommandFailure) in try AskedInstant.read(text) }
        let (sides, named) = try command.sides()
        let files = named.isEmpty ? [InputFile.standardInput] : named
        again = command.again(files)
        try AuditRun.check(
            files, running, rowsFile, summaries.paths, isCompared: sides != nil, rows)

        let counted = CountedSignatures(EngineLoader.makeBackend(rememberedSignatures: 0))
        signatures = counted
        // Failing connections repeat too, and the engine names no signature of their diagnosis.
        let repeated = EngineLoader.rememberingUnnamed(
            counted, mostSignatures: AuditRun.rememberedSignatures)
        let crypto = EngineLoader.remembering(
            repeated, mostSignatures: AuditRun.rememberedSignatures)
        let assumed = try AssumedChecks(inputs.assume)
        let logs = try inputs.logList.map { path throws(CommandFailure) in
            try InputFile.read(path, limit: AuditRun.largestLogList)
        }
        func loaded(
            _ table: PolicyTable, _ all: [PolicyTable], _ terms: TableTerms? = nil
        ) throws(CommandFailure) -> Engine {
            var engine = try PolicySource.engine(
                table, checks: try assumed.registeredForAll(all), logList: logs,
                systemStore: command.store.systemStore, crypto: crypto)
            engine.freshness = terms?.freshness
            return engine
        }
        let engine: Engine
        if let sides {
            guard command.policy.words.isEmpty else {
                throw .couldNotAsk("`--compare` names the two policies; give no other")
            }
            let pair = try AuditRun.tables(sides.old, sides.new)
            engine = try loaded(pair.new, [pair.old, pair.new])
            old = (
                try loaded(pair.old, [pair.old, pair.new]),
                try AuditRun.classes(pair.old, pair.new)
            )
        } else {
            let source = try PolicySource.source(command.policy)
            engine = try loaded(source.table, [source.table], source.statement?.terms)
            old = nil
        }

        let dictionary = try AuditRun.dictionary(inputs.certificates)
        let evidence = try AuditRun.evidence(
            inputs.evidence, for: [engine, old?.engine].compactMap { $0 }, dictionary)
        let selection: AuditJudge.Selection =
            switch rows.only {
            case .reject: .rejected
            case .changed: .changed
            case nil: .all
            }
        judge = AuditJudge(
            engine: engine, old: old,
            reader: AuditRowReader(dictionary: dictionary, time: time), evidence: evidence,
            selection: selection, sample: sample, writesReceipts: running.receipts != nil,
            longest: rows.longest, crypto: crypto)
        reader = try AuditReader(
            files, longest: rows.longest, isHashed: running.checkpoint != nil)
        guard running.checkpoint == nil || reader.isOfFiles else {
            throw .couldNotAsk("`--checkpoint` needs rows from files, which can be read again")
        }
        var words = [
            HawserVersion.number, rows.only?.rawValue, sample?.text, String(rows.longest),
            time?.description, running.receipts.map { _ in "receipts" },
            engine.systemStoreDigest?.text, old?.engine.systemStoreDigest?.text,
            engine.table.fileDigest.text, old?.engine.table.fileDigest.text,
            engine.freshness.map { "\($0)" },
        ].map { $0 ?? "" }
        words += ["assume"] + assumed.answers.map { "\($0.name)=\($0.passes)" }
        words += ["files"] + files
        words += ["certificates"] + dictionary.keys.map(\.hex).sorted()
        words += ["evidence"] + evidence.prepared.map(\.digest.hex)
        words += evidence.crls.map { crypto.digest(.sha256, of: $0.span).hex }
        words += evidence.filters.map { ["filters", $0.filters.digest?.hex ?? ""] } ?? []
        words += FilterReplyJSON.ordered(evidence.filterReplies, crypto).map(\.digest.hex)
        words += ["logs"] + engine.logListDigests.map(\.hex).sorted()
        beginning = AuditCheckpoint(
            policy: engine.table.policyDigest, old: old?.engine.table.policyDigest,
            options: AuditRun.digest(words),
            place: AuditPlace(), output: nil, receipts: nil, tally: AuditTally())
    }

    /// A digest of words, each of which counts by itself.
    private static func digest(_ words: [String]) -> Digest {
        let text = JSONValue.array(words.map { .string($0) }).render(.compact)
        return EngineLoader.digests.digest(.sha256, of: Array(text.utf8).span)
    }

    /// Signatures that are remembered of accepted paths, and of what was rejected: every
    /// intermediate that a fleet has, and 5.2 MB at most for each of both.
    private static let rememberedSignatures = 65_536

    // MARK: Inputs

    /// Refuses options that contradict each other, and files that would be read and written.
    private static func check(
        _ files: [String], _ running: AuditRunOptions, _ rowsFile: String?, _ summaries: [String],
        isCompared: Bool, _ rows: AuditRowOptions
    ) throws(CommandFailure) {
        guard files.count(where: { $0 == InputFile.standardInput }) < 2 else {
            throw .couldNotAsk("`-` is named twice, and standard input is read once")
        }
        if isCompared {
            guard rows.only != .reject else {
                throw .couldNotAsk(
                    "`--compare` writes the rows whose verdict flips; `--only reject` has no place "
                        + "beside it")
            }
            guard running.receipts == nil else {
                throw .couldNotAsk(
                    "a receipt is of one policy; `--receipts` has no place beside `--compare`")
            }
        }
        if running.checkpoint != nil {
            guard rowsFile != nil, !files.contains(InputFile.standardInput) else {
                throw .couldNotAsk(
                    "`--checkpoint` needs rows from files and an `--output` file: of a stream nothing "
                        + "can be read again or cut off")
            }
        }
        let named = [
            ("--output", rowsFile), ("--receipts", running.receipts),
            ("--summary", running.summary), ("--checkpoint", running.checkpoint),
        ].compactMap { option, path in path.map { (option, $0) } }
        let written = named + summaries.map { ("--output", $0) }
        var seen = files.map { ("a file of rows", AuditRun.place($0)) }
        for (option, path) in written {
            let place = AuditRun.place(path)
            if place.hasPrefix("/dev/") { continue }
            if let other = seen.first(where: { $0.1 == place }) {
                throw .couldNotAsk("`\(path)` is \(other.0), and `\(option)` would write over it")
            }
            seen.append(("the file of `\(option)`", place))
        }
    }

    /// A path by which two names of one file are equal.
    private static func place(_ path: String) -> String {
        if let resolved = try? NamedPath.resolve(path) { return resolved }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
        return ((try? NamedPath.resolve(folder)) ?? folder) + "/" + (parts.last ?? "")
    }

    private static func tables(
        _ old: String, _ new: String
    ) throws(CommandFailure) -> (old: PolicyTable, new: PolicyTable) {
        guard let sides = try DiffSides.read(old: old, new: new, base: nil).first else {
            throw .ownFault("two policies that are not a pair")
        }
        return (sides.old.table, sides.new.table)
    }

    /// The classes of hosts that two policies decide otherwise, at any time: rows are of the past.
    private static func classes(
        _ old: PolicyTable, _ new: PolicyTable
    ) throws(CommandFailure) -> FlipClasses {
        do throws(AnswerFailure) {
            return try FlipClasses(
                old, new, since: UTCInstant(secondsSinceEpoch: 0),
                crypto: EngineLoader.makeBackend())
        } catch {
            throw .notCompared(error)
        }
    }

    private static func dictionary(
        _ paths: [String]
    ) throws(CommandFailure) -> [Digest: [UInt8]] {
        var found: [Digest: [UInt8]] = [:]
        var octets = 0
        for path in paths {
            for der in try CertificateFile.octets(path, limit: largestDictionary) {
                octets += der.count
                found[EngineLoader.digests.digest(.sha256, of: der.span)] = der
            }
        }
        guard octets <= largestDictionary else {
            throw .couldNotAsk(
                "the certificates of `--certificates` have \(octets) octets together; at most "
                    + "\(largestDictionary) are held")
        }
        return found
    }

    /// The evidence for every row, each piece prepared once. Its signatures are verified under the
    /// keys of the anchors and of the certificates that rows name by digests.
    private static func evidence(
        _ paths: [String], for engines: [Engine], _ dictionary: [Digest: [UInt8]]
    ) throws(CommandFailure) -> Evidence {
        var evidence = Evidence()
        guard !paths.isEmpty else { return evidence }
        var signers = dictionary.sorted { $0.key.hex < $1.key.hex }
            .compactMap { try? Certificate(der: $0.value) }
        for engine in engines {
            signers += engine.anchors.anchors.map(\.certificate)
            signers += engine.offered.entries.map(\.certificate)
        }
        for path in paths {
            let unread = try EvidenceFiles.readShared(
                path, into: &evidence, signers: EvidenceSigners(signers))
            for digest in unread {
                Report.progress("left out of `\(path)`: the OCSP response \(digest.text) is none")
            }
        }
        for sentence in RecordedReplies.settle(&evidence) { Report.progress(sentence) }
        return evidence
    }

    // MARK: The run

    /// Where a run writes, and how far it is.
    private struct Progress {
        var output: AuditOutput
        var receipts: AuditOutput?
        var tally: AuditTally
        var place: AuditPlace
        /// The rows of this run.
        var rows = 0
        /// The rows that were judged with prepared CRLs.
        var preparedRows = 0
    }

    /// Judges every row and says what came out.
    func audit() throws(CommandFailure) -> AuditTally {
        var reader = reader
        var progress = try begin(&reader)
        var teller = AuditProgress(
            running.progress, total: reader.total, skipped: reader.octets)
        var saver = AuditSaver()
        func save() throws(CommandFailure) {
            guard let path = running.checkpoint else { return }
            try checkpoint(progress).write(path)
        }
        defer { teller.end() }
        try AuditPipeline(judge: judge, jobs: jobs).run(
            reader, tick: { octets in teller.tell(rows: progress.rows, octets: octets) },
            write: { judged throws(CommandFailure) in
                try progress.output.append(judged.rows)
                try progress.receipts?.append(judged.receipts)
                for facts in judged.facts { progress.tally.add(facts) }
                progress.rows += judged.facts.count
                progress.preparedRows += judged.preparedRows
                progress.place = judged.end
                try saver.saveWhereDue(save)
            })
        try save()
        teller.end()
        try tell(progress, seconds: teller.seconds)
        return progress.tally
    }

    /// Opens the output: new files, or the files of a checkpoint, behind the octets that it names.
    private func begin(_ reader: inout AuditReader) throws(CommandFailure) -> Progress {
        guard let path = running.checkpoint, let output = rowsFile else {
            return Progress(
                output: try rowsFile == nil && summaries.format != AuditSummary.usual
                    ? AuditOutput.nowhere : AuditOutput(rowsFile),
                receipts: try running.receipts.map { path throws(CommandFailure) in
                    try AuditOutput(path)
                }, tally: AuditTally(), place: AuditPlace())
        }
        guard let saved = try AuditCheckpoint.read(path) else {
            return try beginAnew(path, output, at: reader.place)
        }
        func refusal(_ reason: String) -> CommandFailure {
            .couldNotAsk(
                "`\(path)` does not fit this run: \(reason); nothing was changed. To begin anew, "
                    + "remove it and the files that were written")
        }
        if let obstacle = saved.obstacle(to: beginning) { throw refusal(obstacle) }
        guard saved.output?.path == output, saved.receipts?.path == running.receipts else {
            throw refusal("it is of a run that writes other files")
        }
        guard try reader.skip(to: saved.place) else {
            throw refusal("the rows that were judged are not in the input any more")
        }
        guard let mark = saved.output else { throw refusal("it names no output") }
        let progress = Progress(
            output: try AuditOutput(continuing: output, mark),
            receipts: try saved.receipts.map { mark throws(CommandFailure) in
                try AuditOutput(continuing: mark.path, mark)
            }, tally: saved.tally, place: saved.place)
        // Only when all of them are known to be the right ones.
        try progress.output.cut()
        try progress.receipts?.cut()
        Report.progress("going on after \(saved.tally.rows) rows, as `\(path)` has it")
        return progress
    }

    /// Begins a run that has a checkpoint. The checkpoint is there before the files are, so that no
    /// run that is killed leaves a file that the next one does not know.
    private func beginAnew(
        _ path: String, _ output: String, at place: AuditPlace
    ) throws(CommandFailure) -> Progress {
        for file in [output] + (running.receipts.map { [$0] } ?? []) where NamedPath.exists(file) {
            throw .couldNotAsk(
                "`\(file)` is there, and `\(path)`, which would say how far it is, is not; remove "
                    + "the file to begin anew")
        }
        var first = beginning
        first.place = place
        first.output = AuditOutput.noMark(output)
        first.receipts = running.receipts.map(AuditOutput.noMark)
        try first.write(path)
        return Progress(
            output: try AuditOutput(output, isNew: true),
            receipts: try running.receipts.map { path throws(CommandFailure) in
                try AuditOutput(path, isNew: true)
            }, tally: AuditTally(), place: place)
    }

    /// The checkpoint of now. The files are brought to the disk first.
    private func checkpoint(_ progress: Progress) throws(CommandFailure) -> AuditCheckpoint {
        var checkpoint = beginning
        checkpoint.output = try progress.output.sync()
        checkpoint.receipts = try progress.receipts?.sync()
        checkpoint.place = progress.place
        checkpoint.tally = progress.tally
        return checkpoint
    }

    // MARK: The summary

    private func tell(_ progress: Progress, seconds: Double) throws(CommandFailure) {
        let summary = AuditSummary(
            policy: beginning.policy, old: beginning.old, tally: progress.tally,
            classes: old?.classes,
            run: AuditSummary.Run(
                jobs: jobs, seconds: seconds, rows: progress.rows,
                preparedRows: progress.preparedRows,
                newSignatures: signatures.count, secondsInSignatures: signatures.seconds),
            command: again, version: HawserVersion.number)
        if let path = running.summary {
            try OutputFile.write(Array(summary.json.utf8), to: path)
        }
        try summaries.write(summary)
        guard summaries.format == AuditSummary.usual else { return }
        if StandardStreams.isTerminal(.error) {
            StandardStreams.write(summary.text, to: .error)
        } else {
            StandardStreams.write(summary.json, to: .error)
        }
    }
}

/// When a checkpoint is written: once a second, and never for more than a twentieth of the time.
private struct AuditSaver {
    private var last = ContinuousClock.now
    private var pause = Duration.seconds(1)

    mutating func saveWhereDue(
        _ save: () throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let begun = ContinuousClock.now
        guard last.duration(to: begun) >= pause else { return }
        try save()
        last = .now
        pause = max(.seconds(1), begun.duration(to: last) * 20)
    }
}
