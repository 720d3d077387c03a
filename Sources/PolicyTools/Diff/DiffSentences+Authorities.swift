import Rendering
import TrustEngine

/// The sentences about authorities that come, go and could vouch.
extension DiffSentences {
    /// The authorities that come and go, a line each.
    package static func authorities(
        _ change: PolicyDiff.AuthorityChange, most: Int
    ) -> [String] {
        Cut.list(change.added.map { "added: \(text($0))" }, most: most)
            + Cut.list(change.removed.map { "removed: \(text($0))" }, most: most)
    }

    /// How many authorities could vouch for a group of classes, before and after.
    package static func line(
        _ surface: PolicyDiff.Surface, quoted: (String) -> String = { $0 }
    ) -> String {
        let more =
            surface.classes > 1
            ? " and \(Words.count(surface.classes - 1, "more class", "more classes"))" : ""
        return "\(text(surface.example, quoted: quoted))\(more): \(text(surface))"
    }

    /// An authority with its key: what a reviewer compares with what a CA publishes.
    package static func text(_ authority: PolicyDiff.Authority) -> String {
        guard let subject = authority.subject, let digest = authority.keyDigest else {
            return "the machine's store (`\(authority.set)`)"
        }
        return "`\(subject)` of `\(authority.set)`, key \(digest.text)"
    }

    /// The number of authorities that could vouch.
    package static func text(_ count: PolicyDiff.Surface.Count?) -> String {
        guard let count else { return "none (deny)" }
        guard !count.open.isEmpty else { return vouching(count) }
        let waivers = count.open.map { "until \(last($0.until)) (`\($0.path)`)" }
        let anyone = "anyone, \(waivers.joined(separator: ", "))"
        // Under a waiver of `identity` alone a certificate must still be of these authorities.
        guard count.open.allSatisfy({ $0.path == "waivers.identity" }) else { return anyone }
        return "\(anyone), with a certificate of \(vouching(count))"
    }

    /// The authorities that can vouch, in numbers.
    private static func vouching(_ count: PolicyDiff.Surface.Count) -> String {
        if count.arePinnedKeys { return "the pinned keys" }
        let listed = count.listed == 0 && count.holdsStore ? nil : "\(count.listed) listed"
        let name = "the machine's store"
        let store = count.stored.map { "\($0) of \(name)" } ?? name
        return [listed, count.holdsStore ? store : nil].compactMap { $0 }
            .joined(separator: " and ")
    }

    /// The machine's store that was counted; nil where none was, and where nothing is said of it.
    static func store(_ diff: PolicyDiff) -> String? {
        guard let store = diff.question.options.store, !diff.surfaces.isEmpty else {
            return nil
        }
        return "the machine's store has \(Words.count(store.count, "authority", "authorities")), "
            + "digest \(store.digest.text)"
    }

    /// The authorities of a surface that come and go.
    package static func text(_ surface: PolicyDiff.Surface) -> String {
        let (before, after) = (text(surface.before), text(surface.after))
        let change = surface.change
        if change.isEmpty {
            guard before == after else { return "\(before) -> \(after)" }
            return after + (surface.hasOtherPinnedKeys ? ", not the same as before" : ", as before")
        }
        let parts =
            (change.added.isEmpty ? [] : ["\(change.added.count) added"])
            + (change.removed.isEmpty ? [] : ["\(change.removed.count) removed"])
        guard before == after else {
            let isCounted =
                surface.before != nil && surface.after != nil
                && surface.before?.open.isEmpty == true && surface.after?.open.isEmpty == true
                && surface.before?.holdsStore == surface.after?.holdsStore
            return "\(before) -> \(after)"
                + (isCounted ? " (\(parts.joined(separator: ", ")))" : "")
        }
        return "\(after), \(parts.joined(separator: ", "))"
    }
}
