import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW318: a file of an anchor set holds a certificate of OpenSSL's that is not trusted for
    /// servers, so it is not a member of the set. One finding for each file.
    static let leftOutByUse = LintRule(.leftOutByUse) { context in
        context.bound.anchorSets.flatMap { set -> [Diagnostic] in
            var files: [SourceSpan: [BoundAnchor]] = [:]
            for anchor in set.leftOut { files[anchor.span, default: []].append(anchor) }
            return files.values.compactMap { finding($0, of: set) }
        }
    }

    private static func finding(_ anchors: [BoundAnchor], of set: BoundAnchorSet) -> Diagnostic? {
        // A certificate that is rejected says more than one that is trusted for other uses.
        guard
            let told = anchors.first(where: { $0.uses?.rejectServers == true }) ?? anchors.first
        else { return nil }
        let name = "`\(told.certificate.shortSubject)`"
        let taken = (set.members + set.offers).count { $0.span == told.span }
        var notes = ["its subject is `\(told.certificate.shownSubject)`"]
        notes += anchors.filter { $0.name != told.name }.prefix(mostTold).map { anchor in
            "`\(anchor.certificate.shortSubject)` (\(anchor.name)): \(reason(anchor))"
        }
        let untold = anchors.count - 1 - mostTold
        if untold > 0 { notes.append("and \(Words.count(untold, "more")) likewise") }
        notes.append(
            "\(taken) of the \(taken + anchors.count) certificates here are taken into "
                + "`\(set.id.value)`")
        return Diagnostic(
            .leftOutByUse,
            "\(name) is left out of `\(set.id.value)`: \(told.name) \(reason(told))",
            at: Diagnostic.Label(told.span),
            help: [
                "leave it so; to refuse its key on every path, also under another anchor, write the "
                    + "key under `forbidden-keys`"
            ], notes: notes)
    }

    /// The most certificates of one file that are named beside the first.
    private static let mostTold = 6

    private static func reason(_ anchor: BoundAnchor) -> String {
        guard let uses = anchor.uses, !uses.allowServers else {
            return "has the name and key of a certificate that is rejected for servers"
        }
        if uses.rejectServers { return "is rejected for servers" }
        let names = uses.trustedNames
        return names.isEmpty
            ? "is trusted for no use" : "is trusted for \(Words.list(names)) alone"
    }
}
