import TestPKI
import Testing
import TrustEngine

/// Pins inside the search (LANGUAGE sections 6 and 12.2).
@Suite("pins in the search") struct PinSearchTests {
    private static let acme = Acme()
    private static let other = Scenario().root("Root B", key: .p256("evaluation root b"))

    private enum Place: CaseIterable { case leaf, issuing, root }

    private static func certificate(_ place: Place) -> Minted {
        switch place {
        case .leaf: return acme.good
        case .issuing: return acme.issuing.certificate
        case .root: return acme.root.certificate
        }
    }

    private static let positionRows: [Row] = {
        let allowed: [PinPosition: [Place]] = [
            .any: [.leaf, .issuing, .root], .leaf: [.leaf], .intermediate: [.issuing],
            .anchor: [.root], .ca: [.issuing, .root],
        ]
        return PinPosition.allCases.flatMap { position in
            Place.allCases.map { place in
                Row(
                    "6 at \(position.name), key of \(place)",
                    allowed[position]?.contains(place) == true ? ["accept"] : ["pin-mismatch"],
                    acme.world.with { $0.pin([(certificate(place), position)]) })
            }
        }
    }()

    @Test("a pin matches at its own place alone", arguments: positionRows)
    func positions(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test(
        "12.2 one certificate is end entity and anchor both",
        arguments: [
            (PinPosition.leaf, true), (.anchor, true), (.ca, true), (.any, true),
            (.intermediate, false),
        ])
    func oneCertificate(position: PinPosition, isMatch: Bool) throws {
        let own = Scenario().selfSignedLeaf(dns: [World.host])
        var world = World([own.der], roots: [PinSearchTests.acme.root.der])
        world.trust("devices", [own.der], kind: .leaf)
        world.pin([(own, position)])
        let outcome = try world.judge().outcome
        #expect(outcome == [isMatch ? "accept" : "pin-mismatch"])
    }

    @Test("6 match counts distinct keys") func match() throws {
        let acme = PinSearchTests.acme
        let twice = acme.world.with {
            $0.pin([(acme.good, .any), (acme.good, .leaf)], match: 2)
        }
        guard case .pinMismatch(let mismatch)? = try twice.judge().verdict.violations.first?.reason
        else {
            Issue.record("one key under two names is two keys")
            return
        }
        #expect(mismatch.needed == 2)
        #expect(mismatch.matched == 1)
        let two = acme.world.with {
            $0.pin([(acme.good, .any), (acme.root.certificate, .any)], match: 2)
        }
        #expect(try two.judge().outcome == ["accept"])
    }

    @Test("6 match counts entries, too: one entry of two keys is one") func matchEntries() throws {
        let acme = PinSearchTests.acme
        let world = acme.world.with {
            $0.pin([(acme.good, .any), (PinSearchTests.other.certificate, .any)], match: 2) {
                $0.keys[0].matches.append(World.key(of: acme.root.key))
                $0.keys[0].matches.sort {
                    $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes)
                }
            }
        }
        let outcome = try world.judge().outcome
        #expect(outcome == ["pin-mismatch"])
    }

    @Test("6 a backup counts as a key does") func backup() throws {
        let acme = PinSearchTests.acme
        let world = acme.world.with {
            $0.pin([(PinSearchTests.other.certificate, .any)]) {
                $0.backups[0].matches = [World.key(of: acme.issuing.key)]
            }
        }
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("6 an entry of two digests matches by either", arguments: [true, false])
    func eitherDigest(isFirst: Bool) throws {
        let acme = PinSearchTests.acme
        let own = World.key(of: acme.good.key)
        let matches = try World.beside(own, isFirst: isFirst)
        let world = acme.world.with {
            $0.pin([(acme.good, .leaf)]) { $0.keys[0].matches = matches }
        }
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("6 every set of the rule must be satisfied") func everySet() throws {
        let acme = PinSearchTests.acme
        var world = acme.world.with { $0.pin([(acme.good, .any)], id: "one") }
        #expect(try world.judge().outcome == ["accept"])
        world.pin([(PinSearchTests.other.certificate, .any)], id: "two")
        #expect(try world.judge().outcome == ["pin-mismatch"])
    }

    @Test("6 what was merely sent along satisfies nothing") func sentAlong() throws {
        let acme = PinSearchTests.acme
        let pinned = PinSearchTests.other
        let world = acme.world.with {
            $0.chain.append(pinned.der)
            $0.pin([(pinned.certificate, .any)])
        }
        let outcome = try world.judge().outcome
        #expect(outcome == ["pin-mismatch"])
    }

    @Test("12.2 the longer of two paths is taken when it alone has the pin", arguments: [0, 1])
    func longerPath(order: Int) throws {
        let acme = PinSearchTests.acme
        let other = PinSearchTests.other
        let cross = other.crossSign(acme.root)
        var world = World(
            [acme.good.der]
                + (order == 0 ? [acme.issuing.der, cross.der] : [cross.der, acme.issuing.der]),
            roots: [acme.root.der, other.der].sorted { $0.lexicographicallyPrecedes($1) })
        #expect(try world.judge().path == [World.host, "Issuing A", "Root A"])
        world.pin([(other.certificate, .anchor)])
        #expect(try world.judge().path == [World.host, "Issuing A", "Root A", "Root B"])
    }

    private static let day = UTCInstant.at("2026-06-30T23:59:59Z")

    private static func dated(
        _ onExpiry: PinSetContents.OnExpiry, matches: Bool, _ offset: Int64
    ) -> World {
        acme.world.at(day.advanced(bySeconds: offset)).with {
            $0.requirements.clockSkew = 86_400
            $0.pin([(matches ? acme.good : other.certificate, .any)]) {
                $0.warnFrom = .at("2026-06-20")
                $0.enforceUntil = day
                $0.onExpiry = onExpiry
            }
        }
    }

    @Test(
        "6 on-expiry: what a mismatch does in the last second and in the next",
        arguments: [
            (PinSetContents.OnExpiry.fail, ["pin-mismatch"], [] as [String]),
            (.report, ["accept"], ["pin-mismatch"]), (.unpinned, ["accept"], []),
        ])
    func onExpiry(
        _ onExpiry: PinSetContents.OnExpiry, after: [String], reported: [String]
    ) throws {
        let last = try PinSearchTests.dated(onExpiry, matches: false, 0).judge()
        #expect(last.outcome == ["pin-mismatch"])
        let next = try PinSearchTests.dated(onExpiry, matches: false, 1).judge()
        #expect(next.outcome == after)
        #expect(next.reported == reported)
    }

    @Test("6 warn-from and enforce-until give notices to the second") func notices() throws {
        let acme = PinSearchTests.acme
        let ageing = PinSearchTests.dated(.fail, matches: true, 0)
        #expect(try ageing.judge().notices == ["pin-ageing"])
        let overdue = PinSearchTests.dated(.fail, matches: true, 1)
        #expect(try overdue.judge().notices == ["pin-overdue"])
        let young = ageing.at(.at("2026-06-19T23:59:59Z"))
        #expect(try young.judge().notices.isEmpty)
        #expect(try young.at(.at("2026-06-20")).judge().notices == ["pin-ageing"])
        #expect(try acme.world.judge().notices.isEmpty)
    }
}
