import Glibc
import TrustEngine

/// Resolves names by the system's resolver. The resolver obeys no deadline. So it is called on its
/// own thread, which is left behind when the deadline comes first.
struct NameResolution: Sendable {
    /// Number of threads that are still asking the resolver, whether or not their deadline is over.
    private let asking = Monitor(0)
    private let look: @Sendable (String) -> Result<[IPAddress], FetchFailure>

    /// - Parameter look: the function that is called in place of the system's resolver.
    init(
        _ look: @escaping @Sendable (String) -> Result<[IPAddress], FetchFailure> = NameResolution
            .system
    ) {
        self.look = look
    }

    /// All addresses of a name, in the order in which to try them. It throws `busy` when too many
    /// threads are asking, `timedOut` at the deadline, and `nameUnknown`.
    func addresses(of name: String, by deadline: Deadline) throws(FetchFailure) -> [IPAddress] {
        let isFree = asking.withLock { count in
            guard count < NameResolution.maximumThreads else { return false }
            count += 1
            return true
        }
        guard isFree else { throw .busy }
        let answer = Monitor<Result<[IPAddress], FetchFailure>?>(nil)
        let isStarted = BackgroundThread.start { [asking, look] in
            let found = look(name)
            answer.withLock { $0 = found }
            asking.withLock { $0 -= 1 }
        }
        guard isStarted else {
            asking.withLock { $0 -= 1 }
            throw .busy
        }
        guard let found = answer.wait(until: deadline, { $0 }) else { throw .timedOut }
        return try found.get()
    }

    /// Asks the system's resolver.
    static func system(_ name: String) -> Result<[IPAddress], FetchFailure> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(name, nil, &hints, &list)
        guard status == 0, let first = unsafe list else {
            return .failure(.nameUnknown(unsafe String(cString: gai_strerror(status))))
        }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let entry = unsafe next {
            if let address = unsafe SocketAddress.address(in: entry.pointee.ai_addr),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    /// Most threads that ask at the same time. More would mean that the resolver hangs.
    private static let maximumThreads = 16
}

/// Converts addresses between sockets and the engine.
enum SocketAddress {
    /// The address in a sockaddr; nil for other families.
    static func address(in pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let pointer = unsafe pointer else { return nil }
        switch unsafe Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let octets = unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin_addr) { unsafe Array($0) }
            }
            return IPAddress(bytes: octets.span)
        case AF_INET6:
            let octets = unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe Array($0) }
            }
            return IPAddress(bytes: octets.span)
        default: return nil
        }
    }

    /// Calls `body` with an address and port as a sockaddr.
    static func with<Result>(
        _ address: IPAddress, port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if address.isIPv4 {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &place.sin_addr) {
                unsafe $0.copyBytes(from: address.bytes)
            }
            return unsafe withUnsafePointer(to: &place) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var place = sockaddr_in6()
        place.sin6_family = sa_family_t(AF_INET6)
        place.sin6_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &place.sin6_addr) {
            unsafe $0.copyBytes(from: address.bytes)
        }
        return unsafe withUnsafePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }
}
