import EvidenceServer
import Foundation
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Which policy and which crypto backend stand behind a verdict with fetched evidence.
@Suite("fetching evidence for a policy") struct FetchingPolicyTests {
    /// A backend in front of libcrypto that may refuse the signature of one CRL.
    private final class ListBackend: ForwardingBackend {
        let backend = EngineLoader.makeBackend()
        private let list: [UInt8]
        private let refuses: Bool
        private let verified = Mutex(0)

        /// How often the signature of the CRL was verified.
        var count: Int { verified.withLock { $0 } }

        init(_ list: [UInt8], refuses: Bool) {
            self.list = list
            self.refuses = refuses
        }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>
        ) -> SignatureOutcome {
            let octets = signature.indices.map { signature[$0] }
            // The signature is the last part of a CRL.
            if list.suffix(octets.count).elementsEqual(octets) {
                verified.withLock { $0 += 1 }
                if refuses { return .unsupported }
            }
            return backend.verify(
                algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        }
    }

    @Test("fetched evidence is verified by the backend of the engine", arguments: [false, true])
    func backend(refuses: Bool) throws {
        let world = try FetchingWorld(policy: "preset: require, network: wait, sources: [crl]")
        let list = world.issuing.revocationList()
        let backend = ListBackend(list, refuses: refuses)
        let engine = try Engine(table: world.engine.table, crypto: backend)
        let fetcher = try world.fetcher(
            nil, transport: ScriptedTransport { _, _ in .success(list) })
        let fetched = PolicySnapshot(engine).judge(world.request, fetching: fetcher)
        #expect(backend.count > 0)
        #expect(fetched.word == (refuses ? "revocation-undetermined" : "accept"))
    }

    @Test("evidence that is fetched in the background is verified by the same backend")
    func prefetched() throws {
        let world = try FetchingWorld(
            policy: "preset: require, network: prefetch, sources: [crl]")
        let list = world.issuing.revocationList()
        let backend = ListBackend(list, refuses: false)
        let policy = PolicySnapshot(try Engine(table: world.engine.table, crypto: backend))
        let fetcher = try world.fetcher(
            nil, transport: ScriptedTransport { _, _ in .success(list) })
        #expect(!policy.judge(world.request, fetching: fetcher).verdict.isAccept)
        #expect(backend.count == 0)
        #expect(fetcher.prefetch().fetched == 1)
        #expect(backend.count == 1)
        #expect(policy.judge(world.request, fetching: fetcher).verdict.isAccept)
    }

    /// Judges by the function that blocks, for tests that are asynchronous.
    private func judgeWaiting(
        _ request: TrustRequest, by store: PolicyStore, _ fetcher: EvidenceFetcher
    ) -> Decision {
        store.judge(request, fetching: fetcher)
    }

    @Test("a policy that is put in force while evidence is fetched is seen in the epoch")
    func reload() async throws {
        let world = try FetchingWorld(policy: "preset: require, network: wait, sources: [crl]")
        let stricter = try FetchingWorld(
            policy: "preset: require, network: never, sources: [stapled]")
        var configuration = PolicyStore.Configuration()
        configuration.name = "edge"
        configuration.service = "api"
        for waits in [true, false] {
            let store = try PolicyStore(
                table: world.engine.table.bytes, configuration: configuration)
            let list = world.issuing.revocationList()
            let transport = ScriptedTransport { _, _ in
                _ = store.offer(stricter.engine.table.bytes, origin: "test")
                return .success(list)
            }
            let fetcher = try world.fetcher(nil, transport: transport)
            let fetched: Decision
            if waits {
                fetched = judgeWaiting(world.request, by: store, fetcher)
            } else {
                fetched = await store.judge(world.request, fetching: fetcher)
            }
            // One policy judges from the first round to the last.
            #expect(fetched.word == "accept" && fetched.outcomes == ["fetched"])
            #expect(
                fetched.policy.decisionMaker
                    == DecisionMaker(service: "api", store: "edge", epoch: 1))
            let before = world.engine.table.policyDigest
            #expect(fetched.verdict.policyDigest == before)
            #expect(fetched.policy.engine.table.policyDigest == before)
            // The receipt of the decision names that policy, not the policy in force now.
            #expect(store.snapshot.epoch == 2)
            let receipt = DecisionReceipt(fetched)
            #expect(receipt.json.contains(#""epoch":1"#))
            #expect(!store.judge(fetched.request).isAccept)
        }
    }
}
