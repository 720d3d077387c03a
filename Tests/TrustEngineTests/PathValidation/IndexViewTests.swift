import Testing
import TrustEngine

/// Lists of indices that stand in a table's bytes.
@Suite("lists of indices")
struct IndexViewTests {
    @Test("a list holds what it was made of and nothing else", arguments: 0...33)
    func contains(_ count: Int) {
        let elements = (0..<count).map { 3 * $0 + 1 }
        let view = IndexView(elements.reversed())
        #expect(view.elementsEqual(elements))
        for index in -1...100 {
            #expect(view.contains(index) == elements.contains(index), "\(index) of \(count)")
        }
    }
}
