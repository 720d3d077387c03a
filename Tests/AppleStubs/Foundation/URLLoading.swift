// A part of the stub of Apple's Foundation; see `Tests/AppleStubs/README.md`.

public import Security

/// Page: foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject {
    /// Page: foundation/urlsessionconfiguration/ephemeral
    open class var ephemeral: URLSessionConfiguration { fatalError() }
}

/// Page: foundation/operationqueue
open class OperationQueue: NSObject {}

/// Page: foundation/urlsession
open class URLSession: NSObject {
    /// Page: foundation/urlsession/init(configuration:delegate:delegatequeue:)
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {}

    /// Page: foundation/urlsession/authchallengedisposition
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential = 0
        case performDefaultHandling = 1
        case cancelAuthenticationChallenge = 2
        case rejectProtectionSpace = 3
    }
}

/// Page: foundation/urlsessiondelegate
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    /// Page: foundation/urlsessiondelegate/urlsession(_:didreceive:completionhandler:)
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}

/// Page: foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject {
    /// Page: foundation/urlauthenticationchallenge/protectionspace
    open var protectionSpace: URLProtectionSpace { fatalError() }
    /// Page: foundation/urlauthenticationchallenge/proposedcredential
    open var proposedCredential: URLCredential? { nil }
    /// Page: foundation/urlauthenticationchallenge/previousfailurecount
    open var previousFailureCount: Int { 0 }
    /// Page: foundation/urlauthenticationchallenge/error
    open var error: (any Error)? { nil }
}

/// Page: foundation/urlprotectionspace
open class URLProtectionSpace: NSObject {
    /// Page: foundation/urlprotectionspace/host
    open var host: String { "" }
    /// Page: foundation/urlprotectionspace/port
    open var port: Int { 0 }
    /// Page: foundation/urlprotectionspace/protocol
    open var `protocol`: String? { nil }
    /// Page: foundation/urlprotectionspace/realm
    open var realm: String? { nil }
    /// Page: foundation/urlprotectionspace/proxytype
    open var proxyType: String? { nil }
    /// Page: foundation/urlprotectionspace/authenticationmethod
    open var authenticationMethod: String { "" }
    /// Page: foundation/urlprotectionspace/servertrust
    open var serverTrust: SecTrust? { nil }
}

/// Page: foundation/urlcredential
open class URLCredential: NSObject {
    /// Page: foundation/urlcredential/init(trust:)
    public init(trust: SecTrust) {}
}
