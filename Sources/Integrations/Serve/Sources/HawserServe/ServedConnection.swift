#if Serve
import Hawser
import NIOCore
import NIOHTTP1
import NIOPosix
import Rendering
import VerdictService

/// One connection: reads a request, answers it, and reads the next. Requests that a client
/// sends without waiting are answered in their order.
///
/// One file because every function here reads or writes the phase. Everything runs on the
/// connection's event loop.
final class ServedConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose head has come.
    private struct Request {
        let head: HTTPRequestHead
        /// What the gate says of the head.
        let announced: Result<RequestGate.Announced, ServiceProblem>
        var body: [UInt8] = []

        var endpoint: Endpoint? { try? announced.get().endpoint }
    }

    private enum Phase {
        /// No request has begun.
        case waiting
        /// A head has come, and its body follows.
        case reading(Request)
        /// Another thread makes the answer, or the answer is on its way.
        case answering
        /// The last answer is sent; what still comes is thrown away.
        case lingering
    }

    private let server: ServerCore
    private let gate: RequestGate
    private let caller: ServerCounts.Caller
    /// Why the connection is refused; nil where it is not.
    private let refusal: ServiceProblem?
    private var phase = Phase.waiting
    /// Parts that came while a request was being answered.
    private var early: CircularBuffer<HTTPServerRequestPart> = []
    /// The moment at which the client has taken too long.
    private var deadline = NIODeadline.distantFuture
    private var isWatched = false
    private var isFirst = true
    /// Whether nothing more comes: the client has closed its side, or its last octets are not HTTP.
    private var isInputClosed = false
    private var isDelivering = false
    private var isReading = true
    private var isCounted = false

    init(
        _ server: ServerCore, _ gate: RequestGate, _ caller: ServerCounts.Caller,
        refusal: ServiceProblem?
    ) {
        self.server = server
        self.gate = gate
        self.caller = caller
        self.refusal = refusal
    }

    // MARK: Events

    func handlerAdded(context: ChannelHandlerContext) {
        isCounted = true
        server.connections.insert(context.channel, self)
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        // The server may have stopped between accepting the connection and this moment.
        guard !server.isStopping else {
            context.close(promise: nil)
            return
        }
        wait(server.limits.timePerRequest, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    private func end(_ context: ChannelHandlerContext) {
        guard isCounted else { return }
        isCounted = false
        deadline = .distantFuture
        server.connections.remove(context.channel)
        server.counts.close(caller)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(unwrapInboundIn(data), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        isInputClosed = true
        switch phase {
        // Nothing more can come, and nothing is owed.
        case .waiting, .reading, .lingering: context.close(promise: nil)
        // A client may close its side and wait for the answer.
        case .answering: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            context.close(promise: nil)
            return
        }
        switch phase {
        // Requests that came before are answered.
        case .answering: isInputClosed = true
        case .lingering: break
        case .waiting, .reading:
            let isLong: Bool
            if case .headerOverflow = error { isLong = true } else { isLong = false }
            let problem =
                isLong
                ? ServiceProblem(
                    .headerTooLarge,
                    "the header has more than \(server.limits.header) octets or "
                        + "\(server.limits.fields) fields, or one field of half of that")
                : ServiceProblem(.badRequest, "this is no request of HTTP/1.1")
            refuse(problem, nil, context)
        }
    }

    // MARK: Requests

    private func receive(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (phase, part) {
        case (.lingering, _): break
        case (.answering, _): early.append(part)
        case (.waiting, .head(let head)): begin(head, context)
        case (.waiting, _): break
        case (.reading(var request), .body(let octets)):
            guard case .success(let announced) = request.announced else { return }
            guard
                request.body.count + octets.readableBytes
                    <= gate.limit(announced.endpoint)
            else {
                refuse(gate.tooLarge(announced.endpoint), request, context)
                return
            }
            // The array is taken out of the phase, so that it grows in place.
            phase = .waiting
            request.body.append(contentsOf: octets.readableBytesView)
            phase = .reading(request)
        case (.reading(let request), .end): answer(request, context)
        case (.reading, .head): context.close(promise: nil)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isFirst = false
        wait(server.limits.timePerRequest, context)
        let announced: Result<RequestGate.Announced, ServiceProblem>
        if let refusal {
            announced = .failure(refusal)
        } else {
            do throws(ServiceProblem) {
                announced = .success(try gate.check(head))
            } catch {
                announced = .failure(error)
            }
        }
        let request = Request(head: head, announced: announced)
        switch announced {
        case .failure(let problem):
            // A body that is not wanted is not waited for.
            if refusal != nil || RequestGate.hasBody(head) {
                refuse(problem, request, context)
                return
            }
        case .success(let announced):
            if announced.waits, RequestGate.hasBody(head) {
                let answer = HTTPResponseHead(version: head.version, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
            }
        }
        phase = .reading(request)
    }

    private func answer(_ request: Request, _ context: ChannelHandlerContext) {
        phase = .answering
        let announced: RequestGate.Announced
        switch request.announced {
        case .failure(let problem):
            send(ServiceAnswer(problem), request, isLast: false, context)
            return
        case .success(let found): announced = found
        }
        let endpoint = announced.endpoint
        let server = server
        guard !server.service.isShort(endpoint, octets: request.body.count) else {
            send(server.answer(endpoint, request.body), request, isLast: false, context)
            return
        }
        guard server.beginLong() else {
            let problem = ServiceProblem(
                .busy, "\(server.limits.longRequests) requests that take long are under way")
            send(ServiceAnswer(problem), request, isLast: false, context)
            return
        }
        // The client waits for us now, and not we for the client.
        deadline = .distantFuture
        read(false, context)
        let body = request.body
        let own = NIOLoopBound((self, request, context), eventLoop: context.eventLoop)
        server.workers.runIfActive(eventLoop: context.eventLoop) {
            server.answer(endpoint, body)
        }.whenComplete { result in
            server.endLong()
            let (connection, request, context) = own.value
            switch result {
            case .success(let answer):
                connection.wait(server.limits.timePerRequest, context)
                connection.send(answer, request, isLast: false, context)
            // The server has stopped.
            case .failure: context.close(promise: nil)
            }
        }
    }

    // MARK: Answers

    /// Refuses what has come so far, and ends the connection: where the next request begins is
    /// not known, or not waited for.
    private func refuse(
        _ problem: ServiceProblem, _ request: Request?, _ context: ChannelHandlerContext
    ) {
        phase = .answering
        send(ServiceAnswer(problem), request, isLast: true, context)
    }

    private func send(
        _ answer: ServiceAnswer, _ request: Request?, isLast: Bool,
        _ context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else { return }
        server.counts.answered(request?.endpoint, answer.status)
        let isLast =
            isLast || (isInputClosed && early.isEmpty) || server.isStopping
            || !(request?.head.isKeepAlive ?? false)
        var headers = HTTPHeaders()
        headers.add(name: "date", value: HTTPDate.text(server.clock()))
        headers.add(name: "content-type", value: answer.mediaType)
        headers.add(name: "content-length", value: String(answer.body.count))
        headers.add(name: "cache-control", value: "no-store")
        headers.add(name: "x-content-type-options", value: "nosniff")
        for (name, value) in answer.fields { headers.add(name: name, value: value) }
        if answer.status == ServiceProblem.Code.method.status,
            let endpoint = request.flatMap({ Endpoint(rawValue: $0.head.uri) })
        {
            headers.add(name: "allow", value: endpoint.method.rawValue)
        }
        if isLast {
            headers.add(name: "connection", value: "close")
        } else if request?.head.version.minor == 0 {
            headers.add(name: "connection", value: "keep-alive")
        }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: Int(answer.status)),
            headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request?.head.method != .HEAD {
            let body = context.channel.allocator.buffer(bytes: answer.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { result in
            let (connection, context) = own.value
            switch result {
            case .success: connection.sent(isLast: isLast, context)
            case .failure: context.close(promise: nil)
            }
        }
        // A client that does not read its answer is not read from either.
        if case .answering = phase { read(false, context) }
    }

    private func sent(isLast: Bool, _ context: ChannelHandlerContext) {
        guard isCounted else { return }
        guard !isLast else {
            linger(context)
            return
        }
        phase = .waiting
        wait(server.limits.idleTime, context)
        guard !isDelivering else { return }
        deliver(context)
        switch phase {
        case .waiting where isInputClosed || server.isStopping: context.close(promise: nil)
        case .reading where isInputClosed && early.isEmpty: context.close(promise: nil)
        case .waiting, .reading: read(true, context)
        case .answering, .lingering: break
        }
    }

    /// Takes the parts that came early, until one of them is being answered. An answer that is sent
    /// at once leads to `sent` inside this loop, and the loop goes on.
    private func deliver(_ context: ChannelHandlerContext) {
        isDelivering = true
        defer { isDelivering = false }
        while !early.isEmpty {
            switch phase {
            case .answering, .lingering: return
            case .waiting, .reading: receive(early.removeFirst(), context)
            }
        }
    }

    /// Begins or ends reading from the client.
    private func read(_ isReading: Bool, _ context: ChannelHandlerContext) {
        guard self.isReading != isReading else { return }
        self.isReading = isReading
        // A channel without the option is closed already.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }

    /// Closes our side and reads on for a moment: a socket that is closed with unread octets
    /// may take the answer away from a client who still sends.
    private func linger(_ context: ChannelHandlerContext) {
        phase = .lingering
        early.removeAll()
        guard !isInputClosed else {
            context.close(promise: nil)
            return
        }
        read(true, context)
        wait(server.limits.lingerTime, context)
        context.close(mode: .output, promise: nil)
    }

    /// The server stops: ends the connection now where no request has begun, and otherwise
    /// after the answer.
    func stop(_ context: ChannelHandlerContext) {
        if case .waiting = phase { context.close(promise: nil) }
    }

    // MARK: Time

    /// Gives the client so many seconds from now.
    private func wait(_ time: Duration, _ context: ChannelHandlerContext) {
        deadline = .now() + TimeAmount(time)
        watch(context)
    }

    /// One look at a time is planned. It looks again when the deadline has moved meanwhile.
    private func watch(_ context: ChannelHandlerContext) {
        guard !isWatched, deadline != .distantFuture else { return }
        isWatched = true
        let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: deadline) {
            let (connection, context) = own.value
            connection.isWatched = false
            guard connection.isCounted else { return }
            if NIODeadline.now() < connection.deadline {
                connection.watch(context)
            } else {
                connection.timeOut(context)
            }
        }
    }

    private func timeOut(_ context: ChannelHandlerContext) {
        deadline = .distantFuture
        switch phase {
        case .waiting where !isFirst: context.close(promise: nil)
        case .waiting, .reading:
            let request: Request?
            if case .reading(let begun) = phase { request = begun } else { request = nil }
            wait(server.limits.lingerTime, context)
            refuse(
                ServiceProblem(
                    .timeout,
                    "the request had not come after \(server.limits.timePerRequest.components.seconds) seconds"
                ),
                request, context)
        // The client does not read its answer.
        case .answering, .lingering: context.close(promise: nil)
        }
    }
}
#endif
