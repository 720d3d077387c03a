import TestPKI
import Testing
import TrustEngine

/// A long pin set is found by look-up, a short one entry by entry: both give the same.
@Suite("pin sets of any length") struct PinIndexTests {
    private static let acme = Acme()
    private static let strangers = (0..<40).map {
        World.key(of: .p256("a pinned key on no path \($0)"))
    }

    /// A set of so many keys that are on no path, and one entry behind them.
    private static func world(
        _ count: Int, _ matches: [KeyMatch], at position: PinPosition = .any,
        isBackup: Bool = false
    ) -> World {
        acme.world.with {
            $0.pin([]) { set in
                set.keys = strangers.prefix(count).enumerated().map { index, match in
                    PinContents(
                        id: "key-\(index + 10)", matches: [match], position: .any, note: nil)
                }
                let entry = PinContents(
                    id: "wanted", matches: matches, position: position, note: nil)
                if isBackup { set.backups.append(entry) } else { set.keys.append(entry) }
            }
        }
    }

    @Test("an entry is found in sets of every length", arguments: [1, 13, 14, 15, 16, 17, 40])
    func found(count: Int) throws {
        let leaf = World.key(of: PinIndexTests.acme.good.key)
        let whole = World.certificate(of: PinIndexTests.acme.issuing.certificate)
        let both = try World.beside(leaf, isFirst: false)
        for world in [
            PinIndexTests.world(count, [leaf]), PinIndexTests.world(count, [whole]),
            PinIndexTests.world(count, both), PinIndexTests.world(count, [leaf], isBackup: true),
            PinIndexTests.world(count, [whole], at: .ca),
        ] {
            #expect(try world.judge().outcome == ["accept"])
        }
    }

    @Test("what does not match is told entry by entry", arguments: [1, 15, 16, 17, 40])
    func missed(count: Int) throws {
        let whole = World.certificate(of: PinIndexTests.acme.issuing.certificate)
        let judged = try PinIndexTests.world(count, [whole], at: .leaf).judge()
        #expect(judged.outcome == ["pin-mismatch"])
        guard case .pinMismatch(let mismatch)? = judged.verdict.violations.first?.reason else {
            Issue.record("\(judged.outcome)")
            return
        }
        // The set of `World.pin` has a backup of its own.
        #expect(mismatch.wanted.count == count + 2)
        #expect(mismatch.wanted.allSatisfy { !$0.matched })
    }
}
