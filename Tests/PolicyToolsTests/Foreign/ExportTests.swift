import Foundation
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Files that policies are exported to, and the differences that are told.
@Suite("exports") struct ExportTests {
    private static let pinned = """
        pins:
          shop:
            keys: { live: { spki: sha256/\(Exports.one) } }
            backups: { spare: { spki: sha256/\(Exports.two) } }
        rules:
          shop: { hosts: ["shop.example", "**.shop.example"], anchors: [system], pins: [shop] }

        """

    // MARK: Android

    @Test("a pinned domain with its subdomains is one entry, without a loss that can be stated")
    func pinnedDomain() throws {
        let answer = try Exports.answer(Self.pinned, to: "nsc")
        #expect(
            Exports.file(answer) == """
                <?xml version="1.0" encoding="utf-8"?>
                <!-- Written by `hawser export` from policy.yaml.
                     Change the policy and export it again; changes of this file are overwritten. -->
                <network-security-config>
                    <base-config cleartextTrafficPermitted="false">
                        <trust-anchors>
                            <certificates src="system" />
                        </trust-anchors>
                    </base-config>
                    <domain-config cleartextTrafficPermitted="false">
                        <domain includeSubdomains="true">shop.example</domain>
                        <trust-anchors>
                            <certificates src="system" />
                        </trust-anchors>
                        <pin-set>
                            <pin digest="SHA-256">\(Exports.one)</pin>
                            <pin digest="SHA-256">\(Exports.two)</pin>
                        </pin-set>
                    </domain-config>
                </network-security-config>

                """)
        #expect(Exports.stated(answer.loss) == [])
    }

    @Test("the demands that Android never checks are told for all hosts")
    func unstated() throws {
        let answer = try Exports.answer(
            """
            rules:
              shop: { hosts: ["shop.example"], anchors: [system], revocation: { preset: require } }

            """, to: "nsc")
        let found = answer.loss.lines.filter(\.isUnstated)
        #expect(found.contains { $0.field == "revocation.preset" && $0.relation == .weaker })
        #expect(found.allSatisfy { $0.witness.text == "shop.example:443" })
        #expect(answer.loss.relation == .weaker)
    }

    @Test("`*.` reaches deeper in the file, and the deeper hosts are told")
    func oneLabel() throws {
        let answer = try Exports.answer(
            Self.pinned.replacing("\"**.shop.example\"", with: "\"*.shop.example\""), to: "nsc")
        let lines = Exports.stated(answer.loss)
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("stricter pins") }, "\(lines)")
        #expect(answer.loss.lines.contains { $0.witness.host.text.hasSuffix(".shop.example") })
    }

    @Test("a name below `deny` is written, and its apex is told as weaker")
    func belowDeny() throws {
        let answer = try Exports.answer(
            "default: deny\nrules:\n  shop: { hosts: [\"**.shop.example\"], anchors: [system] }\n",
            to: "nsc")
        #expect(Exports.file(answer).contains("<domain includeSubdomains=\"true\">shop.example<"))
        #expect(Exports.stated(answer.loss) == ["weaker decision shop.example:443"])
    }

    @Test("the stricter one of a name and the names below it is written")
    func stricterOfTwo() throws {
        let pins = Self.pinned.split(separator: "rules:")[0]
        for (apex, below) in [("[shop]", ""), ("", "[shop]")] {
            func body(_ pins: String) -> String {
                "anchors: [system]" + (pins.isEmpty ? "" : ", pins: \(pins)")
            }
            let answer = try Exports.answer(
                """
                \(pins)rules:
                  apex: { hosts: ["shop.example"], \(body(apex)) }
                  below: { hosts: ["**.shop.example"], \(body(below)) }

                """, to: "nsc")
            let lines = Exports.stated(answer.loss)
            // The names below are what `base-config` is for, so that one entry says all.
            guard !below.isEmpty else {
                #expect(lines == [])
                continue
            }
            #expect(lines.count == 1 && lines[0].hasPrefix("stricter pins"), "\(lines)")
        }
    }

    @Test(
        "an end of pins is the first day that begins nowhere earlier",
        arguments: [
            ("2027-03-01", "2027-03-03"), ("2027-03-01T09:59:59Z", "2027-03-02"),
            ("2027-03-01T10:00:00Z", "2027-03-02"), ("2027-03-01T10:00:01Z", "2027-03-03"),
            // The last midnight of a day, as imports write it.
            ("2027-03-01T12:00:00Z", "2027-03-01"),
        ])
    func endOfPins(_ end: String, _ day: String) throws {
        let text = Self.pinned.replacing(
            "    backups:",
            with: "    enforce-until: \(end)\n    on-expiry: unpinned\n    backups:")
        let answer = try Exports.answer(text, to: "nsc")
        #expect(Exports.file(answer).contains("<pin-set expiration=\"\(day)\">"))
        let relations = Set(answer.loss.lines.filter { !$0.isUnstated }.map(\.relation))
        // On the devices whose day begins first, the day of an import ends before the policy does.
        #expect(relations == (end.hasSuffix("12:00:00Z") ? [.weaker] : [.stricter]), "\(end)")
        #expect(answer.loss.relationNow != .weaker)
    }

    @Test("pins that have ended are not written, and the mark says when the file changes")
    func datedPins() throws {
        let text = Self.pinned.replacing(
            "    backups:",
            with: "    enforce-until: 2027-03-01\n    on-expiry: unpinned\n    backups:")
        let before = try Exports.answer(text, to: "nsc")
        #expect(before.nextChange == .at("2027-03-02"))
        #expect(Exports.file(before).contains("next changes this file at 2027-03-02T00:00:00Z"))
        let after = try Exports.answer(text, to: "nsc", at: "2027-03-02")
        #expect(!Exports.file(after).contains("pin-set"))
        #expect(after.nextChange == nil)
    }

    @Test("a waiver is written while it is in force, and its end is a later loss")
    func waiver() throws {
        let text = """
            rules:
              old:
                hosts: ["old.example"]
                anchors: [system]
                waivers:
                  cleartext: { reason: device, owner: web, until: 2026-12-31 }

            """
        let answer = try Exports.answer(text, to: "nsc")
        #expect(Exports.file(answer).contains("<domain-config cleartextTrafficPermitted=\"true\">"))
        #expect(answer.loss.relationNow.isNoWeaker)
        #expect(
            Exports.stated(answer.loss)
                == ["weaker waivers.cleartext old.example:443 2027-01-01T00:00:00Z"])
        let later = try Exports.answer(text, to: "nsc", at: "2027-01-01")
        #expect(!Exports.file(later).contains("\"true\""))
    }

    @Test("private anchors are resources beside the file, and mean the same")
    func privateAnchors() throws {
        let root = Scenario().root("Corp Root", key: .p256("export-root"))
        let answer = try Exports.answer(
            """
            anchors:
              corp-roots: { files: [anchors/root.pem] }
            rules:
              corp: { hosts: ["**.corp.example"], anchors: [corp-roots] }

            """, to: "nsc", files: ["anchors/root.pem": Array(root.pem.utf8)])
        #expect(Exports.file(answer).contains("src=\"@raw/hawser_corp_roots\""))
        #expect(answer.file.companions.map(\.path) == ["../raw/hawser_corp_roots.pem"])
        // The name above the pattern has no pattern of its own.
        #expect(answer.loss.lines.allSatisfy { $0.witness.host.text == "corp.example" })
    }

    @Test("two pin sets of a host are one of them, and the loss says so")
    func twoSets() throws {
        let answer = try Exports.answer(
            """
            pins:
              a:
                keys: { live: { spki: sha256/\(Exports.one) } }
                backups: { spare: { spki: sha256/\(Exports.two) } }
              b:
                keys: { live: { spki: sha256/\(Exports.three) } }
                backups: { spare: { spki: sha256/\(Exports.two) } }
            rules:
              shop: { hosts: ["shop.example"], anchors: [system], pins: [a, b] }

            """, to: "nsc")
        #expect(Exports.file(answer).split(separator: "<pin-set").count == 2)
        #expect(answer.loss.relationNow == .weaker)
    }

    @Test("a file for some hosts says nothing of others, and is compared for its hosts only")
    func someHosts() throws {
        let answer = try Exports.answer(Self.pinned, to: "nsc", hosts: ["**.shop.example"])
        #expect(!Exports.file(answer).contains("base-config"))
        #expect(Exports.stated(answer.loss) == [])
        let other = try Exports.answer(Self.pinned, to: "nsc", hosts: ["**.bank.example"])
        #expect(Exports.file(other).contains("bank.example"))
        #expect(!Exports.file(other).contains("shop.example"))
    }

    @Test("what an old file keeps and loses")
    func oldFile() throws {
        let debug = """
            <debug-overrides>
                    <trust-anchors><!-- a proxy --><certificates src="user"/></trust-anchors>
                </debug-overrides>
            """
        let old = """
            <network-security-config>
                <!-- by hand -->
                <domain-config>
                    <domain>shop.example</domain><report-uri>x</report-uri>
                </domain-config>
                \(debug)
            </network-security-config>
            """
        let answer = try Exports.answer(Self.pinned, to: "nsc", over: old)
        #expect(Exports.file(answer).contains(debug))
        #expect(answer.file.dropped == ["1 comment", "`<report-uri>`"])
        #expect(!answer.file.wasExported)
        let again = try Exports.answer(Self.pinned, to: "nsc", over: Exports.file(answer))
        #expect(again.file.octets == answer.file.octets)
        #expect(again.file.wasExported && again.file.dropped == [])
    }

    // MARK: Checking

    @Test("a file in another layout means the same")
    func otherLayout() throws {
        let file = """
            <network-security-config><domain-config>
            <domain includeSubdomains="1">SHOP.example</domain>
            <pin-set><pin digest="sha-256">\(Exports.two)</pin>
            <pin digest="SHA-256">\(Exports.one)</pin></pin-set></domain-config>
            </network-security-config>
            """
        #expect(try Exports.check(Self.pinned, to: "nsc", file).relation == .equal)
    }

    @Test(
        "a file that was edited by hand is weaker where it was",
        arguments: [
            ("<pin digest=\"SHA-256\">\(Exports.one)</pin>", "", Relation.stricter, "pins"),
            ("includeSubdomains=\"true\"", "includeSubdomains=\"false\"", .weaker, "pins"),
            (
                "<domain-config cleartextTrafficPermitted=\"false\"",
                "<domain-config cleartextTrafficPermitted=\"true\"", .weaker, "waivers.cleartext"
            ),
            ("<pin-set>", "<pin-set expiration=\"2026-07-01\">", .weaker, "pins"),
            ("<pin-set>", "<pin-set expiration=\"2026-01-01\">", .weaker, "pins"),
        ])
    func edited(_ from: String, _ to: String, _ relation: Relation, _ field: String) throws {
        let file = try Exports.file(Exports.answer(Self.pinned, to: "nsc"))
        #expect(file.contains(from))
        let found = try Exports.check(
            Self.pinned, to: "nsc", file.replacing(from, with: to))
        #expect(found.relation == relation)
        #expect(found.lines.contains { $0.field.hasPrefix(field) }, "\(found.lines)")
    }

    @Test("a pin that is deleted or replaced by hand is told as what it is for the hosts")
    func spare() throws {
        let file = try Exports.file(Exports.answer(Self.pinned, to: "nsc"))
        let one = try Exports.check(
            Self.pinned, to: "nsc",
            file.replacing("<pin digest=\"SHA-256\">\(Exports.one)</pin>", with: ""))
        let line = try #require(one.lines.first)
        #expect(one.lines.count == 1 && line.file.hasPrefix("1 of 1 key at"), "\(one.lines)")
        #expect(line.remarks.contains { $0.contains("lacks a spare") }, "\(line.remarks)")
        // Another key in place of one: the file accepts it in place of the old one.
        let other = try Exports.check(
            Self.pinned, to: "nsc", file.replacing(Exports.one, with: Exports.three))
        #expect(other.relation == .incomparable)
        #expect(!other.lines.contains { $0.remarks.contains { $0.contains("lacks a spare") } })
        let both = try Exports.check(
            Self.pinned, to: "nsc",
            file.replacing("<pin digest=\"SHA-256\">\(Exports.one)</pin>", with: "")
                .replacing(Exports.two, with: Exports.three))
        #expect(both.relation == .incomparable)
    }

    @Test("what a policy has no words for is a difference, too")
    func gap() throws {
        let file = try Exports.file(Exports.answer(Self.pinned, to: "nsc"))
        let found = try Exports.check(
            Self.pinned, to: "nsc",
            file.replacing(
                "<certificates src=\"system\" />",
                with: "<certificates src=\"system\" /><certificates src=\"user\" />"))
        #expect(found.lines.isEmpty)
        #expect(found.gaps.contains { $0.code == .userAnchors && $0.file == .weaker })
        #expect(found.relation == .weaker)
    }

    // MARK: Apple

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
          <key>CFBundleName</key>   <string>Shop &amp; Co</string>
          <!-- keep this -->
          <key>NSAppTransportSecurity</key>
          <dict>
            <key>NSAllowsLocalNetworking</key>
            <true/>
            <key>NSExceptionDomains</key>
            <dict>
              <key>old.example</key> <!-- why? -->
              <dict/>
            </dict>
          </dict>
          <key>UIDevice</key>
          <array/>
        </dict>
        </plist>

        """

    @Test("only three keys of a property list change, and a second export changes nothing")
    func propertyList() throws {
        let answer = try Exports.answer(Self.pinned, to: "ats-pins", over: Self.list)
        let file = Exports.file(answer)
        let (head, tail) = ("  <key>UIDevice</key>\n  <array/>\n</dict>\n</plist>\n", Self.list)
        #expect(file.hasSuffix(head))
        #expect(file.hasPrefix(String(tail.prefix { $0 != "N" })))
        #expect(file.contains("    <key>NSAllowsLocalNetworking</key>\n    <true/>\n"))
        #expect(!file.contains("old.example"))
        #expect(file.contains(Exports.one) && file.contains("NSPinnedDomains"))
        #expect(answer.file.dropped == ["1 comment"])
        #expect(!answer.file.wasExported)
        let again = try Exports.answer(Self.pinned, to: "ats-pins", over: file)
        #expect(again.file.octets == answer.file.octets)
        #expect(again.file.wasExported)
    }

    @Test(
        "the part is added where a property list does not have it",
        arguments: [
            "<plist><dict><key>A</key><true/></dict></plist>", "<plist><dict/></plist>",
            "<plist>\r\n<dict>\r\n\t<key>A</key>\r\n\t<true/>\r\n</dict>\r\n</plist>\r\n",
            "<plist><dict><key>NSAppTransportSecurity</key><dict/></dict></plist>",
            "<plist>\n<dict>\n\t<key>NSAppTransportSecurity</key>\n\t<dict>\n\t</dict>\n</dict>\n"
                + "</plist>\n",
        ])
    func addedPart(_ list: String) throws {
        let answer = try Exports.answer(Self.pinned, to: "ats-pins", over: list)
        let file = Exports.file(answer)
        #expect(file.contains(Exports.one), "\(file)")
        #expect(answer.file.wasExported)
        #expect(list.contains("<key>A</key>") == file.contains("<key>A</key>"))
        if list.contains("\r\n") { #expect(!file.replacing("\r\n", with: "").contains("\n")) }
        let again = try Exports.answer(Self.pinned, to: "ats-pins", over: file)
        #expect(Exports.file(again) == file)
    }

    @Test("the words of a mark inside a key that stays are kept")
    func markInsideAKey() throws {
        let text = "<string><![CDATA[<!-- Written by `hawser export` from here -->]]></string>"
        let answer = try Exports.answer(
            Self.pinned, to: "ats-pins",
            over: "<plist><dict><key>NSAppTransportSecurity</key><dict><key>A</key>\(text)</dict>"
                + "</dict></plist>")
        let file = Exports.file(answer)
        #expect(file.contains("<key>A</key>\(text)"))
        let again = try Exports.answer(Self.pinned, to: "ats-pins", over: file)
        #expect(Exports.file(again) == file)
    }

    private static func at(_ position: String) -> String {
        pinned.replacing("\(Exports.one) }", with: "\(Exports.one), at: \(position) }")
            .replacing("\(Exports.two) }", with: "\(Exports.two), at: \(position) }")
            .replacing("\"**.shop.example\"", with: "\"*.shop.example\"")
    }

    @Test("keys of the server and keys above it go into the two lists", arguments: ["leaf", "ca"])
    func positions(_ position: String) throws {
        let answer = try Exports.answer(Self.at(position), to: "ats-pins")
        let key = position == "leaf" ? "NSPinnedLeafIdentities" : "NSPinnedCAIdentities"
        #expect(Exports.file(answer).contains(key))
        let lines = answer.loss.lines.filter { $0.field.hasPrefix("pins") }
        #expect(lines.isEmpty, "\(lines)")
    }

    @Test("keys at any position are written as keys above the server's, which is told")
    func anyPosition() throws {
        let answer = try Exports.answer(Self.pinned, to: "ats-pins")
        #expect(Exports.file(answer).contains("NSPinnedCAIdentities"))
        #expect(answer.loss.lines.contains { $0.field.hasPrefix("pins") && $0.relation != .equal })
    }

    @Test("names two labels below an entry are not pinned, which is told")
    func twoLabels() throws {
        let text = Self.at("ca").replacing("\"*.shop.example\"", with: "\"**.shop.example\"")
        let answer = try Exports.answer(text, to: "ats-pins")
        let lines = answer.loss.lines.filter {
            $0.field.hasPrefix("pins") && $0.relation == .weaker
        }
        #expect(!lines.isEmpty)
        for line in lines {
            let labels = line.witness.host.text.split(separator: ".").count
            #expect(labels >= 4, "\(line.witness.text)")
        }
    }

    // MARK: exports.yaml

    private static func codes(_ text: String, in folder: String = "policies") -> [String] {
        ExportPlan.read(
            SourceFile(path: "exports.yaml", bytes: Array(text.utf8)), in: folder,
            crypto: ForeignImports.crypto
        ).diagnostics.map(\.code.rawValue)
    }

    @Test(
        "the pages of the codes of exports: bad has the code, and good has none",
        arguments: DiagnosticCode.allCases.filter { $0.finder == .export })
    func pages(_ code: DiagnosticCode) {
        #expect(Self.codes(code.page.bad) == [code.rawValue])
        #expect(Self.codes(code.page.good) == [])
    }

    @Test(
        "paths that are not exported to",
        arguments: [
            "/etc/x.xml", "../../x.xml", "a//x.xml", "..", "a/..", "a/", ".git/hooks/pre-commit",
            "policy.yaml", "a/b.policy.yaml", "\"a\\u202eb.xml\"", "\"a\\u0000b\"", "a\\b.xml",
        ])
    func badPaths(_ path: String) {
        let text = "hawser-exports: 1\nexports:\n  a: { to: nsc, file: \(path) }\n"
        #expect(!Self.codes(text).isEmpty, "\(path)")
    }

    @Test("a path may leave the unit, and stays in the repository")
    func goodPaths() throws {
        let text = "hawser-exports: 1\nexports:\n  a: { to: nsc, file: ../app/./x.xml }\n"
        let plan = ExportPlan.read(
            SourceFile(path: "exports.yaml", bytes: Array(text.utf8)), in: "policies",
            crypto: ForeignImports.crypto)
        #expect(plan.exports?.map(\.path) == ["app/x.xml"])
        #expect(Self.codes(text, in: "") == ["HX703"])
    }

    @Test("the formats of the schema are the formats that are exported")
    func formatsOfSchema() throws {
        let file = SourceFile(
            path: "exports.schema.json",
            bytes: Array(try Data(contentsOf: Self.schema)))
        let root = try #require(SyntaxParser.parse(file, fileIndex: 0).root)
        func child(_ node: SyntaxNode, _ path: String...) -> SyntaxNode? {
            path.reduce(Optional(node)) { node, key in
                node?.entries.first { $0.key.text == key }?.value
            }
        }
        let keys = try #require(child(root, "definitions", "export", "properties"))
        let words = child(keys, "to", "enum")?.items.map { $0.text }
        #expect(words == ForeignTargets.names)
        let names = keys.entries.map { $0.key.text }
        #expect(Set(ForeignOption.allCases.map(\.rawValue)).isSubset(of: Set(names)))
    }

    private static let schema = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../grammar/exports.schema.json")
}
