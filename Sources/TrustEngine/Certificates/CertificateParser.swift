/// Reads a certificate's DER into a `CertificateLayout`.
package enum CertificateParser {
    package static func parse(_ der: Span<UInt8>) throws(CertificateError) -> CertificateLayout {
        throw CertificateError(field: "certificate", reason: "not read", offset: 0)
    }
}
