import CHawser
import CHawserABI
import Foundation
import Hawser
import TestPKI
import Testing
import TrustEngine

/// The fields of a request from C: each reaches the verdict as the caller set it, or is refused.
@Suite struct RequestTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// The receipt of a request's verdict, with the inputs.
    private func receipt(_ change: (inout hawser_request) -> Void) throws -> DecisionReceipt {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        return try world.withRequest("good") { request in
            change(&request)
            var verdict = hawser_verdict()
            #expect(hawser_explain(store, &request, nil, &verdict, nil) >= 0)
            defer { _ = hawser_verdict_free(verdict) }
            let text = try #require(
                CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_RECEIPT_WITH_INPUTS))
            return try DecisionReceipt(json: Array(text.utf8))
        }
    }

    @Test func theStateOfTLSIsTheCallers() throws {
        let (parameters, policy) = (
            TLSParameters(version: .tls13), [UInt8](repeating: 7, count: 32)
        )
        let digest = try #require(Digest(.sha256, bytes: policy))
        for (given, state) in [
            (HAWSER_TLS_NOT_SUPPLIED, .notSupplied),
            (HAWSER_TLS_OBSERVED, .observed(parameters)),
            (HAWSER_TLS_ENFORCED, .enforced(parameters, ruleID: "www", policyDigest: digest)),
            (HAWSER_TLS_ASSUMED, .assumed(parameters)), (HAWSER_TLS_CLEARTEXT, .cleartext),
        ] as [(Int, TLSState)] {
            let receipt = try "www".withCString { rule in
                try CalledAsC.withPieces([policy]) { pieces in
                    try self.receipt {
                        $0.tls = UInt32(given)
                        $0.enforced_rule = rule
                        $0.enforced_policy = pieces[0]
                    }
                }
            }
            #expect(receipt.tls == state)
        }
    }

    @Test func eachPieceOfEvidenceReachesTheVerdict() throws {
        let authority = Scenario().root("C Evidence Root", key: .p256("c evidence root"))
        let list = authority.revocationList()
        var evidence = hawser_evidence()
        let prepared = hawser_evidence_prepare(
            UInt32(HAWSER_EVIDENCE_CRL), hawser_store(), list, list.count, nil, 0, &evidence, nil)
        #expect(prepared == Int32(HAWSER_OK))
        defer { _ = hawser_evidence_free(evidence) }
        // Octets that are not evidence are handed on too: the engine judges them.
        let given: [[UInt8]] = [[1], [2, 2], [3, 3, 3], [4]]
        let receipt = try CalledAsC.withPieces(given) { pieces in
            try withUnsafePointer(to: &evidence) { handles in
                try self.receipt {
                    $0.staple = pieces[0]
                    $0.sct_list = pieces[1]
                    $0.ocsp_responses = pieces.baseAddress.map { $0 + 2 }
                    $0.ocsp_response_count = 1
                    $0.crls = pieces.baseAddress.map { $0 + 3 }
                    $0.crl_count = 1
                    $0.prepared = handles
                    $0.prepared_count = 1
                }
            }
        }
        let kinds = (receipt.evidence ?? []).map(\.kind)
        let octets = receipt.inputs?.evidence ?? []
        let found = Dictionary(uniqueKeysWithValues: zip(kinds, octets))
        #expect(
            found == [
                .staple: given[0], .timestamps: given[1], .response: given[2], .list: given[3],
                .unverifiedList: list,
            ])
    }

    @Test func nowIsTheInstantOfTheCall() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            // HAWSER_NOW.
            request.time = .min
            var outcome = hawser_outcome()
            outcome.size = MemoryLayout<hawser_outcome>.size
            let before = Int64(time(nil))
            #expect(hawser_evaluate(store, &request, &outcome, nil, nil) >= 0)
            #expect((before...Int64(time(nil))).contains(outcome.time))
        }
    }

    // MARK: Limits

    /// The answer to a request for a host without a rule: every field is checked, no chain is read.
    private func answer(
        _ store: hawser_store, _ change: (inout hawser_request) -> Void
    ) throws -> (result: Int, word: String, text: String) {
        try world.withRequest("good", host: "nobody.example") { request in
            change(&request)
            var error = hawser_error.ready
            let result = hawser_evaluate(store, &request, nil, nil, &error)
            return (Int(result), error.word, error.text)
        }
    }

    private typealias SetList = (inout hawser_request, Int) -> Void

    /// The lists of a request: the name of each, and how it gets as many elements as are wanted.
    private static func lists(
        _ pieces: UnsafePointer<hawser_bytes>?, _ evidence: UnsafePointer<hawser_evidence>?,
        _ texts: UnsafePointer<UnsafePointer<CChar>?>?
    ) -> [(name: String, set: SetList)] {
        [
            ("chain", { ($0.chain, $0.chain_count) = (pieces, $1) }),
            ("ocsp_responses", { ($0.ocsp_responses, $0.ocsp_response_count) = (pieces, $1) }),
            ("crls", { ($0.crls, $0.crl_count) = (pieces, $1) }),
            ("prepared", { ($0.prepared, $0.prepared_count) = (evidence, $1) }),
            ("assumptions", { ($0.assumptions, $0.assumption_count) = (texts, $1) }),
        ]
    }

    @Test func listsHaveALimit() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let octets = Scenario().root("C Evidence Root", key: .p256("c evidence root"))
            .revocationList()
        var evidence = hawser_evidence()
        _ = hawser_evidence_prepare(
            UInt32(HAWSER_EVIDENCE_CRL), store, octets, octets.count, nil, 0, &evidence, nil)
        defer { _ = hawser_evidence_free(evidence) }
        let limit = Int(HAWSER_LIMIT_ITEMS)
        let handles = [hawser_evidence](repeating: evidence, count: limit + 1)
        try "a".withCString { text in
            let texts = [UnsafePointer<CChar>?](repeating: text, count: limit + 1)
            let piece = hawser_bytes(data: text, length: 1)
            let pieces = [hawser_bytes](repeating: piece, count: limit + 1)
            // The arrays live as long as the call.
            func check(
                _ pieces: UnsafePointer<hawser_bytes>?, _ handles: UnsafePointer<hawser_evidence>?,
                _ texts: UnsafePointer<UnsafePointer<CChar>?>?
            ) throws {
                for list in Self.lists(pieces, handles, texts) {
                    let most = try answer(store) { list.set(&$0, limit) }
                    #expect(most.result == HAWSER_REJECT, "\(list.name): \(most.text)")
                    let more = try answer(store) { list.set(&$0, limit + 1) }
                    #expect(more.result == HAWSER_E_LIMIT, "\(list.name)")
                    #expect(more.word == "too-large")
                    #expect(more.text == "`request.\(list.name)` has more than \(limit)")
                }
            }
            try check(pieces, handles, texts)
        }
    }

    @Test func namesHaveALimit() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let policy = [UInt8](repeating: 7, count: 32)
        let (short, long) = (Int(HAWSER_LIMIT_NAME), Int(HAWSER_LIMIT_PATH))
        for (name, limit, change) in [
            ("cipher_suite", short, { $0.cipher_suite = $1 }),
            ("group", short, { $0.group = $1 }),
            ("signature_scheme", short, { $0.signature_scheme = $1 }),
            ("alpn", short, { $0.alpn = $1 }),
            (
                "enforced_rule", short,
                {
                    $0.tls = UInt32(HAWSER_TLS_ENFORCED)
                    $0.enforced_rule = $1
                }
            ),
            ("host", short, { $0.host = hawser_bytes(data: $1, length: strlen($1)) }),
            ("assumptions", long, { request, _ in request.assumption_count = 1 }),
        ] as [(String, Int, (inout hawser_request, UnsafePointer<CChar>) -> Void)] {
            for count in [limit, limit + 1] {
                let found = try CalledAsC.withPieces([policy]) { pieces in
                    try String(repeating: "a", count: count).withCString { text in
                        try withUnsafePointer(to: Optional(text)) { texts in
                            try answer(store) {
                                $0.enforced_policy = pieces[0]
                                $0.assumptions = texts
                                change(&$0, text)
                            }
                        }
                    }
                }
                #expect(
                    found.result == (count == limit ? HAWSER_REJECT : HAWSER_E_LIMIT), "\(name)")
                if count > limit {
                    #expect(found.text == "`request.\(name)` has more than \(limit)")
                }
            }
        }
    }

    @Test func anAssumptionIsAText() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let found = try "nobody looked".withCString { text in
            try [text, nil].withUnsafeBufferPointer { texts in
                try answer(store) {
                    $0.assumptions = texts.baseAddress
                    $0.assumption_count = texts.count
                }
            }
        }
        #expect(found.result == HAWSER_E_ARGUMENT)
        #expect(found.word == "null-pointer")
        #expect(found.text == "`request.assumptions[1]` is NULL")
    }

    /// Two pieces, each of which is within the limit, in each pair of fields.
    @Test func theOctetsOfARequestHaveALimitTogether() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let length = Int(HAWSER_LIMIT_OCTETS) / 2 + 1
        // Memory that nobody writes takes no room.
        let octets = try #require(calloc(length, 1))
        defer { free(octets) }
        let pieces = [hawser_bytes](
            repeating: hawser_bytes(data: octets, length: length), count: 2)
        try pieces.withUnsafeBufferPointer { pieces in
            let list = pieces.baseAddress
            // In the order in which a request is read.
            let fields: [(name: String, isList: Bool, set: (inout hawser_request, Int) -> Void)] = [
                ("chain", true, { ($0.chain, $0.chain_count) = (list, $1) }),
                ("staple", false, { request, _ in request.staple = pieces[0] }),
                ("sct_list", false, { request, _ in request.sct_list = pieces[0] }),
                (
                    "ocsp_responses", true,
                    { ($0.ocsp_responses, $0.ocsp_response_count) = (list, $1) }
                ),
                ("crls", true, { ($0.crls, $0.crl_count) = (list, $1) }),
            ]
            for (place, first) in fields.enumerated() {
                let one = try answer(store) {
                    $0.chain_count = 0
                    first.set(&$0, 1)
                }
                #expect(one.result == HAWSER_REJECT, "\(first.name): \(one.text)")
                for second in fields[place...] where first.name != second.name || first.isList {
                    let both = try answer(store) {
                        $0.chain_count = 0
                        first.set(&$0, 1)
                        second.set(&$0, first.name == second.name ? 2 : 1)
                    }
                    #expect(both.result == HAWSER_E_LIMIT, "\(first.name), \(second.name)")
                    #expect(both.text.hasPrefix("`request.\(second.name)` has more than "))
                }
            }
        }
    }
}
