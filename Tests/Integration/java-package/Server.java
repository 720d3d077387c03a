import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A TLS server on loopback that speaks HTTP/1.1, counts, and resumes sessions. */
final class Server implements AutoCloseable {
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger octets = new AtomicInteger();
    final AtomicInteger clientCertificates = new AtomicInteger();
    /** Connections whose session is older than they are. */
    final AtomicInteger resumed = new AtomicInteger();

    private final ServerSocket socket;
    private final String location;

    static KeyManagerFactory keys(String name) throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        try (var file = Files.newInputStream(Path.of(name + ".p12"))) {
            keys.load(file, "rig".toCharArray());
        }
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "rig".toCharArray());
        return factory;
    }

    /**
     * @param location where `/elsewhere` leads; asks for a client certificate where it is "client"
     */
    Server(String name, String version, String location) throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(keys(name).getKeyManagers(), new TrustManager[] {new X509TrustManager() {
            @Override
            public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String type) {
                clientCertificates.incrementAndGet();
            }

            @Override
            public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type) {}

            @Override
            public java.security.cert.X509Certificate[] getAcceptedIssuers() {
                return new java.security.cert.X509Certificate[0];
            }
        }}, null);
        var made = (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
        made.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        made.setEnabledProtocols(new String[] {version});
        made.setWantClientAuth("client".equals(location));
        this.socket = made;
        this.location = location;
        daemon(this::accept);
    }

    static void daemon(Runnable work) {
        var thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                var connection = (SSLSocket) socket.accept();
                connections.incrementAndGet();
                daemon(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(SSLSocket connection) {
        long begun = System.currentTimeMillis();
        try (connection) {
            connection.setSoTimeout(60_000);
            connection.startHandshake();
            if (connection.getSession().getCreationTime() < begun) {
                resumed.incrementAndGet();
            }
            var in = new BufferedInputStream(connection.getInputStream());
            while (true) {
                var head = new StringBuilder();
                while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
                    int octet = in.read();
                    if (octet < 0) {
                        return;
                    }
                    octets.incrementAndGet();
                    head.append((char) octet);
                }
                boolean leads = location != null && head.indexOf("/elsewhere") > 0;
                connection.getOutputStream().write(((leads ? "HTTP/1.1 302 Found\r\nLocation: " + location + "\r\n"
                        : "HTTP/1.1 200 OK\r\n") + "Content-Length: 2\r\n\r\nok").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException ended) {
            // The client refused.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A proxy that knows CONNECT, and leads every tunnel to one server. */
    static ServerSocket proxy(int to, Set<String> asked) throws IOException {
        var proxy = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        daemon(() -> {
            while (!proxy.isClosed()) {
                try {
                    var near = proxy.accept();
                    daemon(() -> tunnel(near, to, asked));
                } catch (IOException closed) {
                    return;
                }
            }
        });
        return proxy;
    }

    private static void tunnel(Socket near, int to, Set<String> asked) {
        try (near; var far = new Socket(InetAddress.getLoopbackAddress(), to)) {
            var head = new StringBuilder();
            while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
                head.append((char) near.getInputStream().read());
            }
            asked.add(head.substring(0, head.indexOf("\r\n")));
            near.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            daemon(() -> {
                try {
                    far.getInputStream().transferTo(near.getOutputStream());
                    near.close();
                } catch (IOException ended) {
                    // So does the tunnel.
                }
            });
            near.getInputStream().transferTo(far.getOutputStream());
        } catch (IOException ended) {
            // So does the tunnel.
        }
    }
}
