// A stub of Alamofire 5; see `Tests/AppleStubs/README.md`.

public import Security

/// Alamofire/Alamofire on GitHub: Source/Features/ServerTrustEvaluation.swift
public protocol ServerTrustEvaluating: Sendable {
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}
