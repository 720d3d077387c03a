import Rendering
import TestPKI
import TrustEngine

/// A random statement about random policies: its text, as a file of assertions has it, and its
/// answer for a host, decided slowly from the output of `show`.
struct RandomStatement {
    /// What a policy's rule says of a host at an instant, for the slow decision.
    struct Shown {
        let rule: EffectiveRule
        let time: UTCInstant
        let contents: PolicyContents

        var order: ShownOrder { ShownOrder(rule, at: time) }

        /// The value that `show` prints of a field.
        func value(_ name: String) -> JSONValue {
            rule.fields.first { $0.name == name }?.value ?? .null
        }

        /// An exception that is in force.
        func isExcepted(_ name: String) -> Bool {
            guard case .object(let members) = value(name),
                case .string(let until)? = members.first(where: { $0.key == "until" })?.value
            else { return false }
            return until >= time.description
        }

        /// The paths of all exceptions in force, and `pins.on-expiry` for each pin set that is past
        /// its date and does not reject.
        var exceptionsInForce: [String] {
            rule.fields.map(\.name).filter {
                ($0.hasPrefix("waivers.") || $0.hasPrefix("report-only.")) && isExcepted($0)
            }
                + (body?.pins ?? []).filter { id in
                    contents.pinSets.contains {
                        $0.id == id && $0.onExpiry != .fail
                            && ($0.enforceUntil.map { $0 < time } ?? false)
                    }
                }.map { _ in "pins.on-expiry" }
        }

        /// The body of the rule that decides; nil where nothing is accepted.
        var body: RuleBody? {
            guard !rule.isDenied else { return nil }
            if !rule.rule.isEmpty {
                return contents.rules.first { $0.id == rule.rule }?.body
            }
            guard case .body(let fallback) = contents.defaultRule else { return nil }
            return fallback
        }
    }

    /// The lines of the demands.
    let text: String
    /// Whether it holds for what `show` prints, where the other policy has `other` for the host.
    let holds: (_ own: Shown, _ other: Shown) -> Bool
    /// The body that accepts exactly what the statement allows; nil where no single body does.
    let floor: ((RuleBody) -> RuleBody?)?
    /// Whether the statement is about its hosts even where no rule decides one of them.
    var needsNoRule = false

    static func make(_ policy: PolicyContents, _ random: inout SplitMix) -> RandomStatement {
        switch Int.random(in: 0..<16, using: &random) {
        case 0...5: return atLeast(&random)
        case 6: return noWeakerThanRule(policy, &random)
        case 7:
            guard case .body(let fallback) = policy.defaultRule else {
                return noWeakerThan("default", nil)
            }
            return noWeakerThan("default", fallback)
        case 8: return noWeakerThanUnit()
        case 9: return noWeakerThanBaseline()
        case 10: return neverTrusts(&random)
        case 11, 12: return noAnchor(&random)
        case 13: return identity()
        case 14: return exceptions(&random)
        default: return denied()
        }
    }

    // MARK: `at-least`

    private static func atLeast(_ random: inout SplitMix) -> RandomStatement {
        var parts: [RandomStatement] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            parts.append(demand(&random))
        }
        // A key stands once in a map.
        if parts.count == 2, parts[0].text.prefix(6) == parts[1].text.prefix(6) {
            parts.removeLast()
        }
        let all = parts
        return RandomStatement(
            text: "    at-least: { \(all.map(\.text).joined(separator: ", ")) }\n",
            holds: { own, other in all.allSatisfy { $0.holds(own, other) } },
            floor: all.contains { $0.floor == nil }
                ? nil
                : { body in
                    all.reduce(body) { floor, part in floor.flatMap { part.floor?($0) } }
                })
    }

    private static func demand(_ random: inout SplitMix) -> RandomStatement {
        let fields = RandomPolicy.values.keys.sorted { $0.rawValue < $1.rawValue }
        switch Int.random(in: 0..<fields.count + 4, using: &random) {
        case 0: return pins()
        case 1: return noSystem()
        case 2: return sets(&random)
        case 3: return preset(&random)
        default:
            let field = fields.randomElement(using: &random) ?? .rsaMinimum
            let values = (RandomPolicy.values[field] ?? []).filter { $0 != .unwritten }
                .filter { $0 != .preferences([]) && $0 != .names([]) }
            let value = values.randomElement(using: &random) ?? .integer(2048)
            return plain(field, value)
        }
    }

    /// The text of a value, as a policy writes it.
    private static func text(_ field: ProfileField, _ value: FieldValue) -> String {
        switch (field.descriptor.kind, value) {
        case (.integer, .integer(let number)): return "\(number)"
        case (.seconds, .seconds(let seconds)): return "\(seconds / 86_400)d"
        case (.word(let words), .word(let number)): return words.name(of: number) ?? ""
        case (.words(let words), .words(let bits)):
            return "[\(words.names(of: bits).joined(separator: ", "))]"
        case (_, .names(let names)), (_, .preferences(let names)):
            return "[\(names.joined(separator: ", "))]"
        default: return ""
        }
    }

    /// The exceptions under which a failure of a field passes.
    private static func exceptions(of field: ProfileField) -> [String] {
        switch field {
        case .tlsMinimumVersion, .tlsAlpn: return ["waivers.tls"]
        case .maximumLifetime: return ["report-only.lifetime"]
        default: return []
        }
    }

    private static func plain(_ field: ProfileField, _ wanted: FieldValue) -> RandomStatement {
        RandomStatement(
            text: "\(field.rawValue): \(text(field, wanted))",
            holds: { own, _ in
                guard let body = own.body else { return true }
                if exceptions(of: field).contains(where: own.isExcepted) { return false }
                let value = body.requirements.value(of: field)
                switch (value, wanted) {
                case (.integer(let own), .integer(let floor)):
                    return field == .maximumIntermediates ? own <= floor : own >= floor
                case (.seconds(let own), .seconds(let floor)): return own <= floor
                case (.unwritten, .seconds): return false
                case (.word(let own), .word(let floor)): return own >= floor
                case (.words(let own), .words(let floor)): return own & ~floor == 0
                case (.names(let own), .names(let floor)): return Set(floor).isSubset(of: own)
                case (.preferences(let own), .preferences(let floor)):
                    return !own.isEmpty && Set(own).isSubset(of: floor)
                default: return false
                }
            },
            floor: { body in
                var floor = body
                floor.requirements.write(field, wanted)
                let names = exceptions(of: field)
                floor.waivers.removeAll { names.contains("waivers.\($0.tolerance.name)") }
                floor.reportOnly.removeAll { names.contains("report-only.\($0.check.name)") }
                return floor
            })
    }

    private static func preset(_ random: inout SplitMix) -> RandomStatement {
        let preset = Bool.random(using: &random) ? "require" : "best-effort"
        return RandomStatement(
            text: "revocation.preset: \(preset)",
            holds: { own, _ in
                guard own.body != nil else { return true }
                return preset == "best-effort"
                    || own.value("revocation.preset") == .string("require")
            },
            floor: { body in
                guard preset == "require" else { return body }
                var floor = body
                floor.requirements.write(
                    .revocationPreset, .word(Int(RevocationPreset.require.rawValue)))
                return floor
            })
    }

    private static func pins() -> RandomStatement {
        RandomStatement(
            text: "pins: bound",
            holds: { own, _ in
                guard let body = own.body else { return true }
                if own.isExcepted("waivers.pins") || own.isExcepted("report-only.pins") {
                    return false
                }
                return body.pins.contains { id in
                    let set = own.contents.pinSets.first { $0.id == id }
                    guard let end = set?.enforceUntil, set?.onExpiry != .fail else { return true }
                    return own.time <= end
                }
            }, floor: nil)
    }

    private static func noSystem() -> RandomStatement {
        RandomStatement(
            text: "anchors: no-system",
            holds: { own, _ in own.body.map { !$0.anchors.contains("system") } ?? true },
            floor: { body in
                var floor = body
                floor.anchors.removeAll { $0 == "system" }
                return floor.anchors.isEmpty ? nil : floor
            })
    }

    private static func sets(_ random: inout SplitMix) -> RandomStatement {
        let ids =
            [["corp"], ["edge"], ["corp", "edge"], ["corp", "system"]]
            .randomElement(using: &random) ?? ["corp"]
        /// Each authority of some sets, with the longest lifetime that its set allows.
        func members(_ sets: [String], _ contents: PolicyContents) -> [(who: [UInt8], days: Int64)]
        {
            sets.flatMap { id -> [(who: [UInt8], days: Int64)] in
                contents.anchorSets.filter { $0.id == id }.flatMap(\.groups).flatMap { group in
                    let days = group.constraints.compactMap(\.maximumLifetime).min() ?? .max
                    switch group.source {
                    case .system: return [(who: [UInt8](), days: days)]
                    case .members(let all): return all.map { (who: $0, days: days) }
                    }
                }
            }
        }
        return RandomStatement(
            text: "anchors: [\(ids.joined(separator: ", "))]",
            holds: { own, _ in
                guard let body = own.body else { return true }
                let allowed = members(ids, own.contents)
                return members(body.anchors, own.contents).allSatisfy { member in
                    allowed.contains { $0.who == member.who && member.days <= $0.days }
                }
            },
            floor: { body in
                var floor = body
                floor.anchors = ids
                return floor
            })
    }

    // MARK: `no-weaker-than`

    private static func noWeakerThan(
        _ text: String, _ other: RuleBody?
    ) -> RandomStatement {
        RandomStatement(
            text: "    no-weaker-than: \(text)\n",
            holds: { own, _ in
                isNoWeaker(own, RandomStatement.shown(other.map { .body($0) } ?? .deny, own))
            }, floor: { _ in other })
    }

    /// The slow comparison, with a comparison of the forbidden keys, which it does not know.
    private static func isNoWeaker(_ own: Shown, _ other: Shown) -> Bool {
        guard own.order.isNoWeaker(than: other.order) else { return false }
        guard let body = own.body, let floor = other.body else { return true }
        let keys = body.requirements.forbiddenKeys
        return floor.requirements.forbiddenKeys.allSatisfy { key in
            keys.contains {
                $0.matches == key.matches && ($0.notBefore == nil || $0.notBefore == key.notBefore)
            }
        }
    }

    private static func noWeakerThanRule(
        _ policy: PolicyContents, _ random: inout SplitMix
    ) -> RandomStatement {
        let id = policy.rules.map(\.id).randomElement(using: &random) ?? "rule-0"
        return noWeakerThan("{ rule: \(id) }", policy.rules.first { $0.id == id }?.body)
    }

    private static func noWeakerThanUnit() -> RandomStatement {
        RandomStatement(
            text: "    no-weaker-than: { unit: ../other }\n",
            holds: { own, other in isNoWeaker(own, other) }, floor: nil)
    }

    private static func noWeakerThanBaseline() -> RandomStatement {
        RandomStatement(
            text: "    no-weaker-than: { profile: baseline }\n",
            holds: { own, _ in
                own.body == nil
                    || !(own.isExcepted("waivers.tls") || own.isExcepted("waivers.expired")
                        || own.isExcepted("waivers.identity") || own.order.letsPinsOfItsOwn)
            },
            floor: { body in
                var floor = body
                floor.requirements = Requirements()
                floor.waivers = []
                floor.reportOnly = []
                return floor
            })
    }

    // MARK: Whose certificate, under which exceptions

    private static func identity() -> RandomStatement {
        RandomStatement(
            text: "    identity: host\n",
            holds: { own, _ in
                guard let body = own.body else { return true }
                return body.identity.reference != .listed && !own.isExcepted("waivers.identity")
            },
            floor: { body in
                var floor = body
                if body.identity.reference == .listed { floor.identity = IdentityRequirement() }
                floor.waivers.removeAll { $0.tolerance == .identity }
                return floor
            })
    }

    /// No exception but perhaps one, until a day.
    private static func exceptions(_ random: inout SplitMix) -> RandomStatement {
        let names = ["waivers.identity", "waivers.tls", "report-only.pins", "pins.on-expiry"]
        let name = names.randomElement(using: &random) ?? "waivers.tls"
        let end = RandomPair.ends.randomElement(using: &random) ?? .day(20)
        let allowed = Bool.random(using: &random) ? [name: end] : [:]
        let text = allowed.isEmpty ? "none" : "{ \(name): \(end.description) }"
        return RandomStatement(
            text: "    exceptions: \(text)\n",
            holds: { own, _ in
                guard own.body != nil else { return true }
                return own.exceptionsInForce.allSatisfy { name in
                    allowed[name].map { own.time <= $0 } ?? false
                }
            }, floor: nil)
    }

    private static func denied() -> RandomStatement {
        RandomStatement(
            text: "    decision: deny\n", holds: { own, _ in own.body == nil }, floor: { _ in nil },
            needsNoRule: true)
    }

    /// What `show` prints of a policy with this behaviour for every host.
    private static func shown(_ behaviour: DefaultRule, _ own: Shown) -> Shown {
        var contents = own.contents
        contents.rules = []
        contents.defaultRule = behaviour
        let table = RandomStatementPolicy.table(contents)
        return Shown(
            rule: RandomStatementPolicy.show(table, .name("any.example"), 443), time: own.time,
            contents: contents)
    }

    // MARK: Keys

    private static func neverTrusts(_ random: inout SplitMix) -> RandomStatement {
        let key = RandomStatementPolicy.forbidden.randomElement(using: &random)
        let match = key ?? RandomWorld.pinnable[0]
        return RandomStatement(
            text: "    never-trusts: { spki: \"\(RandomStatementPolicy.text(match))\" }\n",
            holds: { own, _ in
                guard let body = own.body else { return true }
                return body.requirements.forbiddenKeys.contains {
                    $0.matches.contains(match) && $0.notBefore == nil
                }
            },
            floor: { body in
                var floor = body
                floor.requirements.forbiddenKeys = [ForbiddenKey(id: "old", matches: [match])]
                return floor
            })
    }

    private static func noAnchor(_ random: inout SplitMix) -> RandomStatement {
        let index = Int.random(in: 0..<RandomWorld.roots.count, using: &random)
        let root = RandomWorld.roots[index]
        return RandomStatement(
            text: "    no-anchor: { spki: \"\(root.certificate.pin)\" }\n",
            holds: { own, _ in
                guard let body = own.body else { return true }
                return !own.contents.anchorSets.filter { body.anchors.contains($0.id) }
                    .flatMap(\.groups).contains { group in
                        switch group.source {
                        case .system: return true
                        case .members(let all): return all.contains(root.der)
                        }
                    }
            }, floor: nil)
    }
}
