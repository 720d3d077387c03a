import LibCrypto
public import TrustEngine

extension EngineLoader {
    /// The crypto backend of every engine that this loader makes, without memory of signatures, for
    /// callers that compile or encode tables themselves.
    public static var crypto: any CryptoBackend { LibCryptoBackend() }

    /// A backend for engines: libcrypto, with a memory of signatures that have verified. Engines
    /// that are made with one backend share its memory.
    ///
    /// `rememberedSignatures` is the most that it remembers, rounded up to a power of two from 64 to
    /// 65,536; 0 or less remembers none. Each signature takes 80 octets.
    package static func backend(remembering rememberedSignatures: Int) -> any CryptoBackend {
        guard rememberedSignatures > 0 else { return LibCryptoBackend() }
        return RememberingBackend(
            LibCryptoBackend(), memory: SignatureMemory(capacity: rememberedSignatures))
    }

    /// The signatures that an engine remembers where nobody asks for another number.
    package static let standardRememberedSignatures = RememberingBackend.standardCapacity

    /// Runs `body`, which may call libcrypto, and leaves this thread's queue of libcrypto errors as
    /// it was, because the queue belongs to the caller.
    package static func keepingErrorQueue<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ErrorQueue.keeping(body)
    }
}
