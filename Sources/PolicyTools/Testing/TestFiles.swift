import PolicyCompiler
import TrustEngine

/// Reads the files that cases name, below the unit's folder, each once.
final class TestFiles {
    /// Why a file cannot be used. Lower case, no full stop.
    struct Problem: Error {
        let context: String
    }

    /// The most octets of one file.
    private static let limit = 64 << 20

    private let resources: any UnitResources
    private var octets: [String: Result<[UInt8], Problem>] = [:]
    private var chains: [String: Result<[[UInt8]], Problem>] = [:]
    private var stores: [String: Result<[[UInt8]], Problem>] = [:]
    private var folders: [String: Result<EvidenceFolder, Problem>] = [:]

    init(_ resources: any UnitResources) { self.resources = resources }

    /// The octets of a file, by its path from the unit's root.
    func read(_ path: String) throws(Problem) -> [UInt8] {
        let result = octets[path] ?? readOnce(path)
        octets[path] = result
        return try result.get()
    }

    private func readOnce(_ path: String) -> Result<[UInt8], Problem> {
        do throws(ResourceError) {
            return .success(try resources.read(path, limit: TestFiles.limit))
        } catch {
            return .failure(Problem(context: error.context))
        }
    }

    /// A chain as it was sent: every block of a PEM text, whatever it is, or one piece of DER.
    func chain(_ path: String) throws(Problem) -> [[UInt8]] {
        if let known = chains[path] { return try known.get() }
        let result = Result { () throws(Problem) in try readChain(path) }
        chains[path] = result
        return try result.get()
    }

    private func readChain(_ path: String) throws(Problem) -> [[UInt8]] {
        let bytes = try read(path)
        // An empty file is the chain of a server that presents nothing.
        guard !bytes.isEmpty else { return [] }
        guard let blocks = try blocks(bytes, path) else {
            guard bytes.first == 0x30 else {
                throw Problem(context: "`\(path)` holds no certificate: it is neither PEM nor DER")
            }
            return [bytes]
        }
        guard !blocks.isEmpty else {
            throw Problem(context: "`\(path)` holds no certificate")
        }
        return blocks.map(\.der)
    }

    /// The certificates of a file that stands for the machine's store.
    func store(_ path: String) throws(Problem) -> [[UInt8]] {
        if let known = stores[path] { return try known.get() }
        let result = Result { () throws(Problem) in
            let blocks = try blocks(try read(path), path) ?? []
            let certificates = blocks.filter { $0.label == "CERTIFICATE" }.map(\.der)
            guard !certificates.isEmpty else {
                throw Problem(context: "`\(path)` holds no certificate in PEM")
            }
            return certificates
        }
        stores[path] = result
        return try result.get()
    }

    /// Pieces of evidence: one for each PEM block with a label, or the whole file as DER.
    func evidence(_ path: String, label: String) throws(Problem) -> [[UInt8]] {
        let bytes = try read(path)
        guard let blocks = try blocks(bytes, path) else { return [bytes] }
        let wanted = blocks.filter { $0.label == label }
        guard !wanted.isEmpty else {
            throw Problem(context: "`\(path)` holds no block `\(label)`")
        }
        return wanted.map(\.der)
    }

    /// The one piece of a file.
    func piece(_ path: String, label: String) throws(Problem) -> [UInt8] {
        let pieces = try evidence(path, label: label)
        guard pieces.count == 1 else {
            throw Problem(context: "`\(path)` holds \(pieces.count) pieces; a handshake has one")
        }
        return pieces[0]
    }

    /// The list of timestamps of a file: its octets, or the block that OpenSSL writes, which has
    /// the extension's number and length before the list.
    func timestamps(_ path: String) throws(Problem) -> [UInt8] {
        let bytes = try read(path)
        guard try blocks(bytes, path) != nil else { return bytes }
        let list = try piece(path, label: "SERVERINFO FOR EXTENSION 18")
        guard list.count >= 4, list[0] == 0, list[1] == 18,
            Int(list[2]) << 8 | Int(list[3]) == list.count - 4
        else { throw Problem(context: "`\(path)` holds no whole list of timestamps") }
        return Array(list.dropFirst(4))
    }

    /// A folder of evidence.
    func folder(_ path: String) throws(Problem) -> EvidenceFolder {
        if let known = folders[path] { return try known.get() }
        let result = Result { () throws(Problem) in try readFolder(path) }
        folders[path] = result
        return try result.get()
    }

    private func readFolder(_ path: String) throws(Problem) -> EvidenceFolder {
        let names: [String]
        do throws(ResourceError) {
            names = try resources.list(path)
        } catch {
            throw Problem(context: error.context)
        }
        var files: [EvidenceFolder.File] = []
        for name in names {
            guard let kind = EvidenceKind(ofFile: name) else { continue }
            files.append(
                EvidenceFolder.File(
                    name: name, kind: kind,
                    octets: try read(path.isEmpty ? name : "\(path)/\(name)")))
        }
        guard !files.isEmpty else {
            throw Problem(
                context: "`\(path)` holds no evidence; the names of its files end in "
                    + EvidenceKind.allCases.map { "`.\($0.rawValue)`" }.joined(separator: ", "))
        }
        return EvidenceFolder(path: path, files: files)
    }

    /// The PEM blocks of a text; nil for octets that hold no line that begins a block.
    private func blocks(_ bytes: [UInt8], _ path: String) throws(Problem) -> [PEMBlock]? {
        guard bytes.first != 0x30, TestFiles.holdsBlock(bytes) else { return nil }
        do throws(PEMError) {
            return try PEM.decode(bytes.span)
        } catch {
            throw Problem(
                context: "`\(path)` is PEM that cannot be read, at octet \(error.offset): "
                    + error.problem.rawValue)
        }
    }

    private static let mark = Array("-----BEGIN ".utf8)

    private static func holdsBlock(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= mark.count else { return false }
        return (0...(bytes.count - mark.count)).contains { start in
            bytes[start] == mark[0] && bytes[start..<start + mark.count].elementsEqual(mark)
        }
    }
}
