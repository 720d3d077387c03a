import CLibCrypto
import CLibCryptoShims
import TrustEngine

/// A key in libcrypto's form, with a few contexts that are set up for it.
///
/// `@unchecked Sendable`: only one thread may use a key at a time. `KeyCache` hands a key to one
/// thread, which puts it back when it has done with it. Nothing in a key is therefore locked, and
/// the locks that libcrypto has inside an EVP_PKEY are always free.
@safe final class LibCryptoKey: @unchecked Sendable {
    private let handle: OpaquePointer
    private var idle: [IdleContext] = []

    /// Prepares a key; nil when libcrypto refuses the numbers, for example a point that is not on
    /// the curve.
    init?(_ numbers: KeyNumbers) {
        guard let handle = unsafe LibCryptoKey.build(numbers) else { return nil }
        unsafe self.handle = handle
    }

    deinit {
        for context in idle {
            unsafe EVP_PKEY_CTX_free(context.handle)
        }
        unsafe EVP_PKEY_free(handle)
    }

    /// Whether a signature verifies. False also when libcrypto refuses the operation.
    func verify(
        _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        guard let hash = scheme.hash else {
            return verifyWhole(message: message, signature: signature)
        }
        guard let method = unsafe DigestMethods.shared.method(hash),
            var digest = unsafe DigestBuffer(method, of: message),
            let context = unsafe context(for: scheme)
        else { return false }
        let status = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe digest.withOctets { octets, count in
                unsafe EVP_PKEY_verify(
                    context, signature.baseAddress, signature.count, octets, count)
            }
        }
        guard status == 1 else {
            // The contents of a context after a failed run are not specified.
            discardContext(for: scheme)
            return false
        }
        return true
    }

    /// Verifies with a scheme that hashes the message itself (RFC 8032).
    private func verifyWhole(message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, handle) == 1 else { return false }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress,
                    message.count)
            }
        } == 1
    }

    // MARK: Contexts

    /// A context and the scheme that it is set up for.
    @safe private struct IdleContext {
        let scheme: VerificationScheme
        let handle: OpaquePointer
    }

    /// The context for a scheme, made when there is none; nil when libcrypto refuses. It stays in
    /// `idle` while it is used: the key has one user.
    private func context(for scheme: VerificationScheme) -> OpaquePointer? {
        for context in idle where context.scheme == scheme { return unsafe context.handle }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle, nil) else { return nil }
        guard unsafe scheme.configure(context) else {
            unsafe EVP_PKEY_CTX_free(context)
            return nil
        }
        if idle.count == LibCryptoKey.mostIdleContexts {
            unsafe EVP_PKEY_CTX_free(idle.removeFirst().handle)
        }
        idle.append(unsafe IdleContext(scheme: scheme, handle: context))
        return unsafe context
    }

    /// Frees the context for a scheme.
    private func discardContext(for scheme: VerificationScheme) {
        guard let index = idle.firstIndex(where: { $0.scheme == scheme }) else { return }
        unsafe EVP_PKEY_CTX_free(idle.remove(at: index).handle)
    }

    /// Most contexts of one key: a CA signs by one scheme, or by a few.
    private static let mostIdleContexts = 4

    // MARK: Building

    private static func build(_ numbers: KeyNumbers) -> OpaquePointer? {
        switch numbers.kind {
        case .rsa(let modulusBytes):
            // libcrypto takes numbers as native integers. Every platform of this package is
            // little-endian.
            var modulus = [UInt8](numbers.octets[..<modulusBytes].reversed())
            var exponent = [UInt8](numbers.octets[modulusBytes...].reversed())
            return unsafe modulus.withUnsafeMutableBufferPointer { modulus in
                unsafe exponent.withUnsafeMutableBufferPointer { exponent in
                    unsafe fromData(
                        "RSA",
                        [
                            OSSL_PARAM_construct_BN(
                                name("n"), modulus.baseAddress, modulus.count),
                            OSSL_PARAM_construct_BN(
                                name("e"), exponent.baseAddress, exponent.count),
                            OSSL_PARAM_construct_end(),
                        ])
                }
            }
        case .ec(let curve):
            var point = numbers.octets
            let group = curve.groupName
            return unsafe point.withUnsafeMutableBytes { point in
                unsafe fromData(
                    "EC",
                    [
                        OSSL_PARAM_construct_utf8_string(
                            name("group"), UnsafeMutablePointer(mutating: name(group)),
                            group.utf8CodeUnitCount),
                        OSSL_PARAM_construct_octet_string(
                            name("pub"), point.baseAddress, point.count),
                        OSSL_PARAM_construct_end(),
                    ])
            }
        case .dsa(let primeBytes, let orderBytes, let generatorBytes):
            // All octets are reversed together: the public value comes first, then generator, order
            // and prime.
            var reversed = [UInt8](numbers.octets.reversed())
            let valueBytes = reversed.count - primeBytes - orderBytes - generatorBytes
            return unsafe reversed.withUnsafeMutableBufferPointer { numbers in
                guard let value = numbers.baseAddress else { return nil }
                let generator = unsafe value + valueBytes
                let order = unsafe generator + generatorBytes
                let prime = unsafe order + orderBytes
                return unsafe fromData(
                    "DSA",
                    [
                        OSSL_PARAM_construct_BN(name("p"), prime, primeBytes),
                        OSSL_PARAM_construct_BN(name("q"), order, orderBytes),
                        OSSL_PARAM_construct_BN(name("g"), generator, generatorBytes),
                        OSSL_PARAM_construct_BN(name("pub"), value, valueBytes),
                        OSSL_PARAM_construct_end(),
                    ])
            }
        case .ed25519:
            return unsafe EVP_PKEY_new_raw_public_key_ex(
                nil, "ED25519", nil, numbers.octets, numbers.octets.count)
        case .ed448:
            return unsafe EVP_PKEY_new_raw_public_key_ex(
                nil, "ED448", nil, numbers.octets, numbers.octets.count)
        case .mldsa:
            // `MLDSA` verifies these, whatever this libcrypto has (`PreparedKey`).
            return nil
        }
    }

    /// Makes a key from libcrypto's parameters. libcrypto reads them only during the call.
    private static func fromData(_ type: String, _ parameters: [OSSL_PARAM]) -> OpaquePointer? {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        var key: OpaquePointer?
        var parameters = unsafe parameters
        let status = unsafe EVP_PKEY_fromdata(
            context, &key, hwshim_public_key_selection, &parameters)
        guard status == 1 else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        return unsafe key
    }

    /// A parameter's name as libcrypto needs it: a pointer that stays valid after the call.
    private static func name(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
