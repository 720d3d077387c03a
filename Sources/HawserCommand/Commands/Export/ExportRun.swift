import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// Exports a policy to files, or compares files with what would be exported.
struct ExportRun {
    /// What `--require` asks for.
    enum Requirement: String, CaseIterable {
        case noWeaker = "no-weaker"
        case equal

        /// Whether a file meets it.
        func isMet(by loss: ExportLoss) -> Bool {
            switch self {
            case .noWeaker: return loss.relationNow.isNoWeaker
            case .equal: return loss.relationNow == .equal
            }
        }
    }

    let isCheck: Bool
    /// Whether a file is replaced that no export wrote.
    let isForced: Bool
    let requirement: Requirement?
    let crypto: any CryptoBackend

    /// Exports to one file.
    ///
    /// - Parameters:
    ///   - id: the id of the export; nil where the command line names the file.
    ///   - path: the file from the current folder.
    func export(
        _ question: ExportQuestion, to place: ExportPlace, id: String?, path: String
    ) throws(CommandFailure) -> ExportReport.Entry {
        var result = Outcome()
        do throws(ExportPlace.Problem) {
            result = try run(question, place)
        } catch {
            result.state = isCheck ? .unreadable(error.context) : .refused(error.context)
        }
        if let failure = result.failure { throw CommandFailure(failure) }
        let format = type(of: question.target)
        let here = path.split(separator: "/").dropLast().joined(separator: "/")
        let prefix = path.hasPrefix("/") ? "/" + here : here
        return ExportReport.Entry(
            id: id, format: format.name, system: format.system, path: path, state: result.state,
            loss: result.answer?.loss, difference: result.difference,
            companions: (result.answer?.file.companions ?? []).map {
                Self.joined(prefix, $0.path)
            },
            dropped: result.isWritten ? result.answer?.file.dropped ?? [] : [],
            nextChange: result.answer?.nextChange)
    }

    private struct Outcome {
        var state = ExportReport.State.unchanged
        var answer: ExportQuestion.Answer?
        var difference: ExportLoss?
        /// A question that could not be asked, or our own fault.
        var failure: AnswerFailure?

        var isWritten: Bool { state == .created || state == .replaced }

        init() {}

        init(
            _ state: ExportReport.State, _ answer: ExportQuestion.Answer? = nil,
            _ difference: ExportLoss? = nil
        ) {
            self.state = state
            self.answer = answer
            self.difference = difference
        }

        init(_ failure: AnswerFailure) { self.failure = failure }
    }

    private func run(
        _ question: ExportQuestion, _ place: ExportPlace
    ) throws(ExportPlace.Problem) -> Outcome {
        let existing = try place.existing()
        let answer: ExportQuestion.Answer
        do throws(ExportQuestion.Problem) {
            answer = try question.answer(over: existing, crypto: crypto)
        } catch {
            switch error {
            case .failed(let failure): return Outcome(failure)
            case .unreadable(let reason):
                guard isForced, !isCheck else {
                    let words = Self.words(reason, existing ?? [])
                    return Outcome(
                        isCheck
                            ? .unreadable(words)
                            : .refused(
                                "the old file cannot be read: \(words); `--force` replaces it"))
                }
                return try replace(existing, question, place)
            }
        }
        guard isCheck else {
            return try write(question, answer, existing, place)
        }
        guard let existing else { return Outcome(.missing, answer) }
        switch compare(question, answer, existing, place) {
        case .failed(let failure): return Outcome(failure)
        case .unreadable(let words): return Outcome(.unreadable(words), answer)
        case .compared(let difference):
            return Outcome(
                difference.relation == .equal ? .same : .differs, answer, difference)
        }
    }

    /// Replaces a file that cannot be read.
    private func replace(
        _ existing: [UInt8]?, _ question: ExportQuestion, _ place: ExportPlace
    ) throws(ExportPlace.Problem) -> Outcome {
        let answer: ExportQuestion.Answer
        do throws(ExportQuestion.Problem) {
            answer = try question.answer(over: nil, crypto: crypto)
        } catch {
            guard case .failed(let failure) = error else {
                return Outcome(AnswerFailure("a new file cannot be made", isOurs: true))
            }
            return Outcome(failure)
        }
        return try write(answer, over: existing, place)
    }

    // MARK: Comparing

    private enum Comparison {
        case compared(ExportLoss)
        case unreadable(String)
        case failed(AnswerFailure)
    }

    /// Compares the file as it is with the file that the export makes.
    private func compare(
        _ question: ExportQuestion, _ answer: ExportQuestion.Answer, _ existing: [UInt8],
        _ place: ExportPlace
    ) -> Comparison {
        let file = ForeignFile(SourceFile(path: question.fileName, bytes: existing)) {
            place.companion($0)
        }
        do throws(ExportQuestion.Problem) {
            return .compared(try question.check(file, against: answer, crypto: crypto))
        } catch {
            switch error {
            case .failed(let failure): return .failed(failure)
            case .unreadable(let reason): return .unreadable(Self.words(reason, existing))
            }
        }
    }

    /// The words of an error with its line.
    private static func words(_ error: ForeignError, _ bytes: [UInt8]) -> String {
        let place = SourceFile(path: "", bytes: bytes).position(of: error.range.lowerBound)
        let help = error.help.isEmpty ? "" : "; " + error.help.joined(separator: "; ")
        return "\(error.code.rawValue) at line \(place.line): \(error.message)\(help)"
    }

    // MARK: Writing

    private func write(
        _ question: ExportQuestion, _ answer: ExportQuestion.Answer, _ existing: [UInt8]?,
        _ place: ExportPlace
    ) throws(ExportPlace.Problem) -> Outcome {
        let isSame = answer.file.companions.allSatisfy { place.companion($0.path) == $0.octets }
        if let existing, existing == answer.file.octets, isSame {
            return Outcome(.unchanged, answer)
        }
        guard let existing, !answer.file.wasExported, !isForced else {
            return try write(answer, over: existing, place)
        }
        switch compare(question, answer, existing, place) {
        case .failed(let failure): return Outcome(failure)
        case .unreadable(let words):
            return Outcome(
                .refused("the old file cannot be read: \(words); `--force` replaces it"), answer)
        case .compared(let difference):
            guard difference.relation != .equal else { return Outcome(.left, answer) }
            return Outcome(
                .refused(
                    "the file was not written by `hawser export` and means something else; "
                        + "`--force` replaces it"), answer, difference)
        }
    }

    private func write(
        _ answer: ExportQuestion.Answer, over existing: [UInt8]?, _ place: ExportPlace
    ) throws(ExportPlace.Problem) -> Outcome {
        if let requirement, !requirement.isMet(by: answer.loss) { return Outcome(.unmet, answer) }
        for companion in answer.file.companions {
            guard let other = place.companion(at: companion.path), !other.path.isEmpty else {
                throw ExportPlace.Problem(
                    context: "`\(companion.path)` beside the file would leave the repository")
            }
            try other.write(companion.octets, makesFolder: true)
        }
        try place.write(answer.file.octets)
        return Outcome(existing == nil ? .created : .replaced, answer)
    }

    /// A path from a folder, with `..` resolved where a name stands before it.
    private static func joined(_ folder: String, _ path: String) -> String {
        var parts = folder.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts == [""] { parts = [] }
        for part in path.split(separator: "/").map(String.init) {
            if part == "..", let last = parts.last, last != "..", !last.isEmpty {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
