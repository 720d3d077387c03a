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
