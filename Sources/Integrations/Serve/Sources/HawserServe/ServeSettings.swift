#if Serve
import Hawser
import ServeArguments
import TrustEngine

/// What the options of `hawser serve` come to.
struct ServeSettings {
    /// Why the server does not start. Lower case, no full stop. Not escaped.
    struct Problem: Error {
        let context: String

        init(_ context: String) { self.context = context }
    }

    let table: String
    let store: PolicyStore.Configuration
    let server: VerdictServer.Configuration

    init(_ options: ServeOptions) throws(Problem) {
        table = options.table
        store = try ServeSettings.store(options)
        server = try ServeSettings.server(options)
    }

    // MARK: The store

    private static func store(
        _ options: ServeOptions
    ) throws(Problem) -> PolicyStore.Configuration {
        var store = PolicyStore.Configuration()
        guard !options.name.isEmpty else { throw Problem("`--name` is empty") }
        store.name = options.name
        do throws(NamedKeyProblem) {
            store.trustedKeys = try TrustedKeys.named(
                options.trustedKey, threshold: options.threshold, seconds: 15)
        } catch {
            throw Problem(error.context)
        }
        store.allowWaivers = !options.forbidWaivers
        store.stateDirectory = options.stateDirectory
        if options.requireState {
            guard options.stateDirectory != nil, store.trustedKeys != nil else {
                throw Problem(
                    "`--require-state` needs `--state-directory` and `--trusted-key`: nothing else "
                        + "proves a revision")
            }
            store.state = .required
        }
        switch (options.staleAfter, options.warnWhenStale) {
        case (nil, false): break
        case (nil, true): throw Problem("`--warn-when-stale` is for `--stale-after SECONDS`")
        case (0?, _): throw Problem("`--stale-after 0`: every table would be stale at once")
        case (let seconds?, false): store.staleness = .reject(after: .seconds(seconds))
        case (let seconds?, true): store.staleness = .warn(after: .seconds(seconds))
        }
        if let path = options.logList {
            store.logList = try read(path, limit: 16 << 20)
        }
        store.crlite = options.crliteDirectory.map { SuppliedFilters(CRLiteFolder($0)) }
        return store
    }

    private static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
        do throws(FileReadError) {
            return try FileReader.read(path: path, limit: limit)
        } catch {
            throw Problem(error.context)
        }
    }

    // MARK: The server

    private static func server(
        _ options: ServeOptions
    ) throws(Problem) -> VerdictServer.Configuration {
        var server = VerdictServer.Configuration(places: try places(options))
        server.callers = try callers(options)
        server.token = try token(options)
        server.threads = try bounded(options.threads, in: 1...256, "--threads")
        server.fetcher = try fetcher(options)
        var limits = ServerLimits()
        limits.body = try bounded(options.maxBody, in: 1_024...64 << 20, "--max-body")
        limits.connections = try bounded(
            options.maxConnections, in: 1...65_536, "--max-connections")
        limits.connectionsPerCaller =
            try bounded(
                options.maxConnectionsPerUser, in: 1...65_536, "--max-connections-per-user")
            ?? max(1, limits.connections / 2)
        limits.timePerRequest = .seconds(
            try bounded(options.timeout, in: 1...3_600, "--timeout"))
        limits.idleTime = .seconds(
            try bounded(options.idleTimeout, in: 1...86_400, "--idle-timeout"))
        limits.drainTime = .seconds(try bounded(options.drain, in: 0...3_600, "--drain"))
        server.limits = limits
        return server
    }

    private static func bounded(
        _ value: Int, in range: ClosedRange<Int>, _ option: String
    ) throws(Problem) -> Int {
        guard range.contains(value) else {
            throw Problem(
                "`\(option) \(value)` is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func bounded(
        _ value: Int?, in range: ClosedRange<Int>, _ option: String
    ) throws(Problem) -> Int? {
        guard let value else { return nil }
        return try bounded(value, in: range, option) as Int
    }

    private static func places(
        _ options: ServeOptions
    ) throws(Problem) -> [VerdictServer.Configuration.Place] {
        var places: [VerdictServer.Configuration.Place] = []
        if let path = options.socket {
            places.append(
                .unix(path: path, group: try options.group.map(group)))
        }
        if let tcp = options.tcp { places.append(try loopback(tcp)) }
        let given = ListeningSocket.handedOver()
        guard places.isEmpty || given.isEmpty else {
            throw Problem(
                "sockets were handed over, so `--socket` and `--tcp` have no place")
        }
        places += given.map { .handedOver($0) }
        guard !places.isEmpty else {
            throw Problem(
                "give a place to listen at: `--socket PATH`, or `--tcp 127.0.0.1:PORT` with a token"
            )
        }
        guard options.socket == nil || options.tcp != nil || options.tokenFile == nil else {
            throw Problem("`--token-file` is for `--tcp`")
        }
        let isTCPAlone = options.tcp != nil && options.socket == nil
        guard !isTCPAlone || options.allowUser.isEmpty && options.allowGroup.isEmpty else {
            throw Problem(
                "`--allow-user` and `--allow-group` are for `--socket`: over TCP nobody knows who asks"
            )
        }
        guard options.group == nil || options.socket != nil else {
            throw Problem("`--group` is for `--socket PATH`")
        }
        return places
    }

    private static func loopback(
        _ text: String
    ) throws(Problem) -> VerdictServer.Configuration.Place {
        for (prefix, isIPv6) in [("127.0.0.1:", false), ("[::1]:", true)]
        where text.hasPrefix(prefix) {
            let digits = text.dropFirst(prefix.count)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(digits)
            else { break }
            return .loopback(isIPv6: isIPv6, port: Int(port))
        }
        throw Problem(
            "`--tcp \(text)` is to be 127.0.0.1:PORT or [::1]:PORT: no other machine may ask")
    }

    private static func token(_ options: ServeOptions) throws(Problem) -> AccessToken? {
        guard let path = options.tokenFile else {
            guard options.tcp == nil else {
                throw Problem(
                    "`--tcp` needs `--token-file FILE`: every user of the machine reaches the port")
            }
            return nil
        }
        guard !NamedPath.isReadableByEveryone(path) else {
            throw Problem("every user may read `\(path)`, so its token keeps nobody out")
        }
        guard let token = AccessToken(try read(path, limit: 8 << 10)) else {
            throw Problem(
                "`\(path)` holds no token: \(AccessToken.lengths.lowerBound) to "
                    + "\(AccessToken.lengths.upperBound) visible characters of ASCII on one line; "
                    + "`openssl rand -base64 32` writes one")
        }
        return token
    }

    private static func user(_ name: String) throws(Problem) -> UInt32 {
        guard let user = Accounts.user(name) else {
            throw Problem("this machine has no user `\(name)`")
        }
        return user
    }

    private static func group(_ name: String) throws(Problem) -> UInt32 {
        guard let group = Accounts.group(name) else {
            throw Problem("this machine has no group `\(name)`")
        }
        return group
    }

    private static func callers(_ options: ServeOptions) throws(Problem) -> CallerRules? {
        guard !options.allowUser.isEmpty || !options.allowGroup.isEmpty else { return nil }
        var rules = CallerRules(users: [], groups: [])
        for name in options.allowUser { rules.users.insert(try user(name)) }
        for name in options.allowGroup { rules.groups.insert(try group(name)) }
        return rules
    }

    private static func fetcher(_ options: ServeOptions) throws(Problem) -> EvidenceFetcher? {
        guard options.fetch else {
            guard options.allowNetwork.isEmpty, options.allowPort.isEmpty else {
                throw Problem("`--allow-network` and `--allow-port` are for `--fetch`")
            }
            return nil
        }
        var permissions = FetchPermissions()
        permissions.ports.formUnion(options.allowPort)
        for text in options.allowNetwork {
            guard let range = AddressRange(text) else {
                throw Problem(
                    "`--allow-network \(text)` is not a network; write 10.0.0.0/8, 2001:db8::/32 or one "
                        + "address, without bits set past the prefix")
            }
            permissions.networks.append(range)
        }
        do throws(FileReadError) {
            return try EvidenceFetcher(permissions: permissions)
        } catch {
            throw Problem(error.context)
        }
    }

    /// The places in words, for the log; ports as they came out.
    func places(_ ports: [Int]) -> [String] {
        var ports = ports[...]
        return server.places.map { place in
            switch place {
            case .unix(let path, group: _): return path
            case .loopback(let isIPv6, port: _):
                return (isIPv6 ? "[::1]:" : "127.0.0.1:") + String(ports.popFirst() ?? 0)
            case .handedOver(let descriptor): return "descriptor \(descriptor)"
            }
        }
    }
}
#endif
