import CHawserABI
import Hawser
import TrustEngine

/// A fetcher that C holds a handle of.
final class HeldFetcher: Sendable {
    private let fetcher: EvidenceFetcher
    private let permission: EvidenceFetcher.Permission

    /// Opens a fetcher; NULL gives the defaults.
    init(_ pointer: UnsafePointer<hawser_fetcher_options>?) throws(CallFailure) {
        var limits = FetchLimits()
        var permissions = FetchPermissions()
        var folder: String?
        var permission = EvidenceFetcher.Permission.policy
        if unsafe pointer != nil {
            let options = try unsafe CheckedStruct(pointer, "options").value
            folder = try unsafe CInput.name(
                options.folder, limit: CInput.limitPath, "options.folder")
            permissions.networks = try unsafe HeldFetcher.networks(options)
            permissions.ports.formUnion(try unsafe HeldFetcher.ports(options))
            guard unsafe Int(options.flags) & ~HAWSER_FETCH_AS_ASKED == 0 else {
                throw unsafe .value("options.flags", options.flags, allowed: "HAWSER_FETCH_*")
            }
            guard unsafe options.reserved == 0 else {
                throw unsafe .value("options.reserved", options.reserved, allowed: "0")
            }
            if unsafe options.flags != 0 { permission = .caller }
            if let time = try unsafe HeldFetcher.time(options.timeout, "options.timeout") {
                limits.timePerRequest = time
            }
            let time = try unsafe HeldFetcher.time(
                options.exchange_timeout, "options.exchange_timeout")
            if let time { limits.timePerExchange = time }
        }
        do throws(FileReadError) {
            fetcher = try EvidenceFetcher(
                limits: limits, permissions: permissions, folder: folder)
        } catch {
            throw CallFailure(HAWSER_E_FILE, error.code.rawValue, error.context)
        }
        self.permission = permission
    }

    /// Judges a request, and fetches the evidence that is wanted and permitted.
    func evaluate(_ request: TrustRequest, by policy: FixedPolicy) -> FetchedVerdict {
        fetcher.evaluateFetching(request, by: policy, permission: permission)
    }

    /// Fetches what was wanted under `prefetch`.
    func prefetch(atMost limit: Int) -> (fetched: Int, failed: Int) {
        fetcher.prefetch(atMost: limit)
    }

    private static func networks(
        _ options: hawser_fetcher_options
    ) throws(CallFailure) -> [AddressRange] {
        let given = try unsafe CInput.array(
            options.networks, options.network_count, limit: CInput.limitItems, "options.networks")
        var networks: [AddressRange] = []
        for place in 0..<given.count {
            guard let text = try unsafe CInput.name(given[place], "options.networks") else {
                throw .null("options.networks[\(networks.count)]")
            }
            guard let range = AddressRange(text) else {
                throw CallFailure(
                    HAWSER_E_ARGUMENT, "not-a-network",
                    "`\(text)` is no network: write 10.0.0.0/8, 2001:db8::/32 or one address, "
                        + "without bits set past the prefix")
            }
            networks.append(range)
        }
        return networks
    }

    private static func ports(_ options: hawser_fetcher_options) throws(CallFailure) -> [UInt16] {
        let given = try unsafe CInput.array(
            options.ports, options.port_count, limit: CInput.limitItems, "options.ports")
        var ports: [UInt16] = []
        for place in 0..<given.count {
            guard let port = unsafe UInt16(exactly: given[place]), port > 0 else {
                throw unsafe .value("options.ports", given[place], allowed: "1 to 65535")
            }
            ports.append(port)
        }
        return ports
    }

    /// A time in milliseconds; nil for 0.
    private static func time(
        _ milliseconds: Int64, _ name: String
    ) throws(CallFailure) -> Duration? {
        guard (0...longestWait).contains(milliseconds) else {
            throw .value(name, milliseconds, allowed: "0 to \(longestWait) milliseconds")
        }
        return milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    /// Ten minutes: longer than anybody waits for a connection.
    private static let longestWait: Int64 = 600_000
}
