import CLibC
import CLibSSL
import TrustEngine

/// Holds octets that libssl hands over during a handshake.
private final class HandshakeOctets {
    /// The list that the parser of the SCT extension finds.
    var sctList: [UInt8]?
    /// The first octets of the server, at most `ForeignGreeting.limit`.
    var first: [UInt8] = []
}

/// One connection of libssl with its socket.
@safe struct TLSSession: ~Copyable {
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let socket: Socket
    /// The context points to the collector, so the collector must live as long.
    private let collector: HandshakeOctets

    /// Sets up a client. Nothing is sent yet.
    init(
        over socket: consuming Socket, serverName: String?, alpn: [UInt8]
    ) throws(ProbeError) {
        let collector = HandshakeOctets()
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw TLSSession.libraryError("SSL_CTX_new")
        }
        // Security level 0 and the lowest version: this client inspects servers and never trusts
        // them.
        unsafe SSL_CTX_set_security_level(context, 0)
        _ = unsafe hwssl_set_minimum_version(context, TLS1_VERSION)
        unsafe hwssl_allow_old_servers(context)
        _ = unsafe SSL_CTX_set_cipher_list(context, "ALL:!aNULL:!eNULL:@SECLEVEL=0")
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
        _ = unsafe SSL_CTX_set_alpn_protos(context, alpn, UInt32(alpn.count))
        let pointer = unsafe Unmanaged.passUnretained(collector).toOpaque()
        let added = unsafe SSL_CTX_add_custom_ext(
            context, UInt32(TLSEXT_TYPE_signed_certificate_timestamp), sctContexts, nil, nil, nil,
            takeSCTList, pointer)
        guard added == 1, let ssl = unsafe SSL_new(context) else {
            unsafe SSL_CTX_free(context)
            throw TLSSession.libraryError("SSL_new")
        }
        if let serverName { _ = unsafe hwssl_set_server_name(ssl, serverName) }
        _ = unsafe hwssl_request_staple(ssl)
        guard unsafe SSL_set_fd(ssl, socket.descriptor) == 1 else {
            unsafe SSL_free(ssl)
            unsafe SSL_CTX_free(context)
            throw TLSSession.libraryError("SSL_set_fd")
        }
        if let input = unsafe SSL_get_rbio(ssl) {
            unsafe BIO_set_callback_arg(input, pointer.assumingMemoryBound(to: CChar.self))
            unsafe BIO_set_callback_ex(input, takeFirstOctets)
        }
        unsafe self.context = context
        unsafe self.ssl = ssl
        self.socket = socket
        self.collector = collector
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe SSL_CTX_free(context)
    }

    borrowing func handshake(deadline: Deadline) throws(ProbeError) {
        while true {
            ERR_clear_error()
            let status = unsafe SSL_connect(ssl)
            if status == 1 { return }
            switch unsafe SSL_get_error(ssl, status) {
            case SSL_ERROR_WANT_READ:
                try Socket.wait(socket.descriptor, for: Int16(POLLIN), deadline: deadline)
            case SSL_ERROR_WANT_WRITE:
                try Socket.wait(socket.descriptor, for: Int16(POLLOUT), deadline: deadline)
            case SSL_ERROR_SYSCALL:
                throw foreignError()
                    ?? ProbeError(
                        code: .handshakeFailed,
                        context: "the server closed the connection during the handshake",
                        // These two wait for the client, and take the first record of TLS for a
                        // broken message.
                        startTLS: collector.first.isEmpty ? [.postgres, .ldap] : [])
            default:
                let failure = TLSSession.handshakeError()
                throw foreignError() ?? failure
            }
        }
    }

    /// The error where the server's first octets are of another protocol; nil where they are not,
    /// or of none that is known.
    private borrowing func foreignError() -> ProbeError? {
        var octets = collector.first
        // No record of TLS begins otherwise (RFC 8446 section 5.1).
        guard let start = octets.first, !(0x14...0x18).contains(start) else { return nil }
        if octets.count < ForeignGreeting.limit {
            octets += socket.waiting(
                most: ForeignGreeting.limit - octets.count,
                deadline: Deadline(seconds: 1))
        }
        return ForeignGreeting.error(octets)
    }

    /// The values that the finished handshake showed.
    borrowing func observed() -> ProbedConnection {
        ProbedConnection(
            presentedChain: presentedChain(), parameters: parameters(),
            evidence: Evidence(stapledOCSP: staple(), sctList: collector.sctList),
            address: socket.address)
    }

    /// DER of the certificates in the order in which the server sent them.
    private borrowing func presentedChain() -> [[UInt8]] {
        guard let chain = unsafe SSL_get_peer_cert_chain(ssl) else { return [] }
        var certificates: [[UInt8]] = []
        for index in 0..<max(0, unsafe hwssl_chain_count(chain)) {
            guard let certificate = unsafe hwssl_chain_item(chain, index) else { continue }
            var buffer: UnsafeMutablePointer<UInt8>?
            let count = unsafe i2d_X509(certificate, &buffer)
            guard count > 0, let bytes = unsafe buffer else { continue }
            unsafe certificates.append(
                Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
            unsafe CRYPTO_free(bytes, "", 0)
        }
        return certificates
    }

    private borrowing func parameters() -> TLSParameters {
        var parameters = TLSParameters()
        parameters.version = TLSVersion(
            rawValue: UInt16(truncatingIfNeeded: unsafe SSL_version(ssl)))
        if let cipher = unsafe SSL_get_current_cipher(ssl),
            let name = unsafe SSL_CIPHER_standard_name(cipher)
        {
            parameters.cipherSuite = unsafe String(cString: name)
        }
        if let name = unsafe hwssl_group_name(ssl) {
            parameters.group = unsafe String(cString: name)
        }
        parameters.signatureScheme = TLSSignatureScheme.name(
            type: unsafe hwssl_peer_signature_type(ssl),
            hash: unsafe hwssl_peer_signature_hash(ssl), key: unsafe hwssl_peer_key_type(ssl))
        var protocolBytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &protocolBytes, &count)
        if let bytes = unsafe protocolBytes, count > 0 {
            parameters.alpn = unsafe String(
                decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
        }
        return parameters
    }

    private borrowing func staple() -> [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        let count = unsafe hwssl_staple(ssl, &bytes)
        guard count > 0, let start = unsafe bytes else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Sends the closing message and does not wait for an answer.
    borrowing func close() {
        ERR_clear_error()
        _ = unsafe SSL_shutdown(ssl)
    }

    private static func handshakeError() -> ProbeError {
        // libssl says so of a first record that does not begin as one of TLS.
        if ERR_GET_REASON(ERR_peek_error()) == SSL_R_WRONG_VERSION_NUMBER {
            return ProbeError(
                code: .notTLS,
                context: "the server speaks no TLS on this port: what it sent is of another "
                    + "protocol, or it begins TLS only when it is asked to (STARTTLS)")
        }
        return ProbeError(
            code: .handshakeFailed, context: queuedReason() ?? "the handshake failed")
    }

    private static func libraryError(_ call: String) -> ProbeError {
        ProbeError(code: .libraryFailed, context: queuedReason().map { "\(call): \($0)" } ?? call)
    }

    /// The text of the oldest error in libcrypto's queue; nil when the queue is empty.
    private static func queuedReason() -> String? {
        let code = ERR_get_error()
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return nil }
        return unsafe String(cString: reason)
    }
}

/// The messages in which a server may send SCTs: TLS 1.2 server hello, TLS 1.3 certificate.
private let sctContexts = UInt32(
    SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE)

/// Takes the SCT list (RFC 6962 section 3.3.1) of the end entity. In TLS 1.3 the extension may come
/// with every certificate, and only the first one is about the end entity.
private func takeSCTList(
    _ ssl: OpaquePointer?, _ type: UInt32, _ context: UInt32,
    _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ certificate: OpaquePointer?, _ index: Int,
    _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard index == 0, count > 0, let bytes = unsafe bytes, let argument = unsafe argument else {
        return 1
    }
    let collector = unsafe Unmanaged<HandshakeOctets>.fromOpaque(argument).takeUnretainedValue()
    unsafe collector.sctList = Array(UnsafeBufferPointer(start: bytes, count: count))
    return 1
}

/// Takes the first octets that the server sends, as the socket gives them to libssl.
private func takeFirstOctets(
    _ input: OpaquePointer?, _ operation: Int32, _ octets: UnsafePointer<CChar>?, _ length: Int,
    _ argument: Int32, _ other: Int, _ result: Int32, _ count: UnsafeMutablePointer<Int>?
) -> Int {
    guard operation == BIO_CB_READ | BIO_CB_RETURN, result > 0, let octets = unsafe octets,
        let count = unsafe count?.pointee, count > 0,
        let pointer = unsafe BIO_get_callback_arg(input)
    else { return Int(result) }
    let collector = unsafe Unmanaged<HandshakeOctets>.fromOpaque(pointer).takeUnretainedValue()
    let room = ForeignGreeting.limit - collector.first.count
    guard room > 0 else { return Int(result) }
    unsafe collector.first += UnsafeRawBufferPointer(start: octets, count: min(count, room))
    return Int(result)
}
