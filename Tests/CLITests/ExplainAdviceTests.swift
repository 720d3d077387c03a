import Foundation
import TestPKI
import Testing
import TrustEngine

/// Rejects whose advice is followed: the sentences are true of the files at hand, and the printed
/// lines do what they promise.
@Suite("advice of hawser explain")
struct ExplainAdviceTests {
    private static let host = "api.acme.example"

    /// A workshop whose one rule trusts `Acme Root` for every host of `acme.example`.
    private static func workshop(_ rule: String = "", _ sections: String = "") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [anchors/root.pem]
            \(sections)rules:
              svc:
                hosts:
                  - "**.acme.example"
                anchors: [acme]
                owner: web
            \(rule)
            """)
        return workshop
    }

    private static func explain(
        _ workshop: Workshop, _ chain: [String], _ more: [String] = []
    ) throws -> CommandRun {
        try workshop.write("chain.pem", chain.joined())
        return try workshop.run(
            ["explain", host, "--policy", "unit", "--chain", "chain.pem", "--at", "2026-06-01"]
                + more)
    }

    /// The output as one line, without the tree.
    private static func words(_ run: CommandRun) -> String {
        run.output.split { " \n│├└".contains($0) }.joined(separator: " ")
    }

    // MARK: Order of the chain

    @Test("a chain that begins with the anchor is in the wrong order")
    func anchorFirst() throws {
        let run = try Self.explain(
            Self.workshop(), [Workshop.root.pem, Workshop.leaf.pem, Workshop.issuing.pem])
        try expectGolden("explain-anchor-first", run)
        let words = Self.words(run)
        #expect(run.status == 1)
        #expect(words.contains("own certificate is not the first that was sent"))
        #expect(words.contains("side server: it sends its certificates in the wrong order"))
        #expect(!words.contains("is no anchor of this rule") && !words.contains("in between"))
    }

    @Test("a server that sends the anchor, or a CA below it, as its own certificate")
    func anchorAlone() throws {
        let workshop = try Self.workshop()
        let run = try Self.explain(workshop, [Workshop.root.pem])
        try expectGolden("explain-anchor-alone", run)
        for run in [run, try Self.explain(workshop, [Workshop.issuing.pem])] {
            let words = Self.words(run)
            #expect(run.status == 1)
            #expect(words.contains("side server: it sends the authority's certificate as its own"))
            #expect(words.contains("have the server use its own certificate"))
            #expect(!words.contains("issued for `api.acme.example` too"), "\(run.output)")
            #expect(!words.contains("something may be answering"), "\(run.output)")
        }
    }

    @Test("a stranger's root before a stranger's certificate is still a stranger's")
    func strangerFirst() throws {
        let run = try Self.explain(
            Self.workshop(), [Workshop.otherRoot.pem, Workshop.proxied.pem])
        let words = Self.words(run)
        #expect(words.contains("side in between"))
        #expect(words.contains("something may be answering in place of"), "\(run.output)")
    }

    // MARK: Keys of another kind

    @Test("a namesake CA with another kind of key is told as somebody else")
    func anotherKind() throws {
        let forger = Workshop.pki.root("Acme Root", key: .ed25519("forger"))
        let issuing = forger.issueCA("Acme Issuing", key: .p256("forger issuing"))
        let run = try Self.explain(
            Self.workshop(), [issuing.issueLeaf(dns: [Self.host]).pem, issuing.pem])
        try expectGolden("explain-another-kind", run)
        let words = Self.words(run)
        #expect(words.contains("side in between"))
        #expect(
            words.contains(
                "is not by the key of `CN=Acme Root` that the policy holds: that key is `p256`, the "
                    + "signature is `ed25519`"))
        #expect(!words.contains("does not have its algorithm") && !words.contains("anew"))
    }

    // MARK: Names

    @Test("a name with a dot at its end is the issuer's mistake")
    func dotAtEnd() throws {
        let run = try Self.explain(
            Self.workshop(),
            [Workshop.issuing.issueLeaf(dns: [Self.host + "."]).pem, Workshop.issuing.pem])
        try expectGolden("explain-dot-at-end", run)
        let words = Self.words(run)
        #expect(words.contains("ends with a dot"))
        #expect(words.contains("side server") && !words.contains("somebody else's server"))
    }

    @Test("an issuer whose name stands in another order is told beside the CA that is meant")
    func nameInAnotherOrder() throws {
        let twin = Workshop.pki.root(
            TestName(.organization("Acme"), .commonName("Acme Twin")), key: .p256("twin"))
        let leaf = twin.issueLeaf(dns: [Self.host]) {
            $0.issuer = TestName(.commonName("Acme Twin"), .organization("Acme"))
        }
        let workshop = try Self.workshop()
        try workshop.write("unit/anchors/root.pem", twin.pem)
        let run = try Self.explain(workshop, [leaf.pem])
        try expectGolden("explain-name-order", run)
        let words = Self.words(run)
        #expect(words.contains("the same parts in another order"))
        #expect(words.contains("side in between"))
        #expect(!words.contains("is missing"))
    }

    // MARK: Evidence

    private static let crlPoint = TestExtension.crlDistributionPoints(["http://crl.acme.example/1"])

    @Test("evidence about another certificate is told as that")
    func evidenceOfAnother() throws {
        let workshop = try Self.workshop(
            "    revocation: { preset: require, scope: leaf, sources: [crl] }\n")
        let leaf = Workshop.issuing.issueLeaf(dns: [Self.host]) {
            $0.extensions.append(Self.crlPoint)
        }
        try Data(Workshop.root.revocationList()).write(
            to: workshop.folder.appending(path: "root.crl"))
        let chain = [leaf.pem, Workshop.issuing.pem]
        let run = try Self.explain(workshop, chain, ["--crl", "root.crl"])
        try expectGolden("explain-evidence-of-another", run)
        #expect(
            Self.words(run).contains("1 CRL was supplied, of `CN=Acme Root`; none is of"))
        #expect(!Self.words(run).contains("no answer was supplied"))
        let without = try Self.explain(workshop, chain)
        #expect(Self.words(without).contains("no answer was supplied"))
    }

    @Test("a folder of evidence takes PEM as `--crl` does, and refuses other PEM by name")
    func evidenceInPEM() throws {
        let workshop = try Self.workshop(
            "    revocation: { preset: require, scope: leaf, sources: [crl] }\n")
        let leaf = Workshop.issuing.issueLeaf(dns: [Self.host]) {
            $0.extensions.append(Self.crlPoint)
        }
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "evidence"), withIntermediateDirectories: true)
        let chain = [leaf.pem, Workshop.issuing.pem]
        try workshop.write(
            "evidence/a.crl", PEMWriter.block("X509 CRL", Workshop.issuing.revocationList()))
        let run = try Self.explain(workshop, chain, ["--evidence", "evidence"])
        #expect(run.status == 0, "\(run.output)")
        try workshop.write("evidence/a.crl", Workshop.issuing.pem)
        let other = try Self.explain(workshop, chain, ["--evidence", "evidence"])
        #expect(other.status == 2)
        #expect(other.error.contains("`evidence/a.crl` is PEM without a block `X509 CRL`"))
        try workshop.write("evidence/a.crl", "-----BEGIN X509 CRL-----\nnot base64\n")
        let broken = try Self.explain(workshop, chain, ["--evidence", "evidence"])
        #expect(broken.status == 2)
        #expect(broken.error.contains("`evidence/a.crl` is PEM that cannot be read"))
    }

    @Test(
        "a rule that asks another source than there is: the printed lines accept, and keep demands")
    func unaskedSource() throws {
        let workshop = try Self.workshop("    revocation: { preset: require, sources: [ocsp] }\n")
        let issuing = Workshop.root.issueCA("Acme Issuing", key: .p256("cli-issuing")) {
            $0.extensions.append(Self.crlPoint)
        }
        let leaf = issuing.issueLeaf(dns: [Self.host]) { $0.extensions.append(Self.crlPoint) }
        let folder = workshop.folder
        try Data(issuing.revocationList()).write(to: folder.appending(path: "issuing.crl"))
        try Data(Workshop.root.revocationList()).write(to: folder.appending(path: "root.crl"))
        let chain = [leaf.pem, issuing.pem]
        let evidence = ["--crl", "issuing.crl", "--crl", "root.crl"]
        let run = try Self.explain(workshop, chain, evidence)
        try expectGolden("explain-unasked-source", run)
        let words = Self.words(run)
        #expect(words.contains("it names a CRL and no responder, and rule `svc` asks only `ocsp`"))
        #expect(words.contains("side policy"))
        #expect(!words.contains("report-only") && !words.contains("issued so that it names"))
        // The lines that were printed, written where they belong.
        let policy = folder.appending(path: "unit/policy.yaml")
        let printed = try #require(run.output.firstRange(of: "write after `policy.yaml:"))
        let lines = run.output[printed.upperBound...].split(separator: "\n").dropFirst()
            .prefix { $0.hasPrefix(" ") }
        #expect(lines.contains { $0.contains("[ocsp, crl]") })
        let text = try String(contentsOf: policy, encoding: .utf8)
        try workshop.write(
            "unit/policy.yaml",
            text.trimmingCharacters(in: .newlines) + "\n"
                + lines.joined(separator: "\n") + "\n")
        #expect(try Self.explain(workshop, chain, evidence).status == 0)
        // Without the evidence it is a reject as before, and so is a revoked certificate.
        #expect(try Self.explain(workshop, chain).status == 1)
        try Data(issuing.revocationList([leaf])).write(to: folder.appending(path: "issuing.crl"))
        let revoked = try Self.explain(workshop, chain, evidence)
        #expect(revoked.output.contains("revoked") && revoked.status == 1)
    }

    @Test("a source that is named and not asked, without evidence: words without a report mode")
    func unaskedWithoutEvidence() throws {
        let workshop = try Self.workshop(
            "    revocation: { preset: require, scope: leaf, sources: [ocsp] }\n")
        let leaf = Workshop.issuing.issueLeaf(dns: [Self.host]) {
            $0.extensions.append(Self.crlPoint)
        }
        let run = try Self.explain(workshop, [leaf.pem, Workshop.issuing.pem])
        let words = Self.words(run)
        #expect(words.contains("be `[ocsp, crl]`, and hand over each CRL"), "\(run.output)")
        #expect(words.contains("side policy") && !words.contains("report-only"))
    }

    @Test("a demand for a staple without a responder is for the issuer to mend")
    func stapleFromNowhere() throws {
        let leaf = Workshop.issuing.issueLeaf(dns: [Self.host]) {
            $0.extensions.append(.tlsFeatures([5]))
        }
        let run = try Self.explain(Self.workshop(), [leaf.pem, Workshop.issuing.pem])
        let words = Self.words(run)
        #expect(words.contains("it names no responder, so the server has nowhere to get one"))
        #expect(!words.contains("have the server staple"), "\(run.output)")
    }

    // MARK: Pins

    @Test(
        "a pin of something else at hand is told, and the line that is printed accepts",
        arguments: ["certificate", "point", "certificate text", "key text"])
    func mistakenPin(_ thing: String) throws {
        let certificate = Workshop.issuing.certificate
        let spki = certificate.recipe.spki
        let hashed: [UInt8]
        switch thing {
        case "certificate": hashed = certificate.der
        case "point": hashed = Array(spki.suffix(65))
        case "certificate text": hashed = Array(certificate.pem.utf8)
        default: hashed = Array(PEMWriter.block("PUBLIC KEY", spki).utf8)
        }
        let wrong = "sha256/" + PEMWriter.base64(TestHash.sha256.digest(hashed))
        let workshop = try Self.workshop(
            "    pins: [api]\n",
            """
            pins:
              api:
                keys:
                  issuing: { spki: \(wrong), at: ca }
                backups:
                  offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                warn-from: 2026-05-01
                enforce-until: 2027-06-30

            """)
        let chain = [Workshop.leaf.pem, Workshop.issuing.pem]
        let run = try Self.explain(workshop, chain)
        if thing == "certificate" { try expectGolden("explain-mistaken-pin", run) }
        let words = Self.words(run)
        #expect(words.contains("side policy"), "\(run.output)")
        #expect(words.contains("write `\(certificate.pin)` in place of `\(wrong)`"))
        #expect(!words.contains("something may be answering in place"))
        let file = workshop.folder.appending(path: "unit/policy.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try workshop.write("unit/policy.yaml", text.replacing(wrong, with: certificate.pin))
        #expect(try Self.explain(workshop, chain).status == 0)
    }

    // MARK: Folders and files

    @Test("a file where a folder is wanted, and a folder where a file is")
    func filesAndFolders() throws {
        let workshop = try Self.workshop()
        let question = ["forecast", Self.host, "--policy", "unit", "--at", "2026-06-01"]
        let file = try workshop.run(question + ["--chains", "chain.pem"])
        #expect(file.status == 2)
        #expect(
            file.error.contains(
                "`chain.pem` is a file; `--chains` takes a folder of HOST.pem or HOST_PORT.pem, and "
                    + "`--chain` a file"))
        let folder = try workshop.run(question + ["--chain", "unit"])
        #expect(folder.status == 2)
        #expect(
            folder.error.contains(
                "`unit` is a folder; `--chain` takes a file, and `--chains` a folder of HOST.pem"))
        let evidence = try Self.explain(
            workshop, [Workshop.leaf.pem], ["--evidence", "chain.pem"])
        #expect(evidence.status == 2)
        #expect(evidence.error.contains("`chain.pem` is a file, not a folder"))
        let absent = try workshop.run(question + ["--chains", "nowhere"])
        #expect(absent.error.contains("`nowhere` is not there"))
    }
}
