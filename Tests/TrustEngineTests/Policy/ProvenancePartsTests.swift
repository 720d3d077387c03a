import Testing
import TrustEngine

@Suite("the provenance of one rule")
struct ProvenancePartsTests {
    private static let parents = ["near": "far", "far": "web", "round": "about", "about": "round"]

    /// Names that begin with one another, and that sort on both sides of `/`.
    private static let names = ["api", "api-2", "api.x", "api0", "apix", "ap"]

    private static let provenance: Provenance = {
        var pointers = ["/default", "/default/anchors", "/default/hosts/0", "/profiles", "/rules"]
        for name in names {
            pointers += [
                "/rules/\(name)", "/rules/\(name)/anchors", "/rules/\(name)/host",
                "/rules/\(name)/hosts", "/rules/\(name)/hosts-of-old", "/rules/\(name)/hosts0",
                "/rules/\(name)/keys/rsa-minimum", "/rules/\(name)/waivers/expired",
            ]
            for host in 0..<50 {
                pointers += [
                    "/rules/\(name)/hosts/\(host)", "/rules/\(name)/hosts/h\(host).\(name)/24",
                ]
            }
        }
        for profile in ["near", "far", "farther", "web", "round", "about"] {
            pointers += ["/profiles/\(profile)", "/profiles/\(profile)/tls/minimum-version"]
        }
        for set in ["corp", "corp-2"] {
            pointers += [
                "/anchors/\(set)", "/anchors/\(set)/include/system",
                "/anchors/\(set)/constraints/excluded", "/pins/\(set)/keys/one",
            ]
        }
        var provenance = Provenance(parents: parents)
        for (number, pointer) in pointers.enumerated() {
            provenance.locations[pointer] = Provenance.Location(
                file: "policy.yaml", line: number + 1, column: 3)
        }
        return provenance
    }()

    private static func table(_ provenance: Provenance?) -> PolicyTable {
        PolicyTable.encode(TableSamples.small, provenance: provenance, crypto: TableDigests())
    }

    @Test(
        "is what the whole one has of the rule, of its profiles and, where asked, of the anchors",
        arguments: names + ["", "absent"], ["baseline", "near", "far", "round", "absent"])
    func parts(_ rule: String, _ profile: String) {
        let table = Self.table(Self.provenance)
        var layers: [String] = []
        var next: String? = profile
        while let layer = next, !layers.contains(layer) {
            layers.append(layer)
            next = Self.parents[layer]
        }
        let base = rule.isEmpty ? "/default" : "/rules/\(rule)"
        for listsAnchors in [false, true] {
            func isWanted(_ pointer: String) -> Bool {
                func isIn(_ owner: String) -> Bool {
                    pointer == owner || pointer.hasPrefix(owner + "/")
                }
                return isIn(base) && !pointer.hasPrefix(base + "/hosts/")
                    || layers.contains { isIn("/profiles/\($0)") }
                    || listsAnchors && isIn("/anchors")
            }
            let part = table.provenance(
                ofRule: rule, profile: profile, listsAnchors: listsAnchors)
            #expect(
                part
                    == Provenance(
                        locations: Self.provenance.locations.filter { isWanted($0.key) },
                        parents: Self.parents))
        }
    }

    @Test("is nil where the table has none, and empty where nothing is written")
    func none() {
        #expect(
            Self.table(nil).provenance(ofRule: "api", profile: "near", listsAnchors: true) == nil)
        let parents = Provenance(parents: Self.parents)
        #expect(
            Self.table(parents).provenance(ofRule: "api", profile: "near", listsAnchors: true)
                == parents)
    }
}
