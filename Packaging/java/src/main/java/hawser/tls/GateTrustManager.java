package hawser.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;

/**
 * The trust manager of one connection: asks its gate. Being an X509ExtendedTrustManager, it is all
 * that JSSE asks about a server, whatever endpoint identification a program sets.
 */
final class GateTrustManager extends ServerTrustManager {
    private final Gate gate;

    /** The host and the port that the program named, where it did. */
    private volatile String host;

    private volatile int port;

    GateTrustManager(Gate gate, String host, int port) {
        this.gate = gate;
        this.host = host;
        this.port = port;
    }

    void connectsTo(int otherPort) {
        this.port = otherPort;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        var session = ((SSLSocket) socket).getHandshakeSession();
        // JSSE knows the host of a socket that was connected by an address which a name was
        // resolved to.
        var named = host != null || session == null ? host : session.getPeerHost();
        gate.judge(chain, session, named, port, Alpn.of(((SSLSocket) socket)::getHandshakeApplicationProtocol));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        gate.judge(
                chain, engine.getHandshakeSession(), host, port, Alpn.of(engine::getHandshakeApplicationProtocol));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("hawser: a chain without its connection");
    }
}
