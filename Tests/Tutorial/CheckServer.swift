import Hawser

/// A server that the policy does not trust, and why.
struct UntrustedServer: Error {
    let host: String
    let reasons: [String]
}

/// Judges what a server presented: the certificates in the order they came, and the TLS version as
/// the handshake settled it.
func check(
    _ host: String, port: UInt16, chain: [[UInt8]], version: TLSVersion, by store: PolicyStore,
    at time: UTCInstant = .now
) throws(UntrustedServer) {
    let decision = store.judge(
        TrustRequest(
            host: host, port: port, presentedChain: chain, time: time,
            tls: .observed(TLSParameters(version: version))))
    guard decision.isAccept else {
        throw UntrustedServer(host: host, reasons: decision.violations.map(\.sentence))
    }
}
