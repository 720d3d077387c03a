internal import TrustEngine

// Rules and `default` (LANGUAGE section 4).
extension Binder {
    /// One rule.
    func bindRule(_ id: Located<String>, _ entry: MapEntry, isDefined: Bool) {
        guard
            let map = section(
                entry.value, shape: PolicyFields.rule, name: id.value,
                example: entry.shape.example)
        else {
            policy.incompleteReferences.formUnion(Namespace.allCases)
            return
        }
        requireKeys(["hosts"], in: map, of: "`\(id.value)`", at: id.span, shape: PolicyFields.rule)
        var hosts: [BoundHost] = []
        if let entry = map["hosts"] {
            hosts =
                items(entry, path: "hosts") {
                    host($0, path: "hosts", example: entry.shape.example)?.value
                }.items
        }
        let body = bindBody(map, name: id.value, key: id.span)
        if isDefined { policy.append(BoundRule(id: id, hosts: hosts, body: body)) }
    }

    /// Reads the keys that rules and `default` have in common.
    func bindBody(_ map: MapContents, name: String, key: SourceSpan) -> BoundBody {
        requireKeys(["anchors"], in: map, of: "`\(name)`", at: key, shape: PolicyFields.rule)
        let anchors = references(map["anchors"], to: .anchors, in: map)
        let pins = references(map["pins"], to: .pins, in: map)
        if map.mayHold("profile") { policy.incompleteReferences.insert(.profiles) }
        let profileEntry = map["profile"]
        let profile = profileEntry.flatMap { entry in
            id(entry.value, field: "profile", example: entry.shape.example)
        }
        let isProfileUnread = profileEntry != nil && profile == nil
        if isProfileUnread { policy.incompleteReferences.insert(.profiles) }
        let identity = bindIdentity(map["identity"])
        let waivers = bindWaivers(map["waivers"], of: name)
        var fields = bindLayer(map, name: name, inProfile: false)
        if map.mayHold("profile") || isProfileUnread {
            fields.unread = Set(ProfileField.allCases)
        }
        let owner = map["owner"]
        return BoundBody(
            name: name, key: key, anchors: anchors, pins: pins, mayHavePins: map.mayHold("pins"),
            profile: profile, identity: identity, waivers: waivers, fields: fields.bound,
            owner: text(owner, path: "owner"),
            mayHaveOwner: owner != nil || map.mayHold("owner"),
            note: text(map["note"], path: "note"))
    }

    /// A list of ids. The list stands under the namespace's name unless `key` names another key.
    func references(
        _ entry: MapEntry?, to namespace: Namespace, in map: MapContents, key: String? = nil
    ) -> BoundList<String>? {
        let key = key ?? namespace.rawValue
        guard let entry else {
            if map.mayHold(key) {
                policy.incompleteReferences.insert(namespace)
            }
            return nil
        }
        let (bound, isWhole) = list(entry, path: key) {
            id($0, field: key, example: entry.shape.example)
        }
        if !isWhole { policy.incompleteReferences.insert(namespace) }
        return bound
    }

    /// One host pattern. A pattern in another spelling than the canonical one gets a warning with a
    /// safe fix.
    func host(
        _ node: SyntaxNode, path: String, example: String,
        in field: HostPatternScanner.Field = .hosts
    ) -> Located<BoundHost>? {
        let scanned = scan(node, path: path, example: example) { text throws(ScalarProblem) in
            try HostPatternScanner.scan(text, in: field)
        }
        guard let scanned else { return nil }
        let canonical = scanned.value.canonicalText
        if !scanned.value.isCanonical {
            let unicode = scanned.value.unicodeText.map { " (`\($0)`)" } ?? ""
            reportSpelling(
                "\(quoted(node.text)) is written `\(canonical)`\(unicode) everywhere else",
                canonical: canonical, at: node)
        } else if node.style == .plain {
            reportSpelling(
                "`\(canonical)` stands without quotes; host patterns are quoted always, because "
                    + "`*`, `[` and `:` mean something to YAML",
                canonical: canonical, at: node)
        }
        let host = BoundHost(pattern: scanned.value.pattern, text: canonical, span: node.span)
        return Located(value: host, span: node.span)
    }

    /// Reports HW202 with the edit to the canonical spelling.
    func reportSpelling(_ message: String, canonical: String, at node: SyntaxNode) {
        report(
            .hostNotCanonical, message, at: node.span, help: ["write `\"\(canonical)\"`"],
            fix: FixIt(
                title: "write the canonical form", safety: .safe,
                edits: [FixIt.Edit(node.span, "\"\(canonical)\"")]))
    }
}
