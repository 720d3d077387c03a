package hawser.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Makes sockets that a judge judges. */
final class JudgedSocketFactory extends SSLSocketFactory {
    private final JudgedContext.Spi spi;

    JudgedSocketFactory(JudgedContext.Spi spi) {
        this.spi = spi;
    }

    private interface Make {
        Socket by(SSLSocketFactory factory) throws IOException;
    }

    /** @param host null where JSSE knows the host: from the address that it connects to */
    private Socket socket(String host, int port, Make make) throws IOException {
        var connection = spi.connection(host, port);
        var socket = (SSLSocket) make.by(connection.context().getSocketFactory());
        return new JudgedSocket(socket, connection.gate(), connection.manager());
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return spi.defaults().getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return spi.defaults().getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket() throws IOException {
        return socket(null, 0, SSLSocketFactory::createSocket);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return socket(host, port, factory -> factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return socket(host, port, factory -> factory.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return socket(null, port, factory -> factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return socket(null, port, factory -> factory.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean closes) throws IOException {
        if (host == null || host.isEmpty()) {
            // JSSE would take the host that `socket` is connected to, and send its name: a proxy's
            // perhaps.
            throw spi.unhosted();
        }
        return socket(host, port, factory -> factory.createSocket(socket, host, port, closes));
    }

    @Override
    public Socket createSocket(Socket socket, InputStream consumed, boolean closes) {
        throw new UnsupportedOperationException(
                "hawser: policies are about servers, and this would be the server's side");
    }
}
