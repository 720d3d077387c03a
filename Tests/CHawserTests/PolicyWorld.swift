import CHawser
import CHawserABI
import Foundation
import HawserYAML
import LibCrypto
import PolicyCompiler
import TrustEngine

/// `policies/classic-failures` as C sees it: a table, and the chains of its cases.
struct PolicyWorld {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "policies/classic-failures")

    let table: [UInt8]
    let host = "www.site.example"
    /// 2026-06-01T12:00:00Z.
    let time: Int64 = 1_780_315_200

    init() throws {
        table = try Self.compile(unit: Self.folder)
    }

    struct Problem: Error {}

    /// The table of a policy of one file, which may name other files.
    static func compile(_ policy: String, files: [String: String] = [:]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try Data(policy.utf8).write(to: folder.appending(path: "policy.yaml"))
        return try compile(unit: folder)
    }

    private static func compile(unit folder: URL) throws -> [UInt8] {
        let unit = try UnitLoader.load(paths: [folder.path])
        guard let table = CompilerPipeline.compile(unit, crypto: LibCryptoBackend()).table else {
            throw Problem()
        }
        return table.bytes
    }

    /// A store of `policies/classic-failures` whose host must also pass a check of the program's.
    func opened(
        withCheck function: hawser_check_function, context: UnsafeMutableRawPointer? = nil
    ) throws -> hawser_store {
        let table = try Self.compile(withCheck: "audit")
        var store = hawser_store()
        "audit".withCString { name in
            var check = hawser_check(name: name, function: function, context: context)
            withUnsafePointer(to: &check) { checks in
                var options = hawser_store_options()
                options.size = MemoryLayout<hawser_store_options>.size
                options.checks = checks
                options.check_count = 1
                _ = hawser_store_open(table, table.count, &options, &store, nil)
            }
        }
        guard store.number != 0 else { throw Problem() }
        return store
    }

    private static func compile(withCheck name: String) throws -> [UInt8] {
        let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: folder, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let file = copy.appending(path: "policy.yaml")
        let policy = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(
            of: "    anchors: [site]\n", with: "    anchors: [site]\n    checks: [\(name)]\n")
        try policy.write(to: file, atomically: false, encoding: .utf8)
        return try compile(unit: copy)
    }

    func chain(_ name: String) throws -> [[UInt8]] {
        let file = try Data(
            contentsOf: Self.folder.appending(path: "cases/\(name)/chain.pem"))
        let octets = [UInt8](file)
        return try PEM.decode(octets.span).map(\.der)
    }

    /// Hands a request to `body` whose octets live as long as the call.
    func withRequest<R>(
        _ name: String, host: String? = nil, _ body: (inout hawser_request) throws -> R
    ) throws -> R {
        let chain = try chain(name)
        let octets = chain.flatMap(\.self)
        let host = Array((host ?? self.host).utf8)
        return try octets.withUnsafeBytes { octets in
            try host.withUnsafeBytes { host in
                var offset = 0
                let items = chain.map { certificate in
                    defer { offset += certificate.count }
                    return hawser_bytes(
                        data: octets.baseAddress.map { $0 + offset }, length: certificate.count)
                }
                return try items.withUnsafeBufferPointer { items in
                    var request = hawser_request()
                    request.size = MemoryLayout<hawser_request>.size
                    request.host = hawser_bytes(data: host.baseAddress, length: host.count)
                    request.port = 443
                    request.time = time
                    request.tls = UInt32(HAWSER_TLS_OBSERVED)
                    request.tls_version = 0x0304
                    request.chain = items.baseAddress
                    request.chain_count = items.count
                    return try body(&request)
                }
            }
        }
    }
}

extension hawser_error {
    /// One that is ready to be filled.
    static var ready: hawser_error {
        var error = hawser_error()
        error.size = MemoryLayout<hawser_error>.size
        return error
    }

    /// The stable word.
    var word: String {
        withUnsafeBytes(of: reason) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The message: the value that was found and the values that are allowed.
    var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
