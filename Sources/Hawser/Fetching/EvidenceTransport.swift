import LibCrypto
import TrustEngine

/// One question to one URL.
struct EvidenceQuestion: Hashable, Sendable {
    let url: EvidenceURL
    /// The OCSP request, DER; nil for a CRL.
    let ocspRequest: [UInt8]?
}

/// Brings an answer. The caller finds out who signed the answer and what it says.
protocol EvidenceTransport: Sendable {
    /// The octets of the answer, at most `maximumOctets`.
    func answer(
        to question: EvidenceQuestion, maximumOctets: Int, by deadline: Deadline
    ) throws(FetchFailure) -> [UInt8]
}

/// Plain HTTP by libcrypto's client over our own socket. Every address of a host is vetted, and the
/// connection goes to one of these addresses. So a name that resolves to another address a moment
/// later changes nothing. Proxies that the environment names are not used. Redirects are not
/// followed, because the place that they name was not vetted.
struct HTTPTransport: EvidenceTransport {
    let vetting: AddressVetting
    let resolution: NameResolution

    func answer(
        to question: EvidenceQuestion, maximumOctets: Int, by deadline: Deadline
    ) throws(FetchFailure) -> [UInt8] {
        // A short OCSP request goes into the URL, so that caches on the way may answer (RFC 5019
        // section 5). A responder that refuses a request in the URL is asked once more by POST.
        if let request = question.ocspRequest, let url = question.url.asking(request) {
            let problem: FetchFailure
            do throws(FetchFailure) {
                return try exchange(
                    with: url, body: nil, type: HTTPTransport.responseType, maximumOctets, deadline)
            } catch {
                problem = error
            }
            guard case .status(let status) = problem, [400, 404, 405, 501].contains(status) else {
                throw problem
            }
        }
        // CRLs come with many media types. Their octets say what they are.
        return try exchange(
            with: question.url, body: question.ocspRequest,
            type: question.ocspRequest == nil ? nil : HTTPTransport.responseType, maximumOctets,
            deadline)
    }

    private func exchange(
        with url: EvidenceURL, body: [UInt8]?, type: String?, _ maximumOctets: Int,
        _ deadline: Deadline
    ) throws(FetchFailure) -> [UInt8] {
        let connection = try connect(to: url, by: deadline)
        let request = HTTPExchange.Request(
            host: url.authority, path: url.path, ocspRequest: body, expectedType: type,
            maximumOctets: maximumOctets)
        var exchange = try HTTPTransport.exchange(request)
        let sent = try HTTPTransport.mapped(maximumOctets) { () throws(HTTPExchange.Problem) in
            try exchange.request()
        }
        try connection.send(sent, by: deadline)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try connection.receive(into: &buffer, by: deadline)
            let answer = try HTTPTransport.mapped(maximumOctets) {
                () throws(HTTPExchange.Problem) in
                count == 0 ? try exchange.end() : try exchange.receive(buffer[..<count])
            }
            if let answer { return answer }
        }
    }

    private static func exchange(
        _ request: HTTPExchange.Request
    ) throws(FetchFailure) -> HTTPExchange {
        do throws(HTTPExchange.Problem) {
            return try HTTPExchange(request)
        } catch {
            throw FetchFailure(error, limit: request.maximumOctets)
        }
    }

    private static func mapped<Result>(
        _ limit: Int, _ body: () throws(HTTPExchange.Problem) -> Result
    ) throws(FetchFailure) -> Result {
        do throws(HTTPExchange.Problem) {
            return try body()
        } catch {
            throw FetchFailure(error, limit: limit)
        }
    }

    /// Connects to the first address that accepts a connection, when all addresses may be asked. A
    /// name with one address of ours is refused: such a name is meant to deceive.
    private func connect(
        to url: EvidenceURL, by deadline: Deadline
    ) throws(FetchFailure) -> TCPConnection {
        let addresses: [IPAddress]
        switch url.host {
        case .address(let address): addresses = [address]
        case .name(let name): addresses = try resolution.addresses(of: name, by: deadline)
        }
        for address in addresses {
            if let problem = vetting.problem(address) {
                throw .addressRefused(address.description, problem)
            }
        }
        var last = FetchFailure.nameUnknown("it has no address")
        let tried = addresses.prefix(HTTPTransport.maximumAddresses)
        for (place, address) in tried.enumerated() {
            // Each address gets its share of the time. So an address that drops packets leaves time
            // for the others.
            let share = Deadline.share(of: deadline, among: tried.count - place)
            do throws(FetchFailure) {
                return try TCPConnection(to: address, port: url.port, by: share)
            } catch {
                last = error
            }
        }
        throw last
    }

    /// The media type of an OCSP response (RFC 6960 appendix A.2).
    private static let responseType = "application/ocsp-response"
    /// Most addresses of one host that are tried.
    private static let maximumAddresses = 4
}

extension Deadline {
    /// The end of one of `count` equal parts of the time left.
    fileprivate static func share(of deadline: Deadline, among count: Int) -> Deadline {
        deadline.within(.milliseconds(deadline.millisecondsLeft / max(1, count)))
    }
}

extension FetchFailure {
    /// The failure of a fetch that a problem of libcrypto's client stands for.
    init(_ problem: HTTPExchange.Problem, limit: Int) {
        switch problem {
        case .requestRefused: self = .malformed("libcrypto does not take the request")
        case .status(let status): self = .status(status)
        case .wrongType: self = .wrongType
        case .tooLarge: self = .tooLarge(limit: limit)
        case .cutShort: self = .cutShort
        case .malformed: self = .malformed("it is no HTTP with one DER element")
        }
    }
}
