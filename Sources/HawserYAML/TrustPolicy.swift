import Hawser
import PolicyCompiler
public import TrustEngine

/// A policy read from YAML while a program runs, compiled and ready to judge.
///
///     let policy = try TrustPolicy.load("policies/payments")
///     let verdict = policy.engine.evaluate(request)
///
/// A program that ships a compiled table needs none of this: `Hawser.EngineLoader` reads the table and
/// links no YAML.
public struct TrustPolicy: Sendable {
    /// What verdicts are asked of.
    public let engine: Engine
    /// Warnings, in source order; a policy with an error does not load.
    public let findings: [PolicyFinding]

    /// Loads the unit that a path stands for (LANGUAGE section 2): a folder with `policy.yaml`, a file
    /// inside one, or a policy file by itself. Reads the machine's trust store if the policy names
    /// `system`; reads no clock.
    ///
    /// - Parameter checks: those that the program registers, by the names that policies use under
    ///   `checks`; a policy that names another one does not load.
    /// - Throws: `TrustPolicyError`; its `findings` say where and why when the policy is at fault.
    public static func load(
        _ path: String, checks: [String: CustomCheck] = [:]
    ) throws(TrustPolicyError) -> TrustPolicy {
        let (table, findings) = try compile(path)
        do throws(EngineLoaderError) {
            return TrustPolicy(
                engine: try EngineLoader.load(table: table, checks: checks), findings: findings)
        } catch {
            throw TrustPolicyError(engine: error)
        }
    }

    /// Loads a unit as `load(_:)` does, with what the caller supplies in place of this machine's trust
    /// store.
    public static func load(
        _ path: String, inputs: EngineInputs
    ) throws(TrustPolicyError) -> TrustPolicy {
        let (table, findings) = try compile(path)
        do throws(EngineLoaderError) {
            return TrustPolicy(
                engine: try EngineLoader.load(table: table, inputs: inputs), findings: findings)
        } catch {
            throw TrustPolicyError(engine: error)
        }
    }

    private static func compile(
        _ path: String
    ) throws(TrustPolicyError) -> (PolicyTable, [PolicyFinding]) {
        let unit: PolicyUnit
        do throws(UnitLoadError) {
            unit = try UnitLoader.load(paths: [path])
        } catch {
            throw TrustPolicyError(code: .noUnit, context: error.context)
        }
        let compilation = CompilerPipeline.compile(unit, crypto: EngineLoader.crypto)
        let findings = compilation.diagnostics.map {
            PolicyFinding($0, in: compilation.files)
        }
        guard let table = compilation.table else {
            let errors = findings.count { $0.severity == .error }
            throw TrustPolicyError(
                code: .policyRefused,
                context: "`\(path)` has \(errors) error\(errors == 1 ? "" : "s")",
                findings: findings)
        }
        return (table, findings)
    }
}

/// Why a policy does not load.
public struct TrustPolicyError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// The path does not stand for a unit, or its files cannot be read.
        case noUnit = "no-unit"
        /// The policy has errors; `findings` holds them.
        case policyRefused = "policy-refused"
        /// This machine or program does not supply what the policy names: a trust store, a check.
        case inputsMissing = "inputs-missing"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop.
    public let context: String
    /// What the compiler said, in source order; empty unless the policy was refused.
    public let findings: [PolicyFinding]

    /// An error.
    public init(code: Code, context: String, findings: [PolicyFinding] = []) {
        self.code = code
        self.context = context
        self.findings = findings
    }

    fileprivate init(engine error: EngineLoaderError) {
        self.init(code: .inputsMissing, context: error.context)
    }
}

/// One message of the compiler, for a program's own log. Its text quotes the policy, so it may hold
/// whatever a policy file holds, control characters included: escape it for where it is shown.
public struct PolicyFinding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable {
        case info, warning, error
    }

    /// How bad it is.
    public let severity: Severity
    /// Its code in the catalogue, such as `HW402`; `grammar/diagnostics.yaml` explains it.
    public let code: String
    /// What is wrong, lower case, no full stop.
    public let message: String
    /// What to do, each a line.
    public let help: [String]
    /// Path of the policy file from the unit's root.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    init(_ diagnostic: Diagnostic, in files: [SourceFile]) {
        switch diagnostic.severity {
        case .info: severity = .info
        case .warning: severity = .warning
        case .error: severity = .error
        }
        code = diagnostic.code.rawValue
        message = diagnostic.message
        help = diagnostic.help
        let source = files[Int(diagnostic.primary.span.file)]
        let position = source.position(of: Int(diagnostic.primary.span.start))
        file = source.path
        line = position.line
        column = position.column
    }
}
