import CLibCrypto

/// One request and its answer in libcrypto's HTTP client, without its sockets: the caller sends the
/// octets of the request and passes on the octets that it receives. The caller decides which host
/// to connect to and how long. Proxies that the environment names are not used.
///
/// The client speaks HTTP/1.0, so that servers may not answer in chunks, and it ends after one
/// answer. The answer is one DER element. Its length marks its end; octets behind it are not read.
/// Redirects are not followed.
package struct HTTPExchange: ~Copyable {
    /// A request.
    package struct Request: Hashable, Sendable {
        /// The value of the Host field: printable ASCII.
        package var host: String
        /// Path and query: printable ASCII without spaces, with a slash at its beginning.
        package var path: String
        /// The OCSP request to post, as DER; nil for a GET.
        package var ocspRequest: [UInt8]?
        /// The media type that the answer must have; nil for any.
        package var expectedType: String?
        /// Octets of the longest answer that is read.
        package var maximumOctets: Int

        /// Makes a request from its values.
        package init(
            host: String, path: String, ocspRequest: [UInt8]? = nil, expectedType: String? = nil,
            maximumOctets: Int
        ) {
            self.host = host
            self.path = path
            self.ocspRequest = ocspRequest
            self.expectedType = expectedType
            self.maximumOctets = maximumOctets
        }
    }

    /// Why an exchange has no answer.
    package enum Problem: Error, Hashable, Sendable {
        /// libcrypto refuses the request.
        case requestRefused
        /// The status is not 200. Redirects are included.
        case status(Int)
        /// The media type is absent or not the expected one.
        case wrongType
        /// The answer has more than `maximumOctets`, or too many header fields.
        case tooLarge
        /// The connection ended before the answer was complete.
        case cutShort
        /// The answer is not HTTP, or its body is not DER.
        case malformed
    }

    private let handles: HTTPHandles
    private let maximumOctets: Int
    private var received = 0
    /// The first octets of the answer, up to its status.
    private var opening: [UInt8] = []

    /// Prepares an exchange. It throws `requestRefused` when libcrypto refuses the request.
    package init(_ request: Request) throws(Problem) {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let handles = HTTPHandles(), handles.prepare(request) else { throw .requestRefused }
        self.handles = handles
        self.maximumOctets = request.maximumOctets
    }

    /// The octets of the request. Ask for them once, before `receive`.
    package mutating func request() throws(Problem) -> [UInt8] {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        // The client has received nothing yet. So it writes its request and waits.
        guard unsafe OSSL_HTTP_REQ_CTX_nbio(handles.context) == -1 else { throw .requestRefused }
        var octets: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe BIO_read(handles.outgoing, &part, Int32(part.count))
            guard count > 0 else { return octets }
            octets += part[..<Int(count)]
        }
    }

    /// Takes octets that were received. Returns the answer when it is complete, and nil before.
    package mutating func receive(_ octets: ArraySlice<UInt8>) throws(Problem) -> [UInt8]? {
        opening += octets.prefix(HTTPExchange.openingLength - opening.count)
        received += octets.count
        guard received <= maximumOctets + HTTPExchange.headerRoom else { throw .tooLarge }
        let written = unsafe octets.withUnsafeBytes { buffer in
            unsafe BIO_write(handles.incoming, buffer.baseAddress, Int32(buffer.count))
        }
        guard Int(written) == octets.count else { throw .tooLarge }
        return try step()
    }

    /// Ends the exchange after the peer has closed the connection. Returns the answer if it is
    /// complete.
    package mutating func end() throws(Problem) -> [UInt8] {
        unsafe BIO_ctrl(handles.incoming, BIO_C_SET_BUF_MEM_EOF_RETURN, 0, nil)
        guard let answer = try step() else { throw .cutShort }
        return answer
    }

    private func step() throws(Problem) -> [UInt8]? {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        switch unsafe OSSL_HTTP_REQ_CTX_nbio(handles.context) {
        case 1: return try answer()
        case -1: return nil
        default: throw problem()
        }
    }

    private func answer() throws(Problem) -> [UInt8] {
        let length = unsafe OSSL_HTTP_REQ_CTX_get_resp_len(handles.context)
        guard length > 0, length <= maximumOctets,
            let memory = unsafe OSSL_HTTP_REQ_CTX_get0_mem_bio(handles.context)
        else { throw .malformed }
        var octets = [UInt8](repeating: 0, count: length)
        guard unsafe BIO_read(memory, &octets, Int32(length)) == Int32(length) else {
            throw .malformed
        }
        return octets
    }

    /// The problem that the last error in libcrypto's queue stands for.
    private func problem() -> Problem {
        if let status, status != 200 { return .status(status) }
        let error = ERR_peek_last_error()
        guard ERR_GET_LIB(error) == ERR_LIB_HTTP else { return .malformed }
        switch ERR_GET_REASON(error) {
        case HTTP_R_MAX_RESP_LEN_EXCEEDED, HTTP_R_ASN1_LEN_EXCEEDS_MAX_RESP_LEN,
            HTTP_R_RESPONSE_LINE_TOO_LONG:
            return .tooLarge
        case HTTP_R_UNEXPECTED_CONTENT_TYPE, HTTP_R_MISSING_CONTENT_TYPE: return .wrongType
        case HTTP_R_FAILED_READING_DATA: return .cutShort
        default: return .malformed
        }
    }

    /// The status of the answer; nil until it was received.
    private var status: Int? {
        guard opening.starts(with: Array("HTTP/1.".utf8)), opening.count >= 12 else { return nil }
        let digits = opening[9..<12]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Octets of `HTTP/1.1 200`.
    private static let openingLength = 12
    /// Most octets of header fields: sixteen lines of the longest length that libcrypto reads.
    private static let headerRoom = 16 * 4_096
}

/// libcrypto's request and its two ends, which are freed together.
///
/// The type is not `private`, although no other file uses it. Where another module destroys an
/// `HTTPExchange`, an optimised build asks for this type's metadata by name, and does not link
/// without it.
@safe package struct HTTPHandles: ~Copyable {
    fileprivate let context: OpaquePointer
    /// The octets that were received.
    fileprivate let incoming: OpaquePointer
    /// The octets to send.
    fileprivate let outgoing: OpaquePointer

    /// Makes the handles; nil without memory.
    fileprivate init?() {
        guard let incoming = unsafe BIO_new(BIO_s_mem()) else { return nil }
        guard let outgoing = unsafe BIO_new(BIO_s_mem()) else {
            unsafe BIO_free(incoming)
            return nil
        }
        guard let context = unsafe OSSL_HTTP_REQ_CTX_new(outgoing, incoming, 0) else {
            unsafe BIO_free(incoming)
            unsafe BIO_free(outgoing)
            return nil
        }
        unsafe self.incoming = incoming
        unsafe self.outgoing = outgoing
        unsafe self.context = context
    }

    deinit {
        unsafe OSSL_HTTP_REQ_CTX_free(context)
        unsafe BIO_free(incoming)
        unsafe BIO_free(outgoing)
    }

    /// Gives libcrypto the request. Returns whether libcrypto takes it.
    fileprivate func prepare(_ request: HTTPExchange.Request) -> Bool {
        unsafe OSSL_HTTP_REQ_CTX_set_max_response_length(context, UInt(request.maximumOctets))
        let isPost: Int32 = request.ocspRequest == nil ? 0 : 1
        guard
            unsafe OSSL_HTTP_REQ_CTX_set_request_line(context, isPost, nil, nil, request.path)
                == 1,
            unsafe OSSL_HTTP_REQ_CTX_add1_header(context, "Host", request.host) == 1,
            unsafe OSSL_HTTP_REQ_CTX_set_expected(context, request.expectedType, 1, 0, 0) == 1
        else { return false }
        guard let body = request.ocspRequest else { return true }
        return setBody(body)
    }

    /// Sets the body of the request. libcrypto writes a body only from a value that it can encode.
    private func setBody(_ body: [UInt8]) -> Bool {
        let request = unsafe body.withUnsafeBufferPointer { octets -> OpaquePointer? in
            var position = octets.baseAddress
            return unsafe d2i_OCSP_REQUEST(nil, &position, octets.count)
        }
        guard let request = unsafe request else { return false }
        defer { unsafe OCSP_REQUEST_free(request) }
        return unsafe OSSL_HTTP_REQ_CTX_set1_req(
            context, "application/ocsp-request", OCSP_REQUEST_it(), request) == 1
    }
}
