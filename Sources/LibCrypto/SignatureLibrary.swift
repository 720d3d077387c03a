/// A library that verifies signatures in libcrypto's place, for the keys and schemes that it takes.
///
/// `LibCryptoBackend` has already refused what no library is asked: sizes, exponents, points of
/// small order, ECDSA signatures that are not strict DER, and algorithms of another kind of key. It
/// verifies ML-DSA with `MLDSA`, so no library is asked for that. It also remembers the prepared
/// keys. Whatever the library does not take, libcrypto verifies.
///
/// A library takes only keys and algorithms for which its answers equal libcrypto's.
package protocol SignatureLibrary: Sendable {
    /// A key in the library's form; nil when the library does not take the key, or refuses it.
    /// libcrypto is asked then, so that a library never refuses a key by itself.
    func prepare(_ numbers: KeyNumbers) -> (any LibraryKey)?
}

/// A key that a `SignatureLibrary` has prepared. Threads share it.
package protocol LibraryKey: Sendable {
    /// Whether the library verifies this scheme, which fits the key. libcrypto verifies the others.
    func takes(_ scheme: VerificationScheme) -> Bool

    /// Whether a signature verifies. It is asked only for a scheme that the library takes, and with
    /// a signature of the form that the scheme demands (`VerificationScheme.accepts`).
    func verify(
        _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool
}
