internal import TrustEngine

// `constraints` of an anchor set (LANGUAGE section 5).
extension Binder {
    func bindConstraints(_ entry: MapEntry?) -> BoundConstraints? {
        guard let entry, let map = section(entry) else { return nil }
        var bound = BoundConstraints(key: entry.key.span)
        for field in entry.shape.map?.keys ?? [] {
            guard let part = map[field.name] else { continue }
            bound.parts.append(Located(value: field.name, span: part.value.span))
            read(part, path: "constraints.\(field.name)", into: &bound.value)
        }
        return bound
    }

    private func read(_ entry: MapEntry, path: String, into value: inout AnchorConstraints) {
        switch entry.shape.name {
        case "permitted-names": value.permittedNames = names(entry, path: path)
        case "excluded-names": value.excludedNames = names(entry, path: path)
        case "permitted-uris":
            value.permittedURIs = Set(uriPatterns(entry, path: path).map(\.value))
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        case "not-before": value.notBefore = window(entry, path: path)?.value
        case "sct": value.sct = window(entry, path: path)?.value
        case "key-purposes": value.keyPurposes = keyPurposes(entry, path: path)
        default:
            value.maximumLifetime = duration(entry, path)
        }
    }

    /// Host patterns without a port, sorted, each once. Certificates name hosts without ports.
    private func names(_ entry: MapEntry, path: String) -> [HostPattern] {
        let (bound, _) = list(entry, path: path) { node in
            let host = host(node, path: path, example: entry.shape.example, in: .certificateNames)
            if let pattern = host?.value.pattern, pattern.port != nil {
                report(
                    .unknownValue,
                    "`\(path)` takes patterns without port; found \(quoted(node.text))",
                    at: node.span,
                    help: [
                        "names of certificates have no ports: write "
                            + "`\"\(HostPattern(host: pattern.host, port: nil).canonicalText)\"`"
                    ])
                return Located<BoundHost>?.none
            }
            return host
        }
        return Set(bound.items.map(\.value.pattern)).sorted()
    }
}
