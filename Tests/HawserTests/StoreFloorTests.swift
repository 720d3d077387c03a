import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// An older table does not come back over a restart, or the store says that it may, and why.
@Suite struct StoreFloorTests {
    // MARK: A folder that is not sound

    /// A fault of the folder, the word for it, and the code that makes it.
    struct Situation: CustomTestStringConvertible, Sendable {
        let code: StateDirectoryError.Code
        let testDescription: String
        let make: @Sendable (inout StoreStateWorld) throws -> Void
        /// What the operator reads, `STATE` for the folder.
        let words: String
    }

    static let unsound = [
        Situation(
            code: .open, testDescription: "a group may write it, as with Kubernetes' fsGroup",
            make: { #expect(chmod($0.folder.at("state"), 0o2770) == 0) },
            words: "`STATE` has mode 2770, where only its owner may have any right: name a folder "
                + "in it that is not there yet, which the store makes for itself, or `chmod -R go= "
                + "STATE`, after which what group 0 may have put there is believed; with `fsGroup` "
                + "Kubernetes opens every folder of a volume at each mount, unless "
                + "`fsGroupChangePolicy` is `OnRootMismatch`"),
        Situation(
            code: .open, testDescription: "everybody may look, as with systemd's StateDirectory",
            make: { #expect(chmod($0.folder.at("state"), 0o755) == 0) },
            words:
                "`STATE` has mode 755, where only its owner may have any right: name a folder in "
                + "it that is not there yet, which the store makes for itself, or `chmod -R go= "
                + "STATE`"),
        Situation(
            code: .foreign, testDescription: "another user's",
            make: { #expect(chown($0.folder.at("state"), 12_345, 12_345) == 0) },
            words: "`STATE` belongs to user 12345, and this process is user 0: who owns it decides "
                + "what a restart enforces; name a folder in it that is not there yet, which the "
                + "store makes for itself, or `chown 0 STATE`"),
        Situation(
            code: .missing, testDescription: "a parent that is not there",
            make: { $0.configuration.stateDirectory = $0.folder.at("volume/state") },
            words: "`ABOVE/volume` is not there, and a store makes the last folder of "
                + "`ABOVE/volume/state` alone: mount the volume that belongs there, or `mkdir -p "
                + "ABOVE/volume`"),
        Situation(
            code: .exchangeable, testDescription: "a parent that a group may write",
            make: { #expect(chmod($0.folder.path, 0o2770) == 0) },
            words: "group 0 may take `STATE` away or put another in its place, as `ABOVE` has mode "
                + "2770 and belongs to user 0: `chmod +t ABOVE`, or `chmod go-w ABOVE`"),
        Situation(
            code: .exchangeable, testDescription: "another user's parent",
            make: { #expect(chown($0.folder.path, 12_345, 0) == 0) },
            words: "user 12345 may take `STATE` away or put another in its place, as `ABOVE` has "
                + "mode 700 and belongs to user 12345: name a folder in one that belongs to root "
                + "or to user 0"),
        Situation(
            code: .otherStore, testDescription: "another store's",
            make: { $0.configuration.name = "edge" },
            words: "`STATE` keeps the state of store `payments`, and this one is `edge`: give each "
                + "store a folder of its own; where the store was renamed, remove `STATE/.store` "
                + "and `STATE/record`"),
        Situation(
            code: .wiped, testDescription: "wiped but for its mark",
            make: { $0.remove(StoreStateWorld.tableFile, StoreStateWorld.recordFile) },
            words:
                "`STATE` was in use and what was kept in it is gone: nothing says which revision "
                + "was in force; compare the revision in force with the newest that was published, "
                + "and where it is to begin anew, remove the folder itself and make it again with "
                + "mode 700"),
        Situation(
            code: .notSigned, testDescription: "a table by nobody who is trusted, and no record",
            make: {
                try $0.change(StoreStateWorld.tableFile) { $0[24] ^= 1 }
                $0.remove(StoreStateWorld.recordFile)
            },
            words: "`STATE/last-known-good` does not prove which revision was in force: the "
                + "signature of KEY is over another table, revision or dates than this one, revision 6; "
                + "it must be signed by KEY; compare the revision in force with the newest that "
                + "was published"),
        Situation(
            code: .damaged, testDescription: "an empty table and a damaged record",
            make: {
                try $0.change(StoreStateWorld.tableFile) { $0 = [] }
                try $0.change(StoreStateWorld.recordFile) { $0[20] ^= 1 }
            },
            words: "`STATE/last-known-good` does not prove which revision was in force: it is not "
                + "what was written there; compare the revision in force with the newest that was "
                + "published"),
        Situation(
            code: .unreadable, testDescription: "a link for the table and no record",
            make: {
                $0.remove(StoreStateWorld.tableFile, StoreStateWorld.recordFile)
                try $0.folder.link("state/\(StoreStateWorld.tableFile)", to: "/dev/null")
            },
            words: "`STATE/last-known-good` is a symbolic link"),
        Situation(
            code: .unwritable, testDescription: "a lock that cannot be opened",
            make: {
                $0.remove(StoreStateWorld.markFile)
                try $0.folder.folder("state/\(StoreStateWorld.markFile)")
            },
            words: "`STATE/.store`: Is a directory"),
    ]

    private func words(_ situation: Situation, _ world: StoreStateWorld) throws -> String {
        let key = try TablePublicKey(raw: SignedPolicy.ann.publicKeyBits)
        return situation.words
            .replacing("STATE", with: world.folder.at("state"))
            .replacing("ABOVE", with: world.folder.path).replacing("KEY", with: "\(key)")
    }

    /// It starts, since a disk must not take a service down; log, state and metrics name the
    /// missing protection.
    @Test(
        .enabled(if: geteuid() == 0, "only root can give a folder away"),
        arguments: StoreFloorTests.unsound)
    func aFolderThatIsNotSoundIsToldOf(situation: Situation) throws {
        var world = try StoreStateWorld()
        _ = try world.store(7)
        #expect(world.offLines == [])
        try situation.make(&world)
        let store = try world.store(7)
        let reason = try #require(store.state.rollbackProtection.reason)
        #expect(reason.code == situation.code)
        #expect(try reason.context == words(situation, world))
        let code = situation.code.rawValue
        let name = world.configuration.name
        #expect(
            world.offLines == [
                "error: rollback protection is off: over a restart an older policy table may come "
                    + "back into force code=\(code) reason=\(reason.context) store=\(name)"
            ])
        #expect(world.totals["hawser_store_events \(name) rollback-protection-off \(code)"] == 1)
        #expect(world.totals["hawser_store_rollback_protection \(name)"] == 0)
        #expect(store.snapshot.revision == 7)
    }

    /// When the program requires sound state, the store does not open, with the same words as the
    /// reason.
    @Test(
        .enabled(if: geteuid() == 0, "only root can give a folder away"),
        arguments: StoreFloorTests.unsound)
    func whereStateIsRequiredItDoesNotStart(situation: Situation) throws {
        var world = try StoreStateWorld()
        _ = try world.store(7)
        try situation.make(&world)
        world.configuration.state = .required
        let error = try #require(try world.failure(7))
        #expect(error.code == .stateNotSound)
        #expect(error.unsound?.code == situation.code)
        if situation.code != .missing {
            let words = try words(situation, world)
            #expect(
                error.context == "the store requires sound state and does not start: \(words)")
        }
    }

    /// As for `/tmp`: names belong to their owners there.
    @Test func aStickyParentIsSound() throws {
        var world = try StoreStateWorld()
        #expect(chmod(world.folder.path, 0o1777) == 0)
        _ = try world.store(7)
        world.configuration.state = .required
        #expect(try world.store(7).state.rollbackProtection == .on)
    }

    @Test func withoutAFolderNothingOutlivesTheProcessAndTheLogIsCalm() throws {
        var world = try StoreStateWorld()
        world.configuration.stateDirectory = nil
        let store = try world.store(7)
        #expect(store.state.rollbackProtection == .off(.notConfigured))
        #expect(world.lines.all("info: rollback protection is off").count == 1)
        #expect(world.offLines == [])
        world.configuration.state = .required
        #expect(try world.failure(7)?.unsound == .notConfigured)
    }

    /// A revision by nobody is nobody's word: it finds mistakes, and the state says that it finds
    /// no more.
    @Test func withoutKeysTheFloorIsAgainstMistakes() throws {
        var world = try StoreStateWorld(trusted: [])
        let store = try world.store(7)
        #expect(store.state.rollbackProtection == .againstMistakes)
        #expect(world.lines.all("info: rollback protection is against mistakes alone").count == 1)
        #expect(world.totals["hawser_store_rollback_protection payments"] == 1)
        #expect(try world.started(6) == 7)
        #expect(try world.started(8) == 8)
        world.configuration.state = .required
        let error = try #require(try world.failure(9))
        #expect(error.unsound == .noKeys)
        #expect(
            error.context
                == "the store requires sound state and does not start: no key is trusted: whoever "
                + "writes a table writes its revision too; name the keys that sign tables")
    }

    // MARK: The first start

    @Test func anEmptyFolderIsTheFirstStartAndIsSaidToBe() throws {
        var world = try StoreStateWorld()
        world.configuration.state = .required
        let missing = try #require(try world.failure(7)?.unsound)
        #expect(missing.code == .missing)
        let path = world.folder.at("state")
        #expect(
            missing.context
                == "`\(path)` is not there, and where state is required it is not made, as it may "
                + "be a volume that is not mounted: for the first start "
                + "`install -d -m 700 -o \(geteuid()) \(path)`")
        #expect(mkdir(path, 0o700) == 0)
        let store = try world.store(7)
        #expect(store.state.rollbackProtection == .on)
        #expect(
            world.lines.all("notice: nothing was kept").map { String($0) } == [
                "notice: nothing was kept in the state directory: this is taken for its first "
                    + "start, and no table is too old for it directory=\(path) store=payments"
            ])
        #expect(try world.folder.names("state") == StoreStateWorld.files)
        // From then on it is held.
        #expect(try world.started(6) == 7)
        #expect(world.lines.all("notice: nothing was kept").count == 1)
    }

    /// `rm -r FOLDER/*` leaves what begins with a dot.
    @Test func aFolderThatWasWipedByAGlobIsNotAFirstStart() throws {
        var world = try StoreStateWorld()
        _ = try world.store(7)
        world.remove(StoreStateWorld.tableFile, StoreStateWorld.recordFile)
        let store = try world.store(6)
        #expect(store.snapshot.revision == 6)
        #expect(store.state.rollbackProtection.reason?.code == .wiped)
        // The report holds for this process; the next process knows the kept state.
        #expect(try world.store(6).state.rollbackProtection == .on)
        world.remove(StoreStateWorld.tableFile, StoreStateWorld.recordFile)
        world.configuration.state = .required
        #expect(try world.failure(6)?.unsound?.code == .wiped)
    }

    @Test func aFirstStartThatCannotBeKeptIsNone() throws {
        var world = try StoreStateWorld()
        world.configuration.state = .required
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        // A folder stands where a file would be written.
        try world.folder.folder("state/new-record/full")
        #expect(try world.failure(7)?.unsound?.code == .unwritable)
    }

    // MARK: Damage

    @Test(arguments: [StoreStateWorld.tableFile, StoreStateWorld.recordFile])
    func oneDamagedFileTakesNothing(file: String) throws {
        let damages: [@Sendable (inout [UInt8]) -> Void] = [
            { $0 = [] }, { $0.removeLast($0.count / 2) }, { $0[$0.count - 5] ^= 1 },
            { $0[24 + 6] ^= 1 }, { $0 += [0] },
        ]
        for (place, damage) in damages.enumerated() {
            var world = try StoreStateWorld()
            world.configuration.state = .required
            #expect(mkdir(world.folder.at("state"), 0o700) == 0)
            _ = try world.store(7)
            try world.change(file, damage)
            let harmed = try world.octets(file)
            let store = try world.store(7)
            #expect(store.snapshot.revision == 7, "damage \(place)")
            #expect(store.state.rollbackProtection == .on)
            #expect(try world.octets("\(file).aside-1") == harmed)
            #expect(
                world.lines.all("error: the state directory is damaged") == [
                    "error: the state directory is damaged: what is damaged is not used, and set "
                        + "aside in it code=state-directory-damaged reason="
                        + "`\(world.at(file))` is not what was written there; that revision 7 was "
                        + "in force is proved by what is left, and held store=payments"
                ])
            #expect(
                world.totals[
                    "hawser_store_events payments state-directory-damaged "
                        + "state-directory-damaged"] == 1)
            // The next start finds all in order.
            #expect(try world.store(7).state.rollbackProtection == .on)
            #expect(world.lines.all("error: the state directory is damaged").count == 1)
            try world.change(file, damage)
            #expect(try world.started(6) == (file == StoreStateWorld.tableFile ? nil : 7))
            #expect(try world.started(9) == 9)
        }
    }

    @Test func aTableThatIsGoneIsKnownByTheRecord() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        world.remove(StoreStateWorld.tableFile)
        let error = try #require(try world.failure(6))
        #expect(error.source?.code == "older-revision")
        #expect(error.lastKnownGood?.code == "state-directory-wiped")
        #expect(
            error.lastKnownGood?.context
                == "`\(world.at(StoreStateWorld.tableFile))` is gone; that revision 7 was in "
                + "force is proved by what is left, and held")
        let store = try world.store(7)
        #expect(store.state.rollbackProtection == .on)
        #expect(world.lines.all("error: the state directory is damaged").count == 1)
    }

    /// One bit made the floor of a good table too high.
    @Test func noBitOfAKeptEnvelopeKeepsAGoodTableOut() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        let whole = try world.octets(StoreStateWorld.tableFile)
        let seven = StateRecord.Entry(
            claimedBy: whole, octets: StateRecord.digest(whole)
        ).map { RevisionFloor($0) }
        // The envelope with one signature, and the seal.
        for place in Array(0..<128) + Array(whole.count - 32..<whole.count) {
            for bit in [0, 3, 7] {
                try world.change(StoreStateWorld.tableFile) { octets in
                    octets = whole
                    octets[place] ^= 1 << bit
                }
                #expect(try world.kept().floor == seven, "octet \(place), bit \(bit)")
                #expect(try world.kept().gap == nil)
            }
        }
    }

    /// Every bit of a record counts: none of them turns one record into another.
    @Test func noBitOfARecordIsBelievedOnceItChanged() throws {
        for trusted in [[SignedPolicy.ann], []] {
            let world = try StoreStateWorld(trusted: trusted)
            _ = try world.store(7)
            _ = try world.store(9)
            let whole = try world.octets(StoreStateWorld.recordFile)
            #expect(StateRecord(decoding: whole)?.entries.map(\.revision) == [9, 7])
            #expect(StateRecord(decoding: whole)?.encoded == whole)
            for place in whole.indices {
                for bit in 0..<8 {
                    var harmed = whole
                    harmed[place] ^= 1 << bit
                    #expect(StateRecord(decoding: harmed) == nil, "octet \(place), bit \(bit)")
                }
                #expect(StateRecord(decoding: Array(whole[..<place])) == nil)
            }
            #expect(StateRecord(decoding: whole + [0x0A]) == nil)
        }
    }

    @Test func aNameMayHoldWhatItLikes() throws {
        for name in ["", "edge", "store edge\ncheck me\r\n", "kept 1 2 3\nsigned", "Straße\u{0}"] {
            var world = try StoreStateWorld()
            world.configuration.name = name
            _ = try world.store(7)
            #expect(try world.store(7).state.rollbackProtection == .on)
            #expect(
                StateRecord(decoding: try world.octets(StoreStateWorld.recordFile))?.store == name)
            world.remove(StoreStateWorld.recordFile)
            #expect(try world.store(7).state.rollbackProtection == .on)
            world.configuration.name = name + "r"
            #expect(try world.store(7).state.rollbackProtection.reason?.code == .otherStore)
        }
    }

    /// Nobody vouches for a table then, and the record's digest is all that finds damage.
    @Test func withoutKeysTheRecordFindsDamage() throws {
        let world = try StoreStateWorld(trusted: [])
        _ = try world.store(7)
        // Of the revision: the table still decodes.
        try world.change(StoreStateWorld.tableFile) { $0[24 + 6] ^= 1 }
        #expect(try world.kept().floor?.revision == 7)
        let error = try #require(try world.failure(nil))
        #expect(error.lastKnownGood?.code == "state-directory-damaged")
        #expect(try world.store(7).state.rollbackProtection == .againstMistakes)
        try world.change(StoreStateWorld.recordFile) { $0[30] ^= 1 }
        let store = try world.store(6)
        #expect(store.snapshot.revision == 6)
        #expect(
            store.state.rollbackProtection.reason?.context
                == "`\(world.folder.at("state"))` does not prove which revision was in force: "
                + "`\(world.at(StoreStateWorld.recordFile))` is lost, and no key is trusted; "
                + "compare the revision in force with the newest that was published")
        #expect(try world.folder.names("state").filter { $0.contains("aside") }.count == 3)
    }

    /// What was set aside is there to be looked at, and does not fill the disk.
    @Test func fourOfAFileAreSetAside() throws {
        let world = try StoreStateWorld()
        for round in 0..<6 {
            _ = try world.store(7)
            try world.change(StoreStateWorld.tableFile) { $0 = [UInt8(round)] }
        }
        _ = try world.store(7)
        let names = try world.folder.names("state").filter { $0.contains("aside") }
        #expect(names == (1...4).map { "last-known-good.aside-\($0)" })
        #expect(try world.octets("last-known-good.aside-1") == [5])
        #expect(try world.octets("last-known-good.aside-4") == [2])
    }

    // MARK: Other keys

    /// The floor is what trusted keys vouch for: a stolen key that is trusted no more sets none.
    @Test func aTableByAKeyThatIsTrustedNoMoreSetsNoFloor() throws {
        var world = try StoreStateWorld()
        _ = try PolicyStore(table: world.table(.max), configuration: world.configuration)
        world.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        let next = try world.table(43, by: [SignedPolicy.bob])
        var required = world.configuration
        required.state = .required
        #expect {
            try PolicyStore(table: next, configuration: required)
        } throws: { error in
            (error as? PolicyStoreError)?.unsound?.context
                == "`\(world.at(StoreStateWorld.tableFile))` is revision 18446744073709551615 "
                + "by keys that are not trusted now, and revision 43 is offered: sign revision "
                + "18446744073709551615 with the trusted keys too, or offer a higher one"
        }
        let store = try PolicyStore(table: next, configuration: world.configuration)
        #expect(store.snapshot.revision == 43)
        #expect(store.state.rollbackProtection.reason?.code == .notSigned)
        // What was kept is there still, and the next start holds bob's.
        #expect(try world.octets("last-known-good.aside-1") == world.table(.max))
        let older = try world.table(41, by: [SignedPolicy.bob])
        let again = try PolicyStore(table: older, configuration: required)
        #expect(again.snapshot.revision == 43)
        #expect(again.state.rollbackProtection == .on)
    }

    /// The next revision by the next key is newer on anybody's account.
    @Test func aHigherRevisionByTheNextKeyIsNoReasonToWorry() throws {
        var world = try StoreStateWorld()
        _ = try world.store(7)
        world.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        world.configuration.state = .required
        let store = try PolicyStore(
            table: world.table(8, by: [SignedPolicy.bob]), configuration: world.configuration)
        #expect(store.state.rollbackProtection == .on)
        #expect(world.offLines == [])
    }

    /// A kept table that is signed once more in its place keeps its revision in force.
    @Test func aTableThatIsSignedWhereItIsKeptCounts() throws {
        var world = try StoreStateWorld()
        _ = try world.store(7)
        let both = try world.table(7, by: [SignedPolicy.ann, SignedPolicy.bob])
        try world.change(StoreStateWorld.tableFile) { $0 = both }
        world.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        world.configuration.state = .required
        let store = try PolicyStore(
            table: world.table(6, by: [SignedPolicy.bob]), configuration: world.configuration)
        #expect(store.snapshot.revision == 7)
        #expect(store.state.rollbackProtection == .on)
    }

    /// Keys are trusted for the first time: what was in force stated no revision, so none is lost.
    @Test func aBareTableSetsNoFloor() throws {
        var world = try StoreStateWorld(trusted: [])
        _ = try PolicyStore(table: world.world.rejecting, configuration: world.configuration)
        world.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
        world.configuration.state = .required
        #expect(try world.store(1).state.rollbackProtection == .on)
    }

    /// The record is lost, and the table in the folder is bare: no revision is lost with it.
    @Test func aBareTableWithoutARecordLosesNoFloor() throws {
        var world = try StoreStateWorld(trusted: [])
        _ = try PolicyStore(table: world.world.rejecting, configuration: world.configuration)
        world.remove(StoreStateWorld.recordFile)
        world.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
        #expect(try world.kept().gap == nil)
        world.configuration.state = .required
        #expect(try world.started(1) == 1)
    }

    /// The record names the table in force first, and the older table that it replaced second.
    @Test func theNewerOfTheRecordsTablesIsTheFloor() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        _ = try world.store(9)
        world.remove(StoreStateWorld.tableFile)
        #expect(try world.kept().floor?.revision == 9)
        #expect(try world.started(8) == nil)
    }

    // MARK: Tables that somebody put into a folder without a record

    @Test func aTableThatTrustedKeysSignedCountsWithoutARecord() throws {
        var world = try StoreStateWorld()
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        try world.folder.write("state/last-known-good", world.table(7))
        world.configuration.state = .required
        let store = try world.store(6)
        #expect(store.snapshot.revision == 7)
        #expect(store.state.rollbackProtection == .on)
        world.configuration.name = "edge"
        #expect(try world.failure(7)?.unsound?.code == .otherStore)
    }

    @Test func withoutKeysATableWithoutARecordProvesNothing() throws {
        let world = try StoreStateWorld(trusted: [])
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        try world.folder.write("state/last-known-good", world.table(7, by: []))
        let store = try world.store(6)
        #expect(store.snapshot.revision == 6)
        #expect(store.state.stateDirectoryAge == .named)
        let reason = try #require(store.state.rollbackProtection.reason)
        #expect(reason.code == .damaged)
        #expect(reason.context.contains("is lost, and no key is trusted"))
    }

    @Test func aTableThatIsCutProvesNothingWithoutARecord() throws {
        let world = try StoreStateWorld()
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        try world.folder.write("state/last-known-good", world.table(7).dropLast(40))
        #expect(try world.store(6).state.rollbackProtection.reason?.code == .damaged)
    }
}
