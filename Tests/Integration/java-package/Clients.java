import hawser.tls.Judge;
import hawser.tls.Options;
import hawser.tls.RejectException;
import hawser.tls.ServeOptions;
import hawser.tls.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * Asks each server by each client that the JDK has, and prints a line for each: the client, the
 * server, and `accept` or the ids of the violations, then the side and whether rule and owner are
 * known.
 *
 * <p>Clients.java TABLE|SOCKET NAME=HOST:PORT...     hosts are resolved by -Djdk.net.hosts.file
 */
final class Clients {
    interface Client {
        /** The status line or code of the answer. */
        String ask(Judge judge, String host, int port) throws Exception;
    }

    static final Map<String, Client> ALL = new LinkedHashMap<>();

    static {
        ALL.put("HttpClient", (judge, host, port) -> http(judge, host, port, HttpClient.Version.HTTP_1_1));
        ALL.put("HttpClient-2", (judge, host, port) -> http(judge, host, port, HttpClient.Version.HTTP_2));
        ALL.put("HttpsURLConnection", Clients::url);
        ALL.put("SSLSocket", Clients::socket);
        ALL.put("SSLSocket-layered", Clients::layered);
        ALL.put("SSLEngine", (judge, host, port) -> engine(judge.sslContext().createSSLEngine(host, port), host, port));
        ALL.put("trust-manager", Clients::trustManager);
    }

    private static byte[] request(String host) {
        return ("GET / HTTP/1.0\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static String http(Judge judge, String host, int port, HttpClient.Version version) throws Exception {
        var client = HttpClient.newBuilder().sslContext(judge.sslContext()).version(version)
                .connectTimeout(Duration.ofSeconds(20)).build();
        var request = HttpRequest.newBuilder(URI.create("https://" + host + ":" + port + "/"))
                .timeout(Duration.ofSeconds(30)).build();
        // Java 17 waits without end for the end of a body that has no length, under TLS 1.3, and so
        // it does without Hawser.
        var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        answer.body().close();
        return "" + answer.statusCode();
    }

    private static String url(Judge judge, String host, int port) throws Exception {
        var connection = (HttpsURLConnection) URI.create("https://" + host + ":" + port + "/").toURL().openConnection();
        connection.setSSLSocketFactory(judge.socketFactory());
        connection.setReadTimeout(30_000);
        int status = connection.getResponseCode();
        connection.disconnect();
        return "" + status;
    }

    private static String first(InputStream in) throws IOException {
        var octets = in.readNBytes(12);
        return new String(octets, StandardCharsets.US_ASCII).replaceFirst("HTTP/1.[01] ", "");
    }

    static String over(SSLSocket socket, String host) throws IOException {
        try (socket) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request(host));
            return first(socket.getInputStream());
        }
    }

    private static String socket(Judge judge, String host, int port) throws Exception {
        return over((SSLSocket) judge.socketFactory().createSocket(host, port), host);
    }

    private static String layered(Judge judge, String host, int port) throws Exception {
        var plain = new java.net.Socket("127.0.0.1", port);
        return over((SSLSocket) judge.socketFactory().createSocket(plain, host, port, true), host);
    }

    private static String trustManager(Judge judge, String host, int port) throws Exception {
        var context = SSLContext.getInstance("TLS");
        // JSSE does not tell it the port of a socket, and `hawser serve` does not say whether it
        // matters.
        var manager = Judge.builder(judge.store()).port(port).build().trustManager();
        context.init(null, new TrustManager[] {manager}, null);
        return over((SSLSocket) context.getSocketFactory().createSocket(host, port), host);
    }

    /**
     * A client over an engine, as event loops have it: writes a request as soon as it can, and
     * reads the answer.
     */
    static String engine(SSLEngine engine, String host, int port) throws Exception {
        engine.setUseClientMode(true);
        var out = ByteBuffer.wrap(request(host));
        var answer = ByteBuffer.allocate(1 << 16);
        var fromNet = ByteBuffer.allocate(1 << 17).flip();
        var toNet = ByteBuffer.allocate(1 << 16);
        try (var channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port))) {
            SSLException failure = null;
            engine.beginHandshake();
            while (answer.position() < 12) {
                if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                    for (var task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                        task.run();
                    }
                    continue;
                }
                if (engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP && (out.hasRemaining()
                        || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP)) {
                    toNet.clear();
                    try {
                        engine.wrap(out, toNet);
                    } catch (SSLException no) {
                        failure = no;
                    }
                    for (toNet.flip(); toNet.hasRemaining();) {
                        channel.write(toNet);
                    }
                    if (failure != null) {
                        // Whatever a careless program tries after it: the octets must not go out.
                        for (int time = 0; time < 3; time++) {
                            toNet.clear();
                            try {
                                engine.wrap(ByteBuffer.wrap(request(host)), toNet);
                            } catch (SSLException again) {
                                // As it should be.
                            }
                            for (toNet.flip(); toNet.hasRemaining();) {
                                channel.write(toNet);
                            }
                        }
                        throw failure;
                    }
                    continue;
                }
                try {
                    var result = engine.unwrap(fromNet, answer);
                    switch (result.getStatus()) {
                        case BUFFER_UNDERFLOW -> {
                            fromNet.compact();
                            if (channel.read(fromNet) < 0) {
                                throw new IOException("the server ended the connection");
                            }
                            fromNet.flip();
                        }
                        case CLOSED -> throw new IOException("the engine is closed");
                        default -> { }
                    }
                } catch (SSLException no) {
                    failure = no;
                    throw no;
                }
            }
        }
        return new String(answer.array(), 9, 3, StandardCharsets.US_ASCII);
    }

    static Store open(String from) throws Exception {
        var path = Path.of(from);
        return from.endsWith(".sock") ? Store.connect(path, new ServeOptions().logger(null).timeout(Duration.ofSeconds(20)))
                : Store.open(path, new Options().logger(null));
    }

    static String outcome(Client client, Judge judge, String host, int port) {
        try {
            return "accept " + client.ask(judge, host, port);
        } catch (Exception failure) {
            return RejectException.find(failure).map(no -> no.violations().stream().map(one -> one.id())
                    .collect(Collectors.joining(",")) + " side=" + no.side().orElse("-") + " rule=" + no.rule().orElse("-")
                    + " by " + failure.getClass().getSimpleName()).orElse("FAILED " + failure);
        }
    }

    public static void main(String[] words) throws Exception {
        try (var store = open(words[0])) {
            var judge = Judge.of(store);
            // Clients of libraries that the machine may have.
            var libraries = words.length > 1 ? new String[] {"OkHttpClients", "NettyClients"} : new String[0];
            for (var name : libraries) {
                try {
                    Class.forName(name).getMethod("add", Map.class).invoke(null, ALL);
                } catch (ClassNotFoundException absent) {
                    System.out.println("== " + name + ": skipped: not compiled here");
                }
            }
            for (var client : ALL.entrySet()) {
                for (int index = 1; index < words.length; index++) {
                    var parts = words[index].split("[=:]");
                    System.out.printf("%-22s %-9s %s%n", client.getKey(), parts[0],
                            outcome(client.getValue(), judge, parts[1], Integer.parseInt(parts[2])));
                }
            }
        }
        System.exit(0);
    }
}
