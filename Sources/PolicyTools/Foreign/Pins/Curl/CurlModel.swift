import TrustEngine

/// What a curl command or configuration file demands of a server.
///
/// Sources: `docs/cmdline-opts` and `src/tool_getparam.c` of curl/curl, `Curl_pin_peer_pubkey` in
/// `lib/vtls/vtls.c`, and measurements with curl 7.88.1 against a server on loopback:
///
/// - Of an option that stands twice the last counts (`getparameter` overwrites). `--no-insecure`
///   takes `-k` back.
/// - `--pinnedpubkey` is hashes if it begins with `sha256//`, in this case, and else the name of a
///   file. A hash is compared as text with the base64 of the server's key, padding included. Before
///   8.18 hashes are split at `;sha256//`, so a semicolon at the end is a part of the last; from
///   8.18 on they are split at `;`, and the list ends before a part without `sha256//`.
/// - The key is the one of the server's own certificate.
/// - `-k` switches the checks of the chain and of the name off. The pin stays in force.
/// - `--cacert` takes the place of the default file of CAs. A curl that was built with a directory
///   of CAs, as Debian's is, trusts those as well, unless `--capath` names another directory.
/// - `--tlsv1.x` is a floor. `--ciphers` lists suites of TLS 1.2 and older only.
/// - `--connect-to` and `--resolve` change the address, and not the name that is checked.
/// - The options bind every host that the command asks, and with `-L` each host of a redirect.
package struct CurlModel: Sendable {
    /// Whether lists of hashes are split at each semicolon.
    package struct Version: Hashable, Sendable {
        package let splitsAtSemicolons: Bool

        package init(splitsAtSemicolons: Bool) { self.splitsAtSemicolons = splitsAtSemicolons }

        /// A version such as `7.88.1` or `8.18`. A major version stands for its last minor one. Nil
        /// for other texts.
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let numbers = parts.map { part in
                part.utf8.count < 4 && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil
            }
            guard (1...3).contains(parts.count), !numbers.contains(nil), let major = numbers[0],
                (7...99).contains(major)
            else { return nil }
            let minor = parts.count > 1 ? numbers[1] ?? 0 : 999
            splitsAtSemicolons = (major, minor) >= (8, 18)
        }
    }

    /// The argument of `--pinnedpubkey`.
    package enum PinnedKey: Hashable, Sendable {
        /// Texts that are compared with the base64 of the server's key.
        case hashes([String])
        case file(String)
    }

    /// The demands on a server.
    package struct Behaviour: Sendable {
        /// Whether the chain and the name are checked.
        package let verifies: Bool
        package let pinnedKey: PinnedKey?
        /// The file of CAs that takes the place of the default one.
        package let anchors: String?
        package let minimumTLS: String?
        package let maximumTLS: String?

        /// Whether a key satisfies the pin; nil if the pin is a file.
        ///
        /// - Parameter digest: the SHA-256 digest of the key in base64.
        package func accepts(key digest: String) -> Bool? {
            switch pinnedKey {
            case nil: true
            case .file: nil
            case .hashes(let hashes): hashes.contains(digest)
            }
        }
    }

    package let file: CurlFile
    let version: Version

    package init(_ file: CurlFile, _ version: Version) {
        self.file = file
        self.version = version
    }

    /// The hosts that the command asks; nil for a file without URLs, which binds every host.
    package var hosts: [String]? { file.urls.isEmpty ? nil : file.urls.compactMap(\.host) }

    /// The demands on a host; nil for a host that the command does not ask.
    package func behaviour(of host: String, port: Int = 443) -> Behaviour? {
        let follows =
            file.last("location")?.isOn == true || file.last("location-trusted")?.isOn == true
        guard
            file.urls.isEmpty || follows
                || file.urls.contains(where: { $0.host == host && $0.port == port })
        else { return nil }
        return Behaviour(
            verifies: file.last("insecure")?.isOn != true,
            pinnedKey: file.last("pinnedpubkey")?.literal.map { pinnedKey($0) },
            anchors: file.last("cacert")?.literal, minimumTLS: file.minimumTLS,
            maximumTLS: file.last("tls-max")?.literal)
    }

    /// The file that holds the pinned key; nil without a pin, and for hashes.
    package var pinnedKeyFile: String? {
        guard let argument = file.last("pinnedpubkey")?.literal,
            case .file(let name) = pinnedKey(argument)
        else { return nil }
        return name
    }

    /// How an argument of `--pinnedpubkey` is read.
    package func pinnedKey(_ argument: String) -> PinnedKey {
        let mark = "sha256//"
        guard argument.hasPrefix(mark) else { return .file(argument) }
        var hashes: [String] = []
        var rest = argument[...]
        while rest.hasPrefix(mark) {
            rest = rest.dropFirst(mark.count)
            let end =
                version.splitsAtSemicolons ? rest.firstIndex(of: ";") : Self.next(mark, in: rest)
            hashes.append(String(rest[..<(end ?? rest.endIndex)]))
            guard let end else { break }
            rest = rest[rest.index(after: end)...]
        }
        return .hashes(hashes)
    }

    /// The semicolon before the next mark.
    private static func next(_ mark: String, in text: Substring) -> Substring.Index? {
        var rest = text
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...]
            if rest.hasPrefix(mark) { return semicolon }
        }
        return nil
    }
}
