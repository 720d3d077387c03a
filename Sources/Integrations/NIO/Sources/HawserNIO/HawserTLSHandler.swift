#if NIO

public import NIOCore
import NIOSSL
import NIOTLS

/// Stands behind NIOSSL's handler and keeps the program apart from the peer until a verdict accepts
/// the peer. Until then writes wait, and reads do not come through. When the verdict refuses, the
/// program sees `HawserTLSError` wherever NIOSSL would show `handshakeFailed`: in `handshake`, in
/// the promises of its writes, and as an error in the pipeline.
public final class HawserTLSHandler: ChannelDuplexHandler, RemovableChannelHandler {
    /// Data passes unchanged.
    public typealias InboundIn = NIOAny
    /// Data passes unchanged.
    public typealias OutboundIn = NIOAny

    private enum State {
        case waiting
        case open
        case refused(any Error)
    }

    private let judge: HandshakeJudge
    private let timeout: TimeAmount
    private let promise: EventLoopPromise<JudgedHandshake>
    private var state = State.waiting
    private var deadline: Scheduled<Void>?
    private var pending = PendingWrites()

    init(judge: HandshakeJudge, timeout: TimeAmount, eventLoop: any EventLoop) {
        self.judge = judge
        self.timeout = timeout
        self.promise = eventLoop.makePromise()
    }

    /// The handshake, once it was judged and accepted. The future fails with `HawserTLSError`, or
    /// with the error that ended the connection before.
    public var handshake: EventLoopFuture<JudgedHandshake> { promise.futureResult }

    // MARK: Coming and going

    /// Starts the timeout where the connection is already open.
    public func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startDeadline(context) }
    }

    /// Fails writes that still wait, because they can no longer be sent.
    public func handlerRemoved(context: ChannelHandlerContext) {
        if case .waiting = state { refuse(judge.failure ?? judge.error(.closed)) }
    }

    /// Starts the timeout.
    public func channelActive(context: ChannelHandlerContext) {
        startDeadline(context)
        context.fireChannelActive()
    }

    /// Fails the handshake where the connection ends before the handshake does.
    public func channelInactive(context: ChannelHandlerContext) {
        if case .waiting = state { refuse(judge.failure ?? judge.error(.closed)) }
        context.fireChannelInactive()
    }

    private func startDeadline(_ context: ChannelHandlerContext) {
        guard case .waiting = state, deadline == nil else { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            guard case .waiting = self.state else { return }
            self.refuse(self.judge.error(.timedOut), context)
        }
    }

    // MARK: Inbound

    /// Opens or refuses the connection when NIOSSL says that its handshake is over.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch state {
        case .open: context.fireUserInboundEventTriggered(event)
        case .refused: break
        case .waiting:
            switch judge.conclude(negotiatedProtocol: negotiated) {
            case .failure(let error): refuse(error, context)
            case .success(let handshake):
                state = .open
                deadline?.cancel()
                // Earlier writes go first, before writes that the event causes.
                pending.send(context)
                promise.succeed(handshake)
                context.fireUserInboundEventTriggered(event)
            }
        }
    }

    /// Drops data of a peer that is not accepted.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = state else { return }
        context.fireChannelRead(data)
    }

    /// Puts the reason in place of NIOSSL's error.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state {
        case .open: context.fireErrorCaught(error)
        case .refused:
            // This error follows from the refusal, which was reported already.
            break
        case .waiting:
            let reason: any Error = judge.failure ?? error
            refuse(reason)
            context.fireErrorCaught(reason)
        }
    }

    // MARK: Outbound

    /// Keeps writes until the peer is accepted.
    public func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        switch state {
        case .open: context.write(data, promise: promise)
        case .waiting: pending.append(data, promise)
        case .refused(let error): promise?.fail(error)
        }
    }

    /// Notes that the writes so far are to be sent.
    public func flush(context: ChannelHandlerContext) {
        switch state {
        case .open: context.flush()
        case .waiting: pending.mark()
        case .refused: break
        }
    }

    // MARK: Refusing

    private func refuse(_ error: any Error) {
        state = .refused(error)
        judge.abandon()
        deadline?.cancel()
        promise.fail(error)
        pending.fail(error)
    }

    private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
        refuse(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}

/// The writes of the program before the handshake was over.
private struct PendingWrites {
    private var writes: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    /// The number of writes that are to be sent; nil where nothing was flushed.
    private var flushed: Int?

    mutating func append(_ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        writes.append((data, promise))
    }

    mutating func mark() { flushed = writes.count }

    mutating func fail(_ error: any Error) {
        let waiting = writes
        self = PendingWrites()
        for write in waiting { write.promise?.fail(error) }
    }

    mutating func send(_ context: ChannelHandlerContext) {
        let (waiting, flushed) = (writes, flushed)
        self = PendingWrites()
        for (index, write) in waiting.enumerated() {
            if index == flushed { context.flush() }
            context.write(write.data, promise: write.promise)
        }
        if flushed == waiting.count { context.flush() }
    }
}

#endif
