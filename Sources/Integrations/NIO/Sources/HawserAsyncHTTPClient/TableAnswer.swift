#if AsyncHTTPClient

import AsyncHTTPClient
import Hawser
import NIOCore
import NIOHTTP1

/// The answer of a server that was asked for a table.
enum TableAnswer {
    /// A table with its entity tag, complete as far as HTTP can tell.
    case table([UInt8], tag: String?)
    /// The table with the tag is still the newest.
    case unchanged
    /// Any other answer, or none.
    case failed(SourceFailure, retryAfter: Int64?)
}

/// One request for a table: how it is made, and which answers count.
struct TableQuestion {
    let url: String
    let origin: WebOrigin
    /// The entity tag of the table in force, if that table came from this source.
    let tag: String?
    let headers: [(name: String, value: String)]
    /// Most octets that are read of an answer.
    let limit: Int

    var request: HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.headers.replaceOrAdd(name: "Accept", value: "application/octet-stream")
        // The signature is over the table's octets, so no content coding is accepted.
        request.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if let tag { request.headers.replaceOrAdd(name: "If-None-Match", value: tag) }
        return request
    }

    /// Reads an answer to its end, or up to the limit.
    func read(_ response: HTTPClientResponse) async throws -> TableAnswer {
        // A client that follows redirects has asked other origins by now. Their answers do not
        // count.
        for step in response.history where WebOrigin.split(step.request.url)?.origin != origin {
            return failed("redirected", "the server led away from `\(origin.hostField)`", response)
        }
        switch response.status {
        case .notModified where tag != nil: return .unchanged
        case .ok: break
        default:
            return failed(
                "unexpected-status",
                "the server answered \(response.status.code), where 200 or 304 is wanted", response)
        }
        if let encoding = response.headers.first(name: "Content-Encoding"),
            encoding.lowercased() != "identity"
        {
            return failed("encoded", "the table came in the coding `\(encoding)`", response)
        }
        let stated = response.headers.first(name: "Content-Length").flatMap { Int($0) }
        if let stated, stated > limit { return tooLarge("\(stated) octets", response) }
        var octets: [UInt8] = []
        octets.reserveCapacity(min(stated ?? 0, limit))
        for try await part in response.body {
            guard part.readableBytes <= limit - octets.count else {
                return tooLarge("more than \(limit) octets", response)
            }
            octets += part.readableBytesView
        }
        // HTTP/1.1 without a length and without chunks ends where the connection ends. The length
        // inside the table shows whether the table was cut off.
        if let stated, stated != octets.count {
            return failed(
                "cut-short", "\(octets.count) octets came of \(stated)", response)
        }
        return .table(octets, tag: strongOrWeakTag(response))
    }

    /// The entity tag, if it is well formed (RFC 9110 section 8.8.3). It goes back into a request
    /// unchanged.
    private func strongOrWeakTag(_ response: HTTPClientResponse) -> String? {
        guard let tag = response.headers.first(name: "ETag"), tag.utf8.count <= 256 else {
            return nil
        }
        let quoted = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        let inner = quoted.dropFirst().dropLast()
        guard quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\""),
            inner.utf8.allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 <= 0x7e })
        else { return nil }
        return tag
    }

    private func tooLarge(_ found: String, _ response: HTTPClientResponse) -> TableAnswer {
        failed("too-large", "the table has \(found), at most \(limit) are read", response)
    }

    private func failed(
        _ code: ErrorCode, _ context: String, _ response: HTTPClientResponse
    ) -> TableAnswer {
        .failed(
            SourceFailure(code: code, context: SafeText.line(context)),
            retryAfter: response.headers.first(name: "Retry-After").flatMap { Int64($0) })
    }
}

#endif
