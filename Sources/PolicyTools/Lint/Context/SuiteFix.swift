import PolicyCompiler
import TrustEngine

extension LintContext {
    /// The fix of a list without a suite of a version that is accepted (HW522). It adds to the list
    /// or raises the least version. It never lowers a version and takes no suite out: both would
    /// keep servers from the newest version that they speak.
    func suiteFix(_ finding: Diagnostic) -> FixIt? {
        let layers = parts.layers
        let concerned = layers.soundLayers(of: bound) { layer in
            layer.settings.contains { $0.span == finding.primary.span }
        }
        guard let (layer, parent) = concerned.first else { return nil }
        let requirements = layers.requirements(layer, over: parent)
        guard let version = VersionSuites.missing(in: requirements.tls) else { return nil }
        if version < .tls13 {
            guard requirements.tls.maximumVersion == .tls13,
                let minimum = layer.setting(.tlsMinimumVersion)
            else { return nil }
            return FixIt(
                title: "accept TLS 1.3 and nothing older", safety: .needsReview,
                edits: [FixIt.Edit(minimum.span, TLSVersion.tls13.name)])
        }
        let suites = VersionSuites.counterparts(
            of: requirements.tls.cipherSuites, in: version, for: requirements.leafKeyTypes)
        guard !suites.isEmpty, let written = layer.setting(.tlsCipherSuites),
            let tree = trees.first(where: { $0.fileIndex == Int(written.span.file) }),
            let place = tree.part(named: written.key),
            let first = place.parent.entries[place.index].value.items.first,
            let edit = insertion(of: suites, before: first.span)
        else { return nil }
        return FixIt(
            title: "accept TLS 1.3, too, with \(suites.map { "`\($0)`" }.joined(separator: ", "))",
            safety: .needsReview, edits: [edit])
    }
}
