import Foundation
import TestPKI
import Testing

/// `hawser diff --allow`: what an allowance lets pass, and everything that it does not.
@Suite("hawser diff --allow")
struct DiffAllowTests {
    /// Two policies that differ in a profile, for the hosts of two rules.
    private static func policy(
        preset: String = "require", anchors: String = "acme", pinEnd: String = "2027-06-30",
        fallback: String = "default: deny", more: String = ""
    ) -> String {
        """
        hawser: 1
        \(fallback)
        anchors:
          acme:
            files: [anchors/root.pem]
          others:
            files: [anchors/other.pem]
        pins:
          cdn:
            keys:
              now: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            enforce-until: \(pinEnd)
            on-expiry: unpinned
        profiles:
          org:
            revocation: { preset: \(preset) }
        rules:
          cdn:
            hosts: ["**.cdn.example"]
            anchors: [\(anchors)]
            pins: [cdn]
            profile: org
            owner: web
          pay:
            hosts: ["**.pay.example"]
            anchors: [others]
            profile: org
            owner: payments
        \(more)
        """
    }

    /// A folder with both policies.
    private static func workshop(
        old: String = policy(), new: String, newRoot: String = Workshop.root.pem
    ) throws -> Workshop {
        try Workshop(old: old, new: new, newRoot: newRoot)
    }

    /// An allowance of the change of the preset.
    private static func allowance(
        _ id: String = "slow-responder", hosts: String = "[\"**.cdn.example\"]",
        field: String = "revocation.preset", from: String = "require",
        to: String = "best-effort", also: String? = nil, until: String = "2026-08-31"
    ) -> String {
        """
          \(id):
            hosts: \(hosts)
            field: \(field)
            from: \(from)
            to: \(to)
        \(also.map { "    also: \($0)\n" } ?? "")    reason: responder is replaced
            owner: web
            until: \(until)

        """
    }

    /// Compares under a file of these allowances, on 2026-06-01.
    private static func run(
        _ workshop: Workshop, _ allowances: String..., options: [String] = []
    ) throws -> CommandRun {
        try workshop.write(
            "review.allow.yaml",
            "hawser-allow: 1\nallowances:\n" + allowances.joined())
        return try workshop.run(
            ["diff", "old", "new", "--at", "2026-06-01", "--allow", "review.allow.yaml"]
                + (options.isEmpty ? ["--require", "no-weaker"] : options))
    }

    /// The lines that HW609 says are printed below a field, as a list of YAML.
    private static func linesToAdd(_ run: CommandRun) throws -> String {
        let help = try #require(run.error.components(separatedBy: "`also: ").dropFirst().first)
        return help.components(separatedBy: "]`")[0] + "]"
    }

    private static let both = "[\"**.cdn.example\", \"**.pay.example\"]"

    // MARK: Allowed changes

    @Test("an allowed weakening passes, and is shown all the same")
    func allowed() throws {
        let workshop = try Self.workshop(new: Self.policy(preset: "best-effort"))
        let bare = try workshop.run(
            "diff", "old", "new", "--at", "2026-06-01", "--require", "no-weaker")
        #expect(bare.status == 1)
        let first = try Self.run(workshop, Self.allowance(hosts: Self.both))
        let lines = try Self.linesToAdd(first)
        let run = try Self.run(workshop, Self.allowance(hosts: Self.both, also: lines))
        #expect(run.status == 0 && run.error == "", "\(run.transcript)")
        #expect(run.output.hasPrefix("weaker: "))
        #expect(
            run.output.contains("  allowed     until 2026-08-31 by web: responder is replaced\n"))
        // Two allowances may share the classes of one change.
        let shared = try Self.run(
            workshop, Self.allowance(also: lines),
            Self.allowance(
                "slow-bank", hosts: "[\"**.pay.example:443\", \"**.example\"]", also: lines))
        #expect(shared.status == 0, "\(shared.transcript)")
        // An allowance lets nothing be equal that is not.
        for (options, status) in [
            (["--require", "equal"], Int32(1)), (["--detailed-exitcode"], 11), (["--summary"], 0),
        ] {
            let run = try Self.run(
                workshop, Self.allowance(hosts: Self.both, also: lines), options: options)
            #expect(run.status == status, "\(options)")
        }
    }

    @Test("a class that no pattern covers is not allowed")
    func hosts() throws {
        let workshop = try Self.workshop(new: Self.policy(preset: "best-effort"))
        let lines = try Self.linesToAdd(Self.run(workshop, Self.allowance()))
        let part = try Self.run(workshop, Self.allowance(also: lines))
        #expect(part.status == 1 && !part.output.contains("allowed"))
        #expect(
            part.error
                == "1 class of 2 that change alike is allowed; `**.pay.example` is not\n")
        for hosts in [
            "[\"*.cdn.example\"]", "[\"**.cdn.example:443\"]", "[\"cdn.example\"]", "default",
        ] {
            let run = try Self.run(workshop, Self.allowance(hosts: hosts, also: lines))
            #expect(run.status == 1, "\(hosts)")
            #expect(run.error.contains("error[HW609]: no change needs allowance `slow-responder`"))
            #expect(run.error.contains("lies inside `hosts`; the first is `**.cdn.example`"))
        }
    }

    @Test("another field or value is not allowed, and what is near is told")
    func values() throws {
        let workshop = try Self.workshop(new: Self.policy(preset: "best-effort"))
        for (field, from, to, help) in [
            ("revocation.presets", "require", "best-effort", "write `field: revocation.preset`"),
            (
                "revocation.preset", "best-effort", "require",
                "`revocation.preset` changes from `require` to `best-effort` there"
            ),
            (
                "revocation.preset", "require", "none",
                "`revocation.preset` changes from `require` to `best-effort` there"
            ),
            ("revocation", "require", "best-effort", "delete it"),
            ("pins", "\"[cdn]\"", "none", "delete it"),
        ] {
            let run = try Self.run(
                workshop, Self.allowance(hosts: Self.both, field: field, from: from, to: to))
            #expect(run.status == 1 && !run.output.contains("allowed"))
            #expect(run.error.contains("error[HW609]") && run.error.contains(help), "\(run.error)")
        }
    }

    @Test("where nothing is weaker, an allowance is not needed")
    func unused() throws {
        let stricter = try Self.workshop(
            old: Self.policy(preset: "best-effort"), new: Self.policy())
        let run = try Self.run(
            stricter, Self.allowance(hosts: Self.both, from: "best-effort", to: "require"),
            options: ["--summary"])
        #expect(run.status == 1)
        #expect(
            run.error.contains("delete it; where its change is merged, nobody needs it any more"))
        let equal = try Self.run(
            Self.workshop(new: Self.policy()), Self.allowance(), options: ["--detailed-exitcode"])
        #expect(equal.status == 1 && equal.output.hasPrefix("equal: "))
    }

    // MARK: Dates

    @Test("an allowance holds up to its last day, and for 180 days at most")
    func ends() throws {
        let workshop = try Self.workshop(new: Self.policy(preset: "best-effort"))
        let lines = try Self.linesToAdd(Self.run(workshop, Self.allowance()))
        for (until, code, isAllowed) in [
            ("2026-05-31", "error[HW607]", false), ("2026-06-01", nil, true),
            ("2026-11-27", nil, true), ("2026-11-28", "warning[HW608]", true),
        ] {
            let run = try Self.run(
                workshop, Self.allowance(hosts: Self.both, also: lines, until: until))
            #expect(run.status == (code == nil ? 0 : 1), "\(until) \(run.transcript)")
            #expect(run.output.contains("  allowed     until \(until)") == isAllowed, "\(until)")
            if let code { #expect(run.error.hasPrefix(code), "\(run.error)") }
            #expect(!run.error.contains("HW609"))
        }
    }

    @Test("a weakening that begins after the last day is not allowed")
    func later() throws {
        let workshop = try Self.workshop(new: Self.policy(pinEnd: "2026-09-15"))
        func run(until: String, also: String? = nil) throws -> CommandRun {
            try Self.run(
                workshop,
                Self.allowance(
                    field: "pins.cdn", from: "a mismatch rejects", to: "not pinned", also: also,
                    until: until))
        }
        let early = try run(until: "2026-09-15")
        #expect(early.status == 1)
        #expect(
            early.error.contains("the change begins on 2026-09-16, after its end"),
            "\(early.transcript)")
        let lines = try Self.linesToAdd(try run(until: "2026-09-16"))
        #expect(lines.contains("new value sha256:"))
        let late = try run(until: "2026-09-16", also: lines)
        #expect(late.status == 0 && late.error == "", "\(late.transcript)")
    }

    // MARK: What values do not say

    @Test("the bytes of an anchor file are allowed by the authority's name and key alone")
    func anchors() throws {
        let stranger = Workshop.pki.root("Stranger Root", key: .p256("allow-stranger"))
        let other = Workshop.pki.root("Stranger Root", key: .p256("allow-second-stranger"))
        let swapped = try Self.workshop(new: Self.policy(), newRoot: stranger.pem)
        func allowance(_ also: String?) -> String {
            Self.allowance(
                field: "anchors.acme", from: "\"`CN=Acme Root`\"", to: "\"`CN=Stranger Root`\"",
                also: also)
        }
        let bare = try Self.run(swapped, allowance(nil))
        #expect(bare.status == 1 && !bare.output.contains("allowed"), "\(bare.transcript)")
        let lines = try Self.linesToAdd(bare)
        #expect(lines.contains("Stranger Root"))
        let allowed = try Self.run(swapped, allowance(lines))
        #expect(allowed.status == 0, "\(allowed.transcript)")
        let again = try Self.run(
            Self.workshop(new: Self.policy(), newRoot: other.pem), allowance(lines))
        #expect(again.status == 1 && again.error.contains("HW609"), "\(again.transcript)")
    }

    @Test("the hosts that no pattern matches are allowed by `default` alone")
    func unmatched() throws {
        let workshop = try Self.workshop(
            new: Self.policy(fallback: "default: { anchors: [acme] }"))
        func run(_ hosts: String, also: String? = nil) throws -> CommandRun {
            try Self.run(
                workshop,
                Self.allowance(
                    hosts: hosts, field: "decision", from: "deny",
                    to: "\"`default`: anchors acme; no pins; no profile\"", also: also))
        }
        let first = try run("default")
        #expect(first.status == 1)
        let lines = try Self.linesToAdd(first)
        let allowed = try run("default", also: lines)
        #expect(allowed.status == 0, "\(allowed.transcript)")
        #expect(try run("[\"**.example\"]", also: lines).status == 1)
    }

    // MARK: What cannot be asked

    @Test("a file that cannot be read allows nothing, and nothing is compared")
    func unreadable() throws {
        let workshop = try Self.workshop(new: Self.policy(preset: "best-effort"))
        let wrong = try Self.run(workshop, Self.allowance(until: "soon"))
        #expect(wrong.status == 2 && wrong.output.hasPrefix("not compared: "))
        #expect(wrong.error.contains("error[HW103]"))
        #expect(
            wrong.error.contains(
                "not compared: the allowances of `review.allow.yaml` cannot be read"))
        let absent = try workshop.run("diff", "old", "new", "--allow", "absent.allow.yaml")
        #expect(absent.status == 2 && absent.error.contains("not compared: `absent.allow.yaml`"))
    }
}
