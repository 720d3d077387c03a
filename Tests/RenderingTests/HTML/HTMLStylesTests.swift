import LibCrypto
import Testing
import TrustEngine

@testable import Rendering

@Suite("the style sheet of pages") struct HTMLStylesTests {
    @Test("its hash is the one that the policy of every page's content names")
    func hash() {
        let octets = Array("\(HTMLStyles.text)".utf8)
        let hash = Base64.encode(LibCryptoBackend().digest(.sha256, of: octets.span).bytes)
        #expect("\(HTMLStyles.source)" == "sha256-\(hash)")
    }
}
