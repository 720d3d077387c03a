internal import TrustEngine

// Anchor sets (LANGUAGE section 5).
extension Binder {
    func bindAnchorSet(_ id: Located<String>, _ entry: MapEntry, isDefined: Bool) {
        var set = BoundAnchorSet(id: id)
        if let map = section(
            entry.value, shape: PolicyFields.anchorSet, name: id.value,
            example: entry.shape.example)
        {
            read(map, into: &set)
        } else {
            policy.incompleteReferences.insert(.anchors)
        }
        if isDefined { policy.anchorSets.append(set) }
    }

    private func read(_ map: MapContents, into set: inout BoundAnchorSet) {
        let sources = ["include", "files", "pem"]
        if sources.allSatisfy({ map[$0] == nil && !map.mayHold($0) }) {
            report(
                .missingKey,
                "`\(set.id.value)` has none of `include`, `files` and `pem`, so nothing is in it",
                at: set.id.span, help: ["for example `files: [anchors/corp.pem]`"])
        }
        set.isComplete = (sources + ["only", "exclude"]).allSatisfy { !map.mayHold($0) }
        set.include = references(map["include"], to: .anchors, in: map, key: "include")
        if let entry = map["files"] {
            set.files = paths(in: entry, isComplete: &set.isComplete)
            for path in set.files?.items ?? [] {
                guard let anchors = anchors(in: path) else {
                    set.isComplete = false
                    continue
                }
                set.members += anchors
            }
        }
        if let entry = map["pem"] {
            set.pem = entry.key.span
            let anchors = anchors(written: entry)
            if anchors == nil { set.isComplete = false }
            set.members += anchors ?? []
        }
        set.members = trusted(set.members, of: &set)
        set.only = matches(map["only"], isComplete: &set.isComplete)
        set.exclude = matches(map["exclude"], isComplete: &set.isComplete)
        readTerms(map, into: &set)
        set.constraints = bindConstraints(map["constraints"])
        set.owner = text(map["owner"], path: "owner")
        set.note = text(map["note"], path: "note")
    }

    /// Reads the kind, the standard and the ignored limits of the set's own certificates, and the
    /// intermediates that the set offers.
    private func readTerms(_ map: MapContents, into set: inout BoundAnchorSet) {
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
        set.hasUnreadableKind =
            map.mayHold("kind") || (map["kind"] != nil && set.kind == nil)
        if let entry = map["intermediates"] {
            var isComplete = true
            set.intermediates = paths(in: entry, isComplete: &isComplete)
            for path in set.intermediates?.items ?? [] {
                set.offers += anchors(in: path) ?? []
            }
            set.offers = trusted(set.offers, of: &set)
        }
        if let entry = map["standard"] {
            set.standard = word(
                entry.value, path: "standard", example: entry.shape.example,
                of: PolicyWords.standardWord
            ) { text in
                [Standard.webPKI, .rfc5280].first { $0.name == text }
            }
        }
        if let entry = map["ignore-limits"] {
            let (limits, _) = list(entry, path: "ignore-limits") { node in
                word(
                    node, path: "ignore-limits", example: entry.shape.example,
                    of: PolicyWords.anchorLimit
                ) { text in
                    AnchorLimits.named.first { $0.name == text }?.limit
                }
            }
            set.ignoredLimits = Located(
                value: limits.items.reduce(into: []) { $0.formUnion($1.value) }, span: limits.span)
        }
    }

    /// The certificates that OpenSSL's uses beside them trust for servers, or that have no uses.
    /// The others are noted in the set. A use that is rejected counts for every certificate of the
    /// same name and key, as an anchor does.
    private func trusted(
        _ certificates: [BoundAnchor], of set: inout BoundAnchorSet
    ) -> [BoundAnchor] {
        guard certificates.contains(where: { $0.uses != nil }) else { return certificates }
        let rejected = Set(
            certificates.filter { $0.uses?.rejectServers == true }
                .map { NameAndKey($0.certificate) })
        let isLeftOut = { (anchor: BoundAnchor) in
            anchor.uses?.allowServers == false
                || rejected.contains(NameAndKey(anchor.certificate))
        }
        set.leftOut += certificates.filter(isLeftOut)
        let kept = certificates.filter { !isLeftOut($0) }
        let emptied = Set(certificates.map(\.span)).subtracting(kept.map(\.span))
        for span in emptied.sorted(by: { $0.start < $1.start }) {
            set.isComplete = false
            report(
                .anchorUnreadable,
                "none of the certificates here is trusted for servers, by the uses that OpenSSL "
                    + "keeps beside them",
                at: span, help: ["name a CA that its file trusts for servers"])
        }
        return kept
    }

    private func matches(_ entry: MapEntry?, isComplete: inout Bool) -> BoundMatches? {
        guard let entry else { return nil }
        let (entries, isWhole) = keyMatches(entry)
        if !isWhole { isComplete = false }
        return BoundMatches(key: entry.key.span, entries: entries)
    }

    /// The file paths of a list. A path that names a folder is replaced by the certificate files in
    /// it.
    private func paths(in entry: MapEntry, isComplete: inout Bool) -> BoundList<String> {
        let name = entry.shape.name
        let (bound, isWhole) = list(entry, path: name) { node in
            paths(node, field: name, example: entry.shape.example)
                .map { Located(value: $0, span: node.span) }
        }
        if !isWhole { isComplete = false }
        return BoundList(key: bound.key, span: bound.span, items: bound.items.flatMap(\.value))
    }

    /// The certificates of a file that `files` names; nil if the file's problem was reported.
    private func anchors(in path: Located<String>) -> [BoundAnchor]? {
        guard let material = material(path, wanted: .certificates),
            !refusesMerkleTreeAuthority(in: material, "`\(path.value)`", at: path.span)
        else { return nil }
        return named(material, "`\(path.value)`", at: path.span)
    }

    /// The certificates of `pem`; nil if a problem in the text was reported. The problem is
    /// reported at the key, so that no renderer quotes a private key.
    private func anchors(written entry: MapEntry) -> [BoundAnchor]? {
        let style = entry.value.style
        let text = scan(entry.value, path: "pem", example: "pem: |", isText: true) {
            text throws(ScalarProblem) in
            try FreeTextScanner.scan(
                text, for: "pem", style: style, limit: FreeTextScanner.pemLimit)
        }
        guard let text else { return nil }
        do throws(KeyMaterialProblem) {
            let material = try KeyMaterial(Array(text.value.utf8), wanted: .certificates)
            if refusesMerkleTreeAuthority(in: material, "`pem`", at: entry.key.span) { return nil }
            return named(material, "`pem`", at: entry.key.span)
        } catch {
            report(error, in: "`pem`", path: nil, at: entry.key.span)
            return nil
        }
    }

    private func named(
        _ material: KeyMaterial, _ file: String, at span: SourceSpan
    ) -> [BoundAnchor] {
        let certificates = material.certificates
        return certificates.enumerated().map { index, certificate in
            let name =
                certificates.count == 1
                ? "the certificate of \(file)" : "certificate \(index + 1) of \(file)"
            return BoundAnchor(
                certificate: certificate, name: name, span: span, uses: material.uses[index])
        }
    }

    /// The certificates and keys of a file of the unit; nil if the file's problem was reported.
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
            report(error, in: "`\(path.value)`", path: path.value, at: path.span)
            return nil
        }
    }

    func report(_ error: ResourceError, of path: Located<String>) {
        switch error.code {
        case .leavesRoot:
            report(
                .pathLeavesUnit, "`\(path.value)` leaves the unit: \(error.context)", at: path.span,
                help: [
                    "put the file into the unit; symbolic links may lead to files of the unit alone"
                ])
        case .tooLarge:
            report(
                .limits, "`\(path.value)` is too large: \(error.context)", at: path.span,
                help: ["name a file with the certificates that are meant and no others"])
        case .notFound, .notRegular, .unreadable:
            report(
                .anchorUnreadable, "`\(path.value)` cannot be read: \(error.context)",
                at: path.span,
                help: [
                    error.code == .notFound
                        ? "put the file there, or write its path from the folder of this file"
                        : "make it a regular file that this user may read"
                ])
        }
    }

    func report(
        _ problem: KeyMaterialProblem, in file: String, path: String?, at span: SourceSpan
    ) {
        switch problem {
        case .privateKey:
            report(
                .privateKeyPresent, "\(file) holds a private key, which no policy needs", at: span,
                help: [
                    "keep the certificate or the public key alone; a key that was shared this way "
                        + "is no longer secret"
                ])
        case .unreadable(let reason, let help):
            report(
                .anchorUnreadable, "\(file) \(reason)", at: span,
                help: help.isEmpty ? ["name a file with certificates in PEM or DER"] : help)
        case .foreign(let form):
            report(
                .anchorUnreadable, "\(file) \(form.words)", at: span,
                help: path == nil ? [] : [form.help(for: path)])
        }
    }
}
