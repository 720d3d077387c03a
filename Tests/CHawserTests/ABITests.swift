import CHawser
import CHawserABI
import Testing

@Suite struct ABITests {
    @Test func theVersionIsTheHeaders() {
        #expect(hawser_abi_version() == UInt32(HAWSER_ABI_VERSION))
    }
}
