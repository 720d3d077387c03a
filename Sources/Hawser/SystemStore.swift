import TrustEngine

/// The machine's own trust store, which a policy names as `system`.
public enum SystemStore {
    /// The places of the store: Debian and Alpine, Fedora, openSUSE, macOS and BSD. The first file
    /// that exists is read. Environment variables are not used, because whoever sets one must not
    /// change the trust anchors.
    package static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// Octets of the largest store that is read. Debian's store has 220 KB.
    package static let limit = 16 << 20

    /// DER of each certificate in the machine's store, in the order of its file; nil when the
    /// machine has no store. It throws when a store exists and cannot be read.
    public static func read() throws(FileReadError) -> [[UInt8]]? {
        for place in places {
            do throws(FileReadError) {
                return try read(path: place)
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return nil
    }

    /// Why no engine loads where the machine has no store: where it was looked for, and the package
    /// that installs it. Lower case, no full stop.
    ///
    /// LANGUAGE section 5: a table that names `system` does not load without a store. With an empty
    /// store instead, every host of a rule with `system` would be rejected as if its authority were
    /// at fault.
    package static func missing() -> String {
        "the policy names `system` and this machine has no trust store, so nothing is judged; looked "
            + "for \(places.map { "`\($0)`" }.joined(separator: ", ")); \(package()); the variables "
            + "SSL_CERT_FILE and SSL_CERT_DIR are not read, because whoever sets one must not change "
            + "the trust anchors"
    }

    /// Why a store without a certificate is none. Lower case, no full stop.
    package static func empty() -> String {
        "the policy names `system` and this machine's trust store holds no certificate, so nothing is "
            + "judged; \(package())"
    }

    /// The package of the distribution that brings the store, with its command.
    private static func package() -> String {
        let command = distribution().lazy.compactMap { commands[$0] }.first
        return "the package `ca-certificates` installs it" + (command.map { ": `\($0)`" } ?? "")
    }

    /// The command that installs the package, by the `ID` of os-release(5).
    private static let commands = [
        "debian": "apt-get install ca-certificates", "ubuntu": "apt-get install ca-certificates",
        "alpine": "apk add ca-certificates", "fedora": "dnf install ca-certificates",
        "rhel": "dnf install ca-certificates", "centos": "dnf install ca-certificates",
        "amzn": "dnf install ca-certificates", "suse": "zypper install ca-certificates-mozilla",
        "opensuse": "zypper install ca-certificates-mozilla",
        "arch": "pacman -S ca-certificates", "wolfi": "apk add ca-certificates-bundle",
        "photon": "tdnf install ca-certificates", "mariner": "tdnf install ca-certificates",
        "azurelinux": "tdnf install ca-certificates",
    ]

    /// The `ID` of os-release(5), then what `ID_LIKE` names; empty where the file is not there.
    private static func distribution() -> [String] {
        for path in ["/etc/os-release", "/usr/lib/os-release"] {
            guard let bytes = try? FileReader.read(path: path, limit: 65_536) else { continue }
            return distribution(String(decoding: bytes, as: UTF8.self))
        }
        return []
    }

    /// The same of the text of the file.
    static func distribution(_ text: String) -> [String] {
        var words: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            words[String(parts[0])] = parts[1].split { " \"'\r".contains($0) }.map(String.init)
        }
        return (words["ID"] ?? []) + (words["ID_LIKE"] ?? [])
    }

    /// DER of each certificate in a PEM bundle, in the order of the file. Other blocks are skipped.
    public static func read(path: String) throws(FileReadError) -> [[UInt8]] {
        let bytes = try FileReader.read(path: path, limit: limit)
        do throws(PEMError) {
            return try PEM.decode(bytes.span).filter { $0.label == "CERTIFICATE" }.map(\.der)
        } catch {
            throw FileReadError(
                code: .unreadable,
                context: "`\(path)` at byte \(error.offset): \(error.problem.rawValue)")
        }
    }
}
