import PolicyCompiler
import Rendering
package import TrustEngine

/// The question of `export`: the file of a format with the meaning of a policy, and the difference
/// between the two.
package struct ExportQuestion: Sendable {
    package let table: PolicyTable
    /// The policy file as the mark of the export cites it.
    package let policyName: String
    package let target: any ForeignTarget
    /// The name of the file, without its folder.
    package let fileName: String
    /// The only hosts; empty for every host.
    package let hosts: [HostPattern]
    package let time: UTCInstant

    package init(
        _ table: PolicyTable, policyName: String, target: any ForeignTarget, fileName: String,
        hosts: [HostPattern], at time: UTCInstant
    ) {
        self.table = table
        self.policyName = policyName
        self.target = target
        self.fileName = fileName
        self.hosts = hosts
        self.time = time
    }

    /// Why the question has no answer.
    package enum Problem: Error {
        /// The existing file cannot be read.
        case unreadable(ForeignError)
        case failed(AnswerFailure)
    }

    /// A file to write with its loss.
    package struct Answer: Sendable {
        package let file: ExportedFile
        /// How the file differs from the policy.
        package let loss: ExportLoss
        /// The first instant at which the policy makes another file; nil if there is none.
        package let nextChange: UTCInstant?
        /// The policy of the file, cut to the exported hosts.
        fileprivate let meaning: PolicyTable
    }

    /// The file that the policy makes.
    ///
    /// - Parameter existing: the octets that are replaced; nil for a new file.
    package func answer(
        over existing: [UInt8]?, crypto: any CryptoBackend
    ) throws(Problem) -> Answer {
        var policy: ExportedPolicy
        do throws(AnswerFailure) {
            policy = try ExportedPolicy(
                table, name: policyName, hosts: hosts, at: time, crypto: crypto)
        } catch {
            throw .failed(error)
        }
        let file: ExportedFile
        do throws(ForeignError) {
            policy.nextChange = try nextChange(policy)
            file = try target.write(policy, over: existing)
        } catch {
            throw .unreadable(error)
        }
        let companions = Dictionary(file.companions.map { ($0.path, $0.octets) }) { first, _ in
            first
        }
        let written = ForeignFile(SourceFile(path: fileName, bytes: file.octets)) {
            companions[$0]
        }
        // A file that was just written and cannot be read is our own fault.
        let strictest: (table: PolicyTable, gaps: [ForeignGap])
        let weakest: PolicyTable?
        do throws(Problem) {
            strictest = try read(written, as: .strictest, crypto: crypto)
            weakest =
                type(of: target).hasBounds
                ? try read(written, as: .weakest, crypto: crypto).table : nil
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            throw .failed(
                AnswerFailure(
                    "the file that was made cannot be read: \(reason.message)", isOurs: true))
        }
        let loss = try loss(
            of: policy.table, strictest.table, weakest, strictest.gaps, crypto: crypto)
        return Answer(
            file: file, loss: loss, nextChange: policy.nextChange, meaning: strictest.table)
    }

    /// How a file differs from the file that the policy makes. Empty where they mean the same.
    package func check(
        _ file: ForeignFile, against expected: Answer, crypto: any CryptoBackend
    ) throws(Problem) -> ExportLoss {
        let found = try read(file, as: .strictest, crypto: crypto)
        // What the exported file has, too, is told with the export.
        let known = Set(expected.loss.gaps.map { [$0.code.rawValue, $0.message] })
        let gaps = found.gaps.filter { !known.contains([$0.code.rawValue, $0.message]) }
        return try loss(of: expected.meaning, found.table, nil, gaps, crypto: crypto)
    }

    private func loss(
        of policy: PolicyTable, _ strictest: PolicyTable, _ weakest: PolicyTable?,
        _ gaps: [ForeignGap], crypto: any CryptoBackend
    ) throws(Problem) -> ExportLoss {
        func comparable(_ table: PolicyTable) throws(AnswerFailure) -> PolicyTable {
            guard type(of: target).limitsAnchorsByName else { return table }
            return try VouchedHosts.table(table, crypto: crypto)
        }
        do throws(AnswerFailure) {
            return try ExportLoss(
                of: comparable(policy), strictest: comparable(strictest),
                weakest: weakest.map(comparable), gaps: gaps,
                unstated: type(of: target).unstated, since: time, crypto: crypto)
        } catch {
            throw .failed(error)
        }
    }

    // MARK: Reading

    /// The table of the policy that a file means, cut to the exported hosts.
    private func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(Problem) -> (table: PolicyTable, gaps: [ForeignGap]) {
        let imported: ForeignImport
        do throws(ForeignError) {
            imported = try target.read(file, as: bound, crypto: crypto)
        } catch {
            throw .unreadable(error)
        }
        if let error = imported.findings.first(where: { $0.severity == .error }) {
            let span = error.primary.span
            throw .unreadable(
                ForeignError(
                    error.code, error.message, at: Int(span.start)..<Int(span.end),
                    help: error.help))
        }
        do throws(AnswerFailure) {
            let table = try imported.table(crypto: crypto)
            // The days on which pins end early are in the two readings, with their instants.
            let gaps = imported.gaps.filter {
                !type(of: target).hasBounds || $0.code != .localExpiration
            }
            return (try ExportedPolicy.cut(table, to: hosts, crypto: crypto), gaps)
        } catch {
            throw .failed(error)
        }
    }

    /// The most instants that are tried for another file.
    private static let mostInstants = 64

    /// The first instant at which the policy makes another file.
    private func nextChange(_ policy: ExportedPolicy) throws(ForeignError) -> UTCInstant? {
        let ends = policy.ends
        guard !ends.isEmpty else { return nil }
        let now = try target.write(policy, over: nil)
        for end in ends.prefix(Self.mostInstants) {
            let next = end.advanced(bySeconds: 1)
            let then = try target.write(policy.at(next), over: nil)
            if then.octets != now.octets { return next }
        }
        return nil
    }
}

extension ForeignImport {
    /// The table of the policy.
    package func table(crypto: any CryptoBackend) throws(AnswerFailure) -> PolicyTable {
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        guard let table = compiled.table else {
            let first = compiled.diagnostics.first { $0.severity == .error }
            throw AnswerFailure(
                "the policy of the file does not compile: \(first?.message ?? "no reason is known")"
            )
        }
        return table
    }
}
