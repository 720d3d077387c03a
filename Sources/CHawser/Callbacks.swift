import CHawserABI
import TrustEngine

/// A check of the program's.
///
/// SAFETY: the function may be called from any thread, as `hawser_check_function` demands, and
/// nothing is done with the context but handing it over.
@safe struct CallbackCheck: @unchecked Sendable {
    /// Most that is read of a reason.
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

    /// Asks it, in a verdict that went through the store's gate. What it hands over points into
    /// memory that ends with the call.
    func judge(_ subject: CustomCheck.Subject) -> CustomCheck.Answer {
        // One run of octets for the whole path, so that one closure can point at all of it.
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
