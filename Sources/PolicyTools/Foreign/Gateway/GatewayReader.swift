import PolicyCompiler
import TrustEngine

/// Reads manifests of Kubernetes: documents of a stream, and the items of a `List`. Other kinds
/// than `BackendTLSPolicy`, `ConfigMap` and `Service` are skipped.
///
/// A `BackendTLSPolicy` is checked against the schema of its CRD
/// (`config/crd/standard/gateway.networking.k8s.io_backendtlspolicies.yaml` of gateway-api), with
/// its patterns and its rules in CEL.
package struct GatewayReader {
    private var file = GatewayFile()

    /// Reads a file.
    ///
    /// - Parameter emptyIsRefused: whether a file without policies is refused.
    /// - Throws: HX101 or HX501 with the place of the first fault.
    package static func read(
        _ bytes: [UInt8], emptyIsRefused: Bool = true
    ) throws(ForeignError) -> GatewayFile {
        var reader = GatewayReader()
        for document in try DocumentNode.documents(bytes) { try reader.object(document, depth: 0) }
        guard !emptyIsRefused || !reader.file.policies.isEmpty else {
            throw ForeignError(
                .configurationRefused, "the file has no `BackendTLSPolicy`", at: 0..<0)
        }
        return reader.file
    }

    private mutating func object(_ node: DocumentNode, depth: Int) throws(ForeignError) {
        _ = try node.requireMap("an object")
        let kind = node.value("kind")?.text ?? ""
        let version = node.value("apiVersion")?.text ?? ""
        if kind.hasSuffix("List"), let items = node.value("items"), depth < 4 {
            for item in try items.requireItems("items") { try object(item, depth: depth + 1) }
            return
        }
        switch (kind, version) {
        case ("BackendTLSPolicy", _) where version.hasPrefix("gateway.networking.k8s.io/"):
            guard GatewaySchema.versions.contains(version) else {
                throw refused(
                    "the CRD of `BackendTLSPolicy` has no version `\(version.prefix(60))`",
                    node.value("apiVersion")?.range ?? node.range.prefix(1))
            }
            try policy(node)
        case ("ConfigMap", "v1"):
            let data = node.value("data")
            file.bundles[try path(node)] = GatewayFile.Bundle(
                text: try data?.value("ca.crt")?.requireKubernetesText("ca.crt"), range: node.range)
        case ("Service", "v1"):
            var ports: [String: Int] = [:]
            for port in try node.value("spec")?.value("ports")?.requireItems("ports") ?? [] {
                guard let number = port.value("port") else { continue }
                let name = try port.value("name")?.requireKubernetesText("name") ?? ""
                ports[name] = try number.requireKubernetesNumber("port", upTo: 65_535)
            }
            let isAlias = node.value("spec")?.value("type")?.text == "ExternalName"
            let alias = try node.value("spec")?.value("externalName")?.requireKubernetesText(
                "externalName")
            file.services[try path(node)] = GatewayFile.Service(
                ports: ports,
                externalName: isAlias ? alias : nil)
        default: break
        }
    }

    private func path(_ node: DocumentNode) throws(ForeignError) -> String {
        let name = try self.name(node)
        return "\(name.namespace)/\(name.name)"
    }

    private func name(
        _ node: DocumentNode
    ) throws(ForeignError) -> (namespace: String, name: String) {
        let metadata = node.value("metadata")
        guard let name = metadata?.value("name") else {
            throw refused("an object needs `metadata.name`", node.range.prefix(1))
        }
        var namespace = "default"
        if let node = metadata?.value("namespace") {
            namespace = try node.requireKubernetesText("namespace")
        }
        return (namespace, try name.requireKubernetesText("name"))
    }

    private func refused(_ message: String, _ range: Range<Int>) -> ForeignError {
        .refusedByServer(message, at: range)
    }

    // MARK: BackendTLSPolicy

    private mutating func policy(_ node: DocumentNode) throws(ForeignError) {
        let name = try self.name(node)
        guard let spec = node.value("spec") else {
            throw refused("`spec` is required", node.range.prefix(1))
        }
        drop(spec, "spec", ["options", "targetRefs", "validation"])
        guard let validation = spec.value("validation") else {
            throw refused("`spec.validation` is required", spec.range.prefix(1))
        }
        _ = try validation.requireMap("validation")
        if let hashes = validation.entry("trustedCertificateHashes") {
            throw refused(
                "`trustedCertificateHashes` is a proposal (GEP-4152) whose format is not settled",
                hashes.keyRange)
        }
        drop(
            validation, "validation",
            ["caCertificateRefs", "hostname", "subjectAltNames", "wellKnownCACertificates", "mode"])
        guard let hostname = validation.value("hostname") else {
            throw refused("`hostname` is required", validation.range.prefix(1))
        }
        let read = GatewayFile.Policy(
            namespace: name.namespace, name: name.name, created: try created(node),
            targets: try targets(spec),
            hostname: try text(hostname, "hostname", 253, GatewaySchema.isName),
            references: try references(validation), wellKnown: try wellKnown(validation),
            names: try names(validation), mode: try mode(validation),
            options: try options(spec), range: hostname.range)
        try check(read, validation)
        file.policies.append(read)
    }

    /// Reports fields that are not in the schema. A server that does not refuse them drops them.
    private mutating func drop(_ node: DocumentNode, _ place: String, _ known: Set<String>) {
        for entry in node.entries where !known.contains(entry.key) {
            file.findings.append(
                Diagnostic(
                    .ignoredByTarget,
                    "`\(place)` has no field `\(entry.key.prefix(60))`: the API server refuses or "
                        + "drops it", at: Diagnostic.Label(entry.keyRange.foreignSpan)))
        }
    }

    private func created(_ node: DocumentNode) throws(ForeignError) -> UTCInstant? {
        guard let written = node.value("metadata")?.value("creationTimestamp") else { return nil }
        guard let text = written.text, text.utf8.count == 20,
            let date = try? DateScanner.scan(text)
        else {
            throw refused(
                "`creationTimestamp` takes a time such as `2026-01-31T10:00:00Z`", written.range)
        }
        return date.firstSecond
    }

    private func targets(_ spec: DocumentNode) throws(ForeignError) -> [GatewayFile.Target] {
        guard let list = spec.value("targetRefs") else {
            throw refused("`targetRefs` is required", spec.range.prefix(1))
        }
        let items = try list.requireItems("targetRefs", upTo: 16)
        guard !items.isEmpty else {
            throw refused("`targetRefs` needs at least one item", list.range)
        }
        var targets: [GatewayFile.Target] = []
        for item in items {
            let (group, kind, name) = try object(item, "targetRefs")
            let section = try item.value("sectionName").flatMap {
                (node) throws(ForeignError) in
                try text(node, "sectionName", 253, GatewaySchema.isName)
            }
            targets.append(
                GatewayFile.Target(
                    group: group, kind: kind, name: name, section: section, range: item.range))
        }
        // The two rules of `targetRefs`, by the messages of the CRD.
        for (index, target) in targets.enumerated() {
            for other in targets[..<index]
            where other.group == target.group && other.kind == target.kind
                && other.name == target.name
            {
                if (other.section == nil) != (target.section == nil) {
                    throw refused(
                        "sectionName must be specified when targetRefs includes 2 or more "
                            + "references to the same target", target.range)
                }
                if other.section == target.section {
                    throw refused(
                        "sectionName must be unique when targetRefs includes 2 or more references "
                            + "to the same target", target.range)
                }
            }
        }
        return targets
    }

    /// The group, kind and name of a reference.
    private func object(
        _ node: DocumentNode, _ list: String
    ) throws(ForeignError) -> (group: String, kind: String, name: String) {
        _ = try node.requireMap("an item of `\(list)`")
        guard let group = node.value("group"), let kind = node.value("kind"),
            let name = node.value("name")
        else {
            throw refused("an item of `\(list)` needs `group`, `kind` and `name`", node.range)
        }
        return (
            try text(group, "group", 253) { $0.isEmpty || GatewaySchema.isName($0) },
            try text(kind, "kind", 63, GatewaySchema.isKind),
            try text(name, "name", 253) { !$0.isEmpty }
        )
    }

    private func references(
        _ validation: DocumentNode
    ) throws(ForeignError) -> [GatewayFile.Reference] {
        var references: [GatewayFile.Reference] = []
        let list = validation.value("caCertificateRefs")
        for item in try list?.requireItems("caCertificateRefs", upTo: 8) ?? [] {
            let (group, kind, name) = try object(item, "caCertificateRefs")
            references.append(
                GatewayFile.Reference(group: group, kind: kind, name: name, range: item.range))
        }
        return references
    }

    private func wellKnown(
        _ validation: DocumentNode
    ) throws(ForeignError) -> (text: String, range: Range<Int>)? {
        guard let node = validation.value("wellKnownCACertificates") else { return nil }
        return (
            try text(node, "wellKnownCACertificates", 253, GatewaySchema.isWellKnown), node.range
        )
    }

    private func names(
        _ validation: DocumentNode
    ) throws(ForeignError) -> [GatewayFile.AlternativeName] {
        var names: [GatewayFile.AlternativeName] = []
        let list = validation.value("subjectAltNames")
        for item in try list?.requireItems("subjectAltNames", upTo: 5) ?? [] {
            guard let type = try item.value("type")?.requireKubernetesText("type"),
                ["Hostname", "URI"].contains(type)
            else { throw refused("`type` takes `Hostname` or `URI`", item.range) }
            let isURI = type == "URI"
            let (own, other) = isURI ? ("uri", "hostname") : ("hostname", "uri")
            let words = isURI ? "URI" : "Hostname"
            guard let value = item.value(own) else {
                throw refused(
                    "SubjectAltName element must contain \(words), if Type is set to \(type)",
                    item.range)
            }
            guard item.value(other) == nil else {
                throw refused(
                    "SubjectAltName element must not contain \(isURI ? "Hostname" : "URI"), if Type "
                        + "is not set to \(isURI ? "Hostname" : "URI")", item.range)
            }
            let written = try text(
                value, own, 253, isURI ? GatewaySchema.isURI : GatewaySchema.isWildcardName)
            names.append(
                GatewayFile.AlternativeName(isURI: isURI, text: written, range: item.range))
        }
        return names
    }

    private func mode(
        _ validation: DocumentNode
    ) throws(ForeignError) -> (mode: GatewayFile.Mode, range: Range<Int>)? {
        guard let node = validation.value("mode") else { return nil }
        guard let mode = GatewayFile.Mode(rawValue: try node.requireKubernetesText("mode")) else {
            let known = GatewayFile.Mode.allCases.map { "`\($0.rawValue)`" }
            throw refused("`mode` takes \(known.joined(separator: ", "))", node.range)
        }
        return (mode, node.range)
    }

    private func options(_ spec: DocumentNode) throws(ForeignError) -> Range<Int>? {
        guard let node = spec.value("options") else { return nil }
        _ = try node.requireMap("options")
        guard node.entries.count <= 16 else {
            throw refused("`options` takes at most 16 entries", node.range)
        }
        for entry in node.entries where !entry.value.isNothing {
            _ = try text(entry.value, "options.\(entry.key.prefix(60))", 4096) { _ in true }
        }
        return node.entries.isEmpty ? nil : node.range
    }

    /// The rules of `validation`, by the messages of the CRD, and those that GEP-4152 proposes.
    private func check(
        _ policy: GatewayFile.Policy, _ validation: DocumentNode
    ) throws(ForeignError) {
        let place = policy.range
        if !policy.references.isEmpty, policy.wellKnown != nil {
            throw refused(
                "must not contain both CACertificateRefs and WellKnownCACertificates", place)
        }
        let hasAnchors = !policy.references.isEmpty || policy.wellKnown != nil
        switch policy.mode?.mode {
        case .skipsAll:
            guard !hasAnchors else {
                throw refused(
                    "with the mode `InsecureSkipVerification` there must be no CA certificates",
                    place)
            }
        case .skipsNames where !policy.names.isEmpty:
            throw refused(
                "with the mode `InsecureSkipSANVerification` there must be no `subjectAltNames`",
                place)
        case .strict, .skipsNames, nil:
            guard hasAnchors else {
                throw refused(
                    "must specify either CACertificateRefs or WellKnownCACertificates", place)
            }
        }
    }

    /// A text that is not too long and has a form.
    private func text(
        _ node: DocumentNode, _ name: String, _ most: Int, _ hasForm: (String) -> Bool
    ) throws(ForeignError) -> String {
        let text = try node.requireKubernetesText(name)
        guard text.unicodeScalars.count <= most, hasForm(text) else {
            throw refused(
                "`\(name)` does not have the form that the schema demands; found "
                    + "`\(text.prefix(120))`", node.range)
        }
        return text
    }
}

/// The versions and patterns of the CRD.
enum GatewaySchema {
    static let versions = ["gateway.networking.k8s.io/v1", "gateway.networking.k8s.io/v1alpha3"]

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLowerOrDigit(byte) || (0x41...0x5A).contains(byte)
    }

    /// `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
    static func isName(_ text: String) -> Bool {
        text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
            guard let first = label.first, let last = label.last else { return false }
            return isLowerOrDigit(first) && isLowerOrDigit(last)
                && label.allSatisfy { isLowerOrDigit($0) || $0 == 0x2D }
        }
    }

    /// A name, or one behind `*.`.
    static func isWildcardName(_ text: String) -> Bool {
        isName(text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)
    }

    /// `^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`
    static func isKind(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return isLetterOrDigit(first) && !(0x30...0x39).contains(first) && isLetterOrDigit(last)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D }
    }

    /// `^(([^:/?#]+):)(//([^/?#]*))([^?#]*)(\?([^#]*))?(#(.*))?`
    static func isURI(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: 0x3A), colon != text.utf8.startIndex else {
            return false
        }
        return !text.utf8[..<colon].contains { "/?#".utf8.contains($0) }
            && text.utf8[colon...].dropFirst().starts(with: "//".utf8)
    }

    /// `System`, or a name behind the domain of an implementation and `/`.
    static func isWellKnown(_ text: String) -> Bool {
        if text == "System" { return true }
        guard let slash = text.utf8.firstIndex(of: 0x2F), isName(String(text[..<slash])) else {
            return false
        }
        let name = text.utf8[slash...].dropFirst()
        guard let first = name.first, let last = name.last, name.count <= 63 else { return false }
        return isLetterOrDigit(first) && isLetterOrDigit(last)
            && name.allSatisfy { isLetterOrDigit($0) || "-_.".utf8.contains($0) }
    }
}
