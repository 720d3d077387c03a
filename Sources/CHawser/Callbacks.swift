import CHawserABI
import TrustEngine

/// A custom check that the program registers.
///
/// SAFETY: the function may be called from any thread, as `hawser_check_function` demands. The
/// context is only passed on.
@safe struct CallbackCheck: @unchecked Sendable {
    /// Most octets that are read of a reason.
    private static let reasonCapacity = 512

    private let function:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<hawser_check_subject>?,
            UnsafeMutablePointer<CChar>?, Int
        ) -> Int32
    private let context: UnsafeMutableRawPointer?

    init(
        _ function:
            @escaping @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<hawser_check_subject>?,
                UnsafeMutablePointer<CChar>?, Int
            ) -> Int32, context: UnsafeMutableRawPointer?
    ) {
        unsafe self.function = function
        unsafe self.context = context
    }

    /// Asks the check about one path. The caller must have passed the store's gate. Pointers that
    /// the function receives are valid only during the call.
    func judge(_ subject: CustomCheck.Subject) -> CustomCheck.Answer {
        // All certificates of the path lie in one array, so that one closure can point at all of
        // them.
        let octets = subject.path.flatMap(\.self)
        let host = Array(subject.host.utf8)
        var reason = [CChar](repeating: 0, count: CallbackCheck.reasonCapacity)
        let answer = unsafe octets.withUnsafeBytes { path in
            unsafe host.withUnsafeBytes { host in
                var certificates: [hawser_bytes] = unsafe []
                var offset = 0
                for certificate in subject.path {
                    unsafe certificates.append(
                        hawser_bytes(
                            data: path.baseAddress.map { unsafe UnsafeRawPointer($0 + offset) },
                            length: certificate.count))
                    offset += certificate.count
                }
                return unsafe certificates.withUnsafeBufferPointer { certificates in
                    var asked = unsafe hawser_check_subject(
                        size: MemoryLayout<hawser_check_subject>.size,
                        path: certificates.baseAddress, path_count: certificates.count,
                        host: hawser_bytes(data: host.baseAddress, length: host.count),
                        port: UInt32(subject.port), reserved: 0,
                        time: subject.time.secondsSinceEpoch)
                    return unsafe reason.withUnsafeMutableBufferPointer { buffer in
                        CallbackGate.callback {
                            unsafe function(
                                context, &asked, buffer.baseAddress, CallbackCheck.reasonCapacity)
                        }
                    }
                }
            }
        }
        if answer == 1 { return .pass }
        let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .fail(
            reason: text.isEmpty ? "it gives no reason" : String(decoding: text, as: UTF8.self))
    }
}
