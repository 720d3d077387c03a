#if Serve
import CLibC

/// Who connected to a Unix socket, as the kernel noted it at that moment.
struct PeerCredentials: Hashable, Sendable {
    let user: UInt32
    /// The group and the supplementary groups.
    let groups: Set<UInt32>

    /// Makes credentials from their values.
    init(user: UInt32, groups: Set<UInt32>) {
        self.user = user
        self.groups = groups
    }

    /// `struct ucred` of socket(7), which the C library shows only to GNU programs.
    private struct KernelRecord {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        var gid: UInt32 = 0
    }

    /// Reads the credentials of a socket's peer; nil where the kernel does not give them.
    init?(of descriptor: Int32) {
        var own = KernelRecord()
        var length = socklen_t(MemoryLayout<KernelRecord>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &own, &length) == 0,
            length == socklen_t(MemoryLayout<KernelRecord>.size)
        else { return nil }
        user = own.uid
        // 65,536 is the most that a process may have (NGROUPS_MAX). Most have some tens; the
        // kernel says how much room it wants where there are more.
        var more = [UInt32](repeating: 0, count: 64)
        var octets = socklen_t(more.count * 4)
        var status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &more, &octets)
        if status != 0, errno == ERANGE, octets <= 4 * 65_536 {
            more = [UInt32](repeating: 0, count: Int(octets) / 4)
            status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &more, &octets)
        }
        guard status == 0 else { return nil }
        groups = Set(more.prefix(Int(octets) / 4)).union([own.gid])
    }
}
#endif
