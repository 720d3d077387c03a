import TrustEngine

extension Words {
    /// A certificate as the one of the host, or as one that vouches for the host.
    static func bearer(_ certificate: CertificateReference, _ host: String) -> String {
        certificate.position == 0
            ? "the certificate of `\(host)`"
            : "\(name(certificate)), which vouches for `\(host)`,"
    }

    /// Two instants for a reader: their days, or the whole instants where the days are the same.
    static func days(_ one: UTCInstant, _ other: UTCInstant) -> (String, String) {
        let days = (day(one), day(other))
        return days.0 == days.1 ? (one.description, other.description) : days
    }
}
