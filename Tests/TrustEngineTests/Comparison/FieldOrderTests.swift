import TestPKI
import Testing
import TrustEngine

/// Which way each field of a profile is stricter: for every field of the schema a pair of profiles
/// that differ only in it, compared in both directions.
@Suite("the order of each field") struct FieldOrderTests {
    /// A pair of values of one field, under what the other fields have to be for it to matter.
    struct Pair: Sendable {
        let field: ProfileField
        let strict: FieldValue
        let weak: FieldValue
        var relation = Relation.stricter
        /// Which field says so, where it is not the field itself.
        var says: ProfileField?
    }

    /// Pairs that follow from what the schema says of a field.
    static func pairs(of field: ProfileField) -> [Pair] {
        let descriptor = field.descriptor
        func ordered(_ values: [FieldValue]) -> [Pair] {
            // From strict to weak, with the end where nothing is written.
            var values = descriptor.stricter == .larger ? values.reversed() : values
            if descriptor.isOptional {
                values.insert(
                    .unwritten, at: descriptor.unwritten == .strictest ? 0 : values.endIndex)
            }
            return zip(values, values.dropFirst()).map { Pair(field: field, strict: $0, weak: $1) }
        }
        func lists(_ small: FieldValue, _ large: FieldValue, _ other: FieldValue) -> [Pair] {
            let isMore = descriptor.stricter == .superset
            return [
                Pair(field: field, strict: isMore ? large : small, weak: isMore ? small : large),
                Pair(field: field, strict: small, weak: other, relation: .incomparable),
            ]
        }
        switch descriptor.stricter {
        case .together: return []
        case .none:
            guard case .word(let words) = descriptor.kind else { return [] }
            return [
                Pair(
                    field: field, strict: .word(words.words[0].number),
                    weak: .word(words.words[1].number), relation: .equal)
            ]
        case .smaller, .larger, .subset, .superset: break
        }
        switch descriptor.kind {
        case .integer(let range):
            return ordered([.integer(range.lowerBound), .integer(range.lowerBound + 1)])
        case .seconds(let range):
            return ordered([.seconds(range.lowerBound), .seconds(range.lowerBound + 1)])
        case .word(let words):
            return ordered(words.words.map(\.number).sorted().map { .word($0) })
        case .words(let words):
            let bits = words.words.map { 1 << $0.number }
            return lists(.words(bits[0]), .words(bits[0] | bits[1]), .words(bits[1]))
        case .purposes:
            return lists(
                .purposes(KeyPurposes(serverAuth: true)),
                .purposes(KeyPurposes(serverAuth: true, clientAuth: true)),
                .purposes(KeyPurposes(clientAuth: true)))
        case .objectIdentifiers:
            return lists(
                .objectIdentifiers([[42, 3]]), .objectIdentifiers([[42, 3], [43, 6]]),
                .objectIdentifiers([[43, 6]]))
                + [
                    Pair(
                        field: field, strict: .objectIdentifiers([[42, 3]]),
                        weak: .objectIdentifiers([]))
                ]
        case .preferences:
            return lists(.preferences(["a"]), .preferences(["b", "a"]), .preferences(["b"]))
                + [
                    Pair(field: field, strict: .preferences(["a"]), weak: .preferences([])),
                    Pair(
                        field: field, strict: .preferences(["a", "b"]),
                        weak: .preferences(["b", "a"]), relation: .equal),
                ]
        case .names: return lists(.names(["a"]), .names(["a", "b"]), .names(["b"]))
        case .forbiddenKeys: return forbidden
        case .ranking, .steps, .digest:
            Issue.record("`\(field.rawValue)` has no pair for its kind")
            return []
        }
    }

    /// Entry by entry, at all times and in part.
    private static let forbidden: [Pair] = {
        var random = RandomPolicies(seed: 0xF0B1_DDE4)
        let (one, other) = (random.matches(), random.matches())
        let day = UTCInstant.at("2026-01-01T00:00:00Z")
        func pair(_ strict: [ForbiddenKey], _ weak: [ForbiddenKey], _ relation: Relation) -> Pair {
            Pair(
                field: .forbiddenKeys, strict: .forbiddenKeys(strict), weak: .forbiddenKeys(weak),
                relation: relation)
        }
        func key(
            _ matches: [KeyMatch], from: UTCInstant? = nil, until: UTCInstant? = nil
        ) -> ForbiddenKey {
            let window = from == nil && until == nil ? nil : DateWindow(from: from, until: until)
            return ForbiddenKey(id: "k", matches: matches, notBefore: window)
        }
        return [
            pair([key(one)], [], .stricter),
            pair([key(one)], [key(other)], .incomparable),
            pair([key(one)], [ForbiddenKey(id: "z", matches: one)], .equal),
            pair([key(one)], [key(one, from: day)], .stricter),
            pair([key(one, from: day)], [key(one, from: day.advanced(bySeconds: 1))], .stricter),
            pair(
                [key(one, until: day), key(one, from: day.advanced(bySeconds: 1))], [key(one)],
                .equal),
            pair(
                [key(one, until: day), key(one, from: day.advanced(bySeconds: 2))], [key(one)],
                .weaker),
        ]
    }()

    /// Of the fields that entries of their own compare.
    static let together: [Pair] = {
        func integer(_ field: ProfileField) -> [Pair] {
            [
                Pair(field: field, strict: .integer(4), weak: .integer(3)),
                Pair(field: field, strict: .integer(4), weak: .unwritten),
                Pair(field: field, strict: .unwritten, weak: .integer(1)),
            ]
        }
        func steps(_ maximum: Int64...) -> FieldValue {
            .steps(
                maximum.enumerated().map {
                    LifetimeStep(
                        issuedFrom: UTCInstant(secondsSinceEpoch: Int64($0.offset) * 100),
                        maximum: $0.element)
                })
        }
        let digests = RandomPolicies.logLists.map { FieldValue.digest($0.digest) }
        return integer(.transparencyMinimumSCTs) + integer(.transparencyMinimumOperators) + [
            Pair(field: .maximumLifetime, strict: .seconds(90), weak: .seconds(91)),
            Pair(field: .maximumLifetime, strict: .seconds(90), weak: .unwritten),
            Pair(field: .lifetimeSteps, strict: steps(90), weak: steps()),
            Pair(field: .lifetimeSteps, strict: steps(90, 80), weak: steps(90, 85)),
            Pair(
                field: .lifetimeSteps, strict: steps(90, 80), weak: steps(80, 90),
                relation: .incomparable),
            Pair(field: .lifetimeSteps, strict: steps(90), weak: steps(90, 90), relation: .equal),
            Pair(field: .revocationSources, strict: .ranking([2]), weak: .ranking([1, 2])),
            Pair(
                field: .revocationSources, strict: .ranking([2, 1]), weak: .ranking([1, 2]),
                relation: .equal),
            Pair(
                field: .revocationSources, strict: .ranking([2]), weak: .ranking([1]),
                relation: .incomparable),
            Pair(field: .transparencyPreset, strict: .word(1), weak: .word(0)),
            Pair(
                field: .transparencyPreset, strict: .word(1), weak: .word(2),
                relation: .incomparable),
            Pair(
                field: .transparencyLogList, strict: digests[0], weak: digests[1],
                relation: .incomparable),
            Pair(
                field: .transparencyLogListMaximumAge, strict: .seconds(1), weak: .seconds(2)),
            Pair(field: .transparencyWhenStale, strict: .word(0), weak: .word(1)),
            Pair(field: .transparencyWhenStale, strict: .word(1), weak: .word(2)),
            Pair(field: .transparencyExemptAnchors, strict: .names([]), weak: .names(["corp"])),
            Pair(
                field: .transparencyExemptAnchors, strict: .names(["edge"]),
                weak: .names(["corp"]), relation: .incomparable),
        ]
    }()

    /// Fields in which everything is demanded, so that every field of a group matters.
    private static func profile(_ field: ProfileField, _ value: FieldValue) -> Requirements {
        var requirements = Requirements()
        requirements.revocation.causes = .require
        requirements.transparency.preset = .chrome
        requirements.write(field, value)
        // A preset writes the causes, and it is they that are compared.
        if field == .revocationPreset { requirements.revocation.causes = .require }
        return requirements
    }

    @Test("every field has its pairs")
    func complete() {
        let grouped = Set(RequirementOrder.grouped)
        for field in ProfileField.allCases {
            #expect((field.descriptor.stricter == .together) == grouped.contains(field))
            let pairs = Self.pairs(of: field) + Self.together.filter { $0.field == field }
            #expect(!pairs.isEmpty, "`\(field.rawValue)`")
        }
        #expect(grouped.isSubset(of: Self.together.map(\.field)))
    }

    @Test("what differs in one field, in both directions", arguments: ProfileField.allCases)
    func pair(_ field: ProfileField) {
        for pair in Self.pairs(of: field) + Self.together.filter({ $0.field == field }) {
            let strict = Self.profile(field, pair.strict)
            let weak = Self.profile(field, pair.weak)
            #expect(strict != weak || pair.relation == .equal, "`\(field.rawValue)`")
            let found = RequirementOrder(strict, weak).fields()
            let back = RequirementOrder(weak, strict).fields()
            let isHeard = field.descriptor.evidence == .revokes
            let expected = isHeard ? Relation.incomparable : pair.relation
            #expect(whole(found) == expected, "\(field.rawValue): \(found)")
            #expect(whole(back) == expected.reversed, "\(field.rawValue): \(back)")
            for comparison in found + back {
                #expect(comparison.path.hasPrefix(field.rawValue))
            }
            #expect(found.isEmpty == (pair.relation == .equal && back.isEmpty))
            if isHeard {
                #expect(found.map(\.leaning) == [pair.relation])
                #expect(back.map(\.leaning) == [pair.relation.reversed])
            }
        }
    }

    private func whole(_ fields: [FieldComparison]) -> Relation {
        fields.reduce(Relation.equal) { $0.and($1.relation) }
    }

    /// Evidence that does not vouch any more fails for another cause, which may be passed over.
    @Test(
        "what vouches less is stricter only where no cause is passed over beside one that rejects")
    func evidence() {
        let fields = ProfileField.allCases.filter { $0.descriptor.evidence == .vouches }
        #expect(fields.count >= 10)
        for field in fields {
            for pair in Self.pairs(of: field) where pair.relation == .stricter {
                for (causes, expected) in [
                    ([CauseAction.fail, .fail], Relation.stricter),
                    ([.report, .pass], .stricter), ([.fail, .report], .incomparable),
                ] {
                    var (strict, weak) = (
                        Self.profile(field, pair.strict), Self.profile(field, pair.weak)
                    )
                    for cause in RevocationCause.allCases {
                        strict.revocation.causes[cause] = causes[0]
                        weak.revocation.causes[cause] = causes[0]
                    }
                    strict.revocation.causes[.malformed] = causes[1]
                    weak.revocation.causes[.malformed] = causes[1]
                    let found = RequirementOrder(strict, weak).fields()
                    // The field keeps its sign. Its effect on the answers that count is told beside
                    // it.
                    #expect(whole(found) == expected, "\(field.rawValue)")
                    let isDisturbed = expected == .incomparable
                    #expect(
                        found.map(\.relation)
                            == [.stricter] + (isDisturbed ? [.incomparable] : []),
                        "\(field.rawValue)")
                    #expect(
                        found.map(\.leaning) == [.stricter] + (isDisturbed ? [.equal] : []),
                        "\(field.rawValue)")
                    #expect(found.first?.path == field.rawValue)
                }
            }
        }
    }

    // MARK: One edit

    /// What a value lets pass, or for a list of demands what fails it, in a small world: the
    /// members of lists, and every number beside the values at hand.
    private static func passing(
        _ value: FieldValue, _ descriptor: FieldDescriptor, among numbers: [Int64]
    ) -> Set<String> {
        func compared(_ own: Int64) -> Set<String> {
            Set(
                numbers.filter { descriptor.stricter == .smaller ? $0 <= own : $0 >= own }.map {
                    "\($0)"
                })
        }
        switch value {
        case .integer(let number), .word(let number): return compared(Int64(number))
        case .seconds(let seconds): return compared(seconds)
        case .unwritten:
            return descriptor.unwritten == .strictest ? [] : Set(numbers.map { "\($0)" })
        case .words(let bits):
            return Set((0..<16).filter { bits & 1 << $0 != 0 }.map { "\($0)" })
        case .purposes(let purposes): return Set(purposes.identifiers.map { "\($0)" })
        case .objectIdentifiers(let list):
            return list.isEmpty ? ["[42, 3]", "[43, 6]", "any"] : Set(list.map { "\($0)" })
        case .preferences(let list):
            return list.isEmpty ? Set(list + ["any"] + Self.names) : Set(list)
        case .names(let list): return Set(list)
        case .ranking, .steps, .digest, .forbiddenKeys: return []
        }
    }

    private static let names = [
        "TLS_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256", "x25519", "ed25519", "h2",
        "h3",
    ]

    private static func number(_ value: FieldValue) -> Int64? {
        switch value {
        case .integer(let number), .word(let number): return Int64(number)
        case .seconds(let seconds): return seconds
        case .unwritten, .words, .ranking, .purposes, .objectIdentifiers, .steps, .digest, .names,
            .preferences, .forbiddenKeys:
            return nil
        }
    }

    /// The order of a field holds whatever the other fields are, but where the schema says that a
    /// field decides which revocation evidence counts.
    @Test(
        "one field changed in any profile",
        arguments: [0xF1E1_D001, 0xF1E1_D002, 0xF1E1_D003] as [UInt64])
    func singleEdits(seed: UInt64) {
        var random = RandomPolicies(seed: seed)
        var seen: [Relation: Int] = [:]
        let presets: [ProfileField] = [.revocationPreset, .transparencyPreset]
        let fields = ProfileField.allCases.filter {
            $0.descriptor.stricter != .together && $0 != .forbiddenKeys && !presets.contains($0)
        }
        for _ in 0..<60 {
            for field in fields {
                let (one, other) = (
                    random.pick(RandomWorlds.values(of: field)),
                    random.pick(RandomWorlds.values(of: field))
                )
                var base = random.requirements()
                if random.flip() {
                    base.revocation.causes = random.flip() ? .require : .bestEffort
                }
                let pair = [one, other].map { value in
                    var changed = base
                    changed.write(field, value)
                    return changed
                }
                let numbers = [one, other].compactMap { Self.number($0) }.flatMap { [$0, $0 + 1] }
                let sets = [one, other].map {
                    Self.passing($0, field.descriptor, among: numbers + [.min, .max])
                }
                var expected = Relation(
                    isNoWeaker: sets[0].isSubset(of: sets[1]),
                    isNoStricter: sets[1].isSubset(of: sets[0]))
                if field.descriptor.stricter == .superset { expected = expected.reversed }
                if field.descriptor.stricter == .none { expected = .equal }
                let actions = [RevocationCause.unknown, .stale, .malformed, .notCovered].map {
                    base.revocation.causes[$0] == .fail
                }
                let isMixed = actions.contains(true) && actions.contains(false)
                switch field.descriptor.evidence {
                case .none: break
                case .vouches: if isMixed, expected != .equal { expected = .incomparable }
                case .revokes: if expected != .equal { expected = .incomparable }
                }
                seen[expected, default: 0] += 1
                let found = whole(RequirementOrder(pair[0], pair[1]).fields())
                #expect(found == expected, "seed \(seed): `\(field.rawValue)` \(one) \(other)")
            }
        }
        #expect(seen.count == 4 && seen.values.allSatisfy { $0 > 20 }, "\(seen)")
    }
}
