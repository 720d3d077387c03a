import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// A check of the program's.
///
/// SAFETY: the function may be called from any thread, as `hawser_check_function` demands, and nothing is done
/// with the context but handing it over.
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

    /// Asks it. What it hands over points into memory that ends with the call.
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
                        unsafe function(
                            context, &asked, buffer.baseAddress, CallbackCheck.reasonCapacity)
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

/// Where a program wants to hear what the library has to say.
///
/// SAFETY: as of a check.
@safe struct CallbackLog: @unchecked Sendable {
    private let function:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?
        ) -> Void
    private let context: UnsafeMutableRawPointer?

    /// Nil for NULL.
    init?(
        _ function: (
            @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?
            ) -> Void
        )?, context: UnsafeMutableRawPointer?
    ) {
        guard let function = unsafe function else { return nil }
        unsafe self.function = function
        unsafe self.context = context
    }

    /// Says what happens to a store from now on, and what was passed over when it was opened.
    func listen(to store: PolicyStore) {
        let name = store.configuration.name
        let state = store.state
        if let failed = state.lastFailed {
            say(.warning, name, "no table from \(failed.origin): \(failed.failure.context)")
        }
        if let refused = state.lastRefused {
            say(
                .error, name,
                "a table from \(refused.origin) is refused: \(refused.refusal.context)")
        }
        say(
            .info, name,
            "policy \(state.policyDigest.text) of \(state.origin) is in force, epoch \(state.epoch)"
        )
        store.onEvent { event in
            switch event {
            case .installed(let snapshot):
                say(
                    .info, name,
                    "policy \(snapshot.engine.table.policyDigest.text) is in force, epoch "
                        + "\(snapshot.epoch)")
            case .confirmed: say(.debug, name, "what is in force is the newest")
            case .refused(let refusal):
                say(.error, name, "a table is refused, \(refusal.code): \(refusal.context)")
            case .sourceFailed(let failure):
                say(.warning, name, "no table to judge, \(failure.code): \(failure.context)")
            }
        }
    }

    /// The levels of hawser.h that are used.
    private enum Level: Int32 {
        case debug = 1
        case info = 2
        case warning = 4
        case error = 5
    }

    private func say(_ level: Level, _ store: String, _ message: String) {
        say(level.rawValue, TerminalEscape.escape("store \(store): \(message)"))
    }

    /// Says it; `message` is escaped already.
    private func say(_ level: Int32, _ message: String) {
        unsafe message.withCString { unsafe function(context, level, $0) }
    }
}
