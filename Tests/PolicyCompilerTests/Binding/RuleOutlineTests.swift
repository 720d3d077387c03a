import PolicyCompiler
import Testing
import TrustEngine

/// The outlines of rules say what the rules themselves say. A rule without its mark would be left
/// out by every check that asks for the mark.
@Suite("outlines of rules")
struct RuleOutlineTests {
    private static let text = """
        hawser: 1
        default: { anchors: [system], waivers: { tls: { reason: lab, owner: qa, until: 2027-01-31 } } }
        profiles:
          strict: { keys: { rsa-minimum: 3072 } }
        rules:
          plain: { hosts: ["a.example"], anchors: [system], owner: web }
          again: { hosts: ["*.a.example"], anchors: [system], owner: web, profile: strict }
          wide: { hosts: ["**.b.example", "b.example"], anchors: [system, corp], profile: strict }
          nets: { hosts: ["10.0.0.0/8"], anchors: [corp], owner: web, pins: [one] }
          near: { hosts: ["10.0.0.1"], anchors: [system], owner: web, profile: other }
          lists: { hosts: ["c.example"], owner: web, identity: { reference: listed, dns: [d.example] } }
          fields: { hosts: ["e.example"], anchors: [system], owner: web, keys: { rsa-minimum: 4096 } }
          reports: { hosts: ["f.example"], anchors: [system], owner: web, report-only: { tls: { until: 2027-01-31 } } }
          unread: { hosts: ["g.example"], anchors: [system], owner: web, keys: 3 }
          waived: { hosts: ["h.example"], anchors: [system], pins: [two, one], waivers: { path: { reason: lab, owner: qa, until: 2027-01-31 } } }

        """

    private static let bound = CompilerPipeline.read(
        MemoryUnit.unit(["policy.yaml": Array(text.utf8)]), crypto: ToyDigests()
    ).parts.bound

    private static func names(_ marks: RuleMarks) -> [String] {
        bound.rules(marks).map(\.element.id.value)
    }

    @Test("each mark stands at the rules that write what it says")
    func marks() {
        #expect(Self.names(.pins) == ["nets", "waived"])
        #expect(Self.names(.identity) == ["lists"])
        #expect(Self.names(.waivers) == ["waived"])
        #expect(Self.names(.fields) == ["fields", "reports", "unread"])
        #expect(Self.names(.noOwner) == ["wide", "waived"])
        #expect(Self.names(.wildcards) == ["again", "wide"])
        #expect(Self.names(.ranges) == ["nets", "near"])
        #expect(Self.names(.severalHosts) == ["wide"])
        #expect(Self.names([.pins, .identity]) == ["nets", "lists", "waived"])
        #expect(Self.names([]).isEmpty)
    }

    @Test("the body of `default` is asked like those of rules, and comes first")
    func bodies() {
        #expect(Self.bound.bodies(.waivers).map(\.name) == ["default", "waived"])
        #expect(Self.bound.bodies(.pins).map(\.name) == ["nets", "waived"])
    }

    @Test("profiles and lists of ids have one number each, and it leads to them")
    func numbers() {
        let outlines = Self.bound.outlines
        #expect(outlines.all.count == Self.bound.rules.count)
        for (outline, rule) in zip(outlines.all, Self.bound.rules) {
            let (body, name) = (rule.body, rule.id.value)
            #expect(outlines.profiles[Int(outline.profile)] == body.profile?.value, "\(name)")
            #expect(
                outlines.anchors[Int(outline.anchors)] == (body.anchors?.items ?? []).map(\.value),
                "\(name)")
            #expect(
                outlines.pins[Int(outline.pins)] == (body.pins?.items ?? []).map(\.value), "\(name)"
            )
        }
        #expect(outlines.profiles == [nil, "strict", "other"])
        #expect(outlines.anchors == [["system"], ["system", "corp"], ["corp"], []])
        #expect(outlines.pins == [[], ["one"], ["two", "one"]])
    }
}
