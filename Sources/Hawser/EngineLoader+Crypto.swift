import LibCrypto
public import TrustEngine

extension EngineLoader {
    /// Makes the backend that this loader's engines verify with unless the caller gives another:
    /// libcrypto, with a new memory of keys and of signatures. A program makes one backend and
    /// gives it to all of its engines, so that they share the memory.
    ///
    /// - Parameter rememberedSignatures: the most signatures that it remembers; 0 or less
    ///   remembers none (`remembering`).
    public static func makeBackend(
        rememberedSignatures: Int = standardRememberedSignatures
    ) -> any CryptoBackend {
        remembering(LibCryptoBackend(), mostSignatures: rememberedSignatures)
    }

    /// The backend for digests. No signature is verified by it, so it has no memory.
    package static let digests: any CryptoBackend = LibCryptoBackend()

    /// The cryptography of key stores that a password locks.
    package static let passwords: any PasswordCryptography = LibCryptoPasswords()

    /// A backend that remembers the signatures of certificates that `crypto` has verified, and the
    /// parsed certificates that it met more than once. It asks `crypto` for everything else.
    /// Engines that are made with one backend share its memory.
    ///
    /// `mostSignatures` is the most that it remembers, rounded up to a power of two from 64 to
    /// 65,536; 0 or less remembers none, and nothing of certificates either. Each signature takes
    /// 80 octets, the certificates take at most 1.4 MB.
    public static func remembering(
        _ crypto: any CryptoBackend, mostSignatures: Int = standardRememberedSignatures
    ) -> any CryptoBackend {
        guard mostSignatures > 0 else { return crypto }
        return RememberingBackend(crypto, memory: SignatureMemory(capacity: mostSignatures))
    }

    /// A backend that remembers the signatures that have no identity from the engine, for a program
    /// that judges the same failing connections again and again (`UnnamedSignatures`). The numbers
    /// are as in `remembering`.
    package static func rememberingUnnamed(
        _ crypto: any CryptoBackend, mostSignatures: Int
    ) -> any CryptoBackend {
        UnnamedSignatures(crypto, memory: SignatureMemory(capacity: mostSignatures))
    }

    /// The number of signatures that an engine remembers by default: 1.3 MB.
    public static let standardRememberedSignatures = 16_384

    /// Runs `body`, which may call libcrypto, and leaves this thread's queue of libcrypto errors as
    /// it was, because the queue belongs to the caller.
    package static func keepingErrorQueue<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ErrorQueue.keeping(body)
    }

    /// As `keepingErrorQueue`, for a body that calls libcrypto only after it has called its
    /// argument.
    package static func keepingErrorQueue<Result>(
        _ body: (_ mark: () -> Void) -> Result
    ) -> Result {
        ErrorQueue.keeping(body)
    }
}
