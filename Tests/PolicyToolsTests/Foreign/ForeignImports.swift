import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Imports of files that a test writes as text.
enum ForeignImports {
    static let crypto = LibCryptoBackend()
    static let shared = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/packs").standardized

    static func nsc(
        _ text: String, targetSDK: Int = 34, isDebuggable: Bool = false,
        resources: [String: [Certificate]] = [:], owner: String? = "mobile",
        zone: NSCImport.Zone = .last
    ) throws -> ForeignImport {
        let source = SourceFile(path: "nsc.xml", bytes: Array(text.utf8))
        return NSCImport.policy(
            of: try NSCReader.read(source.bytes, isDebuggable: isDebuggable),
            app: NSCModel.App(targetSDK: targetSDK, isDebuggable: isDebuggable), source: source,
            resources: resources, owner: owner, zone: zone, crypto: crypto)
    }

    static func ats(_ text: String, owner: String? = "mobile") throws -> ForeignImport {
        let source = SourceFile(path: "Info.plist", bytes: Array(plist(text).utf8))
        return ATSImport.policy(
            of: try ATSReader.read(source.bytes), source: source, owner: owner)
    }

    static func envoy(
        _ text: String, certificates: [String: [Certificate]] = [:], owner: String? = "mesh"
    ) throws -> ForeignImport {
        let source = SourceFile(path: "envoy.yaml", bytes: Array(text.utf8))
        return EnvoyImport.policy(
            of: try EnvoyReader.read(source.bytes), source: source, certificates: certificates,
            owner: owner)
    }

    static func gateway(
        _ text: String, bundles: [String: String] = [:], owner: String? = "mesh"
    ) throws -> ForeignImport {
        let source = SourceFile(path: "gateway.yaml", bytes: Array(text.utf8))
        return GatewayImport.policy(
            of: try GatewayReader.read(source.bytes), source: source, bundles: bundles,
            owner: owner)
    }

    static func spiffe(
        _ text: String, trustDomain: String = "mesh.example", hosts: [String] = [],
        owner: String? = "mesh"
    ) throws -> ForeignImport {
        let source = SourceFile(path: "bundle.json", bytes: Array(text.utf8))
        return SPIFFEImport.policy(
            of: try SPIFFEBundle.read(source.bytes), trustDomain: trustDomain, source: source,
            hosts: hosts, owner: owner, at: Scenario.judgedAt)
    }

    /// A whole property list. A text that begins with a key is the content of its dictionary.
    static func plist(_ text: String) -> String {
        text.hasPrefix("<key>")
            ? "<plist version=\"1.0\">\n<dict>\n\(text)\n</dict>\n</plist>\n" : text
    }

    /// The unit of an import.
    static func unit(_ imported: ForeignImport) -> PolicyUnit {
        let files = Dictionary(
            uniqueKeysWithValues: imported.files.map { file in
                (
                    file.name,
                    file.certificates.count == 1
                        ? file.certificates[0]
                        : Array(
                            file.certificates.map { PEMWriter.block("CERTIFICATE", $0) }.joined()
                                .utf8)
                )
            })
        return PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(imported.policy.text.utf8))],
            resources: FilesInMemory(files: files), isDirectory: true)
    }

    /// The table of an import, which has to compile and to be in canonical layout.
    static func table(_ imported: ForeignImport) throws -> PolicyTable {
        let unit = unit(imported)
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        let errors = compiled.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [], "\(imported.policy.text)")
        return try #require(compiled.table)
    }

    /// How the second import compares with the first.
    static func relation(
        _ old: ForeignImport, _ new: ForeignImport, since: String = "2026-06-01"
    ) throws -> Relation {
        try DiffQuestion(
            DiffSide("old", table(old)), DiffSide("new", table(new)), since: .at(since)
        ).compare(crypto: crypto).relation
    }

    /// The codes of the findings, in the order of the file.
    static func codes(_ imported: ForeignImport) -> [String] {
        imported.findings.map(\.code.rawValue)
    }

    /// The code and the place of the error of a file.
    static func refusal(_ work: () throws -> ForeignImport) -> (code: String, at: Int, String)? {
        do {
            _ = try work()
            return nil
        } catch let error as ForeignError {
            return (error.code.rawValue, error.range.lowerBound, error.message)
        } catch {
            return nil
        }
    }
}
