internal import TrustEngine

// `identity` (LANGUAGE section 7).
extension Binder {
    func bindIdentity(_ entry: MapEntry?) -> BoundIdentity? {
        guard let entry, let map = section(entry) else { return nil }
        var identity = BoundIdentity(key: entry.key.span, span: entry.value.span)
        if let reference = map["reference"] {
            identity.reference = word(
                reference.value, path: "identity.reference", example: reference.shape.example,
                of: PolicyWords.identityReference
            ) { text in
                switch text {
                case "host": return IdentityRequirement.Reference.host
                case "listed": return .listed
                case "host-and-listed": return .hostAndListed
                default: return nil
                }
            }
        }
        identity.hasUnreadableReference =
            map.mayHold("reference") || (map["reference"] != nil && identity.reference == nil)
        let lists = ["dns", "ip", "email", "uri"].compactMap { map[$0] }
            .sorted { $0.key.span.start < $1.key.span.start }
        identity.lists = lists.map { Located(value: $0.shape.name, span: $0.key.span) }
        if lists.isEmpty, ["dns", "ip", "email", "uri"].contains(where: { map.mayHold($0) }) {
            identity.hasUnreadableReference = true
        }
        identity.dns = items(map["dns"], ExactNameScanner.scan)
            .map { Located(value: $0.value.canonicalText, span: $0.span) }
        identity.ip = items(map["ip"]) { text throws(ScalarProblem) in
            try AddressScanner.scan(text).name
        }
        .compactMap { item in
            IPAddress(text: item.value.canonicalText)
                .map { Located(value: $0, span: item.span) }
        }
        identity.email = items(map["email"], EmailScanner.scan)
            .map { Located(value: $0.value.canonicalText, span: $0.span) }
        if let uri = map["uri"] {
            identity.uri = uriPatterns(uri, path: "identity.uri")
        }
        return identity
    }

    /// A list of URI patterns.
    func uriPatterns(_ entry: MapEntry, path: String) -> [Located<String>] {
        list(entry, path: path) { node in
            scan(node, path: path, example: entry.shape.example, URIPatternScanner.scan)
        }.list.items
    }

    /// The names of one list. A name in another spelling than the canonical one gets a warning with
    /// a safe fix.
    private func items(
        _ entry: MapEntry?, _ scanner: (String) throws(ScalarProblem) -> ScannedName
    ) -> [Located<ScannedName>] {
        guard let entry else { return [] }
        let path = "identity.\(entry.shape.name)"
        return list(entry, path: path) { node in
            let scanned = scan(node, path: path, example: entry.shape.example, scanner)
            if let scanned, !scanned.value.isCanonical {
                reportSpelling(
                    "\(quoted(node.text)) is written `\(scanned.value.canonicalText)` everywhere "
                        + "else",
                    canonical: scanned.value.canonicalText, at: node)
            }
            return scanned
        }.list.items
    }
}
