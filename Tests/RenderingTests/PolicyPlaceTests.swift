import Rendering
import Testing
import TrustEngine

@Suite("places of demands")
struct PolicyPlaceTests {
    private static let provenance = Provenance(
        locations: [
            "/rules/api": .init(file: "p.yaml", line: 9, column: 3),
            "/rules/api/keys/types": .init(file: "p.yaml", line: 10, column: 5),
            "/profiles/near/path": .init(file: "p.yaml", line: 3, column: 5),
            "/profiles/far/validity/clock-skew": .init(file: "p.yaml", line: 6, column: 7),
            "/profiles/far/signatures/schemes": .init(file: "p.yaml", line: 8, column: 7),
            "/profiles/far/signatures/minimum-hash": .init(file: "p.yaml", line: 7, column: 7),
        ], parents: ["near": "far", "far": "ats"])

    @Test(
        "a demand is found in the nearest layer that writes it (LANGUAGE section 8)",
        arguments: [
            ("/rules/api/keys/types", "p.yaml:10:5"),
            ("/rules/api/keys", "p.yaml:10:5"),
            ("/rules/api/path", "p.yaml:3:5 (profile `near`)"),
            ("/rules/api/validity/clock-skew", "p.yaml:6:7 (profile `far`)"),
            ("/rules/api/signatures", "p.yaml:7:7 (profile `far`)"),
            ("/rules/api/tls/minimum-version", "built-in profile `ats`"),
            ("/rules/api/path/key-purposes", "built-in profile `baseline`"),
            ("/rules/api/identity", "p.yaml:9:3"),
            ("/rules/api", "p.yaml:9:3"),
        ])
    func layers(_ pointer: String, _ wanted: String) {
        let finder = PlaceFinder(provenance: Self.provenance, profile: "near")
        #expect(finder.place(of: pointer).text == wanted)
    }

    @Test("profiles that extend each other in a circle end the search")
    func circle() {
        let finder = PlaceFinder(
            provenance: Provenance(parents: ["a": "b", "b": "a"]), profile: "a")
        #expect(finder.place(of: "/rules/x/keys/types").text == "built-in profile `baseline`")
    }

    @Test("without provenance there is no place")
    func dropped() {
        let finder = PlaceFinder(provenance: nil, profile: "baseline")
        #expect(finder.place(of: "/rules/x/keys/types").text == nil)
    }
}
