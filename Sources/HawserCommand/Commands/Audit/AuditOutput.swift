import Hawser
import TrustEngine

/// Where the rows that come out go: standard output, a file that grows, or nowhere.
struct AuditOutput {
    /// The path of the file; nil for standard output and nowhere.
    let path: String?
    private var isDropped = false
    private let file: GrowingFile?
    /// The octets that were written.
    private(set) var octets = 0

    /// The octets before the end of a file by which a checkpoint knows it again.
    static let tail = 4_096

    /// Writes to a path, or to standard output.
    init(_ path: String?, isNew: Bool = false) throws(CommandFailure) {
        self.path = path
        file = try path.map { path throws(CommandFailure) in
            try AuditOutput.writing { () throws(GrowingFile.Problem) in
                try GrowingFile(making: path, isNew: isNew)
            }
        }
    }

    /// The rows are not wanted: standard output has the summary.
    static var nowhere: AuditOutput {
        get throws(CommandFailure) {
            var output = try AuditOutput(nil)
            output.isDropped = true
            return output
        }
    }

    /// Goes on with a file where a checkpoint says that it ends; what stands behind is cut off.
    init(continuing path: String, _ mark: AuditMark) throws(CommandFailure) {
        // The checkpoint is there before the file is.
        guard mark.octets > 0 || NamedPath.exists(path) else {
            try self.init(path, isNew: true)
            return
        }
        let file = try AuditOutput.writing { () throws(GrowingFile.Problem) in
            try GrowingFile(continuing: path)
        }
        let (size, tail) = try AuditOutput.writing { () throws(GrowingFile.Problem) in
            let size = try file.size()
            guard size >= mark.octets else { return (size, [UInt8]()) }
            return (size, try file.tail(AuditOutput.tail, before: mark.octets))
        }
        guard size >= mark.octets else {
            throw .couldNotAsk(
                "`\(path)` has \(size) octets, and the checkpoint is of a file with \(mark.octets); "
                    + "it is another file, so nothing was changed")
        }
        guard EngineLoader.digests.digest(.sha256, of: tail.span) == mark.tail else {
            throw .couldNotAsk(
                "`\(path)` is another file than the one that the checkpoint is of, so nothing was "
                    + "changed")
        }
        self.init(path, file, octets: mark.octets)
    }

    private init(_ path: String, _ file: GrowingFile, octets: Int) {
        self.path = path
        self.file = file
        self.octets = octets
    }

    /// The mark of a file that is not there yet.
    static func noMark(_ path: String) -> AuditMark {
        let none: [UInt8] = []
        return AuditMark(
            path: path, octets: 0, tail: EngineLoader.digests.digest(.sha256, of: none.span))
    }

    /// Cuts off what the checkpoint does not name.
    func cut() throws(CommandFailure) {
        guard let file else { return }
        let octets = octets
        try AuditOutput.writing { () throws(GrowingFile.Problem) in try file.cut(to: octets) }
    }

    /// Appends octets.
    mutating func append(_ more: [UInt8]) throws(CommandFailure) {
        guard !more.isEmpty else { return }
        guard let file else {
            if !isDropped { try Report.print(bytes: more) }
            return
        }
        try AuditOutput.writing { () throws(GrowingFile.Problem) in try file.append(more) }
        octets += more.count
    }

    /// Brings the file to the disk, and says where it ends; nil for standard output.
    func sync() throws(CommandFailure) -> AuditMark? {
        guard let file, let path else { return nil }
        let octets = octets
        let tail = try AuditOutput.writing { () throws(GrowingFile.Problem) in
            try file.sync()
            try GrowingFile.syncFolder(of: path)
            return try file.tail(AuditOutput.tail, before: octets)
        }
        return AuditMark(
            path: path, octets: octets,
            tail: EngineLoader.digests.digest(.sha256, of: tail.span))
    }

    private static func writing<Value>(
        _ body: () throws(GrowingFile.Problem) -> Value
    ) throws(CommandFailure) -> Value {
        try asking(body)
    }
}

/// Where a file ends that a checkpoint names, and the digest of its last octets.
struct AuditMark: Hashable, Sendable {
    let path: String
    let octets: Int
    let tail: Digest
}
