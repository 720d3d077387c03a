import CLibCrypto

/// One request and its answer in libcrypto's HTTP client, without its sockets: what is to be sent comes
/// out, what was received goes in. Whoever connects decides whom to connect to, and for how long; no
/// proxy of the environment is looked at.
///
/// The client speaks HTTP/1.0, so that no server may answer in chunks, and closes after one answer.
/// The answer is one DER element: its own length says where it ends, and nothing is read past that.
/// A redirect is not followed.
package struct HTTPExchange: ~Copyable {
    /// What to ask.
    package struct Request: Hashable, Sendable {
        /// Value of the Host field: printable ASCII.
        package var host: String
        /// Path and query, in printable ASCII without spaces; begins with a slash.
        package var path: String
        /// An OCSP request to be posted, DER; nil for a GET.
        package var ocspRequest: [UInt8]?
        /// The media type that the answer must have; nil for any.
        package var expectedType: String?
        /// Octets of the longest answer.
        package var maximumOctets: Int

        /// A request.
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

    /// Why an exchange came to nothing.
    package enum Problem: Error, Hashable, Sendable {
        /// libcrypto does not take the request.
        case requestRefused
        /// Another status than 200; a redirect is one.
        case status(Int)
        /// Another media type than the one asked for, or none.
        case wrongType
        /// More than `maximumOctets`, or header fields without end.
        case tooLarge
        /// The connection ended before the answer did.
        case cutShort
        /// No HTTP, or no DER in it.
        case malformed
    }

    private let handles: HTTPHandles
    private let maximumOctets: Int
    private var received = 0
    /// The beginning of the answer, up to its status.
    private var opening: [UInt8] = []

    /// Prepares a request.
    package init(_ request: Request) throws(Problem) {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let handles = HTTPHandles(), handles.prepare(request) else { throw .requestRefused }
        self.handles = handles
        self.maximumOctets = request.maximumOctets
    }

    /// Everything that is to be sent. Asked once, before anything is received.
    package mutating func request() throws(Problem) -> [UInt8] {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        // With nothing received the client writes its request and waits.
        guard unsafe OSSL_HTTP_REQ_CTX_nbio(handles.context) == -1 else { throw .requestRefused }
        var octets: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe BIO_read(handles.outgoing, &part, Int32(part.count))
            guard count > 0 else { return octets }
            octets += part[..<Int(count)]
        }
    }

    /// Takes what was received; the answer once it is whole, nil before.
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

    /// Says that the peer has closed: the answer if that completes it.
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

    /// What the failure on top of libcrypto's queue means here.
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

    /// The status, once it was received.
    private var status: Int? {
        guard opening.starts(with: Array("HTTP/1.".utf8)), opening.count >= 12 else { return nil }
        let digits = opening[9..<12]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `HTTP/1.1 200`.
    private static let openingLength = 12
    /// Octets that header fields may take: sixteen of the longest lines that libcrypto reads.
    private static let headerRoom = 16 * 4_096
}

/// libcrypto's request with its two ends, freed together.
///
/// Not `private`, though nobody else has a use for it: where a module that holds an `HTTPExchange` destroys
/// it, an optimised build asks for this type's metadata by name, and does not link without it.
@safe package struct HTTPHandles: ~Copyable {
    fileprivate let context: OpaquePointer
    /// What was received.
    fileprivate let incoming: OpaquePointer
    /// What is to be sent.
    fileprivate let outgoing: OpaquePointer

    /// Nil when there is no memory.
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

    /// Whether libcrypto takes a request.
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

    /// libcrypto writes a body only from a value that it knows how to encode.
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
