// A stub of Apple's Security framework; see `Tests/AppleStubs/README.md`.

@_exported public import CoreFoundation

/// Not Sendable: it conforms to Equatable and Hashable and to no other protocol.
/// Page: security/sectrust
public final class SecTrust {}

/// Page: security/seccertificate
public final class SecCertificate {}

/// Page: security/sectrustcopycertificatechain(_:)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

/// Page: security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError() }
