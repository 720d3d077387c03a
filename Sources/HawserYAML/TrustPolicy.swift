public import Hawser
import PolicyCompiler
public import TrustEngine

/// A policy read from YAML while a program runs, compiled and ready to judge.
///
///     let policy = try TrustPolicy.load("policies/payments")
///     let verdict = policy.engine.evaluate(request)
///
/// A program that ships a compiled table does not need this type: `Hawser.EngineLoader` reads the
/// table and links no YAML.
public struct TrustPolicy: Sendable {
    /// The engine that gives verdicts.
    public let engine: Engine
    /// Warnings, in source order. A policy with an error does not load.
    public let findings: [PolicyFinding]

    /// Loads the unit that a path stands for (LANGUAGE section 2): a folder with `policy.yaml`, a
    /// file inside this folder, or a policy file by itself. Reads the machine's trust store if the
    /// policy names `system`. Does not read the clock.
    ///
    /// - Parameters:
    ///   - checks: the checks that the program registers, by the names that policies use under
    ///     `checks`. A policy that names another check does not load.
    ///   - crypto: what verifies the signatures of certificates and evidence.
    /// - Throws: `TrustPolicyError`. If the policy has errors, its `findings` say where and why.
    public static func load(
        _ path: String, checks: [String: CustomCheck] = [:],
        crypto: any CryptoBackend = EngineLoader.crypto
    ) throws(TrustPolicyError) -> TrustPolicy {
        let (table, findings) = try compile(path)
        do throws(EngineLoaderError) {
            return TrustPolicy(
                engine: try EngineLoader.load(table: table, checks: checks, crypto: crypto),
                findings: findings)
        } catch {
            throw TrustPolicyError(engine: error)
        }
    }

    /// Loads a unit as `load(_:)` does, with the caller's inputs in place of this machine's trust
    /// store.
    public static func load(
        _ path: String, inputs: EngineInputs, crypto: any CryptoBackend = EngineLoader.crypto
    ) throws(TrustPolicyError) -> TrustPolicy {
        let (table, findings) = try compile(path)
        do throws(EngineLoaderError) {
            return TrustPolicy(
                engine: try EngineLoader.load(table: table, inputs: inputs, crypto: crypto),
                findings: findings)
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
        let (files, diagnostics, made) = CompilerPipeline.compileTable(
            of: unit, crypto: EngineLoader.crypto)
        let findings = diagnostics.map { PolicyFinding($0, in: files) }
        guard let table = made else {
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
        /// The path does not stand for a unit, or a file of the unit cannot be read.
        case noUnit = "no-unit"
        /// The policy has errors, which are in `findings`.
        case policyRefused = "policy-refused"
        /// This machine or program does not have what the policy names: a trust store or a check.
        case inputsMissing = "inputs-missing"
    }

    /// The reason.
    public let code: Code
    /// What was found. Lower case, no full stop.
    public let context: String
    /// The compiler's diagnostics, in source order; empty unless the policy was refused.
    public let findings: [PolicyFinding]

    /// Creates an error.
    public init(code: Code, context: String, findings: [PolicyFinding] = []) {
        self.code = code
        self.context = context
        self.findings = findings
    }

    fileprivate init(engine error: EngineLoaderError) {
        self.init(code: .inputsMissing, context: error.context)
    }
}

/// One diagnostic of the compiler, for a program's log. Its text quotes the policy, so it may
/// contain anything that a policy file can contain, control characters included. Escape it for the
/// medium that shows it.
public struct PolicyFinding: Hashable, Sendable {
    /// How serious it is.
    public enum Severity: String, Hashable, Sendable {
        case info, warning, error
    }

    /// How serious it is.
    public let severity: Severity
    /// Its code in the catalogue, such as `HW402`. `grammar/diagnostics.yaml` explains it.
    public let code: String
    /// The problem. Lower case, no full stop.
    public let message: String
    /// What to do, one line each.
    public let help: [String]
    /// The path of the policy file from the unit's root.
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
