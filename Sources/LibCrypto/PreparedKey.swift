import MLDSA
import TrustEngine

/// A key that is ready to verify: in the form of libcrypto, of the library that takes it, or of
/// `MLDSA`. `MLDSA` verifies ML-DSA everywhere; libraries are not asked.
///
/// `@unchecked Sendable`: only one thread may use a key at a time. `KeyCache` hands a key to one
/// thread, which puts it back when it has done with it.
final class PreparedKey: @unchecked Sendable {
    /// The name by which the cache finds the key.
    let name: KeyName
    private var form: Form

    private enum Form {
        case libcrypto(LibCryptoKey)
        case mldsa(MLDSAPublicKey)
        /// The library's form, and libcrypto's for the schemes that the library leaves to it. The
        /// latter is made when the first of them is asked for.
        case library(any LibraryKey, rest: Rest)
    }

    private enum Rest {
        case numbers(KeyNumbers)
        case prepared(LibCryptoKey?)
    }

    /// Prepares a key; nil when libcrypto refuses the numbers, for example a point that is not on
    /// the curve. A key that `library` takes is not shown to libcrypto until it is needed.
    init?(_ numbers: KeyNumbers, name: KeyName, library: (any SignatureLibrary)? = nil) {
        self.name = name
        if case .mldsa(let set) = numbers.kind {
            guard
                let key = MLDSAPublicKey(
                    MLDSAParameterSet(set), octets: numbers.octets.span)
            else { return nil }
            self.form = .mldsa(key)
        } else if let taken = library?.prepare(numbers) {
            self.form = .library(taken, rest: .numbers(numbers))
        } else {
            guard let key = LibCryptoKey(numbers) else { return nil }
            self.form = .libcrypto(key)
        }
    }

    /// Whether a signature verifies. False also when the operation is refused.
    func verify(
        _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        switch form {
        case .libcrypto(let key):
            return key.verify(scheme, message: message, signature: signature)
        case .mldsa(let key):
            guard case .mldsa(let set) = scheme, MLDSAParameterSet(set) == key.parameterSet else {
                return false
            }
            return key.isValid(signature: signature, of: message)
        case .library(let key, let rest):
            if key.takes(scheme) {
                return key.verify(scheme, message: message, signature: signature)
            }
            let own: LibCryptoKey?
            switch rest {
            case .numbers(let numbers):
                own = LibCryptoKey(numbers)
                form = .library(key, rest: .prepared(own))
            case .prepared(let prepared): own = prepared
            }
            return own?.verify(scheme, message: message, signature: signature) ?? false
        }
    }
}

extension MLDSAParameterSet {
    /// The parameter set that the engine read from an object identifier.
    fileprivate init(_ set: PublicKey.MLDSAParameters) {
        switch set {
        case .mldsa44: self = .mldsa44
        case .mldsa65: self = .mldsa65
        case .mldsa87: self = .mldsa87
        }
    }
}
