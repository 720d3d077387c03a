import ArgumentParser
import Hawser
import PolicyTools
import TrustEngine

/// The options of every command that fetches evidence.
struct FetchOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-network"),
        help:
            "A network to fetch from although it is private: 10.0.0.0/8, or one address; may be repeated."
    )
    var allowNetwork: [String] = []

    @Option(
        name: .customLong("allow-port"),
        help: "A port to fetch from besides 80 and 8080; may be repeated.")
    var allowPort: [UInt16] = []

    /// Whether one of the options was given.
    var isGiven: Bool { !allowNetwork.isEmpty || !allowPort.isEmpty }

    /// A fetcher that connects where the options allow it. It keeps nothing after the command ends.
    func fetcher() throws(CommandFailure) -> EvidenceFetcher {
        var permissions = FetchPermissions()
        permissions.ports.formUnion(allowPort)
        for text in allowNetwork {
            guard let range = AddressRange(text) else {
                throw .couldNotAsk(
                    "`--allow-network \(text)` is no network; write 10.0.0.0/8, 2001:db8::/32 or one "
                        + "address, without bits set past the prefix")
            }
            permissions.networks.append(range)
        }
        // A person waits longer than a handshake does.
        var limits = FetchLimits()
        limits.timePerExchange = .seconds(15)
        limits.timePerRequest = .seconds(60)
        do throws(FileReadError) {
            return try EvidenceFetcher(limits: limits, permissions: permissions)
        } catch {
            throw .ownFault(error.context)
        }
    }
}

/// The sentences about fetched evidence.
enum FetchSentences {
    /// The sentence for one attempt: what came, or why nothing came.
    static func line(_ attempt: FetchAttempt) -> String {
        let what = "\(attempt.wanted.source.name) \(attempt.wanted.url)"
        switch attempt.outcome {
        case .kept(let evidence), .fetched(let evidence):
            return "fetched \(what): \(evidence.der.count) octets"
        case .failed(.addressRefused(let address, let kind)):
            let failure = FetchFailure.addressRefused(address, kind)
            return "did not fetch \(what): \(failure.id): \(failure.context); "
                + "`--allow-network \(address)` lets this command ask it, and a service needs the "
                + "same permission"
        case .failed(let failure):
            return "could not fetch \(what): \(failure.id): \(failure.context)"
        }
    }

    /// What a service would have done under the rule, if that is something else.
    static func policy(_ network: RevocationNetwork?) -> String? {
        switch network {
        case nil, .wait: return nil
        case .never: return "the rule says `network: never`: a service fetches nothing for it"
        case .prefetch:
            return
                "the rule says `network: prefetch`: a service has this only once it was fetched in "
                + "the background"
        }
    }
}
