import PolicyCompiler

/// Makes Swift and C source from `grammar/violations.yaml`: the checks and violations as closed
/// enums, the declaration of each violation, and the fields of each violation by name.
enum ViolationSource {
    private static let mark =
        "Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit."
    private static let header = "// \(mark)\n// swift-format-ignore-file\n\n"

    /// Writes the documentation of a member, in lines of at most 100 columns.
    private static func comment(_ text: String) -> String {
        var lines = ["    ///"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 100 { lines.append("    ///") }
            lines[lines.count - 1] += " " + word
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Checks

    /// The text of `PathValidation/PathCheck+Generated.swift`.
    @Sendable
    static func pathChecks(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let checks = try ViolationContract(tree).checks.filter { $0.asked == .validator }
        return header
            + """
            /// A check that the path validator makes for a candidate path.
            package enum PathCheck: Hashable, Sendable, CaseIterable {

            """ + checks.map { comment($0.what) + "    case \($0.name)\n" }.joined() + "}\n"
    }

    /// The text of `Evaluation/Check+Generated.swift`.
    @Sendable
    static func checks(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let checks = try ViolationContract(tree).checks
        let names = { (asked: [ViolationContract.Asked]) in
            checks.filter { asked.contains($0.asked) }.map { ".\($0.name)" }
                .joined(separator: ", ")
        }
        let resting = checks.filter(\.restsOnSignatures).map { ".\($0.name)" }
        let standing = checks.filter { !$0.restsOnSignatures }.map { ".\($0.name)" }
        let own = checks.filter { $0.asked == .path }
        var text =
            header + """
                /// A check of evaluation: a condition on the request or on a candidate path.
                /// Demands are listed, outcomes are traced and waivers are written for a check. The
                /// raw value is the stable name in traces.
                public enum Check: String, Hashable, Sendable, CaseIterable {

                """
        for check in checks {
            let raw = check.name == check.id ? "" : " = \"\(check.id)\""
            text += comment(check.what) + "    case \(check.name)\(raw)\n"
        }
        text += """
            }

            extension Check {
                /// Whether the check is made for each candidate path, and not once for the request.
                public var isAskedOfPaths: Bool {
                    switch self {
                    case \(names([.request])): return false
                    case \(names([.path, .validator])): return true
                    }
                }

                /// Whether the check judges evidence. Such a check is made only for a path whose
                /// signatures lead to an anchor.
                var restsOnSignatures: Bool {
                    switch self {
                    case \(resting.joined(separator: ", ")): return true
                    case \(standing.joined(separator: ", ")): return false
                    }
                }
            }

            /// A check that is made for every candidate path, by the path validator or by
            /// evaluation.
            enum CandidateCheck: Hashable, Sendable {
                /// A check that the path validator makes.
                case validator(PathCheck)

            """
        for check in own { text += comment(check.what) + "    case \(check.name)\n" }
        text += """

                /// The check under its name in traces.
                var check: Check {
                    switch self {
                    case .validator(let check): return check.check

            """
        for check in own { text += "        case .\(check.name): return .\(check.name)\n" }
        text += """
                    }
                }
            }

            extension PathCheck {
                /// The check under its name in traces.
                package var check: Check {
                    switch self {

            """
        for check in checks where check.asked == .validator {
            text += "        case .\(check.name): return .\(check.name)\n"
        }
        return text + "        }\n    }\n}\n"
    }

    // MARK: Demands of a standard

    /// The text of `PathValidation/StandardDemand+Generated.swift`.
    @Sendable
    static func demands(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let demands = try ViolationContract(tree).demands
        var text =
            header + """
                /// A demand of a standard on the certificates of a path. Path validation (RFC 5280
                /// section 6) does not judge it. The raw value is the stable id of the violation.
                package enum StandardDemand: String, Hashable, Sendable, CaseIterable {

                """
        for demand in demands {
            text += comment(demand.what) + "    case \(demand.name) = \"\(demand.id)\"\n"
        }
        text += """

                /// The section that makes the demand: `RFC 5280 §4.1.2.2`, `BR §7.1.4.3`.
                package var section: String {
                    switch self {

            """
        for demand in demands {
            text += "        case .\(demand.name): return \"\(demand.section)\"\n"
        }
        text += """
                    }
                }

                /// The number in the sets of demands in a table, 0 to 62; nil for a demand of
                /// validation. A demand with a number is addressed to those who issue certificates
                /// (LANGUAGE section 12.10).
                package var issuanceNumber: Int? {
                    switch self {

            """
        for demand in demands {
            if let number = demand.number {
                text += "        case .\(demand.name): return \(number)\n"
            }
        }
        let validation = demands.filter { !$0.isIssuance }.map { ".\($0.name)" }
        text += "        case \(validation.joined(separator: ", ")): return nil\n"
        return text + "        }\n    }\n}\n"
    }

    /// The page `grammar/demands.md`.
    @Sendable
    static func demandsPage(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let demands = try ViolationContract(tree).demands
        var text = """
            # The demands of the standards

            <!-- \(mark) -->

            What RFC 5280's certificate profile (section 4), the profile of ML-DSA in certificates
            (RFC 9881) and the CA/Browser Forum's Baseline Requirements (BR) demand of a
            certificate, beside what path validation (RFC 5280 section 6) judges. `standard` of an anchor set says which of the two holds for a path. A breach
            of a demand of *validation* rejects. A demand of *issuance* is addressed to those who
            issue certificates: by `path.issuance: report`, the baseline, a breach is a notice of the
            accept; by `enforce` it rejects, unless the waiver `issuance` names the demand (LANGUAGE
            sections 8, 10 and 12.10). Whoever runs the CA that issued the certificate can mend it.


            """
        for isIssuance in [false, true] {
            text += isIssuance ? "\n## Issuance\n\n" : "## Validation\n\n"
            text += "| id | demand | source | why it is of this kind | what a breach would let an "
            text += "attacker do |\n|---|---|---|---|---|\n"
            for demand in demands where demand.isIssuance == isIssuance {
                text += "| `\(demand.id)` | \(demand.what) | \(demand.section) | \(demand.why) "
                text += "| \(demand.attack) |\n"
            }
        }
        return text
    }

    // MARK: Violations

    /// The text of `PathValidation/PathViolation+Generated.swift`.
    @Sendable
    static func pathViolations(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let violations = try ViolationContract(tree).violations.filter(\.isOfValidator)
        return header
            + """
            /// A violation that the path validator raises against a path. The associated values are
            /// both sides of the comparison: the demanded value and the value found. The enum is
            /// closed, so a switch that forgets a violation does not compile.
            package indirect enum PathViolation: Hashable, Sendable {

            """ + violations.map(declaredCase).joined() + "}\n"
    }

    /// The text of `Evaluation/ViolationReason+Generated.swift`.
    @Sendable
    static func violations(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let contract = try ViolationContract(tree)
        let own = contract.violations.filter { !$0.isOfValidator }
        return header
            + """
            /// A violation against a request or a path. The associated values are both sides of the
            /// comparison: the demanded value and the value found. The enum is closed, so a switch
            /// that forgets a violation does not compile. `Violation` is the public type.
            package indirect enum ViolationReason: Hashable, Sendable {
                /// A violation that the path validator raises.
                case path(PathViolation)

            """ + own.map(declaredCase).joined() + "}\n\n"
            + kinds(contract) + reason(contract) + makers(contract)
    }

    private static func declaredCase(_ violation: ViolationContract.Violation) -> String {
        comment(violation.what)
            + "    case \(violation.name)\(values(violation) { $0.associated })\n"
    }

    /// The text after a case's name: the values in parentheses, or nothing.
    private static func values(
        _ violation: ViolationContract.Violation, _ write: (ViolationField) -> String
    ) -> String {
        if let payload = violation.payload { return "(\(payload))" }
        return violation.fields.isEmpty
            ? "" : "(\(violation.fields.map(write).joined(separator: ", ")))"
    }

    /// A pattern of the case, or an expression that makes the case: `.path(.expired(…))`.
    private static func whole(
        _ violation: ViolationContract.Violation, _ behind: String
    ) -> String {
        let own = ".\(violation.name)\(behind)"
        return violation.isOfValidator ? ".path(\(own))" : own
    }

    private static func kinds(_ contract: ViolationContract) -> String {
        var text = """
            /// The violations without their values. The raw value is the violation's key in
            /// `grammar/violations.yaml`. The key is also the id, except for `standard-not-met`.
            package enum ViolationKind: String, Hashable, Sendable, CaseIterable {

            """
        for violation in contract.violations {
            let raw = violation.name == violation.id ? "" : " = \"\(violation.id)\""
            text += "    case \(violation.name)\(raw)\n"
        }
        text += """

                /// The declaration of the violation in `grammar/violations.yaml`.
                package var declaration: ViolationDeclaration {
                    switch self {

            """
        for violation in contract.violations {
            text += "        case .\(violation.name):\n            return ViolationDeclaration(\n"
            text += "                \(declaration(violation)))\n"
        }
        text += """
                    }
                }

                /// The ids of the violation. `standard-not-met` has one id for each demand of a
                /// standard; every other violation has one id.
                package var ids: [String] {
                    switch self {

            """
        for violation in contract.violations where violation.isStandard {
            text +=
                "        case .\(violation.name): return StandardDemand.allCases.map(\\.rawValue)\n"
        }
        let plain = contract.violations.filter { !$0.isStandard }.map { ".\($0.name)" }
        text += "        case \(plain.joined(separator: ", ")): return [rawValue]\n"
        return text + "        }\n    }\n}\n\n"
    }

    private static func declaration(_ violation: ViolationContract.Violation) -> String {
        func word(_ text: String) -> String { "." + RequirementSchema.camel(text) }
        var parts = ["check: \(word(violation.check))", "side: \(word(violation.side))"]
        if let waiver = violation.waiver { parts.append("waiver: \(word(waiver))") }
        if let result = violation.secTrust { parts.append("secTrust: \(word(result))") }
        if violation.traits.contains("missing-evidence") {
            parts.append("isMissingEvidence: true")
        }
        if violation.traits.contains("no-better-path") { parts.append("hasBetterPath: false") }
        return parts.joined(separator: ", ")
    }

    private static func reason(_ contract: ViolationContract) -> String {
        var text = """
            extension ViolationReason {
                /// The violation without its values.
                package var kind: ViolationKind {
                    switch self {

            """
        for violation in contract.violations {
            text += "        case \(whole(violation, "")): return .\(violation.name)\n"
        }
        text += "        }\n    }\n\n    /// The stable id.\n    package var id: String {\n"
        for violation in contract.violations where violation.isStandard {
            let pattern = values(violation) { $0.kind == .demand ? "let demand" : "_" }
            text +=
                "        if case \(whole(violation, pattern)) = self { return demand.rawValue }\n"
        }
        text += """
                    return kind.rawValue
                }

                /// Every field of the violation, in the order of JSON.
                package var fields: [Violation.Field] {
                    switch self {

            """
        for violation in contract.violations {
            let isPayload = violation.payload != nil
            let behind = isPayload ? "(let payload)" : values(violation) { "let \($0.name)" }
            let fields = violation.fields.map { field in
                let value = field.value(isPayload ? "payload.\(field.property)" : field.name)
                return ".init(\"\(field.name)\", \(value))"
            }
            let more = violation.shapes.isEmpty ? "" : " + payload.shapedFields"
            text += "        case \(whole(violation, behind)):\n"
            text += "            return [\(fields.joined(separator: ", "))]\(more)\n"
        }
        return text + "        }\n    }\n}\n\n"
    }

    private static func makers(_ contract: ViolationContract) -> String {
        var text = "extension Violation {\n"
        for violation in contract.violations {
            text += comment(violation.what) + "    package static "
            if let payload = violation.payload {
                text += "func \(violation.name)(_ payload: \(payload)) -> Violation {\n"
                text += "        Violation(\(whole(violation, "(payload)")))\n    }\n"
            } else if violation.fields.isEmpty {
                text += "var \(violation.name): Violation {\n"
                text += "        Violation(\(whole(violation, "")))\n    }\n"
            } else {
                let parameters = violation.fields.map(\.parameter).joined(separator: ", ")
                text += "func \(violation.name)(\(parameters)) -> Violation {\n"
                text +=
                    "        Violation(\(whole(violation, values(violation) { $0.argument })))\n"
                text += "    }\n"
            }
        }
        return text + "}\n"
    }

    // MARK: Texts

    /// The text of `Rendering/Violations/ViolationTexts+Generated.swift`.
    @Sendable
    static func texts(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let violations = try ViolationContract(tree).violations
        var text =
            header + """
                import TrustEngine

                extension Violation {
                    /// The texts about the violation. No other code of the module switches over a
                    /// reason.
                    var texts: any ViolationTexts {
                        switch reason {

                """
        for violation in violations {
            let names = textValues(violation).map(\.name)
            let found =
                names.isEmpty ? "" : "(\(names.map { "let \($0)" }.joined(separator: ", ")))"
            let given = names.map { "\($0): \($0)" }.joined(separator: ", ")
            text += "        case \(whole(violation, found)):\n"
            text += "            return \(textType(violation))(\(given))\n"
        }
        text += "        }\n    }\n}\n"
        for violation in violations {
            text += "\nstruct \(textType(violation)): ViolationTexts {\n"
            text += "    static let kind = ViolationKind.\(violation.name)\n"
            for value in textValues(violation) { text += "    let \(value.name): \(value.type)\n" }
            text += "}\n"
        }
        return text
    }

    /// `TLSVersionTexts` for `tlsVersion`.
    private static func textType(_ violation: ViolationContract.Violation) -> String {
        let name = violation.name
        let first = name.hasPrefix("tls") ? "TLS" : name.prefix(1).uppercased()
        return first + name.dropFirst(first.count) + "Texts"
    }

    /// The values of the case. A payload has the last word of its type as its name: `mismatch` for
    /// `PinMismatch`.
    private static func textValues(
        _ violation: ViolationContract.Violation
    ) -> [(name: String, type: String)] {
        guard let payload = violation.payload else {
            return violation.fields.map { ($0.property, $0.type) }
        }
        guard let start = payload.lastIndex(where: \.isUppercase) else { return [] }
        return [(payload[start...].lowercased(), payload)]
    }

    // MARK: C

    /// The text of `CHawserOpenSSL/x509_error_table.h`.
    @Sendable
    static func openSSLErrors(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let contract = try ViolationContract(tree)
        var text = "/* \(mark) */\n#include <openssl/x509_vfy.h>\n\nstatic const struct {\n"
        text += "    const char *id;\n    int error;\n} nearest[] = {\n"
        for violation in contract.violations {
            for id in contract.ids(of: violation) {
                text += "    {\"\(id)\", \(violation.openSSL)},\n"
            }
        }
        return text + "};\n"
    }
}
