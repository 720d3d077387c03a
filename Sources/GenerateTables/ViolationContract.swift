import PolicyCompiler

/// `grammar/violations.yaml`: every check, every violation and every demand of a standard.
struct ViolationContract {
    /// One check.
    struct Check {
        let id: String
        let what: String
        let asked: Asked
        /// Whether it is asked only where signatures lead to an anchor.
        let restsOnSignatures: Bool

        var name: String { RequirementSchema.camel(id) }
    }

    /// Of what a check is asked, and by whom.
    enum Asked: String {
        case request, path, validator
    }

    /// One violation.
    struct Violation {
        let id: String
        let what: String
        /// The Swift name.
        let name: String
        /// Whether it is the path validator's.
        let isOfValidator: Bool
        /// The id of its check.
        let check: String
        let side: String
        let waiver: String?
        let secTrust: String?
        let openSSL: String
        let traits: [String]
        /// Whether its ids are those of the demands of a standard.
        let isStandard: Bool
        /// The Swift type of its one value; nil where every field is a value of its own.
        let payload: String?
        let fields: [ViolationField]
        let shapes: [Shape]
    }

    /// Fields that a violation has for some values of `constraint`.
    struct Shape {
        let constraint: [String]
        let fields: [ViolationField]
    }

    /// One demand of a standard.
    struct Demand {
        let id: String
        let what: String
        let name: String
        let section: String
    }

    /// In the order of the contract.
    let checks: [Check]
    let violations: [Violation]
    let demands: [Demand]

    /// Reads the contract.
    ///
    /// - Throws: when a part is missing, or a key or word is not one that the contract's head
    ///   names.
    init(_ tree: SyntaxTree) throws(ContractProblem) {
        func part(_ name: String) throws(ContractProblem) -> SyntaxNode {
            guard let node = tree.root?[name] else {
                throw ContractProblem(message: "`\(name)` is missing")
            }
            return node
        }
        var checks: [Check] = []
        for (key, node) in try part("checks").entries {
            checks.append(try ViolationContract.check(Entry(key.text, node)))
        }
        var violations: [Violation] = []
        for (key, node) in try part("violations").entries {
            let violation = try ViolationContract.violation(Entry(key.text, node))
            guard checks.contains(where: { $0.id == violation.check }) else {
                throw ContractProblem(message: "`\(violation.id)` belongs to no check")
            }
            violations.append(violation)
        }
        var demands: [Demand] = []
        for (key, node) in try part("standard-demands").entries {
            let entry = Entry(key.text, node)
            try entry.allow(["what", "name", "section"])
            demands.append(
                Demand(
                    id: entry.id, what: try entry.text("what"),
                    name: node["name"]?.text ?? RequirementSchema.camel(entry.id),
                    section: try entry.text("section")))
        }
        self.checks = checks
        self.violations = violations
        self.demands = demands
    }

    /// The ids of a violation.
    func ids(of violation: Violation) -> [String] {
        violation.isStandard ? demands.map(\.id) : [violation.id]
    }

    // MARK: Reading one entry

    /// One entry of a map of the contract.
    private struct Entry {
        let id: String
        let node: SyntaxNode

        init(_ id: String, _ node: SyntaxNode) {
            self.id = id
            self.node = node
        }

        func allow(_ keys: Set<String>) throws(ContractProblem) {
            for (key, _) in node.entries where !keys.contains(key.text) {
                throw ContractProblem(message: "`\(id)` has the unknown key `\(key.text)`")
            }
        }

        func text(_ key: String) throws(ContractProblem) -> String {
            guard let text = node[key]?.text, !text.isEmpty else {
                throw ContractProblem(message: "`\(id)` has no `\(key)`")
            }
            return text
        }

        func word(_ key: String, of words: [String]) throws(ContractProblem) -> String {
            let word = try text(key)
            guard words.contains(word) else {
                throw ContractProblem(message: "`\(id)` has the unknown `\(key)` `\(word)`")
            }
            return word
        }

        /// A word that may be left out.
        func wordIfWritten(_ key: String, of words: [String]) throws(ContractProblem) -> String? {
            node[key] == nil ? nil : try word(key, of: words)
        }
    }

    private static func check(_ entry: Entry) throws(ContractProblem) -> Check {
        try entry.allow(["what", "asked", "rests-on"])
        guard let asked = Asked(rawValue: try entry.text("asked")) else {
            throw ContractProblem(message: "`\(entry.id)` is asked of nothing that is known")
        }
        return Check(
            id: entry.id, what: try entry.text("what"), asked: asked,
            restsOnSignatures: try entry.wordIfWritten("rests-on", of: ["signatures"]) != nil)
    }

    private static func violation(_ entry: Entry) throws(ContractProblem) -> Violation {
        let node = entry.node
        try entry.allow([
            "what", "name", "raised-by", "check", "side", "waiver", "sec-trust", "openssl",
            "traits", "ids", "payload", "fields", "shapes",
        ])
        let traits = (node["traits"]?.items ?? []).map(\.text)
        guard traits.allSatisfy(["missing-evidence", "no-better-path"].contains) else {
            throw ContractProblem(message: "`\(entry.id)` has an unknown trait")
        }
        var shapes: [Shape] = []
        for item in node["shapes"]?.items ?? [] {
            shapes.append(
                Shape(
                    constraint: (item["constraint"]?.items ?? []).map(\.text),
                    fields: try ViolationField.all(of: item, in: entry.id)))
        }
        return Violation(
            id: entry.id, what: try entry.text("what"),
            name: node["name"]?.text ?? RequirementSchema.camel(entry.id),
            isOfValidator: try entry.word("raised-by", of: ["validator", "evaluation"])
                == "validator",
            check: try entry.text("check"),
            side: try entry.word(
                "side", of: ["server", "policy", "this-machine", "network", "in-between"]),
            waiver: node["waiver"]?.text,
            secTrust: try entry.wordIfWritten("sec-trust", of: ["invalid", "deny", "other-error"]),
            openSSL: node["openssl"]?.text ?? "X509_V_ERR_APPLICATION_VERIFICATION",
            traits: traits,
            isStandard: try entry.wordIfWritten("ids", of: ["standard-demands"]) != nil,
            payload: node["payload"]?.text,
            fields: try ViolationField.all(of: node, in: entry.id), shapes: shapes)
    }
}

/// One field of a violation: its name in JSON and its kind.
struct ViolationField {
    let name: String
    let kind: Kind
    /// The label of the Swift value, empty for none; of a payload the property.
    let label: String
    /// The Swift type.
    let type: String
    /// The values that the schema allows; empty where it allows every one.
    let words: [String]

    /// Which kind of value a field has.
    enum Kind: String, CaseIterable {
        case text, texts
        /// One text, in JSON a list of one.
        case textInList = "text-in-list"
        /// An integer that is not negative.
        case natural
        case integer, instant
        case optionalInstant = "optional-instant"
        case digest, certificate
        case tlsVersion = "tls-version"
        /// Of a name to a subtree that forbids it.
        case relation
        case demand
        case revocationCause = "revocation-cause"
        case answer, answers, criteria, timestamps
        case wantedPins = "wanted-pins"
        case foundKeys = "found-keys"
    }

    /// The fields under `fields`, in their order.
    static func all(
        of node: SyntaxNode, in id: String
    ) throws(ContractProblem) -> [ViolationField] {
        var fields: [ViolationField] = []
        for (key, value) in node["fields"]?.entries ?? [] {
            let word = value["kind"]?.text ?? value.text
            guard let kind = Kind(rawValue: word) else {
                throw ContractProblem(message: "`\(id)`: `\(key.text)` is of no kind that is known")
            }
            let usual = key.text == "certificate" ? "none" : key.text
            let label = value["label"]?.text ?? usual
            fields.append(
                ViolationField(
                    name: key.text, kind: kind,
                    label: label == "none" ? "" : label,
                    type: value["type"]?.text ?? kind.type,
                    words: (value["words"]?.items ?? []).map(\.text)))
        }
        return fields
    }

    /// The field as an associated value: `time: UTCInstant`.
    var associated: String { label.isEmpty ? type : "\(label): \(type)" }

    /// The field as a parameter: `_ certificate: CertificateReference`.
    var parameter: String {
        if label.isEmpty { return "_ \(name): \(type)" }
        return label == name ? "\(name): \(type)" : "\(label) \(name): \(type)"
    }

    /// The field as an argument: `tolerance: toleranceSeconds`.
    var argument: String { label.isEmpty ? name : "\(label): \(name)" }

    /// The property of a payload.
    var property: String { label.isEmpty ? name : label }

    /// An expression of the field's type as a `ViolationValue`.
    func value(_ expression: String) -> String {
        switch kind {
        case .text: return ".text(\(expression))"
        case .texts: return ".texts(\(expression))"
        case .textInList: return ".texts([\(expression)])"
        case .natural, .integer: return ".integer(Int64(\(expression)))"
        case .instant, .optionalInstant: return ".instant(\(expression))"
        case .digest: return ".digest(\(expression))"
        case .certificate: return ".certificate(\(expression))"
        case .tlsVersion, .revocationCause: return ".text(\(expression).name)"
        case .relation: return ".text(\(expression) ? \"excluded\" : \"permitted\")"
        case .demand: return ".demand(\(expression))"
        case .answer: return ".answer(\(expression))"
        case .answers: return ".answers(\(expression))"
        case .criteria: return ".criteria(\(expression))"
        case .timestamps: return ".timestamps(\(expression))"
        case .wantedPins: return ".wantedPins(\(expression))"
        case .foundKeys: return ".foundKeys(\(expression))"
        }
    }
}

extension ViolationField.Kind {
    /// The Swift type of such a value.
    fileprivate var type: String {
        switch self {
        case .text, .textInList: return "String"
        case .texts: return "[String]"
        case .natural: return "Int"
        case .integer: return "Int64"
        case .instant: return "UTCInstant"
        case .optionalInstant: return "UTCInstant?"
        case .digest: return "Digest"
        case .certificate: return "CertificateReference"
        case .tlsVersion: return "TLSVersion"
        case .relation: return "Bool"
        case .demand: return "StandardDemand"
        case .revocationCause: return "RevocationCause"
        case .answer: return "RevocationAnswer"
        case .answers: return "[RevocationAnswer]"
        case .criteria: return "[TransparencyCriterion]"
        case .timestamps: return "[TimestampFinding]"
        case .wantedPins: return "[PinMismatch.Wanted]"
        case .foundKeys: return "[PinMismatch.Found]"
        }
    }
}
