import CFlatTable

/// The bare table of a sample, and the sample's hosts as a program in C has them: each in memory of
/// its own.
final class BareTable {
    private let table: OpaquePointer
    private let hosts: [UnsafePointer<UInt8>?]
    private let lengths: [Int]

    init(_ sample: HostSample) {
        var names: [UInt8] = []
        var counts: [UInt8] = []
        var kinds: [UInt8] = []
        for (name, wildcard) in sample.patterns {
            names += Array(name.utf8)
            counts.append(UInt8(name.utf8.count))
            kinds.append(1 << UInt8(wildcard.rawValue))
        }
        guard let table = hwflat_make(names, counts, kinds, counts.count) else {
            fatalError("no memory for the bare table")
        }
        self.table = table
        hosts = sample.hosts.map { host in
            let octets = UnsafeMutablePointer<UInt8>.allocate(capacity: host.utf8.count)
            for (index, octet) in host.utf8.enumerated() { octets[index] = octet }
            return UnsafePointer(octets)
        }
        lengths = sample.hosts.map(\.utf8.count)
    }

    deinit {
        hwflat_free(table)
        for host in hosts { host?.deallocate() }
    }

    /// Octets of the slots and entries.
    var octets: Double { Double(hwflat_size(table)) }

    /// The sum of the rules of all hosts, -1 for a host without a rule.
    func lookUpAll() -> Int64 { hwflat_look_up_all(table, hosts, lengths, hosts.count) }
}
