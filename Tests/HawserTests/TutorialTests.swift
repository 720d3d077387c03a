import Foundation
import Hawser
import HawserYAML
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Tutorial

/// What `FiveMinutes` of the documentation tells its reader to write is these files, and it works.
@Suite struct TutorialTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private let folder: TemporaryFolder
    private let table: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        let unit = Self.root.appending(path: "policies/classic-failures").path
        table = try TrustPolicy.load(unit).engine.table.bytes
        try Data(table).write(to: URL(filePath: folder.path + "/payments.table"))
    }

    private func open() throws -> PolicyStore {
        try openStore(table: folder.path + "/payments.table", state: folder.path + "/state")
    }

    private func chain(_ name: String) throws -> [[UInt8]] {
        let file = Self.root.appending(path: "policies/classic-failures/cases/\(name)/chain.pem")
        return try PEM.decode([UInt8](Data(contentsOf: file)).span).map(\.der)
    }

    @Test func aGoodServerPassesAndAnExpiredOneSaysWhy() throws {
        let store = try open()
        defer { store.close() }
        let now = try #require(UTCInstant(text: "2026-03-01T00:00:00Z"))
        let late = try #require(UTCInstant(text: "2028-06-01T00:00:00Z"))
        let host = "www.site.example"
        try check(host, port: 443, chain: chain("good"), version: .tls13, by: store, at: now)
        let chain = try chain("expired")
        let error = #expect(throws: UntrustedServer.self) {
            try check(host, port: 443, chain: chain, version: .tls13, by: store, at: late)
        }
        #expect(error?.reasons.count == 1)
        #expect(error?.reasons.first?.contains("ended on 2026-08-31T23:59:59Z") == true)
        let text = tellWhy(
            TrustRequest(
                host: host, port: 443, presentedChain: chain, time: late,
                tls: .observed(TLSParameters(version: .tls13))),
            by: store)
        #expect(text.hasPrefix("reject www.site.example:443 at 2028-06-01T00:00:00Z"))
        #expect(text.contains("policy.yaml:10:13"))
    }

    @Test func aProgramWithoutAStoreJudgesOnce() throws {
        let now = try #require(UTCInstant(text: "2026-03-01T00:00:00Z"))
        func judge(_ name: String) throws -> (isTrusted: Bool, reasons: String) {
            let request = TrustRequest(
                host: "www.site.example", port: 443, presentedChain: try chain(name), time: now,
                tls: .observed(TLSParameters(version: .tls13)))
            return try judgeOnce(request, table: folder.path + "/payments.table")
        }
        #expect(try judge("good") == (true, ""))
        let refused = try judge("unknown-root")
        #expect(!refused.isTrusted)
        #expect(refused.reasons.hasPrefix("reject www.site.example:443"))
        #expect(refused.reasons.contains("policy.yaml:"))
    }

    @Test func aPoolHearsOfAnotherPolicy() throws {
        let store = try open()
        defer { store.close() }
        let told = Mutex<[UInt64]>([])
        let observation = follow(store) { epoch in told.withLock { $0.append(epoch) } }
        let other = try TemporaryFolder()
        try other.write("policy.yaml", "hawser: 1\ndefault: deny\n")
        store.offer(try TrustPolicy.load(other.path).engine.table.bytes, origin: "a test")
        observation.cancel()
        store.offer(table, origin: "a test")
        #expect(told.withLock { $0 } == [2])
        #expect(PoolKey(host: "a", port: 1, epoch: 2) != PoolKey(host: "a", port: 1, epoch: 3))
    }

    @Test func anUnsignedTableIsNotTakenOnceKeysAreTrusted() throws {
        let keys = try [SignedPolicy.ann, SignedPolicy.bob, SignedPolicy.eve].map {
            try TablePublicKey(raw: $0.publicKeyBits).base64
        }
        let state = folder.at("signed-state")
        let configuration = try signedConfiguration(keys, state: state)
        #expect(configuration.trustedKeys?.threshold == 2)
        let missing = #expect(throws: PolicyStoreError.self) {
            try PolicyStore(table: table, configuration: configuration)
        }
        #expect(missing?.unsound?.code == .missing)
        #expect(mkdir(state, 0o700) == 0)
        let error = #expect(throws: PolicyStoreError.self) {
            try PolicyStore(table: table, configuration: configuration)
        }
        #expect(error?.source?.code == "unsigned")
    }
}
