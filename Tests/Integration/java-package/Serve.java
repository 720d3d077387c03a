import hawser.tls.Judge;
import hawser.tls.Options;
import hawser.tls.RejectException;
import hawser.tls.Request;
import hawser.tls.ServeOptions;
import hawser.tls.Store;
import hawser.tls.StoreException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/**
 * The API over `hawser serve`, from Java 17 on.
 *
 * <p>Serve.java SOCKET TABLE     in the folder of the rig; the server follows TABLE, which has what
 * one.table has
 */
final class Serve {
    private static final String GOOD = "good.rig.example";
    private static Path socket;
    private static Path table;
    private static int count;

    private interface Act {
        Object run() throws Exception;
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static RejectException refused(String id, Act act) throws Exception {
        try {
            throw new AssertionError("it was not refused: " + act.run());
        } catch (Exception failure) {
            var found = RejectException.find(failure).orElseThrow(() -> new AssertionError("not refused", failure));
            expect(found.has(id), "not " + id + ": " + found.getMessage());
            return found;
        }
    }

    private static StoreException failed(String reason, Act act) throws Exception {
        try {
            throw new AssertionError("nothing was thrown: " + act.run());
        } catch (StoreException failure) {
            expect(failure.reason().equals(reason), "not " + reason + ": " + failure);
            return failure;
        }
    }

    private static ServeOptions quiet() {
        return new ServeOptions().logger(null).timeout(Duration.ofSeconds(20));
    }

    private static Request good() throws Exception {
        try (var file = Files.newInputStream(Path.of("good.pem"))) {
            var read = CertificateFactory.getInstance("X.509").generateCertificates(file);
            return new Request(GOOD, 443).chain(read.toArray(X509Certificate[]::new))
                    .tls(Request.Tls.OBSERVED).version(0x0304);
        }
    }

    private static String exchange(SSLSocket connection) throws IOException {
        connection.setSoTimeout(30_000);
        connection.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return new String(connection.getInputStream().readNBytes(40), StandardCharsets.US_ASCII).substring(9, 12);
    }

    private static void offer(String name) throws Exception {
        Files.copy(Path.of(name), Path.of("offered.table"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(Path.of("offered.table"), table, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    // ----------------------------------------------------------------------------------------- cases

    static void verdictsAndTexts() throws Exception {
        try (var store = Store.connect(socket, quiet())) {
            var verdict = store.evaluate(good());
            expect(verdict.accepted() && verdict.epoch() >= 1 && !verdict.path().isEmpty(), verdict.toString());
            expect(store.explain(good()).explanation().orElseThrow().contains("\"hawser/explain/1\""), "explanation");
            var rejected = store.evaluate(new Request("pinned.rig.example", 443).chain(java.util.List.of()));
            expect(!rejected.accepted() && rejected.reasons().orElseThrow().contains("side="), rejected.toString());
            failed("time", () -> store.evaluate(good().time(java.time.Instant.now())));
            var snapshot = store.snapshot();
            expect(snapshot.epoch() == verdict.epoch() && snapshot.policyDigest().equals(verdict.policyDigest()), "snapshot");
            expect(store.state().refusalReason().isEmpty() && store.metrics().contains("hawser_"), "state, metrics");
            expect(store.holds(verdict.epoch(), GOOD, 443) && !store.holds(verdict.epoch() + 7, GOOD, 443), "holds");
            failed("serve", () -> {
                store.reload();
                return null;
            });
        }
        if (Runtime.version().feature() < 22) {
            failed("java-version", () -> Store.open(table, new Options()));
        }
    }

    static void aPooledConnectionIsJudgedAgain() throws Exception {
        try (var server = new Server("good", "TLSv1.3", null); var store = Store.connect(socket, quiet())) {
            try (var connection = (SSLSocket) Judge.of(store).socketFactory().createSocket(GOOD, server.port())) {
                expect(exchange(connection).equals("200"), "the first answer");
                long before = store.snapshot().epoch();
                offer("other.table");
                while (store.snapshot().epoch() == before) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                TimeUnit.MILLISECONDS.sleep(1100);
                expect(exchange(connection).equals("200"), "the second answer");
                offer("stricter.table");
                while (store.snapshot().epoch() == before + 1) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                // Which policy is in force is asked once a second.
                TimeUnit.MILLISECONDS.sleep(1100);
                int octets = server.octets.get();
                refused("pin-mismatch", () -> exchange(connection));
                expect(server.octets.get() == octets, "octets went to a refused server");
            } finally {
                offer("one.table");
            }
            for (int time = 0; store.evaluate(good()).accepted() != true; time++) {
                expect(time < 200, "the table did not come back");
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    static void aPortThatNobodySaid() throws Exception {
        try (var server = new Server("good", "TLSv1.3", null); var store = Store.connect(socket, quiet())) {
            refused("port-unknown", () -> Clients.engine(
                    Judge.of(store).sslContext().createSSLEngine(GOOD, -1), GOOD, server.port()));
        }
    }

    static void aClosedStoreRefuses() throws Exception {
        try (var server = new Server("good", "TLSv1.3", null)) {
            var store = Store.connect(socket, quiet());
            var judge = Judge.of(store);
            store.close();
            failed("closed", store::snapshot);
            failed("closed", () -> store.evaluate(good()));
            refused("no-verdict", () ->
                    exchange((SSLSocket) judge.socketFactory().createSocket(GOOD, server.port())));
            expect(server.octets.get() == 0, "octets went to a refused server");
        }
    }

    static void aFolderThatOthersMayWriteTo() throws Exception {
        var folder = Files.createTempDirectory("hawser");
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            failed("socket-folder", () -> Store.connect(folder.resolve("x.sock"), quiet()));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            failed("serve", () -> Store.connect(folder.resolve("x.sock"), quiet()));
        } finally {
            Files.delete(folder);
        }
    }

    private static final String READY = "{\"schema\":\"hawser/ready/1\",\"ready\":true,\"epoch\":1,"
            + "\"policyDigest\":\"sha256:00\"}";

    private static String http(int status, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Servers that answer wrongly, slowly, or not at all: no verdict. */
    static void serversThatAreNone() throws Exception {
        var accept = "{\"schema\":\"hawser/verdict/1\",\"verdict\":\"accept\",\"epoch\":1,\"violations\":[]}";
        String[] answers = {
            "", "HTTP/1.1 200 OK", http(200, ""), http(200, "{}"), http(200, accept.replace("accept", "reject")),
            http(403, accept), http(200, accept.replace("/1", "/2")), http(200, accept + "x"), http(500, accept),
            http(200, accept.replace("[]", "[{\"id\":\"expired\"}]")), http(200, accept).replace("1.1", "3.0"),
            http(200, accept).replace("Content-Length: ", "Content-Length: 9"), http(200, accept.substring(1)),
            http(200, accept).replace("Content-Length", "X"), http(200, "[".repeat(5000)),
            http(200, accept.replace("\"epoch\":1,", "")),
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: " + accept.length() + "\r\n\r\n" + accept,
            "HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(50_000), "wait",
        };
        var folder = Files.createTempDirectory("hawser");
        var path = folder.resolve("x.sock");
        for (var answer : answers) {
            try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                listener.bind(UnixDomainSocketAddress.of(path));
                Server.daemon(() -> {
                    for (boolean first = true;; first = false) {
                        try (var channel = listener.accept()) {
                            channel.read(ByteBuffer.allocate(1 << 20));
                            var text = first ? http(200, READY).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") : answer;
                            if (text.equals("wait")) {
                                TimeUnit.SECONDS.sleep(20);
                            }
                            for (var octets = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)); octets.hasRemaining();) {
                                channel.write(octets);
                            }
                        } catch (IOException | InterruptedException ended) {
                            return;
                        }
                    }
                });
                try (var store = Store.connect(path, new ServeOptions().logger(null).timeout(Duration.ofMillis(300)))) {
                    try {
                        var verdict = store.evaluate(good());
                        throw new AssertionError("a verdict, " + verdict + ", by " + answer);
                    } catch (StoreException none) {
                        expect(none.result().equals("HAWSER_E_FILE"), none.toString());
                    }
                }
            } finally {
                Files.deleteIfExists(path);
            }
        }
        Files.delete(folder);
    }

    static void textsAndThreads() throws Exception {
        try (var store = Store.connect(socket, quiet())) {
            // Hostile text in a host is text.
            var verdict = store.evaluate(new Request("a\"\\\n\u202e\ud800.example", 443).chain(good0()));
            expect(!verdict.accepted() && verdict.violations().get(0).id().equals("bad-host"), verdict.toString());
            var wrong = new java.util.concurrent.atomic.AtomicInteger();
            var threads = new java.util.ArrayList<Thread>();
            for (int number = 0; number < 8; number++) {
                var thread = new Thread(() -> {
                    for (int time = 0; time < 100; time++) {
                        try {
                            if (!store.evaluate(good()).accepted()) {
                                wrong.incrementAndGet();
                            }
                        } catch (Exception failure) {
                            wrong.incrementAndGet();
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (var thread : threads) {
                thread.join();
            }
            expect(wrong.get() == 0, wrong + " wrong answers");
        }
    }

    private static X509Certificate[] good0() throws Exception {
        try (var file = Files.newInputStream(Path.of("good.pem"))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(file).toArray(X509Certificate[]::new);
        }
    }

    public static void main(String[] words) throws Exception {
        socket = Path.of(words[0]);
        table = Path.of(words[1]);
        int failed = 0;
        for (var method : Serve.class.getDeclaredMethods()) {
            if (method.getParameterCount() > 0 || java.lang.reflect.Modifier.isPrivate(method.getModifiers())
                    || method.isSynthetic()) {
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
        System.out.println(count + " cases over hawser serve, Java " + Runtime.version().feature());
        System.exit(failed > 0 || count == 0 ? 1 : 0);
    }
}
