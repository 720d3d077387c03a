import Foundation
import Hawser
import HawserSwiftCrypto
import HawserYAML
import Synchronization
import TestPKI
import Testing
import TrustEngine

@Suite("verdicts with swift-crypto")
struct VerdictTests {
    private static let host = "www.site.example"

    /// A chain of keys of one kind, and a policy that trusts its root.
    private struct World {
        let chain: [[UInt8]]
        let folder: URL

        init(_ name: String, _ key: (String) -> TestKey) throws {
            let root = Scenario().root("\(name) Root", key: key("root"))
            let issuing = root.issueCA("\(name) Issuing", key: key("issuing"))
            let leaf = issuing.issueLeaf(dns: [VerdictTests.host], key: key("leaf"))
            chain = [leaf.der, issuing.der]
            folder = FileManager.default.temporaryDirectory
                .appending(path: "swift-crypto-tests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(root.der).write(to: folder.appending(path: "root.der"))
            try Data(
                """
                hawser: 1
                default: deny
                anchors:
                  site: { files: [root.der] }
                rules:
                  www:
                    hosts: ["\(VerdictTests.host)"]
                    anchors: [site]
                    owner: web

                """.utf8
            ).write(to: folder.appending(path: "policy.yaml"))
        }

        func request(_ chain: [[UInt8]]) -> TrustRequest {
            TrustRequest(
                host: VerdictTests.host, port: 443, presentedChain: chain,
                time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)))
        }
    }

    /// Counts the verifications that an engine asks for.
    private final class Counting: CryptoBackend {
        let backend = SwiftCryptoBackend()
        private let count = Mutex(0)

        var verifications: Int { count.withLock { $0 } }

        func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> TrustEngine.Digest {
            backend.digest(algorithm, of: bytes)
        }

        func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
            backend.identifierSHA1(of: bytes)
        }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>
        ) -> SignatureOutcome {
            count.withLock { $0 += 1 }
            return backend.verify(
                algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        }
    }

    @Test(
        "verdict, trace and work are those of libcrypto, chain sound or damaged",
        arguments: ["rsa2048", "p256", "p384", "p521", "ed25519"])
    func verdicts(_ kind: String) throws {
        let world = try World(kind) { label in
            switch kind {
            case "rsa2048": return .rsa2048(label)
            case "p256": return .p256(label)
            case "p384": return .p384(label)
            case "p521": return .p521(label)
            default: return .ed25519(label)
            }
        }
        defer { try? FileManager.default.removeItem(at: world.folder) }
        let libcrypto = try TrustPolicy.load(world.folder.path).engine
        let counting = Counting()
        let swiftCrypto = try TrustPolicy.load(world.folder.path, crypto: counting).engine
        #expect(swiftCrypto.evaluate(world.request(world.chain)).isAccept)
        #expect(counting.verifications == 2)
        var random = SplitMix(state: 4096)
        var rejected = 0
        for number in 0..<400 {
            var chain = world.chain
            let place = random.below(2)
            if number > 0 { chain[place][random.below(chain[place].count)] ^= random.change() }
            let request = world.request(chain)
            let first = libcrypto.explain(request)
            let second = swiftCrypto.explain(request)
            #expect(first.verdict == second.verdict, "change \(number)")
            #expect(first.trace == second.trace, "change \(number)")
            if !first.verdict.isAccept { rejected += 1 }
        }
        #expect(rejected > 300)
    }

    @Test("a store's engines ask the backend that it was given, after a reload too")
    func store() throws {
        let world = try World("store") { .p256($0) }
        defer { try? FileManager.default.removeItem(at: world.folder) }
        let table = try TrustPolicy.load(world.folder.path).engine.table.bytes
        let counting = Counting()
        var configuration = PolicyStore.Configuration()
        configuration.crypto = counting
        let store = try PolicyStore(table: table, configuration: configuration)
        #expect(store.judge(world.request(world.chain)).isAccept)
        #expect(counting.verifications == 2)
        let opened = try openStore(table: table, keys: nil)
        #expect(opened.judge(world.request(world.chain)).isAccept)
        let engine = try EngineLoader.load(tableBytes: table, crypto: counting)
        #expect(engine.evaluate(world.request(world.chain)).isAccept)
        #expect(counting.verifications == 4)
    }
}
