package hawser.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * The trust manager for libraries that take nothing else.
 *
 * <p>JSSE asks no trust manager when it resumes a session. Under TLS 1.2 the JDK's JSSE is made to
 * keep none: the session of each handshake is invalidated, and is then resumed by neither id nor
 * ticket. The tickets of TLS 1.3 come after the handshake, and nothing that a trust manager reaches
 * keeps JSSE from using them. So under TLS 1.3, and where another provider has the sessions, every
 * server is refused.
 */
final class PolicyTrustManager extends ServerTrustManager {
    /** Versions whose sessions come with the handshake. */
    private static final Set<String> BEFORE_TICKETS = Set.of("TLSv1", "TLSv1.1", "TLSv1.2");

    private final Judge judge;

    PolicyTrustManager(Judge judge) {
        this.judge = judge;
    }

    private RejectException refused(String host, String sentence) {
        var refusal = new RejectException(host, 0, 0, new Violation("no-verdict", sentence), null);
        judge.store().refused(refusal);
        return refusal;
    }

    private void keepNone(SSLSession session) throws RejectException {
        if (session == null) {
            throw refused("", "the connection has no handshake");
        }
        if (!session.getClass().getName().startsWith("sun.security.ssl.")) {
            throw refused(session.getPeerHost(),
                    "the trust manager works with the JDK's own JSSE provider only, as others may resume sessions"
                            + " without asking it: take Judge.sslContext");
        }
        if (!BEFORE_TICKETS.contains(session.getProtocol())) {
            throw refused(session.getPeerHost(),
                    "JSSE would resume sessions of " + session.getProtocol() + " without asking the trust manager: take"
                            + " Judge.sslContext, or let the library's protocol be TLSv1.2");
        }
        session.invalidate();
        if (session.isValid()) {
            throw refused(session.getPeerHost(), "this JDK would resume sessions without asking: take Judge.sslContext");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        if (!(socket instanceof SSLSocket connection)) {
            throw refused("", "without a TLS connection the host to judge is unknown");
        }
        var session = connection.getHandshakeSession();
        keepNone(session);
        // The port of a socket that was layered over another is the other one's, a proxy's perhaps.
        var gate = new Gate(judge);
        gate.judge(
                chain, session, session.getPeerHost(), 0, Alpn.of(connection::getHandshakeApplicationProtocol));
        gate.mark(session);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        if (engine == null) {
            throw refused("", "without a TLS connection the host to judge is unknown");
        }
        var session = engine.getHandshakeSession();
        keepNone(session);
        var gate = new Gate(judge);
        gate.judge(
                chain, session, engine.getPeerHost(), engine.getPeerPort(),
                Alpn.of(engine::getHandshakeApplicationProtocol));
        gate.mark(session);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw refused("", "the library does not say which connection the chain is from, so nobody said which host to"
                + " judge: take Judge.sslContext");
    }
}
