import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Each example of `policies/invalid` has the policy that its author meant beside it,
/// `NAME.meant.yaml`. Whoever follows each help comes in a few steps to a policy without the
/// finding that accepts nothing that was not meant.
@Suite("lint: policies that were meant") struct MeantPolicyTests {
    private static let folder = DamagedPolicyTests.policies.appending(path: "invalid")

    /// The examples that are one policy.
    private static let examples: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".meant.yaml") }.map { String($0.dropLast(11)) }.sorted()
    }()

    /// The examples of other files than policies, of several files, and of a unit's history.
    private static let others: Set<String> = ["HW801", "HW802", "HW803"]

    /// Examples with a finding that only a person can mend, and what they must find out.
    private static let byHand: [String: String] = [
        "HW006": "what the two rules share",
        "HW007": "whether the second document is wanted",
        "HW008": "the encoding that the editor wrote",
        "HW011": "which brackets are too many",
        "HW012": "the file, which is to be copied into the unit",
        "HW015": "the text, in the form that a policy takes",
        "HW017": "the value",
        "HW103": "who takes the risk of a short key, and until when",
        "HW106": "which rules the profile is for",
        "HW110": "the name, and where it is meant",
        "HW111": "which profile is the parent",
        "HW208": "which of two rules is right",
        "HW211": "whether less is wanted there",
        "HW212": "the server's name",
        "HW213": "the CA that issues for the name",
        "HW215": "the letters of the name",
        "HW301": "the file",
        "HW302": "the successor of the CA",
        "HW305": "a CA with a longer key",
        "HW307": "the certificate without its key",
        "HW309": "the CA, or the host",
        "HW310": "the successor of the CA",
        "HW312": "a CA for servers",
        "HW313": "a CA for servers",
        "HW314": "whether the certificate is a server's own",
        "HW315": "which rules refuse the key",
        "HW317": "the issuer of the intermediate, or who takes the risk",
        "HW318": "whether the member is wanted",
        "HW402": "a spare key",
        "HW405": "the keys in service",
        "HW406": "the keys of the time after",
        "HW407": "the key, or the CA",
        "HW408": "the authority that issues",
        "HW409": "the digest",
        "HW413": "the digest of the other kind",
        "HW414": "the next certificate",
        "HW416": "the digest of the key",
        "HW417": "the file of the key",
        "HW418": "a spare key, or that the CA is to be pinned",
        "HW502": "what need not be answered for",
        "HW507": "a name for the second entry",
        "HW508": "a key to pin, or who takes the risk",
        "HW514": "what the certificates name",
        "HW517": "which causes reject",
        "HW518": "the CA that issues to these clients",
        "HW520": "the present log list",
        "HW525": "whether timestamps are demanded, or CRLs asked",
        "HW606": "the year",
        "HW902": "nothing: order means nothing",
        "HW702": "what the comment is to hide, and until when",
    ]

    /// Findings that state a fact of a policy that is as it should be.
    private static let facts: Set<String> = ["HW303", "HW316", "HW512", "HW513", "HW521"]

    @Test("each example that is one policy has the one that was meant")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasPrefix("HW") && $0.hasSuffix(".yaml") && !$0.contains(".meant.") }
        let wanted = Set(names.map { String($0.dropLast(5)) }).subtracting(Self.others)
        #expect(Set(Self.examples) == wanted)
    }

    @Test("what was meant has no such finding", arguments: examples)
    func meant(_ name: String) throws {
        let result = try Self.lint(Self.unit(Self.bytes("\(name).meant.yaml"), name), name)
        #expect(result.compilation.policy != nil || name == "HW314")
        let codes = result.findings.map(\.code.rawValue)
        #expect(!codes.contains(name) || Self.facts.contains(name), "\(codes)")
    }

    @Test("following each help leads to no more than was meant", arguments: examples)
    func followed(_ name: String) throws {
        let start = try Self.bytes("\(name).yaml")
        var text = start
        var seen: Set<[UInt8]> = [text]
        var steps: [String] = []
        var isByHand = false
        while steps.count < Self.mostSteps {
            let unit = Self.unit(text, name)
            let findings = try Self.lint(unit, name).findings.filter {
                $0.severity == .error || $0.code.rawValue == name
            }
            guard !findings.isEmpty, !Self.facts.contains(name) else { break }
            let next = findings.lazy.compactMap { HelpFollower(unit.files[0], $0).followed() }.first
            guard let next else {
                isByHand = true
                steps.append("by hand: \(findings.map { "\($0.code.rawValue) \($0.help)" })")
                break
            }
            text = next.text
            steps.append(next.step)
            #expect(seen.insert(text).inserted, "a circle: \(steps)")
        }
        let told = "\(steps.joined(separator: "\n"))\n\(String(decoding: text, as: UTF8.self))"
        print("followed \(name): \(isByHand ? "by hand" : "\(steps.count) steps")")
        #expect(steps.count < Self.mostSteps, "\(told)")
        #expect(isByHand == (Self.byHand[name] != nil), "\(told)")
        guard !isByHand else { return }
        let mended = try #require(FixPromise.table(Self.unit(text, name)), "\(told)")
        let meant = FixPromise.table(try Self.unit(Self.bytes("\(name).meant.yaml"), name))
        // A text that compiles is taken literally, whatever its author wanted.
        let bases = [meant, FixPromise.table(Self.unit(start, name))].compactMap { $0 }
        let relations = try bases.map { base in
            try DiffQuestion(
                DiffSide("meant", base), DiffSide("mended", mended), since: Self.options.time
            ).compare(crypto: LibCryptoBackend()).relation
        }
        #expect(relations.contains { $0.isNoWeaker }, "\(relations): \(told)")
    }

    private static let mostSteps = 12
    private static let options = DamagedPolicyTests.options

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    private static func lint(_ unit: PolicyUnit, _ name: String) throws -> LintResult {
        var options = Self.options
        let code = try #require(DiagnosticCode(rawValue: name))
        if code.severity == .info { options.level = .audit }
        return Linter.lint(unit, options, crypto: LibCryptoBackend())
    }

    private static func unit(_ bytes: [UInt8], _ name: String) -> PolicyUnit {
        PolicyUnit(
            files: [SourceFile(path: "\(name).yaml", bytes: bytes)],
            resources: Examples(folder: folder), isDirectory: false)
    }
}

/// The files beside the examples. A certificate that a help names for an example is a root.
private struct Examples: UnitResources {
    let folder: URL

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        let path = path == "anchors/corp.pem" ? "files/root.pem" : path
        guard let data = try? Data(contentsOf: folder.appending(path: path)), data.count <= limit
        else { throw ResourceError(code: .notFound, context: "`\(path)` is not there") }
        return Array(data)
    }

    func list(_ below: String) throws(ResourceError) -> [String] {
        let path = folder.appending(path: below).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
