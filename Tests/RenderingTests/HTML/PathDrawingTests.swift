import Foundation
import Rendering
import Testing
import TrustEngine

/// Which boxes of a drawn path are marked as failing.
@Suite("the drawing of paths") struct PathDrawingTests {
    private static let path = [TraceSamples.leaf, TraceSamples.issuing, TraceSamples.root]

    private static func mismatch(at positions: String..., matched: String? = nil) -> Violation {
        var wanted = positions.map {
            PinMismatch.Wanted(
                id: $0, isBackup: false, position: $0, digests: ["sha256/AAAA"], matched: false)
        }
        if let matched {
            wanted.append(
                .init(
                    id: "met", isBackup: false, position: matched, digests: ["sha256/BBBB"],
                    matched: true))
        }
        return .pinMismatch(
            PinMismatch(
                set: "acme-api", needed: wanted.count, matched: matched == nil ? 0 : 1,
                wanted: wanted, found: []))
    }

    @Test("a pin marks the certificates that its `at` looks at")
    func pins() {
        let (leaf, issuing, root) = (Self.path[0], Self.path[1], Self.path[2])
        func marked(_ violation: Violation) -> [CertificateReference] {
            PathDrawing.failing(violation, Self.path)
        }
        #expect(marked(Self.mismatch(at: "leaf")) == [leaf])
        #expect(marked(Self.mismatch(at: "intermediate")) == [issuing])
        #expect(marked(Self.mismatch(at: "anchor")) == [root])
        #expect(marked(Self.mismatch(at: "ca")) == [issuing, root])
        #expect(marked(Self.mismatch(at: "any")) == Self.path)
        #expect(marked(Self.mismatch(at: "leaf", "anchor")) == [leaf, root])
        #expect(marked(Self.mismatch(at: "leaf", matched: "anchor")) == [leaf])
        // A server that is its own anchor has one certificate for each place but `intermediate`.
        #expect(PathDrawing.failing(Self.mismatch(at: "ca"), [leaf]) == [leaf])
        #expect(PathDrawing.failing(Self.mismatch(at: "intermediate"), [leaf]) == [leaf])
    }

    @Test("names and TLS are the server's; what is of a certificate is its own")
    func others() {
        let name = Violation.nameMismatch(wanted: ["a.example"], presented: ["b.example"])
        #expect(PathDrawing.failing(name, Self.path) == [Self.path[0]])
        #expect(
            PathDrawing.failing(.budgetExhausted(limit: 1), Self.path) == [Self.path[2]])
        let key = Violation.keyTooSmall(Self.path[1], bits: 1024, minimum: 2048)
        #expect(PathDrawing.failing(key, Self.path) == [Self.path[1]])
    }

    @Test("the box of the server is marked in the drawing where its pin fails")
    func drawing() throws {
        let explanation = TraceSamples.rejected(.pins, [Self.mismatch(at: "leaf")])
        let json = PathDrawing(explanation, []).json.render(.compact)
        let boxes = json.components(separatedBy: "\"fingerprint\"").dropFirst()
        let marked = boxes.filter { $0.contains("\"violations\":[\"pin-mismatch\"]") }
        #expect(boxes.count == 3)
        #expect(marked.count == 1)
        #expect(marked.first?.contains("\"kind\":\"server certificate\"") == true)
    }
}
