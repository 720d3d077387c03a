import TrustEngine

/// The machine's own trust store, which a policy names as `system`.
public enum SystemStore {
    /// Where stores are kept, the first that exists counts: Debian and Alpine, Fedora, openSUSE,
    /// macOS and BSD. Environment variables are not asked: who sets one shall not change what is
    /// trusted.
    package static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// Largest store that is read, octets. Debian's has 220 KB.
    package static let limit = 16 << 20

    /// DER of each certificate of the machine's store, in the order of its file; nil when the
    /// machine has none.
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

    /// DER of each certificate of a PEM bundle. Blocks that are not certificates are passed over.
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
