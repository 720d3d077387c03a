#if Serve
import CLibC

/// The users and groups of this machine, by name or number.
enum Accounts {
    /// The number of a user; nil for a name that the machine does not know.
    static func user(_ text: String) -> UInt32? {
        if let number = number(text) { return number }
        guard let entry = unsafe getpwnam(text) else { return nil }
        return unsafe entry.pointee.pw_uid
    }

    /// The number of a group; nil for a name that the machine does not know.
    static func group(_ text: String) -> UInt32? {
        if let number = number(text) { return number }
        guard let entry = unsafe getgrnam(text) else { return nil }
        return unsafe entry.pointee.gr_gid
    }

    /// The user that this process acts as.
    static var own: UInt32 { geteuid() }

    /// The largest number stands for "no change" in the kernel's calls.
    private static func number(_ text: String) -> UInt32? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(text),
            number < UInt32.max
        else { return nil }
        return number
    }
}
#endif
