import Hawser

/// A server that the policy does not trust, and why.
struct UntrustedServer: Error {
    let host: String
    let reasons: [String]
}

/// Judges what a server presented: the certificates in the order they came, and the TLS version as
/// the handshake settled it.
func check(
    _ host: String, port: UInt16, chain: [[UInt8]], version: TLSVersion, at now: UTCInstant,
    by store: PolicyStore
) throws(UntrustedServer) {
    let verdict = store.evaluate(
        TrustRequest(
            host: host, port: port, presentedChain: chain, time: now,
            tls: .observed(TLSParameters(version: version))))
    guard verdict.isAccept else {
        throw UntrustedServer(host: host, reasons: verdict.violations.map(\.sentence))
    }
}
