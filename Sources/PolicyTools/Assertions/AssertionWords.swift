import PolicyCompiler
import Rendering
import TrustEngine

/// Puts the missing parts of a demand into words.
struct AssertionWords {
    private let demand: AssertedDemand
    private let rule: FieldPlaces.Rule
    private let crypto: any CryptoBackend

    /// Prepares the words of one demand and the rule that does not meet it.
    init(_ demand: AssertedDemand, _ rule: FieldPlaces.Rule, _ crypto: any CryptoBackend) {
        self.demand = demand
        self.rule = rule
        self.crypto = crypto
    }

    /// The missing parts, with their places in the policy. The causes of revocation, which one
    /// preset sets, are one gap where one line writes them all.
    func gaps(_ shortfalls: [Shortfall]) -> [AssertionRefutation.Gap] {
        var found: [AssertionRefutation.Gap] = []
        for gap in shortfalls.map(gap) {
            guard gap.path.hasPrefix(AssertionWords.causes + "."), let last = found.last,
                last.path.hasPrefix(AssertionWords.causes), last.wanted == gap.wanted,
                last.origin == gap.origin, last.remarks == gap.remarks
            else {
                found.append(gap)
                continue
            }
            let values = AssertionWords.values(last) + AssertionWords.values(gap)
            found[found.count - 1] = AssertionRefutation.Gap(
                path: AssertionWords.causes, wanted: gap.wanted,
                found: values.joined(separator: ", "), remarks: gap.remarks, origin: gap.origin)
        }
        return found
    }

    private static let causes = "revocation.causes"

    /// The causes of a gap, each with its value: `stale: report`.
    private static func values(_ gap: AssertionRefutation.Gap) -> [String] {
        gap.path == causes
            ? [gap.found] : ["\(ProfileField.lastPart(of: gap.path)): \(gap.found)"]
    }

    private func gap(_ shortfall: Shortfall) -> AssertionRefutation.Gap {
        let path = shortfall.path
        switch shortfall.cause {
        case .field(let field): return gap(field)
        case .excepted(let exception, let until):
            let word = exception.hasPrefix("waivers.") ? "waived" : "reported"
            return gap(
                path, allowed(exception) ?? "enforced",
                "\(word) until \(DiffSentences.last(until))",
                path == exception ? [] : ["`\(exception)`"], at: exception)
        case .decides:
            return gap(path, "deny", rule.id.isEmpty ? "`default`" : "rule `\(rule.id)`")
        case .listedNames:
            return gap(path, "host", "listed", ["a certificate for a listed name suffices"])
        case .unenforced(let set, let end):
            let word = end.afterwards == .reported ? "reported" : "not looked at"
            return gap(
                path, allowed(path) ?? "fail",
                "\(word) since the end of \(DiffSentences.last(end.last))", ["pin set `\(set)`"],
                at: "pins")
        case .owned(let owner):
            return gap(path, wanted, owner.map { "`\($0)`" } ?? "no owner")
        case .unbound(let sets):
            let names = sets.map { "`\($0)`" }.joined(separator: ", ")
            return gap(
                path, "bound", sets.isEmpty ? "no pins" : "pins that are not enforced",
                sets.isEmpty ? [] : ["pin sets \(names)"])
        case .trusts(let member):
            return gap(path, wanted, AssertionWords.name(member, crypto))
        case .keepsInStore(let set):
            return gap(
                path, wanted, "the machine's store (`\(set)`)",
                ["no filter of the set excludes it, and no policy says what the store holds"])
        case .pinned(let pin, let isKnown):
            return gap(
                path, wanted,
                "pinned by `\(pin.entry)` of `\(pin.set)`, whose keys are the anchors",
                isKnown ? [] : ["the digest of the pin does not tell whether it is the key"])
        case .notPinnedKeys(let names):
            return gap(
                path, AnchorSetContents.pinnedKeysID,
                names.map { "`\($0)`" }.joined(separator: ", "))
        case .notForbidden:
            return gap(
                path, "forbidden at every date of issue", "not forbidden, or in a window alone",
                [wantedKey])
        case .whole(let relation):
            return gap(
                path, demand.key.rawValue, DiffSentences.relation(relation),
                ["the rule as a whole; no field tells it"])
        }
    }

    private func gap(
        _ path: String, _ wanted: String, _ found: String, _ remarks: [String] = [],
        at origin: String? = nil
    ) -> AssertionRefutation.Gap {
        AssertionRefutation.Gap(
            path: path, wanted: wanted, found: found, remarks: remarks.filter { !$0.isEmpty },
            origin: rule.origin(of: origin ?? path))
    }

    private func gap(_ field: FieldComparison) -> AssertionRefutation.Gap {
        let words = WeakerField(field)
        var remarks: [String] = []
        if case .anchors(let change) = field.remark {
            remarks = change.new.prefix(AssertionWords.most).map {
                "trusted besides: \(AssertionWords.name($0, crypto))"
            }
            remarks += Cut.others(change.new.count - remarks.count)
        } else if !words.remark.isEmpty {
            // The remark of a comparison stands behind it, after a blank or a comma.
            remarks = [String(words.remark.drop { $0 == " " || $0 == "," })]
        }
        if field.relation == .incomparable || field.leaning == .incomparable {
            remarks.append("neither implies the other, so it is not known to demand as much")
        }
        // One side denies what the other decides.
        if field.path == "default" {
            return gap("default", "deny", rule.id.isEmpty ? "`default`" : "rule `\(rule.id)`")
        }
        if case .exception = field.remark, words.there == "none" {
            return gap(field.path, "enforced", words.here, remarks)
        }
        return gap(field.path, words.there, words.here, remarks)
    }

    /// What the demand wants of anchors, or of the owner.
    private var wanted: String {
        switch demand.statement {
        case .atLeast: return "no-system"
        case .ownedBy(let owner): return "`\(owner)`"
        case .noWeakerThan, .identityHost, .exceptions, .deny, .neverTrusts:
            return demand.key.rawValue
        case .noAnchor: return "no anchor with \(wantedKey)"
        }
    }

    /// Until when the demand allows an exception; nil where it never does.
    private func allowed(_ exception: String) -> String? {
        guard case .exceptions(let allowed) = demand.statement else { return nil }
        return allowed.last(of: exception).map { "none after \(DiffSentences.last($0))" } ?? "none"
    }

    /// The key that the demand is about, as the file writes it.
    private var wantedKey: String {
        switch demand.statement {
        case .atLeast, .noWeakerThan, .identityHost, .exceptions, .deny, .ownedBy: return ""
        case .neverTrusts(let keys), .noAnchor(let keys): return "`\(keys.text)`"
        }
    }

    private static func name(_ member: TrustedMember, _ crypto: any CryptoBackend) -> String {
        guard let certificate = member.certificate else {
            return "the machine's store (`\(member.set)`)"
        }
        let digest = crypto.digest(.sha256, of: certificate.spkiBytes.span)
        return "`\(Words.shortSubject(certificate.subjectText))` of `\(member.set)`, "
            + "key \(digest.text)"
    }

    /// Most authorities that are named.
    private static let most = 4
}
