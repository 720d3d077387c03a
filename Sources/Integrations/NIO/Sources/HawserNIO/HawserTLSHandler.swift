public import NIOCore
import NIOSSL
import NIOTLS

/// Stands behind NIOSSL's handler and keeps the program apart from the peer until a verdict accepts
/// it: writes wait here and reads do not come through before. When the verdict refuses, the program
/// sees `HawserTLSError` wherever it would have seen NIOSSL's `handshakeFailed`: in `handshake`, in
/// the promises of its writes, and as an error through the pipeline.
public final class HawserTLSHandler: ChannelDuplexHandler, RemovableChannelHandler {
    /// What comes and goes is passed on as it is.
    public typealias InboundIn = NIOAny
    /// What comes and goes is passed on as it is.
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

    /// The handshake, once it was judged and accepted; fails with `HawserTLSError`, or with what
    /// else ended the connection before.
    public var handshake: EventLoopFuture<JudgedHandshake> { promise.futureResult }

    // MARK: Coming and going

    /// Starts the clock of a connection that stands already.
    public func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startDeadline(context) }
    }

    /// Fails what still waits: nothing can come of it.
    public func handlerRemoved(context: ChannelHandlerContext) {
        if case .waiting = state { refuse(judge.failure ?? judge.error(.closed)) }
    }

    /// Starts the clock.
    public func channelActive(context: ChannelHandlerContext) {
        startDeadline(context)
        context.fireChannelActive()
    }

    /// A connection that ends before the handshake does fails it.
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
                // What was written first goes first, whatever is written because of the event.
                pending.send(context)
                promise.succeed(handshake)
                context.fireUserInboundEventTriggered(event)
            }
        }
    }

    /// Nothing comes through from a peer that is not accepted.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = state else { return }
        context.fireChannelRead(data)
    }

    /// Puts the reason in the place of NIOSSL's error.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state {
        case .open: context.fireErrorCaught(error)
        case .refused:
            // What follows from the refusal was said with it.
            break
        case .waiting:
            let reason: any Error = judge.failure ?? error
            refuse(reason)
            context.fireErrorCaught(reason)
        }
    }

    // MARK: Outbound

    /// Keeps what is written until the peer is accepted.
    public func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        switch state {
        case .open: context.write(data, promise: promise)
        case .waiting: pending.append(data, promise)
        case .refused(let error): promise?.fail(error)
        }
    }

    /// Remembers that what was written so far is to be sent.
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

/// What was written before the handshake was over.
private struct PendingWrites {
    private var writes: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    /// How many of them are to be sent, nil for no flush so far.
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
