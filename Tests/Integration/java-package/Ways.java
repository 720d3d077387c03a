import hawser.tls.Judge;
import hawser.tls.Options;
import hawser.tls.RejectException;
import hawser.tls.Request;
import hawser.tls.Snapshot;
import hawser.tls.Store;
import hawser.tls.StoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyManagementException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Every way around the verdict that a reviewer thought of: refused or judged. Prints a line for
 * each.
 *
 * <p>Ways.java [VERSION]     in the folder of the rig; VERSION is TLSv1.3 or TLSv1.2
 */
final class Ways {
    private static String version;
    private static int count;

    private static byte[] table(String name) throws IOException {
        return Files.readAllBytes(Path.of(name + ".table"));
    }

    private static Store open(String name) throws Exception {
        return Store.open(table(name), new Options().logger(null));
    }

    private static Server server(String name) throws Exception {
        return new Server(name, version, null);
    }

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static String exchange(Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST);
        return answer(socket);
    }

    private static String answer(Socket socket) throws IOException {
        var octets = new String(socket.getInputStream().readNBytes(40), StandardCharsets.US_ASCII);
        return octets.substring(9, 12);
    }

    private static SSLSocket connect(Judge judge, String host, int port) throws IOException {
        var socket = (SSLSocket) judge.socketFactory().createSocket(host, port);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private interface Act {
        Object run() throws Exception;
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static RejectException refused(String id, Act act) throws Exception {
        Object done;
        try {
            done = act.run();
        } catch (Exception failure) {
            var found = RejectException.find(failure);
            if (found.isEmpty()) {
                throw failure;
            }
            expect(found.get().has(id), "not " + id + ": " + found.get().getMessage());
            return found.get();
        }
        throw new AssertionError("it was not refused: " + done);
    }

    private static void thrown(Class<? extends Exception> kind, Act act) throws Exception {
        try {
            act.run();
        } catch (Exception failure) {
            expect(kind.isInstance(failure), "not " + kind + ": " + failure);
            return;
        }
        throw new AssertionError("nothing was thrown");
    }

    private static void accepted(Act act) throws Exception {
        var status = act.run();
        expect("200".equals(String.valueOf(status)), "the answer is " + status);
    }

    private static final String GOOD = "good.rig.example";

    // ------------------------------------------------------------------------------------- sessions

    /** The mistake that this package must not make: shows that the rig would find it. */
    static void aTrustManagerOfOnesOwnIsNotAskedAgain() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new X509ExtendedTrustManager() {
                private void judge(X509Certificate[] chain) throws CertificateException {
                    try {
                        store.evaluate(new Request(GOOD, server.port()).chain(chain)
                                .tls(Request.Tls.OBSERVED).version(0x0304)).orThrow();
                    } catch (StoreException failure) {
                        throw new CertificateException(failure);
                    }
                }

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                        throws CertificateException {
                    judge(chain);
                }

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                        throws CertificateException {
                    judge(chain);
                }

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                    judge(chain);
                }

                @Override
                public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

                @Override
                public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

                @Override
                public void checkClientTrusted(X509Certificate[] chain, String type) {}

                @Override
                public X509Certificate[] getAcceptedIssuers() {
                    return new X509Certificate[0];
                }
            }}, null);
            Act act = () -> {
                try (var socket = (SSLSocket) context.getSocketFactory().createSocket(GOOD, server.port())) {
                    return exchange(socket);
                }
            };
            accepted(act);
            store.reload(table("stricter"));
            accepted(act);
            expect(server.resumed.get() == 1, "no session was resumed, so the cases below show nothing");
        }
    }

    static void aSessionIsNotResumedAfterAReload() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            for (int time = 0; time < 3; time++) {
                try (var socket = connect(judge, GOOD, server.port())) {
                    accepted(() -> exchange(socket));
                }
                accepted(() -> Clients.engine(judge.sslContext().createSSLEngine(GOOD, server.port()), GOOD, server.port()));
            }
            store.reload(table("stricter"));
            refused("pin-mismatch", () -> exchange(connect(judge, GOOD, server.port())));
            refused("pin-mismatch", () ->
                    Clients.engine(judge.sslContext().createSSLEngine(GOOD, server.port()), GOOD, server.port()));
            expect(server.resumed.get() == 0, server.resumed + " connections were resumed");
        }
    }

    static void theTrustManagerAloneKeepsNoSession() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {Judge.of(store).trustManager()}, null);
            Act act = () -> {
                try (var socket = (SSLSocket) context.getSocketFactory().createSocket(GOOD, server.port())) {
                    return exchange(socket);
                }
            };
            if (version.equals("TLSv1.3")) {
                expect(refused("no-verdict", act).getMessage().contains("take Judge.sslContext"), "words");
                expect(server.octets.get() == 0, "octets went to a refused server");
                return;
            }
            for (int time = 0; time < 3; time++) {
                accepted(act);
            }
            var judge = Judge.of(store);
            var other = SSLContext.getInstance("TLS");
            other.init(null, new TrustManager[] {judge.trustManager()}, null);
            try (var socket = (SSLSocket) other.getSocketFactory().createSocket(GOOD, server.port())) {
                accepted(() -> exchange(socket));
                expect(judge.hostnameVerifier().verify(GOOD, socket.getSession()), "its own connection");
            }
            store.reload(table("stricter"));
            refused("pin-mismatch", act);
            Act byEngine = () -> Clients.engine(context.createSSLEngine(GOOD, server.port()), GOOD, server.port());
            refused("pin-mismatch", byEngine);
            store.reload(table("one"));
            accepted(byEngine);
            accepted(byEngine);
            store.reload(table("stricter"));
            refused("pin-mismatch", byEngine);
        }
    }

    // ------------------------------------------------------------------------------ pooled connections

    static void aPooledConnectionIsJudgedAgain() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            try (var socket = connect(judge, GOOD, server.port())) {
                accepted(() -> exchange(socket));
                int before = server.octets.get();
                store.reload(table("other"));
                accepted(() -> exchange(socket));
                expect(Judge.holds(socket) && Judge.epoch(socket) == store.epoch(), "the connection should hold");
                socket.getOutputStream().write(REQUEST);
                store.reload(table("stricter"));
                // What was asked for may still be read.
                accepted(() -> answer(socket));
                int after = server.octets.get();
                refused("pin-mismatch", () -> exchange(socket));
                refused("pin-mismatch", () -> exchange(socket));
                expect(!Judge.holds(socket) && socket.isClosed(), "the connection should not hold");
                expect(server.octets.get() == after && after > before, "octets went to a refused server");
            }
            // A weaker policy does not bring it back.
            store.reload(table("one"));
            try (var socket = connect(judge, GOOD, server.port())) {
                accepted(() -> exchange(socket));
                store.reload(table("stricter"));
                refused("pin-mismatch", () -> exchange(socket));
                store.reload(table("one"));
                thrown(IOException.class, () -> exchange(socket));
            }
        }
    }

    static void anEngineIsJudgedAgain() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var engine = Judge.of(store).sslContext().createSSLEngine(GOOD, server.port());
            accepted(() -> Clients.engine(engine, GOOD, server.port()));
            expect(Judge.holds(engine), "the engine should hold");
            store.reload(table("stricter"));
            var to = ByteBuffer.allocate(1 << 16);
            refused("pin-mismatch", () -> engine.wrap(ByteBuffer.wrap(REQUEST), to));
            expect(to.position() == 0 && !Judge.holds(engine), "octets came out");
            for (int time = 0; time < 3; time++) {
                try {
                    engine.wrap(ByteBuffer.wrap(REQUEST), to);
                } catch (SSLException refusal) {
                    expect(RejectException.find(refusal).isPresent(), refusal.toString());
                }
            }
            // An alert rather than a request.
            expect(to.position() < REQUEST.length + 22, to.position() + " octets came out");
            refused("pin-mismatch", () -> engine.unwrap(ByteBuffer.allocate(100), to));
        }
    }

    static void aPoolMakesANewConnection() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            var client = HttpClient.newBuilder().sslContext(judge.sslContext()).build();
            var uri = URI.create("https://" + GOOD + ":" + server.port() + "/");
            Act http = () -> client.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).statusCode();
            Act url = () -> {
                var connection = (HttpsURLConnection) uri.toURL().openConnection();
                connection.setSSLSocketFactory(judge.socketFactory());
                int status = connection.getResponseCode();
                connection.getInputStream().readAllBytes();
                return status;
            };
            for (var act : List.of(http, url)) {
                store.reload(table("one"));
                int before = server.connections.get();
                accepted(act);
                accepted(act);
                store.reload(table("other"));
                accepted(act);
                expect(server.connections.get() == before + 1, "the connection was not kept");
                store.reload(table("stricter"));
                int octets = server.octets.get();
                refused("pin-mismatch", act);
                refused("pin-mismatch", act);
                expect(server.octets.get() == octets, "octets went to a refused server");
            }
        }
    }

    static void aStaleTableRefusesOpenConnections() throws Exception {
        try (var server = server("good"); var store = Store.open(table("one"), new Options().logger(null)
                .staleness(Options.Staleness.REJECT, Duration.ofSeconds(2)))) {
            try (var socket = connect(Judge.of(store), GOOD, server.port())) {
                accepted(() -> exchange(socket));
                while (!store.snapshot().isStale()) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                refused("table-stale", () -> exchange(socket));
            }
        }
    }

    // --------------------------------------------------------------------------------- switches

    static void endpointIdentificationChangesNothing() throws Exception {
        try (var server = server("name"); var right = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            for (var algorithm : new String[] {null, "", "HTTPS", "LDAPS"}) {
                Act wrong = () -> {
                    var socket = connect(judge, "name.rig.example", server.port());
                    var parameters = socket.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm(algorithm);
                    socket.setSSLParameters(parameters);
                    return exchange(socket);
                };
                refused("name-mismatch", wrong);
                refused("name-mismatch", () -> {
                    var engine = judge.sslContext().createSSLEngine("name.rig.example", server.port());
                    var parameters = engine.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm(algorithm);
                    engine.setSSLParameters(parameters);
                    return Clients.engine(engine, "name.rig.example", server.port());
                });
                accepted(() -> {
                    var socket = connect(judge, GOOD, right.port());
                    var parameters = socket.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm(algorithm);
                    socket.setSSLParameters(parameters);
                    return exchange(socket);
                });
            }
            expect(server.octets.get() == 0, "octets went to a refused server");
        }
    }

    static void aHostnameVerifierOfThePrograms() throws Exception {
        try (var server = server("name"); var right = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            var asked = new AtomicInteger();
            Act act = () -> {
                var connection = (HttpsURLConnection)
                        URI.create("https://name.rig.example:" + server.port() + "/").toURL().openConnection();
                connection.setSSLSocketFactory(judge.socketFactory());
                connection.setHostnameVerifier((host, session) -> asked.incrementAndGet() > 0);
                return connection.getResponseCode();
            };
            refused("name-mismatch", act);
            expect(server.octets.get() == 0, "octets went to a refused server");
            // The one of the judge: its connections, for their host.
            try (var socket = connect(judge, GOOD, right.port())) {
                accepted(() -> exchange(socket));
                var verifier = judge.hostnameVerifier();
                expect(verifier.verify("Good.Rig.Example", socket.getSession()), "its own connection");
                expect(!verifier.verify("pinned.rig.example", socket.getSession()), "another host");
                expect(!Judge.of(store).hostnameVerifier().verify(GOOD, socket.getSession()), "another judge");
                expect(!verifier.verify(GOOD, null), "no session");
            }
        }
    }

    static void aContextIsNotTakenApart() throws Exception {
        try (var store = open("one")) {
            var judge = Judge.of(store);
            var context = judge.sslContext();
            thrown(KeyManagementException.class, () -> {
                context.init(null, null, null);
                return null;
            });
            thrown(Exception.class, () -> context.getServerSocketFactory());
            thrown(IllegalArgumentException.class, () -> {
                context.createSSLEngine().setUseClientMode(false);
                return null;
            });
            thrown(IllegalArgumentException.class, () -> {
                ((SSLSocket) judge.socketFactory().createSocket()).setUseClientMode(false);
                return null;
            });
            thrown(UnsupportedOperationException.class, () ->
                    judge.socketFactory().createSocket(new Socket(), new ByteArrayInputStream(new byte[1]), true));
            expect(judge.trustManager().getAcceptedIssuers().length == 0, "issuers");
            thrown(RejectException.class, () -> {
                judge.trustManager().checkServerTrusted(new X509Certificate[0], "ECDHE_ECDSA");
                return null;
            });
            thrown(RejectException.class, () -> {
                judge.trustManager().checkServerTrusted(new X509Certificate[0], "ECDHE_ECDSA", new Socket());
                return null;
            });
            thrown(RejectException.class, () -> {
                judge.trustManager().checkServerTrusted(new X509Certificate[0], "ECDHE_ECDSA", (SSLEngine) null);
                return null;
            });
        }
    }

    /** A method that a later JDK adds to these classes would lead around the gate. */
    static void everyMethodOfTheClassesIsOurs() throws Exception {
        // Their bodies call nothing but other methods of the class, or they name the class.
        var inherited = Set.of("toString", "hashCode", "equals", "finalize", "clone", "getHandshakeStatus");
        for (var name : List.of("hawser.tls.JudgedSocket", "hawser.tls.JudgedEngine")) {
            var ours = Class.forName(name);
            var missing = new ArrayList<String>();
            for (Class<?> above = ours.getSuperclass(); above != Object.class; above = above.getSuperclass()) {
                for (Method method : above.getDeclaredMethods()) {
                    int modifiers = method.getModifiers();
                    if (Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers) || !Modifier.isPublic(modifiers)
                            || inherited.contains(method.getName())) {
                        continue;
                    }
                    try {
                        ours.getDeclaredMethod(method.getName(), method.getParameterTypes());
                    } catch (NoSuchMethodException none) {
                        missing.add(method.getName() + List.of(method.getParameterTypes()));
                    }
                }
            }
            // The short forms of wrap and unwrap call the long ones, which are ours.
            missing.removeIf(one -> one.matches("(un)?wrap.*"));
            expect(missing.isEmpty(), name + " leaves to its class: " + missing);
        }
    }

    static void listenersSeeTheJudgedSocket() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var seen = new ArrayBlockingQueue<Socket>(1);
            try (var socket = connect(Judge.of(store), GOOD, server.port())) {
                socket.addHandshakeCompletedListener(event -> seen.add(event.getSocket()));
                accepted(() -> exchange(socket));
                expect(seen.poll(10, TimeUnit.SECONDS) == socket, "another socket");
                expect(socket.getChannel() == null, "a channel");
            }
        }
    }

    static void everyFirstCallLeadsThroughTheVerdict() throws Exception {
        try (var server = server("pinned"); var store = open("one")) {
            var judge = Judge.of(store);
            var host = "pinned.rig.example";
            refused("pin-mismatch", () -> {
                connect(judge, host, server.port()).startHandshake();
                return null;
            });
            refused("pin-mismatch", () -> connect(judge, host, server.port()).getInputStream().read());
            refused("pin-mismatch", () -> {
                connect(judge, host, server.port()).getOutputStream().write(1);
                return null;
            });
            refused("pin-mismatch", () -> {
                var socket = connect(judge, host, server.port());
                expect(socket.getSession().getCipherSuite().startsWith("SSL_NULL"), "a session");
                return exchange(socket);
            });
            refused("pin-mismatch", () -> {
                var socket = connect(judge, host, server.port());
                try {
                    socket.startHandshake();
                } catch (IOException no) {
                    // Once more, and further.
                }
                try {
                    socket.startHandshake();
                } catch (IOException no) {
                    // Refused still.
                }
                return exchange(socket);
            });
            expect(store.lastRejection("PINNED.rig.example.").orElseThrow().has("pin-mismatch"), "the last rejection");
            expect(server.octets.get() == 0, "octets went to a refused server");
        }
    }

    static void aClientCertificateFollowsTheVerdict() throws Exception {
        try (var right = new Server("good", version, "client"); var wrong = new Server("pinned", version, "client");
                var store = open("one")) {
            var judge = Judge.builder(store).keyManagers(Server.keys("stranger").getKeyManagers()).build();
            try (var socket = connect(judge, GOOD, right.port())) {
                accepted(() -> exchange(socket));
            }
            expect(right.clientCertificates.get() == 1, "no client certificate came");
            refused("pin-mismatch", () -> exchange(connect(judge, "pinned.rig.example", wrong.port())));
            expect(wrong.clientCertificates.get() == 0, "a refused server got the client's certificate");
        }
    }

    // ------------------------------------------------------------------------------- host and port

    static void withoutAHost() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            var loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            refused("no-host", () -> Clients.engine(judge.sslContext().createSSLEngine(), GOOD, server.port()));
            refused("no-host", () -> {
                var plain = new Socket(GOOD, server.port());
                return exchange(judge.socketFactory().createSocket(plain, null, server.port(), true));
            });
            // No rule is about the address, and the name of a reverse lookup is not used.
            expect(loopback.getHostName().endsWith(".rig.example"), "the reverse lookup gives no name");
            var by = refused("no-applicable-rule", () ->
                    exchange(judge.socketFactory().createSocket(loopback, server.port())));
            expect(by.host().equals("127.0.0.1"), by.host());
            refused("no-applicable-rule", () -> {
                var socket = judge.socketFactory().createSocket();
                socket.connect(new InetSocketAddress(loopback, server.port()));
                return exchange(socket);
            });
            // A name that the program resolved is the host.
            accepted(() -> {
                var socket = judge.socketFactory().createSocket();
                socket.connect(new InetSocketAddress(GOOD, server.port()), 10_000);
                return exchange(socket);
            });
            accepted(() -> exchange(judge.socketFactory().createSocket(
                    InetAddress.getByName(GOOD), server.port())));
        }
    }

    private static SSLEngine named(SSLEngine engine, String name) {
        var parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        engine.setSSLParameters(parameters);
        return engine;
    }

    static void theServerName() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            int port = server.port();
            accepted(() -> Clients.engine(named(judge.sslContext().createSSLEngine(), GOOD), GOOD, port));
            accepted(() -> Clients.engine(named(judge.sslContext().createSSLEngine("127.0.0.1", port), GOOD), GOOD, port));
            refused("no-applicable-rule", () ->
                    Clients.engine(named(judge.sslContext().createSSLEngine(), "stranger.rig.example"), GOOD, port));
            // Two hosts: which one is meant?
            for (var pair : new String[][] {{GOOD, "pinned.rig.example"}, {"pinned.rig.example", GOOD}}) {
                refused("no-verdict", () ->
                        Clients.engine(named(judge.sslContext().createSSLEngine(pair[0], port), pair[1]), GOOD, port));
            }
            refused("bad-host", () -> Clients.engine(judge.sslContext().createSSLEngine("göd.rig.example", port), GOOD, port));
        }
    }

    static void thePort() throws Exception {
        var host = "ported.rig.example";
        try (var server = server("ported"); var store = open("one")) {
            var judge = Judge.of(store);
            // Its rule at 8443 demands a pin; at another port it does not.
            accepted(() -> Clients.engine(judge.sslContext().createSSLEngine(host, 443), host, server.port()));
            refused("pin-mismatch", () -> Clients.engine(judge.sslContext().createSSLEngine(host, 8443), host, server.port()));
            refused("port-unknown", () -> Clients.engine(judge.sslContext().createSSLEngine(host, -1), host, server.port()));
            refused("port-unknown", () ->
                    Clients.engine(named(judge.sslContext().createSSLEngine(), host), host, server.port()));
            var at = Judge.builder(store).port(8443).build();
            refused("pin-mismatch", () -> Clients.engine(at.sslContext().createSSLEngine(host, -1), host, server.port()));
            // The port of the socket below is a proxy's; the one that counts is the caller's.
            refused("pin-mismatch", () ->
                    exchange(judge.socketFactory().createSocket(new Socket(host, server.port()), host, 8443, true)));
            accepted(() ->
                    exchange(judge.socketFactory().createSocket(new Socket(host, server.port()), host, 443, true)));
        }
    }

    static void proxies() throws Exception {
        try (var server = server("ported"); var store = open("one")) {
            var judge = Judge.of(store);
            var asked = ConcurrentHashMap.<String>newKeySet();
            try (var proxy = Server.proxy(server.port(), asked)) {
                var address = new InetSocketAddress("127.0.0.1", proxy.getLocalPort());
                var client = HttpClient.newBuilder().sslContext(judge.sslContext()).proxy(ProxySelector.of(address)).build();
                interface At {
                    Act port(int port);
                }
                At http = port -> () -> client.send(
                        HttpRequest.newBuilder(URI.create("https://ported.rig.example:" + port + "/")).build(),
                        HttpResponse.BodyHandlers.ofString()).statusCode();
                At url = port -> () -> {
                    var connection = (HttpsURLConnection) URI.create("https://ported.rig.example:" + port + "/").toURL()
                            .openConnection(new Proxy(Proxy.Type.HTTP, address));
                    connection.setSSLSocketFactory(judge.socketFactory());
                    return connection.getResponseCode();
                };
                for (var by : List.of(http, url)) {
                    asked.clear();
                    accepted(by.port(443));
                    int octets = server.octets.get();
                    refused("pin-mismatch", by.port(8443));
                    expect(server.octets.get() == octets, "octets went to a refused server");
                    expect(asked.size() == 2, "the proxy was asked " + asked);
                }
            }
        }
    }

    static void redirects() throws Exception {
        try (var wrong = server("pinned"); var store = open("one");
                var server = new Server("good", version, "https://pinned.rig.example:" + wrong.port() + "/")) {
            var judge = Judge.of(store);
            var uri = URI.create("https://" + GOOD + ":" + server.port() + "/elsewhere");
            var client = HttpClient.newBuilder().sslContext(judge.sslContext())
                    .followRedirects(HttpClient.Redirect.ALWAYS).build();
            refused("pin-mismatch", () -> client.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).statusCode());
            refused("pin-mismatch", () -> {
                HttpsURLConnection.setDefaultSSLSocketFactory(judge.socketFactory());
                return ((HttpsURLConnection) uri.toURL().openConnection()).getResponseCode();
            });
            expect(server.octets.get() > 0 && wrong.octets.get() == 0, "octets went to a refused server");
        }
    }

    // ------------------------------------------------------------------------------------ stores

    static void twoStores() throws Exception {
        try (var server = server("good"); var one = open("one"); var stricter = open("stricter")) {
            var first = Judge.of(one);
            var second = Judge.of(stricter);
            for (int time = 0; time < 3; time++) {
                accepted(() -> exchange(connect(first, GOOD, server.port())));
                refused("pin-mismatch", () -> exchange(connect(second, GOOD, server.port())));
            }
        }
    }

    static void filtersAnswerWhereARuleAsksThem() throws Exception {
        var folder = Path.of("crlite");
        var options = new Options().logger(null).crliteDirectory(folder);
        try (var server = server("filtered")) {
            for (var state : new String[] {"missing", "good", "revoked"}) {
                if (!state.equals("missing")) {
                    var fill = new ProcessBuilder(
                            "python3", System.getenv("HAWSER_FILTERS"), "fill", folder.toString(), "root.pem", state);
                    expect(fill.inheritIO().start().waitFor() == 0, "no filters");
                }
                try (var store = Store.open(table("one"), options)) {
                    var condition = store.state();
                    expect(condition.crliteDirectory().orElse("").endsWith("crlite"), condition.toString());
                    expect(condition.crliteMessage().isPresent() == state.equals("missing"), condition.toString());
                    Act act = () -> exchange(connect(Judge.of(store), "filtered.rig.example", server.port()));
                    switch (state) {
                        case "good" -> accepted(act);
                        case "revoked" -> refused("revoked", act);
                        default -> refused("revocation-undetermined", act);
                    }
                }
            }
        } finally {
            if (Files.exists(folder)) {
                try (var files = Files.walk(folder)) {
                    for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    static void aClosedStoreRefuses() throws Exception {
        try (var server = server("good")) {
            var store = open("one");
            var judge = Judge.of(store);
            try (var socket = connect(judge, GOOD, server.port())) {
                accepted(() -> exchange(socket));
                store.close();
                store.close();
                refused("no-verdict", () -> exchange(socket));
            }
            refused("no-verdict", () -> exchange(connect(judge, GOOD, server.port())));
            thrown(StoreException.class, store::snapshot);
            thrown(StoreException.class, store::state);
            thrown(StoreException.class, store::metrics);
            thrown(StoreException.class, () -> {
                store.reload(table("one"));
                return null;
            });
            thrown(StoreException.class, () -> store.holds(1, GOOD, 443));
        }
    }

    private static X509Certificate[] chain(String name) throws Exception {
        try (var file = Files.newInputStream(Path.of(name + ".pem"))) {
            Collection<?> read = CertificateFactory.getInstance("X.509").generateCertificates(file);
            return read.toArray(X509Certificate[]::new);
        }
    }

    static void aStoreIsClosedUnderLoad() throws Exception {
        var chain = chain("good");
        var wrong = new AtomicInteger();
        for (int round = 0; round < 60; round++) {
            var store = open("one");
            var begun = new CountDownLatch(8);
            var threads = new ArrayList<Thread>();
            for (int number = 0; number < 8; number++) {
                var thread = new Thread(() -> {
                    for (int time = 0;; time++) {
                        try {
                            if (!store.evaluate(new Request(GOOD, 443).chain(chain)
                                    .tls(Request.Tls.OBSERVED).version(0x0304)).accepted()) {
                                wrong.incrementAndGet();
                            }
                        } catch (StoreException closed) {
                            if (!closed.reason().equals("closed")) {
                                wrong.incrementAndGet();
                            }
                            return;
                        } catch (Exception failure) {
                            wrong.incrementAndGet();
                            return;
                        }
                        if (time == 5) {
                            begun.countDown();
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            begun.await();
            store.close();
            for (var thread : threads) {
                thread.join();
            }
        }
        expect(wrong.get() == 0, wrong + " wrong answers");
    }

    static void aRefusalSaysEverything() throws Exception {
        try (var server = server("pinned"); var store = Store.open(Path.of("one.table"), new Options().logger(null))) {
            var refusal = refused("pin-mismatch", () ->
                    exchange(connect(Judge.builder(store).explains(true).build(), "pinned.rig.example", server.port())));
            expect(refusal.host().equals("pinned.rig.example") && refusal.port() == server.port(), "host and port");
            expect(refusal.rule().orElseThrow().equals("pinned") && refusal.owner().orElseThrow().equals("payments"), "rule");
            expect(refusal.side().orElseThrow().equals("in-between"), refusal.side().toString());
            expect(refusal.id().orElseThrow().matches("r[0-9a-f]{16}"), "id");
            expect(refusal.command().orElseThrow().startsWith("hawser show pinned.rig.example"), refusal.command().toString());
            var verdict = refusal.verdict().orElseThrow();
            expect(verdict.explanation().orElseThrow().startsWith("{") && verdict.receipt().isPresent(), "explanation");
            expect(refusal.getMessage().matches("hawser: reject pinned\\.rig\\.example:\\d+: pin-mismatch: .* side=in-between rule=pinned owner=payments id=r.* next=.*"), refusal.getMessage());
            // It survives serialization, as for remote calls.
            var octets = new ByteArrayOutputStream();
            try (var out = new ObjectOutputStream(octets)) {
                out.writeObject(refusal);
            }
            try (var in = new ObjectInputStream(new ByteArrayInputStream(octets.toByteArray()))) {
                var copy = (RejectException) in.readObject();
                expect(copy.has("pin-mismatch") && copy.rule().equals(refusal.rule()), "the copy");
            }
        }
    }

    static void aStoreFollowsItsFile() throws Exception {
        var file = Path.of("followed.table");
        Files.write(file, table("one"));
        var seen = new ArrayBlockingQueue<Snapshot>(16);
        var lines = new ArrayBlockingQueue<String>(1000);
        var logger = new System.Logger() {
            @Override
            public String getName() {
                return "test";
            }

            @Override
            public boolean isLoggable(Level level) {
                return true;
            }

            @Override
            public void log(Level level, java.util.ResourceBundle bundle, String message, Throwable thrown) {
                lines.add(level + " " + message);
            }

            @Override
            public void log(Level level, java.util.ResourceBundle bundle, String format, Object... values) {
                lines.add(level + " " + format);
            }
        };
        try (var server = server("good");
                var store = Store.open(file, new Options().name("followed").logger(logger).onChange(seen::add))) {
            var judge = Judge.of(store);
            accepted(() -> exchange(connect(judge, GOOD, server.port())));
            Files.write(Path.of("next.table"), table("stricter"));
            Files.move(Path.of("next.table"), file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            var snapshot = seen.poll(30, TimeUnit.SECONDS);
            expect(snapshot != null && snapshot.epoch() == 2, "no change was told");
            expect(snapshot.stricterHosts().contains(GOOD), snapshot.stricterHosts().toString());
            refused("pin-mismatch", () -> exchange(connect(judge, GOOD, server.port())));
            Files.write(Path.of("next.table"), new byte[] {1, 2, 3});
            Files.move(Path.of("next.table"), file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            while (store.state().refused() == 0) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            expect(store.state().refusalReason().isPresent() && store.snapshot().epoch() == 2, "the damaged table");
            thrown(StoreException.class, () -> {
                store.reload();
                return null;
            });
            expect(store.metrics().contains("hawser_store_rejects_total"), "metrics");
            var all = new StringBuilder();
            for (var line = lines.poll(5, TimeUnit.SECONDS); line != null; line = lines.poll(1, TimeUnit.SECONDS)) {
                all.append(line).append('\n');
            }
            expect(all.indexOf("WARNING hawser: reject " + GOOD) >= 0, "no line about the refusal: " + all);
        }
    }

    static void demandsThatJsseDoesNotTell() throws Exception {
        try (var server = server("groups"); var store = open("one")) {
            // The group is not told: the rule that demands one rejects, in words.
            refused("tls-not-supplied", () -> exchange(connect(Judge.of(store), "groups.rig.example", server.port())));
        }
        try (var server = server("suites"); var store = open("one")) {
            // Version and suite are told.
            Act act = () -> exchange(connect(Judge.of(store), "suites.rig.example", server.port()));
            if (version.equals("TLSv1.3")) {
                accepted(act);
            } else {
                refused("tls-version", act);
            }
        }
    }

    static void virtualThreadsAndSmallStacks() throws Exception {
        try (var server = server("good"); var store = open("one")) {
            var judge = Judge.of(store);
            var failures = new ArrayBlockingQueue<Throwable>(100);
            var threads = new ArrayList<Thread>();
            for (int number = 0; number < 16; number++) {
                Runnable work = () -> {
                    try {
                        accepted(() -> exchange(connect(judge, GOOD, server.port())));
                    } catch (Throwable failure) {
                        failures.add(failure);
                    }
                };
                threads.add(number % 2 == 0 ? Thread.ofVirtual().unstarted(work) : new Thread(null, work, "small", 512 << 10));
            }
            threads.forEach(Thread::start);
            for (var thread : threads) {
                thread.join();
            }
            expect(failures.isEmpty(), failures.toString());
        }
    }

    static void http2() throws Exception {
        var ports = System.getenv("HTTP2_PORTS");
        if (version.equals("TLSv1.2")) {
            return;
        }
        if (ports == null) {
            System.out.println("== http2: skipped: no server of HTTP/2");
            return;
        }
        try (var store = open("one")) {
            var judge = Judge.of(store);
            var client = HttpClient.newBuilder().sslContext(judge.sslContext()).build();
            for (var pair : ports.split(" ")) {
                var name = pair.substring(0, pair.indexOf('='));
                var uri = URI.create("https://" + name + ".rig.example:" + pair.substring(pair.indexOf('=') + 1) + "/");
                Act act = () -> {
                    var answer = client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                    expect(answer.version() == HttpClient.Version.HTTP_2, "it is not HTTP/2");
                    return answer.statusCode();
                };
                if (name.equals("good")) {
                    accepted(act);
                    accepted(act);
                    store.reload(table("stricter"));
                    refused("pin-mismatch", act);
                    refused("pin-mismatch", act);
                    store.reload(table("one"));
                } else {
                    refused("pin-mismatch", act);
                }
            }
        }
    }

    public static void main(String[] words) throws Exception {
        version = words.length > 0 ? words[0] : "TLSv1.3";
        var only = words.length > 1 ? words[1] : "";
        int failed = 0;
        for (var method : Ways.class.getDeclaredMethods()) {
            if (method.getParameterCount() > 0 || Modifier.isPrivate(method.getModifiers()) || method.isSynthetic()
                    || !method.getName().contains(only)) {
                continue;
            }
            count++;
            try {
                method.invoke(null);
                System.out.println("ok      " + method.getName());
            } catch (java.lang.reflect.InvocationTargetException failure) {
                failed++;
                System.out.println("FAILED  " + method.getName());
                failure.getCause().printStackTrace(System.out);
            }
        }
        System.out.println(count + " cases, " + version + ", Java " + Runtime.version().feature());
        System.exit(failed > 0 || count == 0 ? 1 : 0);
    }
}
