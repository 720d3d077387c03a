import CHawserABI
import CLibC
import Hawser

/// Descriptors that wake a program when another epoch has come into force.
///
/// Each is one end of a pair of sockets. The program has its end and closes it when it likes; the
/// store writes to the other end. With a pair, the store learns that the program has closed its
/// end, and never writes to a descriptor that is another one by then; and the program learns that
/// the store was closed.
final class EpochSignals: Sendable {
    private struct State: Sendable {
        /// The store's ends.
        var ends: [Int32] = []
        /// The last epoch that was told.
        var told: UInt64 = 1
        var isClosed = false
    }

    private let state = Monitor(State())

    deinit { close() }

    /// Makes a descriptor for the program.
    func open() throws(CallFailure) -> Int32 {
        var pair: [Int32] = [-1, -1]
        guard unsafe hwlibc_socket_pair(&pair, true) == 0 else {
            throw CallFailure(
                HAWSER_E_LIMIT, "no-descriptor",
                "the system has no pair of sockets left: error \(errno)")
        }
        let failure = state.withLock { state -> CallFailure? in
            if state.isClosed {
                return CallFailure(HAWSER_E_MISUSE, "not-an-object", "the store is closed")
            }
            if state.ends.count >= Int(HAWSER_LIMIT_DESCRIPTORS) {
                state.ends.removeAll { EpochSignals.closeIfAbandoned($0) }
            }
            if state.ends.count >= Int(HAWSER_LIMIT_DESCRIPTORS) {
                return CallFailure(
                    HAWSER_E_LIMIT, "too-many-descriptors",
                    "the store has \(state.ends.count) descriptors that are open")
            }
            state.ends.append(pair[0])
            return nil
        }
        guard let failure else { return pair[1] }
        for end in pair { CLibC.close(end) }
        throw failure
    }

    /// Wakes every reader, unless this epoch or a later one was told already.
    func tell(_ epoch: UInt64) {
        state.withLock { state in
            guard epoch > state.told else { return }
            state.told = epoch
            // A full socket is readable already.
            state.ends.removeAll { end in
                var octet: UInt8 = 1
                while unsafe hwlibc_send(end, &octet, 1) < 0 {
                    if errno == EINTR { continue }
                    if errno == EAGAIN || errno == EWOULDBLOCK { return false }
                    CLibC.close(end)
                    return true
                }
                return false
            }
        }
    }

    /// Ends every descriptor: its reader reads 0 octets.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for end in state.ends {
                // A child after fork() may have a copy of the descriptor, which closing does not
                // end.
                shutdown(end, Int32(SHUT_RDWR))
                CLibC.close(end)
            }
            state.ends = []
        }
    }

    /// Closes an end whose other end the program has closed. Returns whether it did.
    private static func closeIfAbandoned(_ end: Int32) -> Bool {
        var entry = pollfd(fd: end, events: 0, revents: 0)
        guard unsafe poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLHUP) != 0 else {
            return false
        }
        CLibC.close(end)
        return true
    }
}
