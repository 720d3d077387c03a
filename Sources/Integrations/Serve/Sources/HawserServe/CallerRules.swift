#if Serve
/// The callers who may ask over a Unix socket, by the kernel's credentials of the connection.
public struct CallerRules: Hashable, Sendable {
    /// User ids.
    public var users: Set<UInt32>
    /// Group ids; a caller's supplementary groups count too.
    public var groups: Set<UInt32>

    /// Allows these users, and the members of these groups.
    public init(users: Set<UInt32>, groups: Set<UInt32>) {
        self.users = users
        self.groups = groups
    }

    /// Whether a caller may ask.
    func allow(_ caller: PeerCredentials) -> Bool {
        users.contains(caller.user) || !groups.isDisjoint(with: caller.groups)
    }
}
#endif
