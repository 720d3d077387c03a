import CHawser
import CHawserABI
import Foundation
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The options of a store from C: each is in force, or the store is not opened.
@Suite struct OptionsTests {
    private let world: PolicyWorld
    private let ok = Int32(HAWSER_OK)

    init() throws { world = try PolicyWorld() }

    /// Opens a store, and closes it.
    private func open(
        _ table: [UInt8], _ change: (inout hawser_store_options) -> Void
    ) -> (result: Int32, error: hawser_error) {
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        change(&options)
        var (store, error) = (hawser_store(number: 5), hawser_error.ready)
        let result = hawser_store_open(table, table.count, &options, &store, &error)
        #expect((store.number != 0) == (result == ok))
        #expect(hawser_store_close(store) == ok)
        return (result, error)
    }

    @Test func aTableWithWaiversIsRefusedWhereTheProgramAllowsNone() throws {
        let pem = Scenario().root("C Waiver Root", key: .p256("c waiver root")).pem
            .split(separator: "\n").map { "      \($0)\n" }.joined()
        let policy =
            "hawser: 1\ndefault: deny\nanchors:\n  root:\n    pem: |\n\(pem)rules:\n  kiosk:\n"
            + "    hosts: [kiosk.example]\n    anchors: [root]\n    owner: web\n"
        let waiver =
            "    waivers:\n      cleartext: "
            + "{ reason: \"no TLS yet\", owner: web, until: 2026-10-31 }\n"
        let flag = UInt32(HAWSER_STORE_REFUSE_WAIVERS)
        for (table, isWaiving) in [
            (try PolicyWorld.compile(policy), false),
            (try PolicyWorld.compile(policy + waiver), true),
        ] {
            #expect(open(table) { _ in }.result == ok)
            let found = open(table) { $0.flags = flag }
            #expect(found.result == (isWaiving ? Int32(HAWSER_E_TABLE) : ok))
            #expect(found.error.word == (isWaiving ? "waivers-not-allowed" : ""))
        }
    }

    /// The table of the world, signed by keys.
    private func signed(by keys: [TestKey]) throws -> [UInt8] {
        let message = try #require(
            try SignedTable(table: world.table, revision: 7).signedMessage)
        let signatures = try keys.map { key in
            let id = LibCryptoBackend().digest(.sha256, of: key.publicKeyBits.span)
            return try #require(TableSignature(keyID: id, octets: key.sign(message)))
        }
        return try SignedTable(table: world.table, revision: 7, signatures: signatures).encoded
    }

    @Test func aTableIsSignedByAsManyKeysAsTheProgramDemands() throws {
        let keys = [TestKey.ed25519("bea signs tables"), TestKey.ed25519("cal signs tables")]
        let signers = [[], [keys[0]], keys]
        try CalledAsC.withPieces(keys.map(\.publicKeyBits)) { trusted in
            // 0 means 1.
            for (threshold, least) in [(0, 1), (1, 1), (2, 2)] {
                for by in signers {
                    let found = open(try signed(by: by)) {
                        $0.trusted_keys = trusted.baseAddress
                        $0.trusted_key_count = trusted.count
                        $0.threshold = UInt32(threshold)
                    }
                    let isEnough = by.count >= least
                    #expect(
                        found.result == (isEnough ? ok : Int32(HAWSER_E_TABLE)),
                        "\(by.count) for \(threshold): \(found.error.text)")
                    let word = by.isEmpty ? "unsigned" : "not-enough-signatures"
                    #expect(found.error.word == (isEnough ? "" : word))
                }
            }
        }
    }

    @Test func anAgeIsGivenWithAKindAndOnlyThen() {
        let most: Int64 = 100 * 31_557_600
        for (kind, seconds, isTaken) in [
            (HAWSER_STALE_NEVER, 0, true), (HAWSER_STALE_NEVER, 1, false),
            (HAWSER_STALE_NEVER, -1, false), (HAWSER_STALE_WARN, 0, false),
            (HAWSER_STALE_WARN, 1, true), (HAWSER_STALE_WARN, most, true),
            (HAWSER_STALE_WARN, most + 1, false), (HAWSER_STALE_WARN, .max, false),
            (HAWSER_STALE_REJECT, 0, false), (HAWSER_STALE_REJECT, -1, false),
            (HAWSER_STALE_REJECT, 1, true),
        ] as [(Int, Int64, Bool)] {
            let found = open(world.table) {
                $0.staleness = UInt32(kind)
                $0.stale_after = seconds
            }
            #expect(
                found.result == (isTaken ? ok : Int32(HAWSER_E_ARGUMENT)), "\(kind), \(seconds)")
            #expect(found.error.word == (isTaken ? "" : "value-not-allowed"))
            #expect(
                found.error.text.hasPrefix(isTaken ? "" : "`options.stale_after` is \(seconds), "))
        }
    }

    @Test func aCheckIsRegisteredOnce() {
        let pass: hawser_check_function = { _, _, _, _ in 1 }
        for (second, isTaken) in [("audit", false), ("other", true)] {
            let found = "audit".withCString { one in
                second.withCString { other in
                    [
                        hawser_check(name: one, function: pass, context: nil),
                        hawser_check(name: other, function: pass, context: nil),
                    ].withUnsafeBufferPointer { checks in
                        open(world.table) {
                            $0.checks = checks.baseAddress
                            $0.check_count = checks.count
                        }
                    }
                }
            }
            #expect(found.result == (isTaken ? ok : Int32(HAWSER_E_ARGUMENT)))
            #expect(found.error.word == (isTaken ? "" : "registered-twice"))
        }
    }

    @Test func listsAndNamesHaveALimit() {
        let limit = Int(HAWSER_LIMIT_KEYS)
        let key = TestKey.ed25519("bea signs tables").publicKeyBits
        let checks = [hawser_check](repeating: hawser_check(), count: limit + 1)
        let keys = [[UInt8]](repeating: key, count: limit + 1)
        let long = Int(HAWSER_LIMIT_PATH)
        CalledAsC.withPieces(keys) { keys in
            checks.withUnsafeBufferPointer { checks in
                String(repeating: "a", count: long + 1).withCString { text in
                    // The end of a text of `HAWSER_LIMIT_NAME` octets and one more.
                    let name = text + (long - Int(HAWSER_LIMIT_NAME))
                    for (what, limit, change) in [
                        (
                            "trusted_keys", limit,
                            {
                                $0.trusted_keys = keys.baseAddress
                                $0.trusted_key_count = keys.count
                            }
                        ),
                        (
                            "checks", limit,
                            {
                                $0.checks = checks.baseAddress
                                $0.check_count = checks.count
                            }
                        ),
                        ("name", Int(HAWSER_LIMIT_NAME), { $0.name = name }),
                        ("service", Int(HAWSER_LIMIT_NAME), { $0.service = name }),
                        ("policy_path", long, { $0.policy_path = text }),
                        ("state_directory", long, { $0.state_directory = text }),
                    ] as [(String, Int, (inout hawser_store_options) -> Void)] {
                        let found = open(world.table, change)
                        #expect(found.result == Int32(HAWSER_E_LIMIT), "\(what)")
                        #expect(found.error.text == "`options.\(what)` has more than \(limit)")
                    }
                    // The longest name.
                    #expect(open(world.table) { $0.name = name + 1 }.result == ok)
                }
            }
        }
    }
}
