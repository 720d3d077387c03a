import CHawser
import CHawserABI
import Foundation
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The reports to C about a state directory, and the requirements that C may set.
@Suite struct StateTests {
    private let world: PolicyWorld
    private let folder: String
    private let key = TestKey.ed25519("ann signs tables")

    init() throws {
        world = try PolicyWorld()
        let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        folder = place.resolvingSymlinksInPath().path
    }

    private func signed(_ revision: UInt64) throws -> [UInt8] {
        let bare = try SignedTable(table: world.table, revision: revision)
        let message = try #require(bare.signedMessage)
        let octets = key.publicKeyBits
        let id = LibCryptoBackend().digest(.sha256, of: octets.span)
        let signature = try #require(TableSignature(keyID: id, octets: key.sign(message)))
        return try SignedTable(
            table: world.table, revision: revision, signatures: [signature]
        ).encoded
    }

    private struct Opened {
        var result: Int32
        var store = hawser_store()
        var error = hawser_error.ready
    }

    /// Opens a store named `pay` on a table, with the state directory where one is named.
    private func open(
        _ table: [UInt8], state: String?, isTrusting: Bool = true, name: String = "pay",
        requires flags: Int = 0
    ) -> Opened {
        var opened = Opened(result: 0)
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        options.flags = UInt32(flags)
        opened.result = key.publicKeyBits.withUnsafeBytes { octets in
            let trusted = hawser_bytes(data: octets.baseAddress, length: octets.count)
            return withUnsafePointer(to: trusted) { trusted in
                name.withCString { name in
                    (state ?? "").withCString { path in
                        options.name = name
                        if state != nil { options.state_directory = path }
                        if isTrusting {
                            options.trusted_keys = trusted
                            options.trusted_key_count = 1
                        }
                        return hawser_store_open(
                            table, table.count, &options, &opened.store, &opened.error)
                    }
                }
            }
        }
        return opened
    }

    private func protection(_ store: hawser_store) -> Int {
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        #expect(hawser_store_snapshot(store, &snapshot, nil) == Int32(HAWSER_OK))
        return Int(snapshot.rollback_protection)
    }

    private func text(_ store: hawser_store, _ which: Int) -> String? {
        var buffer = [CChar](repeating: 0, count: 1_000)
        guard
            hawser_store_text(store, UInt32(which), 0, &buffer, buffer.count, nil)
                == Int32(HAWSER_OK)
        else { return nil }
        let octets = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: octets, as: UTF8.self)
    }

    @Test func rollbackProtectionIsInTheSnapshotAndItsReasonInTexts() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let table = try signed(7)
        let on = open(table, state: folder + "/state")
        #expect(protection(on.store) == HAWSER_ROLLBACK_ON)
        #expect(text(on.store, HAWSER_TEXT_ROLLBACK_REASON) == nil)
        let claimed = open(table, state: folder + "/claimed", isTrusting: false)
        #expect(protection(claimed.store) == HAWSER_ROLLBACK_AGAINST_MISTAKES)
        let none = open(table, state: nil)
        #expect(protection(none.store) == HAWSER_ROLLBACK_OFF)
        #expect(text(none.store, HAWSER_TEXT_ROLLBACK_REASON) == "no-state-directory")
        let other = open(table, state: folder + "/state", name: "edge")
        #expect(protection(other.store) == HAWSER_ROLLBACK_OFF)
        #expect(
            text(other.store, HAWSER_TEXT_ROLLBACK_REASON) == "state-directory-of-other-store")
        #expect(
            text(other.store, HAWSER_TEXT_ROLLBACK_MESSAGE)?.hasPrefix(
                "`\(folder)/state` keeps the state of store `pay`, and this one is `edge`: ")
                == true)
        for opened in [on, claimed, none, other] {
            #expect(opened.result == Int32(HAWSER_OK))
            #expect(hawser_store_close(opened.store) == Int32(HAWSER_OK))
        }
    }

    private func revision(_ store: hawser_store) -> UInt64 {
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        #expect(hawser_store_snapshot(store, &snapshot, nil) == Int32(HAWSER_OK))
        return snapshot.revision
    }

    /// A record that cannot be written: a folder stands where it would be prepared.
    @Test func theProgramChoosesWhatBecomesOfARevisionThatCannotBeRecorded() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (flags, result, inForce, word) in [
            (HAWSER_STORE_REQUIRE_STATE, HAWSER_E_TABLE, 7, HAWSER_ROLLBACK_ON),
            (HAWSER_STORE_REQUIRE_STATE_AT_START, HAWSER_OK, 8, HAWSER_ROLLBACK_OFF),
        ] {
            let state = folder + "/\(flags)"
            #expect(mkdir(state, 0o700) == 0)
            let opened = open(try signed(7), state: state, requires: flags)
            #expect(opened.result == Int32(HAWSER_OK))
            #expect(protection(opened.store) == HAWSER_ROLLBACK_ON)
            try FileManager.default.createDirectory(
                atPath: state + "/new-record/full", withIntermediateDirectories: true)
            let next = try signed(8)
            var error = hawser_error.ready
            #expect(
                hawser_store_reload(opened.store, next, next.count, &error) == Int32(result))
            #expect(error.word == (result == HAWSER_OK ? "" : "not-recorded"))
            #expect(revision(opened.store) == UInt64(inForce))
            #expect(protection(opened.store) == word)
            #expect(
                text(opened.store, HAWSER_TEXT_DIRECTORY_REASON) == "state-directory-unwritable")
            try FileManager.default.removeItem(atPath: state + "/new-record")
            #expect(
                hawser_store_reload(opened.store, next, next.count, &error) == Int32(HAWSER_OK))
            #expect(revision(opened.store) == 8)
            #expect(protection(opened.store) == HAWSER_ROLLBACK_ON)
            #expect(hawser_store_close(opened.store) == Int32(HAWSER_OK))
        }
        let both = open(
            try signed(7), state: folder + "/both",
            requires: HAWSER_STORE_REQUIRE_STATE | HAWSER_STORE_REQUIRE_STATE_AT_START)
        #expect(both.result == Int32(HAWSER_E_ARGUMENT))
        #expect(both.error.word == "value-not-allowed")
    }

    @Test(arguments: [HAWSER_STORE_REQUIRE_STATE, HAWSER_STORE_REQUIRE_STATE_AT_START])
    func aStoreThatRequiresStateIsNotOpenedWithout(flags: Int) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let state = folder + "/state"
        let table = try signed(7)
        for (opened, word) in [
            (open(table, state: nil, requires: flags), "no-state-directory"),
            (open(table, state: state, isTrusting: false, requires: flags), "no-trusted-keys"),
            (open(table, state: state, requires: flags), "state-directory-missing"),
        ] {
            #expect(opened.result == Int32(HAWSER_E_FILE))
            #expect(opened.error.word == word)
            #expect(opened.store.number == 0)
        }
        #expect(mkdir(state, 0o700) == 0)
        let first = open(table, state: state, requires: flags)
        #expect(first.result == Int32(HAWSER_OK))
        #expect(protection(first.store) == HAWSER_ROLLBACK_ON)
        #expect(hawser_store_close(first.store) == Int32(HAWSER_OK))
        #expect(chmod(state, 0o770) == 0)
        let open = open(table, state: state, requires: flags)
        #expect(open.result == Int32(HAWSER_E_FILE))
        #expect(open.error.word == "state-directory-open")
    }
}
