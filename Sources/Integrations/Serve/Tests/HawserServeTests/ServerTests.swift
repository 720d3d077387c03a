import Dispatch
import Foundation
import HawserServe
import Testing

@Suite("A server on a Unix socket")
struct UnixServerTests {
    @Test("answers one request after the other on a connection")
    func keptConnection() throws {
        let world = try ServedWorld()
        let client = try world.client()
        for _ in 0..<3 {
            let accept = try #require(
                try client.ask("POST", "/v1/evaluate", body: ServedWorld.question))
            #expect(accept.status == 200)
            #expect(accept.fields["hawser-epoch"] == "1")
            #expect(accept.fields["content-type"] == "application/json")
            #expect(accept.fields["cache-control"] == "no-store")
            #expect(accept.fields["date"]?.hasSuffix(" GMT") == true)
            let reject = try #require(
                try client.ask("POST", "/v1/evaluate", body: ServedWorld.body("www.other.example")))
            #expect(reject.status == 403)
            #expect(reject.body.contains("\"verdict\":\"reject\""))
            #expect(
                try client.ask("POST", "/v1/explain", body: ServedWorld.question)?.status == 200)
            let rule = try #require(
                try client.ask("POST", "/v1/show", body: "{\"host\":\"\(ServedWorld.host)\"}"))
            #expect(rule.status == 200)
            for path in ["/healthz", "/readyz", "/metrics"] {
                #expect(try client.ask("GET", path)?.status == 200, "\(path)")
            }
        }
        let metrics = try #require(try client.ask("GET", "/metrics"))
        #expect(
            metrics.body.contains(
                #"hawser_serve_requests_total{path="/v1/evaluate",status="403"} 3"#))
        #expect(metrics.body.contains("hawser_serve_connections 1\n"))
    }

    @Test("answers requests that do not wait in their order")
    func pipelined() throws {
        let world = try ServedWorld()
        let client = try world.client()
        let accept = Client.request("POST", "/v1/evaluate", body: ServedWorld.question)
        let reject = Client.request("POST", "/v1/evaluate", body: ServedWorld.body("b.example"))
        // A rule is shown by another thread, so what follows comes early.
        let show = Client.request("POST", "/v1/show", body: "{\"host\":\"\(ServedWorld.host)\"}")
        try client.send(accept + show + reject + show + show + accept + reject)
        var statuses: [Int] = []
        for _ in 0..<7 { statuses.append(try client.receive()?.status ?? 0) }
        #expect(statuses == [200, 200, 403, 200, 200, 200, 403])
    }

    @Test("takes a body in pieces, in chunks, and after a word")
    func bodies() throws {
        let world = try ServedWorld()
        let client = try world.client()
        let request = Client.request("POST", "/v1/evaluate", body: ServedWorld.question)
        for character in request { try client.send(String(character)) }
        #expect(try client.receive()?.status == 200)
        let question = ServedWorld.question
        try client.send(
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + String(question.utf8.count, radix: 16) + "\r\n\(question)\r\n0\r\n\r\n")
        #expect(try client.receive()?.status == 200)
        try client.send(
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: \(question.utf8.count)\r\n\r\n")
        #expect(try client.receive()?.status == 100)
        try client.send(question)
        #expect(try client.receive()?.status == 200)
    }

    @Test("answers a client that has closed its side")
    func halfClosed() throws {
        let world = try ServedWorld()
        let client = try world.client()
        try client.send(
            Client.request("POST", "/v1/show", body: "{\"host\":\"\(ServedWorld.host)\"}"))
        client.finish()
        #expect(try client.receive()?.status == 200)
        #expect(try client.isClosed())
    }

    /// Method, path, further fields, body, and the status that they get.
    static let refused: [(String, String, [String], String?, Int)] = [
        ("GET", "/", [], nil, 404),
        ("GET", "/v1/evaluate?x=1", [], nil, 404),
        ("POST", "/V1/evaluate", [], "{}", 404),
        ("GET", "/v1/evaluate", [], nil, 405),
        ("HEAD", "/healthz", [], nil, 405),
        ("OPTIONS", "/v1/evaluate", [], nil, 405),
        ("TRACE", "/v1/evaluate", [], nil, 405),
        ("POST", "/healthz", [], "{}", 405),
        ("GET", "/healthz", [], "{}", 413),
        ("POST", "/v1/evaluate", ["Content-Type: text/plain"], "{}", 415),
        ("POST", "/v1/evaluate", ["Content-Type: application/json; charset=latin1"], "{}", 415),
        (
            "POST", "/v1/evaluate", ["Content-Type: application/x-www-form-urlencoded"], "{}", 415
        ),
        ("POST", "/v1/evaluate", ["Content-Encoding: gzip"], "{}", 415),
        ("POST", "/v1/evaluate", ["Expect: miracles"], "{}", 417),
        ("POST", "/v1/evaluate", ["Origin: null"], "{}", 403),
        ("POST", "/v1/evaluate", ["Origin: http://localhost"], "{}", 403),
        ("POST", "/v1/evaluate", [], "{}", 400),
        ("POST", "/v1/evaluate", [], "", 400),
        ("POST", "/v1/evaluate", ["X-Long: " + String(repeating: "x", count: 20_000)], "{}", 431),
        (
            "POST", "/v1/evaluate", (0..<100).map { "X-\($0): 1" }, "{}", 431
        ),
        ("POST", "/" + String(repeating: "x", count: 20_000), [], "{}", 431),
    ]

    @Test("refuses what is no question", arguments: refused.indices)
    func refusal(_ index: Int) throws {
        let (method, path, fields, body, status) = Self.refused[index]
        let world = try ServedWorld()
        let client = try world.client()
        let answer = try #require(try client.ask(method, path, fields, body: body))
        #expect(answer.status == status, "\(answer.body)")
        if method != "HEAD" {
            #expect(answer.body.contains("\"schema\":\"hawser/problem/1\""))
        }
        if status == 405 { #expect(["GET", "POST"].contains(answer.fields["allow"] ?? "")) }
        // The server goes on.
        #expect(
            try world.client().ask("POST", "/v1/evaluate", body: ServedWorld.question)?.status
                == 200)
    }

    @Test(
        "refuses octets that are no HTTP",
        arguments: [
            "\r\n\r\n\0\0\0\0", "hello\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}",
            "GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET /healthz HTTP/9.1\r\nHost: x\r\n\r\n",
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
        ])
    func garbage(_ text: String) throws {
        let world = try ServedWorld()
        let client = try world.client()
        try client.send(text)
        client.finish()
        if let answer = try client.receive() {
            #expect(answer.status >= 400, "\(answer)")
        }
        #expect(try client.isClosed())
    }

    @Test("refuses a body that is too large, announced or not")
    func large() throws {
        let world = try ServedWorld { $0.limits.body = 8_000 }
        let announced = try world.client()
        try announced.send(
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1000000000\r\n\r\n")
        #expect(try announced.receive()?.status == 413)
        #expect(try announced.isClosed())
        let chunked = try world.client()
        try chunked.send(
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
        let chunk = "400\r\n" + String(repeating: " ", count: 1_024) + "\r\n"
        for _ in 0..<9 { try? chunked.send(chunk) }
        #expect(try chunked.receive()?.status == 413)
    }

    @Test("gives a slow client its time and no more")
    func slow() throws {
        let world = try ServedWorld {
            $0.limits.timePerRequest = .seconds(1)
            $0.limits.idleTime = .seconds(1)
        }
        for beginning in [
            "", "POST /v1/eval",
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 100\r\n\r\n{\"host\":",
        ] {
            let client = try world.client()
            try client.send(beginning)
            #expect(try client.receive()?.status == 408, "\(beginning)")
            #expect(try client.isClosed())
        }
        // A connection that is kept and says nothing more is closed without a word.
        let idle = try world.client()
        #expect(try idle.ask("GET", "/healthz")?.status == 200)
        #expect(try idle.receive() == nil)
    }

    @Test("bounds its connections, all of them and those of one user")
    func connections() throws {
        for (all, each, status) in [(2, 2, 503), (8, 2, 429)] {
            let world = try ServedWorld {
                $0.limits.connections = all
                $0.limits.connectionsPerCaller = each
            }
            let first = try world.client()
            let second = try world.client()
            #expect(try first.ask("GET", "/healthz")?.status == 200)
            #expect(try second.ask("GET", "/healthz")?.status == 200)
            let third = try world.client()
            let answer = try #require(try third.ask("GET", "/healthz"))
            #expect(answer.status == status)
            #expect(answer.fields["retry-after"] == "1")
            #expect(try third.isClosed())
            #expect(try first.ask("GET", "/healthz")?.status == 200)
        }
    }

    @Test("asks the kernel who calls")
    func callers() throws {
        let nobody = try ServedWorld { $0.callers = CallerRules(users: [], groups: []) }
        let answer = try #require(
            try nobody.client().ask("POST", "/v1/evaluate", body: ServedWorld.question))
        #expect(answer.status == 403)
        #expect(answer.body.contains("\"code\":\"caller\""))
        let byUser = try ServedWorld { $0.callers = CallerRules(users: [getuid()], groups: []) }
        #expect(try byUser.client().ask("GET", "/healthz")?.status == 200)
        let byGroup = try ServedWorld { $0.callers = CallerRules(users: [], groups: [getgid()]) }
        #expect(try byGroup.client().ask("GET", "/healthz")?.status == 200)
    }

    @Test("the socket has mode 0660 and goes when the server stops")
    func file() throws {
        let world = try ServedWorld()
        var file = stat()
        #expect(lstat(world.socket, &file) == 0)
        #expect(file.st_mode & 0o7777 == 0o660)
        #expect(file.st_mode & S_IFMT == S_IFSOCK)
        world.server.stop()
        #expect(lstat(world.socket, &file) != 0)
    }

    @Test("a socket that was left behind is replaced, and one in use is not")
    func leftBehind() throws {
        let world = try ServedWorld()
        var configuration = VerdictServer.Configuration(places: [
            .unix(path: world.socket, group: nil)
        ])
        configuration.threads = 1
        let table = try ServedWorld.table(in: world.folder)
        #expect(throws: VerdictServer.StartError.self) {
            try VerdictServer(.octets(table), store: ServedWorld.store, configuration)
        }
        #expect(try world.client().ask("GET", "/healthz")?.status == 200)

        // As `kill -9` leaves it: a socket at which nobody listens.
        let other = world.folder.appendingPathComponent("other.sock").path
        let dead = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(other.utf8)) }
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        close(dead)
        configuration.places = [.unix(path: other, group: nil)]
        let next = try VerdictServer(.octets(table), store: ServedWorld.store, configuration)
        #expect(try Client(socket: other).ask("GET", "/healthz")?.status == 200)
        next.stop()

        // What is no socket is left alone.
        let file = world.folder.appendingPathComponent("file.sock")
        try Data("kept".utf8).write(to: file)
        configuration.places = [.unix(path: file.path, group: nil)]
        #expect(throws: VerdictServer.StartError.self) {
            try VerdictServer(.octets(table), store: ServedWorld.store, configuration)
        }
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
    }

    @Test("a folder that everybody may write to is refused")
    func folder() throws {
        let world = try ServedWorld()
        let open = world.folder.appendingPathComponent("open")
        try FileManager.default.createDirectory(at: open, withIntermediateDirectories: true)
        chmod(open.path, 0o777)
        let configuration = VerdictServer.Configuration(places: [
            .unix(path: open.appendingPathComponent("hawser.sock").path, group: nil)
        ])
        let table = try ServedWorld.table(in: world.folder)
        #expect(throws: VerdictServer.StartError.self) {
            try VerdictServer(.octets(table), store: ServedWorld.store, configuration)
        }
    }

    @Test("stops once the requests that have begun are answered")
    func drains() throws {
        let world = try ServedWorld()
        let idle = try world.client()
        #expect(try idle.ask("GET", "/healthz")?.status == 200)
        let busy = try world.client()
        let request = Client.request("POST", "/v1/evaluate", body: ServedWorld.question)
        // The head is there once the server asks for the body.
        try busy.send(
            "POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\n"
                + "Content-Length: \(ServedWorld.question.utf8.count)\r\n\r\n")
        #expect(try busy.receive()?.status == 100)
        let stopped = DispatchSemaphore(value: 0)
        let server = world.server
        Thread.detachNewThread {
            server.stop()
            stopped.signal()
        }
        // The idle connection ends, which says that the server is stopping.
        #expect(try idle.receive() == nil)
        try busy.send(ServedWorld.question)
        let answer = try #require(try busy.receive())
        #expect(answer.status == 200)
        #expect(answer.fields["connection"] == "close")
        stopped.wait()
        #expect(throws: Client.Failed.self) { try world.client().send(request) }
    }
}

@Suite("A server on TCP")
struct LoopbackServerTests {
    private static let bearer = "Authorization: Bearer \(ServedWorld.token)"

    @Test("wants the token, and its own address in `Host`")
    func admission() throws {
        let world = try ServedWorld(tcp: true)
        let port = try #require(world.server.ports.first)
        let host = "Host: 127.0.0.1:\(port)"
        let wrong = String(ServedWorld.token.dropLast()) + "x"
        let cases: [([String], Int)] = [
            ([host, Self.bearer], 200),
            (["Host: localhost:\(port)", Self.bearer], 200),
            (["Host: [::1]:\(port)", Self.bearer], 200),
            ([host], 401),
            ([host, "Authorization: Bearer \(wrong)"], 401),
            ([host, "Authorization: Bearer \(ServedWorld.token)x"], 401),
            ([host, "Authorization: Bearer "], 401),
            ([host, "Authorization: Basic \(ServedWorld.token)"], 401),
            ([host, Self.bearer, Self.bearer], 401),
            (["Host: evil.example:\(port)", Self.bearer], 421),
            (["Host: 127.0.0.1", Self.bearer], 421),
            (["Host: 127.0.0.1.evil.example:\(port)", Self.bearer], 421),
            ([host, "Host: evil.example", Self.bearer], 421),
            ([host, Self.bearer, "Origin: http://127.0.0.1:\(port)"], 403),
        ]
        for (fields, status) in cases {
            for (method, path, body) in [
                ("POST", "/v1/evaluate", ServedWorld.question as String?), ("GET", "/healthz", nil),
                ("GET", "/metrics", nil),
            ] {
                let answer = try #require(
                    try world.client().ask(method, path, fields, body: body))
                #expect(answer.status == status, "\(path) \(fields)")
                if status == 401 { #expect(answer.fields["www-authenticate"] == "Bearer") }
            }
        }
    }

    @Test("does not start without a token")
    func noToken() throws {
        #expect(throws: VerdictServer.StartError.self) {
            try ServedWorld(tcp: true) { $0.token = nil }
        }
    }

    @Test(
        "a token is long, visible and one line",
        arguments: [
            ("", false), ("short", false), (String(repeating: "a", count: 31), false),
            (String(repeating: "a", count: 32), true),
            (String(repeating: "a", count: 32) + "\n", true),
            (String(repeating: "a", count: 32) + "\r\n", true),
            (String(repeating: "a", count: 32) + "\n\n", false),
            (String(repeating: "a", count: 16) + " " + String(repeating: "a", count: 16), false),
            (String(repeating: "é", count: 32), false),
            (String(repeating: "a", count: 4_097), false),
        ])
    func token(_ text: String, _ isToken: Bool) {
        #expect((AccessToken(Array(text.utf8)) != nil) == isToken)
    }
}
