import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A store named `payments` that trusts ann's tables and keeps state, and its log.
struct StoreStateWorld {
    let world: StoreWorld
    let folder: TemporaryFolder
    let lines = LogLines()
    let totals = MetricTotals()
    var configuration: PolicyStore.Configuration

    init(trusted: [TestKey] = [SignedPolicy.ann]) throws {
        world = try StoreWorld()
        folder = try TemporaryFolder()
        configuration = world.configuration
        configuration.name = "payments"
        configuration.logger = lines.logger
        configuration.metrics = totals
        configuration.stateDirectory = folder.at("state")
        configuration.trustedKeys = trusted.isEmpty ? nil : try SignedPolicy.trusted(trusted)
    }

    /// A table: the accepting one for odd numbers, the rejecting one for even ones.
    func table(_ revision: UInt64, by keys: [TestKey] = [SignedPolicy.ann]) throws -> [UInt8] {
        try SignedPolicy.signed(
            PolicyTable(
                decoding: revision % 2 == 1 ? world.accepting : world.rejecting, crypto: crypto),
            revision: revision, by: keys
        ).encoded
    }

    /// A store of ann's table of a revision.
    func store(_ revision: UInt64) throws -> PolicyStore {
        try PolicyStore(table: table(revision), configuration: configuration)
    }

    /// What a start with a revision puts in force; nil for one that enforces nothing.
    func started(_ revision: UInt64?) throws -> UInt64? {
        let offered = try revision.map { try table($0) }
        do {
            return try PolicyStore(table: offered, configuration: configuration).snapshot.revision
        } catch {
            return nil
        }
    }

    /// Why a start with a revision is none.
    func failure(_ revision: UInt64?) throws -> PolicyStoreError? {
        let offered = try revision.map { try table($0) }
        do {
            _ = try PolicyStore(table: offered, configuration: configuration)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Files

    static let tableFile = StateDirectory.name
    static let recordFile = StateDirectory.recordName
    static let markFile = StateDirectory.lockName
    static let spareFile = StateDirectory.spareName
    /// The names in a folder that is in order.
    static let files = [spareFile, markFile, tableFile, recordFile]

    func at(_ file: String) -> String { folder.at("state/\(file)") }

    func octets(_ file: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: at(file))))
    }

    func change(_ file: String, _ change: (inout [UInt8]) -> Void) throws {
        var octets = try octets(file)
        change(&octets)
        try Data(octets).write(to: URL(filePath: at(file)))
    }

    func remove(_ files: String...) {
        for file in files { #expect(unlink(at(file)) == 0, "\(file)") }
    }

    /// The kept state, read by a store of its own that writes nothing.
    func kept() throws -> KeptState {
        let directory = try StateDirectory(
            path: folder.at("state"), absence: .refused, patience: .zero, atStep: { _ in })
        return KeptState(
            directory.find(), trustedKeys: configuration.trustedKeys, path: folder.at("state"))
    }

    // MARK: Its log

    /// The log's word on rollback protection since the beginning, with the reason.
    var offLines: [String] { lines.all("error: rollback protection is off") }

    /// Another process with a store of a name, which offers itself tables.
    func victim(
        _ revisions: UInt64..., named name: String = "payments", at step: String = "none"
    ) throws -> VictimProcess {
        var paths: [String] = []
        for revision in revisions {
            try folder.write("\(revision).table", try table(revision))
            paths.append(folder.at("\(revision).table"))
        }
        let key = try TablePublicKey(raw: SignedPolicy.ann.publicKeyBits).base64
        return try VictimProcess(["keeps", folder.at("state"), name, key, step] + paths)
    }
}
