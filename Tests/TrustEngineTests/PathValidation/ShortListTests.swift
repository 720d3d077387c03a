import Testing
import TrustEngine

@Suite("short lists")
struct ShortListTests {
    @Test("a list behaves as an array, across the elements that stand in the value")
    func asAnArray() {
        var seed: UInt64 = 7
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        var list = ShortList<Int>()
        var array: [Int] = []
        for _ in 0..<2_000 {
            switch next(4) {
            case 0 where !array.isEmpty:
                let count = next(array.count + 1)
                list.truncate(to: count)
                array.removeLast(array.count - count)
            case 1 where !array.isEmpty:
                let position = next(array.count)
                list[position] = -position
                array[position] = -position
            default:
                let element = next(1_000)
                list.append(element)
                array.append(element)
            }
            #expect(list.count == array.count)
            #expect(list.isEmpty == array.isEmpty)
            #expect(list.last == array.last)
            #expect((0..<list.count).map { list[$0] } == array)
        }
    }

    @Test("a copy keeps its elements")
    func copies() {
        var list = ShortList(1)
        for element in 2...12 { list.append(element) }
        let copy = list
        list[0] = 0
        list[10] = 0
        list.truncate(to: 3)
        #expect((0..<copy.count).map { copy[$0] } == Array(1...12))
    }
}
