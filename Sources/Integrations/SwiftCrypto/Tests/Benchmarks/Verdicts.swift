import Foundation
import Hawser
import HawserSwiftCrypto
import HawserYAML
import SwiftASN1
import TestPKI
import TrustEngine
@_spi(FixedExpiryValidationTime) import X509

/// Whole verdicts from DER, beside swift-certificates' verifier in the same process.
///
/// Each chain is an end entity below an intermediate below the anchor, and is judged once with a
/// backend that remembers nothing, so that every key is prepared and every signature verified.
struct Verdicts {
    private let name: String
    private let root: Authority
    private let chains: [[[UInt8]]]

    private static let host = "www.site.example"

    private init(_ name: String, key: @escaping (String) -> TestKey, root rootKey: TestKey) {
        let scenario = Scenario()
        let root = scenario.root("Bench Root", key: rootKey)
        self.name = name
        self.root = root
        self.chains = (0..<Verdicts.chainCount).map { index in
            let issuing = root.issueCA("Bench Issuing \(index)", key: key("\(name) ca \(index)"))
            let leaf = issuing.issueLeaf(
                dns: [Verdicts.host, "site.example"], key: key("\(name) leaf \(index)"))
            return [leaf.der, issuing.der]
        }
    }

    /// Prints a table. Returns whether ours with swift-crypto is the faster on every chain, and at
    /// most 0.75 of swift-certificates' time in the geometric mean.
    static func measure(rounds: Int) async throws -> Bool {
        print("| chain | libcrypto | swift-crypto | swift-certificates | ratio |")
        print("|---|---:|---:|---:|---:|")
        var product = 1.0
        var isFaster = true
        let all = [
            Verdicts("P-256", key: { .p256($0) }, root: .p256("verdicts root")),
            Verdicts(
                "RSA-2048 below RSA-4096", key: { .rsa2048($0) }, root: .rsa4096("verdicts root")),
            Verdicts("P-384", key: { .p384($0) }, root: .p384("verdicts root")),
            Verdicts("Ed25519", key: { .ed25519($0) }, root: .ed25519("verdicts root")),
        ]
        for verdicts in all {
            let time = try await verdicts.measure(rounds: rounds)
            let ratio = time[1] / time[2]
            product *= ratio
            isFaster = isFaster && ratio < 1
            print(
                "| \(verdicts.name) | \(text(time[0], 0)) | \(text(time[1], 0)) "
                    + "| \(text(time[2], 0)) | \(text(ratio, 2)) |")
        }
        let mean = pow(product, 1 / Double(all.count))
        print("\ngeometric mean of the ratios: \(text(mean, 2))")
        return isFaster && mean <= 0.75
    }

    /// Microseconds a verdict: ours with libcrypto, ours with swift-crypto, swift-certificates.
    private func measure(rounds: Int) async throws -> [Double] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "swift-crypto-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(root.der).write(to: folder.appending(path: "root.der"))
        try Data(
            """
            hawser: 1
            default: deny
            anchors:
              bench: { files: [root.der] }
            rules:
              www:
                hosts: ["\(Verdicts.host)"]
                anchors: [bench]
                owner: bench

            """.utf8
        ).write(to: folder.appending(path: "policy.yaml"))
        let requests = chains.map {
            TrustRequest(
                host: Verdicts.host, port: 443, presentedChain: $0, time: Scenario.judgedAt,
                tls: .observed(TLSParameters(version: .tls13)))
        }
        let roots = CertificateStore([try X509.Certificate(derEncoded: root.der)])
        let date = Date(timeIntervalSince1970: Double(Scenario.judgedAt.secondsSinceEpoch))
        var minima = Minima(3)
        for _ in 0..<rounds {
            let engines = [
                try TrustPolicy.load(folder.path).engine,
                try TrustPolicy.load(folder.path, crypto: SwiftCryptoBackend()).engine,
            ]
            for (index, engine) in engines.enumerated() {
                let start = now()
                for request in requests {
                    let verdict = engine.evaluate(request)
                    guard verdict.isAccept else {
                        throw Failed(what: "\(name): \(verdict.violations.map(\.sentence))")
                    }
                }
                minima.add(index, now() - start, calls: requests.count)
            }
            let start = now()
            for chain in chains {
                let leaf = try X509.Certificate(derEncoded: chain[0])
                let bag = CertificateStore([try X509.Certificate(derEncoded: chain[1])])
                var verifier = Verifier(rootCertificates: roots) {
                    RFC5280Policy(fixedExpiryValidationTime: date)
                    ServerIdentityPolicy(serverHostname: Verdicts.host, serverIP: nil)
                }
                let result = await verifier.validate(leaf: leaf, intermediates: bag)
                guard case .validCertificate = result else {
                    throw Failed(what: "\(name): swift-certificates refuses")
                }
            }
            minima.add(2, now() - start, calls: chains.count)
        }
        return minima.nanoseconds.map { $0 / 1_000 }
    }

    /// Chains of one kind. Their keys fit into what a backend remembers, but each is new to it.
    private static let chainCount = 20
}
