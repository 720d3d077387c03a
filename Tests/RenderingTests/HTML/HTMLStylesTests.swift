import LibCrypto
import Testing
import TrustEngine

@testable import Rendering

@Suite("the style sheet and the script of pages") struct HTMLStylesTests {
    private static let texts: [(text: StaticString, source: StaticString)] = [
        (HTMLStyles.text, HTMLStyles.source), (PageFilter.script, PageFilter.source),
    ]

    @Test("the policy of every page's content names their hashes")
    func hashes() {
        for (text, source) in Self.texts {
            let octets = Array("\(text)".utf8)
            let hash = Base64.encode(LibCryptoBackend().digest(.sha256, of: octets.span).bytes)
            #expect("\(source)" == "sha256-\(hash)")
        }
    }
}
