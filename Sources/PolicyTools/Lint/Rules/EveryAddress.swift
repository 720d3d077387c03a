import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW219: a network with the prefix 0 among the hosts of a rule. It covers every address of its
    /// family. In `permitted-names` and `excluded-names` of an anchor set this network is the way
    /// to speak of every address of a certificate, so it is not judged there.
    static let everyAddress = LintRule(.everyAddress) { context in
        context.bound.rules(.ranges).flatMap { _, rule in
            rule.hosts.compactMap { host in
                guard case .network(let address, prefix: 0) = host.pattern.host else { return nil }
                // The port stays: a pattern without one matches every port.
                let (family, network) =
                    address.bitCount == 32 ? ("IPv4", "10.20.0.0/16") : ("IPv6", "fd00:40::/48")
                let example =
                    host.pattern.port.map {
                        address.bitCount == 32 ? "\(network):\($0)" : "[\(network)]:\($0)"
                    } ?? network
                return Diagnostic(
                    .everyAddress,
                    "`\(host.text)` covers every \(family) address, those of strangers too",
                    at: Diagnostic.Label(host.span),
                    help: [
                        "write the networks that are yours, such as `\"\(example)\"`; what no pattern "
                            + "names is for `default` to decide"
                    ])
            }
        }
    }
}
