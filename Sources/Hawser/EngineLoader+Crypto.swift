import LibCrypto
public import TrustEngine

extension EngineLoader {
    /// The crypto backend of every engine that is loaded here, for callers that compile or encode
    /// tables themselves.
    public static var crypto: any CryptoBackend { LibCryptoBackend() }
}
