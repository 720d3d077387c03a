import TrustEngine

/// The words for TLS parameters.
enum TLSWords {
    /// The TLS versions from a minimum to a maximum; one value where both are the same.
    static func range(_ minimum: TLSVersion, _ maximum: TLSVersion) -> String {
        minimum == maximum ? "`\(minimum.name)`" : "`\(minimum.name)` to `\(maximum.name)`"
    }

    /// The word for a TLS parameter.
    static func parameter(_ id: String) -> String {
        id == "alpn" ? "protocol" : String(id.map { $0 == "-" ? " " : $0 })
    }
}
