internal import TrustEngine

// Anchor sets (LANGUAGE section 5).
extension Binder {
    func bindAnchorSet(_ id: Located<String>, _ entry: MapEntry) {
        let isDefined = define(id, in: .anchors)
        var set = BoundAnchorSet(id: id)
        if let map = section(
            entry.value, shape: PolicyFields.anchorSet, name: id.value,
            example: entry.shape.example, path: "")
        {
            read(map, into: &set)
        } else {
            policy.incompleteReferences.insert(.anchors)
        }
        if isDefined { policy.anchorSets.append(set) }
    }

    private func read(_ map: MapContents, into set: inout BoundAnchorSet) {
        let sources = ["include", "files", "pem"]
        if !sources.contains(where: { map[$0] != nil || map.mayHold($0) }) {
            report(
                .missingKey, "`\(set.id.value)` has neither `files` nor `pem`, so nothing is in it",
                at: set.id.span, help: ["for example `files: [anchors/corp.pem]`"])
        }
        if let entry = map["kind"] {
            set.kind = word(
                entry.value, path: "kind", example: entry.shape.example,
                of: PolicyWords.anchorKind
            ) { text in
                switch text {
                case "root": return AnchorSetContents.Kind.root
                case "intermediate": return .intermediate
                case "leaf": return .leaf
                default: return nil
                }
            }
        }
        if let entry = map["files"] {
            set.files = paths(in: entry)
            for path in set.files?.items ?? [] { set.members += anchors(in: path) }
        }
        if let entry = map["pem"] { set.members += anchors(written: entry) }
        set.owner = text(map["owner"], path: "owner")
        set.note = text(map["note"], path: "note")
    }

    /// The files that a list of paths names, the folders among them opened out.
    private func paths(in entry: MapEntry) -> BoundList<String> {
        let name = entry.shape.name
        let (bound, _) = list(entry, path: name) { node in
            paths(node, field: name, example: entry.shape.example)
                .map { Located(value: $0, span: node.span) }
        }
        return BoundList(key: bound.key, span: bound.span, items: bound.items.flatMap(\.value))
    }

    /// The certificates of a file that `files` names.
    private func anchors(in path: Located<String>) -> [BoundAnchor] {
        guard let material = material(path, wanted: .certificates) else { return [] }
        return named(material.certificates, "`\(path.value)`", at: path.span)
    }

    /// The certificates of `pem`. What is wrong in it is reported at the key, so that no renderer
    /// quotes a private key.
    private func anchors(written entry: MapEntry) -> [BoundAnchor] {
        let style = entry.value.style
        let text = scan(entry.value, path: "pem", example: "pem: |", isText: true) {
            text throws(ScalarProblem) in
            try FreeTextScanner.scan(
                text, for: "pem", style: style, limit: FreeTextScanner.pemLimit)
        }
        guard let text else { return [] }
        do throws(KeyMaterialProblem) {
            let material = try KeyMaterial(Array(text.value.utf8), wanted: .certificates)
            return named(material.certificates, "`pem`", at: entry.key.span)
        } catch {
            report(error, in: "`pem`", at: entry.key.span)
            return []
        }
    }

    private func named(
        _ certificates: [Certificate], _ file: String, at span: SourceSpan
    ) -> [BoundAnchor] {
        certificates.enumerated().map { index, certificate in
            let name =
                certificates.count == 1
                ? "the certificate of \(file)" : "certificate \(index + 1) of \(file)"
            return BoundAnchor(certificate: certificate, name: name, span: span)
        }
    }

    /// What a file of the unit holds, or nil when that was reported.
    func material(_ path: Located<String>, wanted: KeyMaterial.Wanted) -> KeyMaterial? {
        let bytes: [UInt8]
        do throws(ResourceError) {
            bytes = try files.read(path.value)
        } catch {
            report(error, of: path)
            return nil
        }
        do throws(KeyMaterialProblem) {
            return try KeyMaterial(bytes, wanted: wanted)
        } catch {
            report(error, in: "`\(path.value)`", at: path.span)
            return nil
        }
    }

    func report(_ error: ResourceError, of path: Located<String>) {
        switch error.code {
        case .leavesRoot:
            report(
                .pathLeavesUnit, "`\(path.value)` leaves the unit: \(error.context)", at: path.span)
        case .tooLarge:
            report(
                .limits, "`\(path.value)` is too large: \(error.context)", at: path.span)
        case .notFound, .notRegular, .unreadable:
            report(
                .anchorUnreadable, "`\(path.value)` cannot be read: \(error.context)",
                at: path.span)
        }
    }

    func report(_ problem: KeyMaterialProblem, in file: String, at span: SourceSpan) {
        switch problem {
        case .privateKey:
            report(
                .privateKeyPresent, "\(file) holds a private key, which no policy needs", at: span,
                help: [
                    "keep the certificate or the public key alone; a key that was shared this way "
                        + "is no longer secret"
                ])
        case .unreadable(let reason, let help):
            report(.anchorUnreadable, "\(file) \(reason)", at: span, help: help)
        }
    }
}
