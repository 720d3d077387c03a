import LibCrypto
public import TrustEngine

extension EngineLoader {
    /// The crypto backend of every engine that this loader makes, for callers that compile or
    /// encode tables themselves.
    public static var crypto: any CryptoBackend { LibCryptoBackend() }

    /// Runs `body`, which may call libcrypto, and leaves this thread's queue of libcrypto errors as
    /// it was, because the queue belongs to the caller.
    package static func keepingErrorQueue<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ErrorQueue.keeping(body)
    }
}
