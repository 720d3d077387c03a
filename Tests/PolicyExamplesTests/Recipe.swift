import Foundation
import Hawser
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// One folder of `policies/`: a unit with its cases.
struct Recipe: CustomTestStringConvertible {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let policies = root.appending(path: "policies")

    let folder: URL
    var name: String { folder.lastPathComponent }
    var testDescription: String { name }

    /// Every folder of `policies/` that holds a `policy.yaml`.
    static let all: [Recipe] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: policies.path)) ?? []
        return names.sorted().map { Recipe(folder: policies.appending(path: $0)) }.filter {
            FileManager.default.fileExists(
                atPath: $0.folder.appending(path: "policy.yaml").path)
        }
    }()

    /// The unit.
    func unit() throws -> PolicyUnit { try UnitLoader.load(paths: [folder.path]) }

    /// The unit compiled.
    func compile() throws -> Compilation {
        CompilerPipeline.compile(try unit(), crypto: LibCryptoBackend())
    }

    /// Folders below `cases/`, sorted.
    var cases: [RecipeCase] {
        let place = folder.appending(path: "cases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map {
            RecipeCase(recipe: self, folder: place.appending(path: $0))
        }
    }
}

/// One request to a recipe's policy, with the verdict it must get.
struct RecipeCase: CustomTestStringConvertible {
    let recipe: Recipe
    let folder: URL
    var name: String { "\(recipe.name)/\(folder.lastPathComponent)" }
    var testDescription: String { name }

    /// Whether the case has a golden in JSON: where a kind of step is shown for the first time.
    var hasJSONGolden: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "explain.json").path)
    }

    /// What `explain --format json` prints of the case by a table of its recipe.
    func json(by table: PolicyTable) throws -> String {
        let wanted = try request()
        let engine = try Engine(table: table, inputs: inputs(wanted), crypto: LibCryptoBackend())
        let explanation = engine.explain(try trustRequest(wanted))
        return TraceJSON.render(explanation, repairs: try repairs(explanation, by: engine))
    }

    /// The repairs that `explain` prints of a reject: what was proven, and words. Nil of an accept.
    func repairs(_ explanation: Explanation, by engine: Engine) throws -> [Repair]? {
        guard !explanation.verdict.isAccept else { return nil }
        let wanted = try request()
        let inputs = try inputs(wanted)
        return RepairProof(try recipe.unit(), engine, try trustRequest(wanted)) { table in
            try? Engine(table: table, inputs: inputs, crypto: LibCryptoBackend())
        }.repairs(explanation)
    }

    /// What `request.yaml` says.
    struct Request {
        var host = ""
        var port: UInt16 = 443
        var at: UTCInstant?
        var chain = "chain.pem"
        /// A PEM file, from the recipe's folder, that stands for the machine's store.
        var system: String?
        var tls = TLSParameters(version: .tls13)
        /// Files beside the chain: what the peer stapled, further responses, and CRLs.
        var staple: String?
        var ocsp: [String] = []
        var crls: [String] = []
        /// The SCT list of the TLS extension.
        var timestamps: String?
        var isCleartext = false
        /// What each of the program's own checks is assumed to say.
        var assumed: [String: CustomCheck.Answer] = [:]
        var accepts = false
        var violations: [String] = []
        var reported: [String] = []
        var notices: [String] = []
    }

    /// Why `request.yaml` cannot be used.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads `request.yaml` with the project's own reader; a key it does not know is an error.
    func request() throws -> Request {
        let path = folder.appending(path: "request.yaml")
        let tree = SyntaxParser.parse(
            SourceFile(path: "request.yaml", bytes: try [UInt8](Data(contentsOf: path))),
            fileIndex: 0)
        guard tree.diagnostics.isEmpty, let root = tree.root else {
            throw Problem(description: "\(name): \(tree.diagnostics.map(\.message))")
        }
        var request = Request()
        for (key, value) in root.entries {
            let list = value.items.map(\.text)
            switch key.text {
            case "host": request.host = value.text
            case "port": request.port = UInt16(value.text) ?? 0
            case "at": request.at = UTCInstant(text: value.text)
            case "chain": request.chain = value.text
            case "system": request.system = value.text
            case "tls" where value.text == "none": request.isCleartext = true
            case "tls":
                request.tls.version = TLSVersion.allCases.first { $0.name == value.text }
            case "cipher-suite": request.tls.cipherSuite = value.text
            case "group": request.tls.group = value.text
            case "signature-scheme": request.tls.signatureScheme = value.text
            case "alpn": request.tls.alpn = value.text
            case "staple": request.staple = value.text
            case "ocsp": request.ocsp = list
            case "crls": request.crls = list
            case "sct-list": request.timestamps = value.text
            case "assume":
                for (name, answer) in value.entries {
                    request.assumed[name.text] =
                        answer.text == "pass" ? .pass : .fail(reason: "assumed to fail")
                }
            case "expect": request.accepts = value.text == "accept"
            case "violations": request.violations = list
            case "reported": request.reported = list
            case "notices": request.notices = list
            default: throw Problem(description: "\(name): unknown key \(key.text)")
            }
        }
        return request
    }

    /// The request as the engine takes it. Blocks of the chain file that are not certificates stand
    /// for whatever else a server may send. Without TLS there is no chain.
    func trustRequest(_ request: Request) throws -> TrustRequest {
        var chain: [[UInt8]] = []
        if !request.isCleartext {
            let file = try octets(request.chain)
            chain = try PEM.decode(file.span).map(\.der)
        }
        guard let time = request.at else { throw Problem(description: "\(name): no time") }
        return TrustRequest(
            host: request.host, port: request.port, presentedChain: chain, time: time,
            tls: request.isCleartext ? .cleartext : .assumed(request.tls),
            evidence: Evidence(
                stapledOCSP: try request.staple.map(octets),
                ocspResponses: try request.ocsp.map(octets), crls: try request.crls.map(octets),
                sctList: try request.timestamps.map(octets)))
    }

    private func octets(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: file)))
    }

    func inputs(_ request: Request) throws -> EngineInputs {
        let store = try request.system.map {
            try SystemStore.read(path: recipe.folder.appending(path: $0).path)
        }
        return EngineInputs(
            systemStore: store,
            checks: request.assumed.mapValues { answer in CustomCheck { _ in answer } })
    }
}
