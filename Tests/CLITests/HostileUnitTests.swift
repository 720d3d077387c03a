import Foundation
import Testing

/// What `hawser check` answers to a unit that was laid out to harm: the reason, at once. One page
/// holds every refusal; the work that each may cost is counted in `HawserTests`.
@Suite("hawser check of a hostile unit")
struct HostileUnitTests {
    /// A unit, its fault, and the check.
    struct Trap: Sendable {
        let title: String
        var path = "unit"
        /// Lays it out; the unit is the folder `unit` in the one that is passed.
        let lay: @Sendable (HostileFolder) throws -> Void
    }

    static let traps: [Trap] = [
        Trap(title: "a policy file is a link out of the unit") {
            try $0.write("outside.yaml", HostileFolder.secret)
            try $0.link("unit/team.policy.yaml", to: "../outside.yaml")
        },
        Trap(title: "`policy.yaml` itself is a link out of the unit") {
            try $0.write("outside.yaml", HostileFolder.secret)
            try $0.remove("unit/policy.yaml")
            try $0.link("unit/policy.yaml", to: "../outside.yaml")
        },
        Trap(title: "a folder is a link out of the unit") {
            try $0.write("outside/team.policy.yaml", HostileFolder.secret)
            try $0.link("unit/team", to: "../outside")
        },
        Trap(title: "an anchor file is a link out of the unit") {
            try $0.write("outside.pem", HostileFolder.secret)
            try $0.link("unit/anchor.pem", to: "../outside.pem")
            try $0.nameAnchor("anchor.pem")
        },
        Trap(title: "the folder of an anchor file is a link out of the unit") {
            try $0.write("outside/anchor.pem", HostileFolder.secret)
            try $0.link("unit/.anchors", to: "../outside")
            try $0.nameAnchor(".anchors/anchor.pem")
        },
        Trap(title: "an anchor's path climbs out of the unit") {
            try $0.write("outside.pem", HostileFolder.secret)
            try $0.nameAnchor("../outside.pem")
        },
        Trap(title: "an anchor's path is absolute") { try $0.nameAnchor("/etc/passwd") },
        Trap(title: "a policy file is a FIFO that nobody writes to") {
            try $0.fifo("unit/team.policy.yaml")
        },
        Trap(title: "an anchor file is a FIFO that nobody writes to") {
            try $0.fifo("unit/anchor.pem")
            try $0.nameAnchor("anchor.pem")
        },
        Trap(title: "an anchor file is a socket") {
            try $0.socket("unit/anchor.pem")
            try $0.nameAnchor("anchor.pem")
        },
        Trap(title: "the policy is a device that never ends", path: "/dev/zero") { _ in },
        Trap(title: "a policy file of 10 GB") {
            try $0.sparse("unit/team.policy.yaml", gigabytes: 10)
        },
        Trap(title: "another YAML file of 10 GB") {
            try $0.sparse("unit/values.yaml", gigabytes: 10)
        },
        Trap(title: "an anchor file of 10 GB") {
            try $0.sparse("unit/anchor.pem", gigabytes: 10)
            try $0.nameAnchor("anchor.pem")
        },
        Trap(title: "policy files of 60 MiB each, 600 MiB together") { folder in
            for number in 0..<10 {
                try folder.sparse("unit/\(number).policy.yaml", bytes: 60 << 20)
            }
        },
        Trap(title: "a folder of 100,000 entries") { try $0.files("unit/many", count: 100_000) },
        Trap(title: "folders 200 deep") { folder in
            try folder.write(
                "unit/deep/" + String(repeating: "d/", count: 200) + "x.policy.yaml", "hawser: 1\n")
        },
    ]

    @Test("each is refused with its reason, and nothing of what lies outside is shown")
    func refusals() throws {
        // A gigabyte is far above what each of these takes and far below what each of them holds
        // out. Sanitizers ask for far more. The peak in `getrusage` would not do: it is of every
        // child of this process, and counts the memory of this process until a child begins its
        // program.
        let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
        let memory = isSanitized ? nil : 1 << 20
        var page = ""
        for trap in Self.traps {
            let folder = try HostileFolder()
            try trap.lay(folder)
            let run = try CommandRun(["check", trap.path], in: folder.url, memory: memory)
            #expect([1, 2].contains(run.status), "\(trap.title): \(run.transcript)")
            #expect(!run.transcript.contains("hunter2"), "\(trap.title)")
            page += "# \(trap.title)\n\(run.transcript)\n"
        }
        try expectGolden("hostile-units", transcript: page)
    }
}

/// A folder with a unit in it that compiles, until a trap is laid.
final class HostileFolder {
    let url: URL
    /// What lies outside of the unit and must never be seen.
    static let secret = "hawser: 1\n# hunter2\n"

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "hawser-hostile-\(UUID().uuidString)")
        try write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ path: String, _ text: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A policy with a rule whose anchors are a file.
    func nameAnchor(_ path: String) throws {
        try write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: ["\(path)"] }
            rules:
              api: { hosts: ["api.acme.example"], anchors: [corp] }

            """)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(at: at(path)) }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: at(path).path, withDestinationPath: target)
    }

    func fifo(_ path: String) throws {
        guard mkfifo(at(path).path, 0o600) == 0 else { throw POSIXError(.EIO) }
    }

    /// A socket's name; the path is given in two steps, as the address of a socket takes 107
    /// octets.
    func socket(_ path: String) throws {
        let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let short = "/tmp/hawser-\(getpid())-\(UInt32.random(in: 0...(.max)))"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, rename(short, at(path).path) == 0 else { throw POSIXError(.EIO) }
    }

    func sparse(_ path: String, gigabytes: Int) throws {
        try sparse(path, bytes: gigabytes << 30)
    }

    /// A file of so many zero octets that takes no room.
    func sparse(_ path: String, bytes: Int) throws {
        try write(path, "")
        guard truncate(at(path).path, off_t(bytes)) == 0 else { throw POSIXError(.EIO) }
    }

    /// A folder of empty files.
    func files(_ path: String, count: Int) throws {
        let folder = at(path).path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for number in 0..<count {
            let descriptor = open("\(folder)/\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw POSIXError(.EIO) }
            close(descriptor)
        }
    }

    private func at(_ path: String) -> URL { url.appending(path: path) }
}
