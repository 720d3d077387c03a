import Dispatch
import Foundation
@_spi(FixedExpiryValidationTime) import X509

/// swift-certificates 1.21.1 on one list of roots: its `Verifier` with `RFC5280Policy` and
/// `ServerIdentityPolicy`, and each certificate of a chain parsed anew for each verdict.
final class Peer: Sendable {
    private let roots: CertificateStore

    init(roots: [[UInt8]]) throws {
        self.roots = CertificateStore(try roots.map { try Certificate(derEncoded: $0) })
    }

    /// Whether each of `count` verdicts on the chains, in turn, is an accept.
    func run(_ chains: [[[UInt8]]], host: String, time: Date, count: Int) async -> Bool {
        var index = 0
        for _ in 0..<count {
            guard await accepts(chains[index], host: host, time: time) else { return false }
            index = index + 1 == chains.count ? 0 : index + 1
        }
        return true
    }

    private func accepts(_ chain: [[UInt8]], host: String, time: Date) async -> Bool {
        guard let leaf = try? Certificate(derEncoded: chain[0]) else { return false }
        let others = CertificateStore(
            chain.dropFirst().compactMap { try? Certificate(derEncoded: $0) })
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            ServerIdentityPolicy(serverHostname: host, serverIP: nil)
        }
        switch await verifier.validate(leaf: leaf, intermediates: others) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }
}

/// The chains of a case, as `swift_certificates_peer_run` judges them.
final class PeerCase: Sendable {
    let peer: Peer
    let chains: [[[UInt8]]]
    let host: String
    let time: Date

    init(_ peer: Peer, _ chains: [[[UInt8]]], host: String, time: Date) {
        self.peer = peer
        self.chains = chains
        self.host = host
        self.time = time
    }
}

/// An answer that another thread waits for.
private final class Answer: @unchecked Sendable {
    private let isThere = DispatchSemaphore(value: 0)
    private var value = false

    func give(_ value: Bool) {
        self.value = value
        isThere.signal()
    }

    func wait() -> Bool {
        isThere.wait()
        return value
    }
}

// Lists of certificates cross as octets: each list and each certificate preceded by its length, of
// four octets, the least significant first.

/// Makes a verifier of roots, a list of certificates; nil where one does not parse.
@_cdecl("swift_certificates_peer_new")
public func newPeer(_ octets: UnsafePointer<UInt8>, _ count: Int) -> UnsafeMutableRawPointer? {
    let lists = PeerList.read(UnsafeBufferPointer(start: octets, count: count))
    guard lists.count == 1, let peer = try? Peer(roots: lists[0]) else { return nil }
    return Unmanaged.passRetained(peer).toOpaque()
}

/// Makes a case of chains, a list of certificates each.
@_cdecl("swift_certificates_peer_case")
public func newCase(
    _ peer: UnsafeMutableRawPointer, _ octets: UnsafePointer<UInt8>, _ count: Int,
    _ host: UnsafePointer<CChar>, _ time: Int64
) -> UnsafeMutableRawPointer {
    let chains = PeerList.read(UnsafeBufferPointer(start: octets, count: count))
    let made = PeerCase(
        Unmanaged<Peer>.fromOpaque(peer).takeUnretainedValue(), chains,
        host: String(cString: host), time: Date(timeIntervalSince1970: Double(time)))
    return Unmanaged.passRetained(made).toOpaque()
}

/// Judges the chains of a case in turn, `count` times in all. 1 where each verdict is an accept.
@_cdecl("swift_certificates_peer_run")
public func run(_ subject: UnsafeMutableRawPointer, _ count: Int) -> Int32 {
    let subject = Unmanaged<PeerCase>.fromOpaque(subject).takeUnretainedValue()
    let answer = Answer()
    Task.detached {
        answer.give(
            await subject.peer.run(
                subject.chains, host: subject.host, time: subject.time, count: count))
    }
    return answer.wait() ? 1 : 0
}

/// Reads lists of certificates out of octets.
private enum PeerList {
    static func read(_ octets: UnsafeBufferPointer<UInt8>) -> [[[UInt8]]] {
        var position = 0
        func length() -> Int {
            defer { position += 4 }
            return (0..<4).reduce(0) { $0 | Int(octets[position + $1]) << (8 * $1) }
        }
        var lists: [[[UInt8]]] = []
        while position < octets.count {
            lists.append(
                (0..<length()).map { _ in
                    let count = length()
                    defer { position += count }
                    return Array(octets[position..<position + count])
                })
        }
        return lists
    }
}
