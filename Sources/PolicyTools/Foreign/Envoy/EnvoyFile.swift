/// What static configuration of Envoy states about TLS, with the place of each part, after Envoy's
/// API (`envoy/extensions/transport_sockets/tls/v3/common.proto`, `tls.proto`).
package struct EnvoyFile: Sendable {
    /// A `DataSource`.
    package struct Source: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case file(String)
            case inline([UInt8])
            /// An environment variable.
            case other(String)
        }
        package let content: Content
        let range: Range<Int>
    }

    /// An entry of `match_typed_subject_alt_names`.
    package struct Matcher: Sendable {
        package enum Kind: String, Sendable {
            case dns = "DNS"
            case uri = "URI"
            case email = "EMAIL"
            case ip = "IP_ADDRESS"
            case otherName = "OTHER_NAME"
            /// An entry of the deprecated `match_subject_alt_names`, for names of every type.
            case any = "ANY"
        }
        package enum Way: String, Sendable {
            case exact, prefix, suffix, contains
            case regex = "safe_regex"
            /// A matcher of another kind, such as `custom`.
            case other
        }
        package let kind: Kind
        package let way: Way
        package let text: String
        /// Whether letter case does not count.
        let ignoresCase: Bool
        let range: Range<Int>
    }

    /// An entry of `verify_certificate_spki` or `verify_certificate_hash`.
    package struct Pin: Hashable, Sendable {
        /// In base64 of a key, in hexadecimal of a certificate.
        package let digest: String
        package let isOfCertificate: Bool
        let range: Range<Int>
    }

    /// A `CertificateValidationContext`. The parts that are nil are not written.
    package struct Validation: Sendable {
        package var trustedCA: Source?
        /// Whether the CAs of the system are named, by `system_root_certs`.
        package var usesSystemRoots = false
        package var matchers: [Matcher] = []
        package var pins: [Pin] = []
        package var acceptsUntrusted: Bool?
        package var allowsExpired: Bool?
        package var crl: Source?
        package var requiresTimestamps: Bool?
        package var maximumDepth: Int?
        package var customValidator: Range<Int>?
        package var range: Range<Int>
    }

    /// The versions of TLS.
    package enum Version: String, Hashable, Sendable, CaseIterable {
        case tls10 = "TLSv1_0"
        case tls11 = "TLSv1_1"
        case tls12 = "TLSv1_2"
        case tls13 = "TLSv1_3"
    }

    /// An `UpstreamTlsContext`.
    package struct Context: Sendable {
        /// Nil if no validation is written.
        package var validation: Validation?
        /// The secret that holds the validation, or a part of it; nil without one.
        package var secret: (name: String, range: Range<Int>)?
        package var serverName: String?
        package var takesNameOfHost = false
        package var checksServerName = false
        package var minimum: Version?
        package var maximum: Version?
        package var cipherSuites: [String] = []
        package var curves: [String] = []
        package var signatureAlgorithms: [String] = []
        /// The place of the list of cipher suites, of curves and of signature algorithms.
        var cipherRange: Range<Int>?
        var curveRange: Range<Int>?
        var signatureRange: Range<Int>?
        package var range: Range<Int>
    }

    /// An endpoint of a cluster.
    package struct Endpoint: Hashable, Sendable {
        /// The name or address that Envoy connects to.
        let address: String
        let port: Int?
        /// The name of the host, where it is written.
        let hostname: String?
        let range: Range<Int>
        /// The labels of `envoy.transport_socket_match`.
        var labels: [String: String] = [:]
    }

    /// A way to connect to the endpoints of a cluster.
    package struct Socket: Sendable {
        /// Nil for a transport without TLS.
        package let context: Context?
        /// The labels that an endpoint must have; nil for the endpoints that nothing else matches.
        let labels: [String: String]?
    }

    /// A cluster.
    package struct Cluster: Sendable {
        package let name: String
        /// The sockets in the order in which they are tried, the cluster's own last.
        package let sockets: [Socket]
        let endpoints: [Endpoint]
        let range: Range<Int>
    }

    package internal(set) var clusters: [Cluster] = []
    /// The validation contexts of secrets, by their names.
    package internal(set) var secrets: [String: Validation] = [:]
    /// The contexts that judge clients.
    package internal(set) var downstream: [Range<Int>] = []

    /// The paths of files with CA certificates that are not the system's. Each once.
    package var paths: [String] {
        let validations =
            clusters.flatMap { $0.sockets.compactMap { $0.context?.validation } }
            + secrets.values
        var paths: Set<String> = []
        for case .file(let path) in validations.compactMap({ $0.trustedCA?.content })
        where !EnvoyModel.systemBundles.contains(path) {
            paths.insert(path)
        }
        return paths.sorted()
    }
}
