import CHawser
import CHawserABI
import EvidenceServer
import Foundation
import TestPKI
import Testing
import TrustEngine

/// A store with a folder of CRLite filters, as C opens and asks it.
@Suite struct FilterTests {
    private let site = FilteredSite()
    private let cache: FilterCache
    private let table: [UInt8]

    init() throws {
        cache = try FilterCache()
        table = try PolicyWorld.compile(site.policy, files: ["root.pem": site.root.pem])
    }

    private func write(isRevoked: Bool) throws {
        try cache.write([("full.filter", site.filter(isRevoked: isRevoked))])
    }

    private func open(_ follow: Int = HAWSER_FOLLOW_NOTIFIED) -> hawser_store {
        cache.path.withCString { path in
            CalledAsC.open(table) {
                $0.crlite_directory = path
                $0.follow = UInt32(follow)
            }
        }
    }

    /// The verdict on the site's chain: its result, its first violation, and the explanation.
    private func judge(
        _ store: hawser_store
    ) -> (result: Int32, violation: String?, explanation: String) {
        let host = Array(site.host.utf8)
        let leaf = site.leaf.der
        var verdict = hawser_verdict()
        defer { _ = hawser_verdict_free(verdict) }
        let result = host.withUnsafeBytes { host in
            leaf.withUnsafeBytes { leaf in
                var certificate = hawser_bytes(data: leaf.baseAddress, length: leaf.count)
                return withUnsafePointer(to: &certificate) { chain in
                    var request = hawser_request()
                    request.size = MemoryLayout<hawser_request>.size
                    request.host = hawser_bytes(data: host.baseAddress, length: host.count)
                    request.port = 443
                    request.time = Scenario.judgedAt.secondsSinceEpoch
                    request.tls = UInt32(HAWSER_TLS_OBSERVED)
                    request.tls_version = 0x0304
                    request.chain = chain
                    request.chain_count = 1
                    return hawser_explain(store, &request, nil, &verdict, nil)
                }
            }
        }
        return (
            result, CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_VIOLATION_ID),
            CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_EXPLANATION) ?? ""
        )
    }

    @Test func aRevokedLeafIsRefusedAndAGoodOneAccepted() throws {
        try write(isRevoked: false)
        let store = open()
        defer { _ = hawser_store_close(store) }
        #expect(judge(store).result == Int32(HAWSER_OK))
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_CRLITE_DIRECTORY) == cache.path)
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_CRLITE_REASON) == nil)
        // The state is told when the newest filters answer.
        try write(isRevoked: true)
        _ = CalledAsC.state(store)
        let revoked = judge(store)
        #expect(revoked.result == Int32(HAWSER_REJECT))
        #expect(revoked.violation == "revoked")
        let digest = TestHash.sha256.digest(try site.filter(isRevoked: true).octets(version: 4))
        #expect(revoked.explanation.contains("full.filter"))
        #expect(revoked.explanation.contains(digest.map { hexadecimal($0) }.joined()))
        #expect(
            CalledAsC.metrics([store])?.contains("hawser_store_crlite{store=\"default\"} 1") == true
        )
    }

    private func hexadecimal(_ octet: UInt8) -> String {
        (octet < 16 ? "0" : "") + String(octet, radix: 16)
    }

    @Test func aFolderThatIsMissingIsSaidAndPassesNothing() throws {
        try cache.remove()
        let store = open()
        defer { _ = hawser_store_close(store) }
        #expect(store.number != 0)
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_CRLITE_REASON) == "not-found")
        #expect(
            CalledAsC.text(ofStore: store, HAWSER_TEXT_CRLITE_MESSAGE)?.contains(cache.path)
                == true)
        #expect(
            CalledAsC.metrics([store])?.contains("hawser_store_crlite{store=\"default\"} 0") == true
        )
        let verdict = judge(store)
        #expect(verdict.result == Int32(HAWSER_REJECT))
        #expect(verdict.violation == "revocation-undetermined")
        #expect(verdict.explanation.contains("\"unreachable\""))
        try cache.makeFolder()
        try write(isRevoked: false)
        #expect(judge(store).result == Int32(HAWSER_OK))
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_CRLITE_REASON) == nil)
    }

    @Test func theLogSaysThatTheFiltersCannotBeAsked() throws {
        try cache.remove()
        final class Lines { var all: [String] = [] }
        let lines = Lines()
        let store = cache.path.withCString { path in
            CalledAsC.open(table) {
                $0.crlite_directory = path
                $0.log = { context, level, message in
                    guard level == 5, let context, let message else { return }
                    Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
                        .all.append(String(cString: message))
                }
                $0.log_context = Unmanaged.passUnretained(lines).toOpaque()
            }
        }
        _ = hawser_store_close(store)
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.hasPrefix("the CRLite filters cannot be asked") == true)
        #expect(lines.all.first?.contains("code=not-found") == true)
    }

    @Test func aProgramWithoutThreadsOfOursSeesTheNewIndexAtOnce() throws {
        try write(isRevoked: false)
        let store = open(HAWSER_FOLLOW_NEVER)
        defer { _ = hawser_store_close(store) }
        for turn in 0..<6 {
            #expect(judge(store).violation == (turn % 2 == 1 ? "revoked" : nil))
            try write(isRevoked: turn % 2 == 0)
        }
    }

    @Test func aStoreWithoutAFolderHasNoText() {
        let store = CalledAsC.open(table)
        defer { _ = hawser_store_close(store) }
        for which in [
            HAWSER_TEXT_CRLITE_DIRECTORY, HAWSER_TEXT_CRLITE_REASON, HAWSER_TEXT_CRLITE_MESSAGE,
        ] {
            #expect(
                hawser_store_text(store, UInt32(which), 0, nil, 0, nil) == Int32(HAWSER_E_RANGE))
        }
        #expect(judge(store).violation == "revocation-undetermined")
    }

    @Test func aPathThatIsTooLongOrNotUTF8IsRefused() {
        for (path, word) in [
            ([CChar](repeating: 0x61, count: Int(HAWSER_LIMIT_PATH) + 1) + [0], "too-large"),
            ([-1, 0], "not-utf8"),
        ] {
            var options = hawser_store_options()
            options.size = MemoryLayout<hawser_store_options>.size
            var store = hawser_store()
            var error = hawser_error.ready
            let result = path.withUnsafeBufferPointer { path in
                options.crlite_directory = path.baseAddress
                return hawser_store_open(table, table.count, &options, &store, &error)
            }
            #expect(result != Int32(HAWSER_OK) && store.number == 0)
            #expect(error.word == word)
            #expect(error.text.contains("options.crlite_directory"))
        }
    }
}
