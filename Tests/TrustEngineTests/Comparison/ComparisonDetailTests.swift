import TestPKI
import Testing
import TrustEngine

/// What a comparison tells a reader besides the relation: which authorities and which keys are new,
/// and which are gone.
@Suite("what a comparison names") struct ComparisonDetailTests {
    private static func compare(_ here: World, _ there: World) throws -> BehaviourComparison {
        func behaviour(_ world: World) throws -> Behaviour {
            let behaviours = PolicyBehaviours(try world.engine())
            return behaviours.behaviour(of: 0)
        }
        return BehaviourOrder().compare(try behaviour(here), try behaviour(there))
    }

    private static func anchors(_ comparison: BehaviourComparison) throws -> AnchorChange {
        let field = try #require(comparison.fields.first { $0.path == "anchors" })
        guard case .anchors(let change) = field.remark else {
            throw Missing()
        }
        return change
    }

    private static func pins(_ comparison: BehaviourComparison) throws -> PinChange {
        let field = try #require(comparison.fields.first { $0.path == "pins" })
        guard case .pins(let change) = field.remark else { throw Missing() }
        return change
    }

    private struct Missing: Error {}

    @Test("authorities that one side alone trusts, with their certificates and sets")
    func authorities() throws {
        let plain = Chains.plain
        let swapped = plain.with { $0.sets[0].members = [Chains.other.der] }
        let change = try Self.anchors(Self.compare(swapped, plain))
        #expect(change.new.map(\.certificate?.der) == [Chains.other.der])
        #expect(change.new.map(\.set) == ["corp"])
        #expect(change.removed.map(\.certificate?.der) == [Chains.root.der])
        #expect(change.removed.map(\.set) == ["corp"])
        #expect(change.count == 1 && change.othersCount == 1)
        #expect(!change.keepsAll)

        let more = plain.with {
            $0.sets[0].members = [Chains.root.der, Chains.other.der]
                .sorted { $0.lexicographicallyPrecedes($1) }
        }
        let added = try Self.anchors(Self.compare(more, plain))
        #expect(added.new.count == 1 && added.removed.isEmpty && added.keepsAll)
        #expect(added.count == 2 && added.othersCount == 1)
        let back = try Self.anchors(Self.compare(plain, more))
        #expect(back.removed == added.new && back.new.isEmpty)
    }

    @Test("an authority with another certificate is named by both certificates")
    func reissued() throws {
        let plain = Chains.plain
        let again = Scenario().root("Root O", key: .p384("order root")) {
            $0.notAfter = $0.notAfter.advanced(bySeconds: 86_400)
        }
        let changed = plain.with { $0.sets[0].members = [again.der] }
        let comparison = try Self.compare(changed, plain)
        #expect(comparison.relation == .incomparable)
        #expect(comparison.fields.map(\.path) == ["anchors.corp.members"])
        guard case .reissued(let members) = comparison.fields.first?.remark else { throw Missing() }
        #expect(members.map(\.here.certificate?.der) == [again.der])
        #expect(members.map(\.there.certificate?.der) == [Chains.root.der])
    }

    @Test("certificates that one side alone offers to the path search")
    func offered() throws {
        let plain = Chains.plain
        let offering = plain.with { $0.sets[0].intermediates = [Chains.issuing.der] }
        let here = try Self.compare(offering, plain).fields
        #expect(here.map(\.relation) == [.weaker])
        #expect(here.map(\.remark) == [.offered(new: [Chains.issuing.der], removed: [])])
        let there = try Self.compare(plain, offering).fields
        #expect(there.map(\.remark) == [.offered(new: [], removed: [Chains.issuing.der])])
    }

    /// A pin set in which each key has an id of its own.
    private static func set(
        _ id: String = "pay", keys: [(String, TestKey, PinPosition)], backups: [(String, TestKey)],
        _ change: (inout PinSetContents) -> Void = { _ in }
    ) -> PinSetContents {
        var set = PinSetContents(
            id: id,
            keys: keys.map { id, key, position in
                PinContents(id: id, matches: [World.key(of: key)], position: position, note: nil)
            },
            backups: backups.map { id, key in
                PinContents(id: id, matches: [World.key(of: key)], position: .any, note: nil)
            }, match: 1, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
        change(&set)
        return set
    }

    private static func world(_ sets: PinSetContents...) -> World {
        Chains.plain.with { $0.pins = sets }
    }

    private static let spare = TestKey.p256("detail spare")
    private static let safe = TestKey.p256("detail safe")

    @Test("a backup that is gone: its key, its ids, and how many are left")
    func backups() throws {
        let two = Self.world(
            Self.set(
                keys: [("live", Chains.issuing.key, .any)],
                backups: [("safe", Self.safe), ("spare", Self.spare)]))
        let one = Self.world(
            Self.set(
                keys: [("live", Chains.issuing.key, .any)], backups: [("spare", Self.spare)]))
        let comparison = try Self.compare(one, two)
        #expect(comparison.relation == .stricter)
        let change = try Self.pins(comparison)
        #expect(change.backupCount == 1 && change.othersBackupCount == 2)
        let set = try #require(change.sets.first)
        #expect(change.sets.count == 1 && set.id == "pay" && set.relation == .stricter)
        #expect(set.added.isEmpty)
        #expect(set.removed.map(\.match) == [World.key(of: Self.safe)])
        #expect(set.removed.map(\.entry) == ["safe"] && set.removed.map(\.set) == ["pay"])
        #expect(set.removed.map(\.isBackup) == [true])
        let back = try Self.pins(Self.compare(two, one))
        #expect(back.sets.first?.added == set.removed && back.sets.first?.removed == [])
    }

    @Test("a key at fewer positions, a further set, and sets whose entries have other ids")
    func sets() throws {
        let wide = Self.set(
            keys: [("live", Chains.issuing.key, .any)], backups: [("safe", Self.safe)])
        let narrow = Self.set(
            keys: [("live", Chains.issuing.key, .ca)], backups: [("safe", Self.safe)])
        let narrowed = try Self.pins(Self.compare(Self.world(narrow), Self.world(wide)))
        #expect(narrowed.sets.first?.removed.map(\.position) == [.any])
        #expect(narrowed.sets.first?.added.isEmpty == true)

        let further = Self.set(
            "root", keys: [("root", Chains.root.key, .any)], backups: [("spare", Self.spare)])
        let added = try Self.pins(Self.compare(Self.world(wide, further), Self.world(wide)))
        #expect(added.sets.map(\.id) == ["root"] && added.sets.first?.there == nil)
        #expect(added.sets.first?.relation == .stricter)
        #expect(added.sets.first?.added.map(\.entry) == ["root", "spare"])

        // Ids decide nothing, and neither does which of two keys is the backup.
        let named = Self.set(
            keys: [("safe", Chains.issuing.key, .any)], backups: [("live", Self.safe)])
        let renamed = try Self.compare(Self.world(named), Self.world(wide))
        #expect(renamed.fields.isEmpty)
    }

    @Test("a weaker end of enforcement alone is an exception with a date")
    func dates() throws {
        func world(_ change: (inout PinSetContents) -> Void) -> World {
            Self.world(
                Self.set(
                    keys: [("live", Chains.issuing.key, .any)], backups: [("safe", Self.safe)],
                    change))
        }
        let plain = world { _ in }
        let ending = world {
            $0.enforceUntil = .day(30)
            $0.onExpiry = .unpinned
        }
        let dated = try Self.pins(Self.compare(ending, plain))
        #expect(dated.isDated)
        #expect(dated.sets.first?.here?.end?.last == .day(30))
        #expect(dated.sets.first?.here?.end?.afterwards == .absent)
        let other = Self.world(
            Self.set(keys: [("live", Chains.root.key, .any)], backups: [("safe", Self.safe)]))
        let replaced = try Self.pins(Self.compare(other, plain))
        #expect(!replaced.isDated)
    }
}
