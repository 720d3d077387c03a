import PolicyCompiler

/// The content of `grammar/violations.yaml`: every check, every violation and every demand of a
/// standard. The head of that file describes the keys.
struct ViolationContract {
    /// One check.
    struct Check {
        let id: String
        let what: String
        let asked: Asked
        /// Whether the check is made only for a path whose check `signatures` passes.
        let restsOnSignatures: Bool

        var name: String { RequirementSchema.camel(id) }
    }

    /// What a check is made for, and the part of the engine that makes it: the key `asked`.
    enum Asked: String {
        case request, path, validator
    }

    /// One violation.
    struct Violation {
        let id: String
        let what: String
        /// The Swift name.
        let name: String
        /// Whether the path validator raises the violation.
        let isOfValidator: Bool
        /// The id of the check that the violation belongs to.
        let check: String
        let side: String
        let waiver: String?
        let secTrust: String?
        let openSSL: String
        let traits: [String]
        /// Whether the ids of the violation are the ids of the demands of the standards.
        let isStandard: Bool
        /// The Swift type of the enum case's single value; nil when each field is an associated
        /// value of the case.
        let payload: String?
        let fields: [ViolationField]
        let shapes: [Shape]
    }

    /// The fields that a violation has for certain values of the field `constraint`.
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
        /// The number in the sets of demands in a table; nil for a demand of validation.
        let number: Int?
        /// Why the demand is one of validation or of issuance.
        let why: String
        /// What a breach would let an attacker do.
        let attack: String

        var isIssuance: Bool { number != nil }
    }

    /// The checks, in the order of the contract.
    let checks: [Check]
    /// The violations, in the order of the contract.
    let violations: [Violation]
    /// The demands of the standards, in the order of the contract.
    let demands: [Demand]

    /// Reads the contract.
    ///
    /// - Throws: when a part is missing, or when the contract's head does not name a key or a word.
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
            let demand = try ViolationContract.demand(Entry(key.text, node))
            if let number = demand.number, demands.contains(where: { $0.number == number }) {
                throw ContractProblem(message: "`\(demand.id)` has the number of another demand")
            }
            demands.append(demand)
        }
        self.checks = checks
        self.violations = violations
        self.demands = demands
    }

    /// The ids of a violation, in the order of the contract.
    func ids(of violation: Violation) -> [String] {
        violation.isStandard ? demands.map(\.id) : [violation.id]
    }

    // MARK: Reading one entry

    /// One entry of a map of the contract, before it is read.
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

        /// The word of an optional key; nil when the key is not written.
        func wordIfWritten(_ key: String, of words: [String]) throws(ContractProblem) -> String? {
            node[key] == nil ? nil : try word(key, of: words)
        }
    }

    private static func demand(_ entry: Entry) throws(ContractProblem) -> Demand {
        try entry.allow(["what", "name", "section", "kind", "number", "why", "attack"])
        let kind = try entry.word("kind", of: ["validation", "issuance"])
        let number = entry.node["number"].flatMap { Int($0.text) }
        guard (number != nil) == (kind == "issuance"), (0...62).contains(number ?? 0) else {
            throw ContractProblem(
                message:
                    "`\(entry.id)`: a demand of issuance, and no other, has a number of 0 to 62")
        }
        return Demand(
            id: entry.id, what: try entry.text("what"),
            name: entry.node["name"]?.text ?? RequirementSchema.camel(entry.id),
            section: try entry.text("section"), number: number, why: try entry.text("why"),
            attack: try entry.text("attack"))
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

/// One field of a violation: its name in JSON, its kind and its Swift declaration.
struct ViolationField {
    let name: String
    let kind: Kind
    /// The Swift label of the associated value, empty without a label. In a payload, the name of
    /// the property.
    let label: String
    /// The Swift type of the value.
    let type: String
    /// The values that the schema allows; empty when the schema allows every value of the kind.
    let words: [String]

    /// The kind of a field's value.
    enum Kind: String, CaseIterable {
        case text, texts
        case optionalText = "optional-text"
        /// One text, which JSON writes as a list with one element.
        case textInList = "text-in-list"
        /// An integer that is not negative.
        case natural
        case integer, instant
        case optionalInstant = "optional-instant"
        case digest, certificate
        case optionalCertificate = "optional-certificate"
        case tlsVersion = "tls-version"
        case tableBasis = "table-basis"
        /// The kind of the subtree that forbids a name. JSON writes `excluded` for a name inside an
        /// excluded subtree, and `permitted` for a name outside the permitted subtrees.
        case relation
        case demand
        case revocationCause = "revocation-cause"
        case answer, answers, criteria, timestamps
        case wantedPins = "wanted-pins"
        case foundKeys = "found-keys"
    }

    /// The fields under `fields`, in the order of the contract.
    ///
    /// - Throws: when the kind of a field is unknown.
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

    /// The declaration of the field as an associated value: `time: UTCInstant`.
    var associated: String { label.isEmpty ? type : "\(label): \(type)" }

    /// The declaration of the field as a parameter: `_ certificate: CertificateReference`.
    var parameter: String {
        if label.isEmpty { return "_ \(name): \(type)" }
        return label == name ? "\(name): \(type)" : "\(label) \(name): \(type)"
    }

    /// The field as an argument: `tolerance: toleranceSeconds`.
    var argument: String { label.isEmpty ? name : "\(label): \(name)" }

    /// The payload's property that holds the field.
    var property: String { label.isEmpty ? name : label }

    /// The Swift expression that makes a `ViolationValue` of an expression of the field's type.
    func value(_ expression: String) -> String {
        switch kind {
        case .text: return ".text(\(expression))"
        case .optionalText: return ".optionalText(\(expression))"
        case .texts: return ".texts(\(expression))"
        case .textInList: return ".texts([\(expression)])"
        case .natural, .integer: return ".integer(Int64(\(expression)))"
        case .instant, .optionalInstant: return ".instant(\(expression))"
        case .digest: return ".digest(\(expression))"
        case .certificate: return ".certificate(\(expression))"
        case .optionalCertificate: return ".optionalCertificate(\(expression))"
        case .tlsVersion, .revocationCause: return ".text(\(expression).name)"
        case .tableBasis: return ".text(\(expression).rawValue)"
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
    /// The Swift type of a value of this kind.
    fileprivate var type: String {
        switch self {
        case .text, .textInList: return "String"
        case .optionalText: return "String?"
        case .texts: return "[String]"
        case .natural: return "Int"
        case .integer: return "Int64"
        case .instant: return "UTCInstant"
        case .optionalInstant: return "UTCInstant?"
        case .digest: return "Digest"
        case .certificate: return "CertificateReference"
        case .optionalCertificate: return "CertificateReference?"
        case .tlsVersion: return "TLSVersion"
        case .tableBasis: return "TableFreshness.Basis"
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
