import CHawserABI
import Hawser
import TrustEngine

/// The demands of a rule on a connection that C holds a handle of.
final class HeldDemands: Sendable {
    private let demands: ConnectionDemands
    private let epoch: UInt64
    private let dependsOnPort: Bool

    init(_ demands: ConnectionDemands, epoch: UInt64, dependsOnPort: Bool) {
        self.demands = demands
        self.epoch = epoch
        self.dependsOnPort = dependsOnPort
    }

    /// The demands in numbers.
    var numbers: hawser_demanded {
        var numbers = hawser_demanded(
            epoch: epoch, policy: demands.policyDigest, dependsOnPort: dependsOnPort)
        numbers.tls_version_minimum = UInt32(demands.versions.lowerBound.rawValue)
        numbers.tls_version_maximum = UInt32(demands.versions.upperBound.rawValue)
        numbers.cipher_suite_count = UInt32(clamping: demands.cipherSuites.count)
        numbers.group_count = UInt32(clamping: demands.groups.count)
        numbers.signature_scheme_count = UInt32(clamping: demands.signatureSchemes.count)
        numbers.alpn_count = UInt32(clamping: demands.alpn.count)
        numbers.revocation_source_count = UInt32(clamping: demands.revocationSources.count)
        numbers.forward_secrecy = demands.requiresForwardSecrecy ? 1 : 0
        numbers.staple = UInt32(staple)
        numbers.rejects_without_evidence = demands.rejectsWithoutRevocationEvidence ? 1 : 0
        numbers.may_fetch = demands.mayFetchRevocationEvidence ? 1 : 0
        numbers.transparency = demands.demandsTransparency ? 1 : 0
        numbers.offers_intermediates = demands.offersIntermediates ? 1 : 0
        numbers.has_server_name = demands.serverName == nil ? 0 : 1
        return numbers
    }

    private var staple: Int {
        guard demands.revocationSources.contains(.stapled) else { return HAWSER_STAPLE_UNUSED }
        let isOnly = demands.revocationSources.allSatisfy { $0 == .stapled }
        return isOnly && demands.rejectsWithoutRevocationEvidence
            ? HAWSER_STAPLE_REQUIRED : HAWSER_STAPLE_WANTED
    }

    /// The text that C asks for by number, not escaped.
    func text(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        let items: [String]
        switch Int(which) {
        case HAWSER_TEXT_DEMANDED_RULE: items = [demands.ruleID]
        case HAWSER_TEXT_DEMANDED_SERVER_NAME: items = demands.serverName.map { [$0] } ?? []
        case HAWSER_TEXT_DEMANDED_CIPHER_SUITE: items = demands.cipherSuites
        case HAWSER_TEXT_DEMANDED_GROUP: items = demands.groups
        case HAWSER_TEXT_DEMANDED_SIGNATURE_SCHEME: items = demands.signatureSchemes
        case HAWSER_TEXT_DEMANDED_ALPN: items = demands.alpn
        case HAWSER_TEXT_DEMANDED_REVOCATION_SOURCE:
            items = demands.revocationSources.map(\.name)
        default: throw .value("which", which, allowed: "the HAWSER_TEXT_* of demands")
        }
        guard items.indices.contains(index) else {
            throw CallFailure(
                HAWSER_E_RANGE, "no-such-text", "there is no text \(which) at \(index)")
        }
        return items[index]
    }
}

extension hawser_demanded {
    /// No demands, of a policy.
    init(epoch: UInt64, policy: Digest, dependsOnPort: Bool) {
        self.init()
        size = MemoryLayout<hawser_demanded>.size
        self.epoch = epoch
        depends_on_port = dependsOnPort ? 1 : 0
        policy.copy(into: &policy_digest)
    }
}
