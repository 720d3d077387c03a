import LibCrypto
public import TrustEngine

extension EngineLoader {
    /// The crypto backend of every engine that is loaded here, for callers that compile or encode
    /// tables themselves.
    public static var crypto: any CryptoBackend { LibCryptoBackend() }

    /// Runs `body`, in which libcrypto may be called, and leaves this thread's queue of libcrypto's
    /// errors as it was: it belongs to whoever called.
    package static func keepingErrorQueue<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ErrorQueue.keeping(body)
    }
}
