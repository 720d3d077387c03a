/// What a service can be asked over HTTP, by the path of a request.
package enum Endpoint: String, CaseIterable, Sendable {
    case evaluate = "/v1/evaluate"
    case explain = "/v1/explain"
    case show = "/v1/show"
    case health = "/healthz"
    case ready = "/readyz"
    case metrics = "/metrics"

    /// The method of its requests.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// The method of its requests.
    package var method: Method {
        switch self {
        case .evaluate, .explain, .show: return .post
        case .health, .ready, .metrics: return .get
        }
    }
}
