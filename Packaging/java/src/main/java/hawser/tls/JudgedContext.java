package hawser.tls;

import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.Provider;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A context whose connections a judge judges.
 *
 * <p>Each connection gets a context of its own from JSSE, with a trust manager of its own. That
 * costs some microseconds. It buys two facts by construction: no connection can resume a session of
 * another one, since the sessions of a context are its own; and the trust manager knows which
 * connection it is asked about.
 */
final class JudgedContext extends SSLContext {
    JudgedContext(Judge judge) {
        this(new Spi(judge));
    }

    private JudgedContext(Spi spi) {
        super(spi, spi.provider, "TLS");
    }

    /**
     * A connection that is about to be made: its gate, the trust manager that asks it, and JSSE's
     * context.
     */
    record Connection(Gate gate, GateTrustManager manager, SSLContext context) {}

    static final class Spi extends SSLContextSpi {
        private final Judge judge;
        private final Provider provider;
        /** For defaults. It makes no connection. */
        private final SSLContext prototype;

        /** One for all callers: pools keep connections by it. */
        private final SSLSocketFactory factory = new JudgedSocketFactory(this);

        Spi(Judge judge) {
            this.judge = judge;
            try {
                this.provider = SSLContext.getInstance("TLS").getProvider();
            } catch (GeneralSecurityException failure) {
                throw new IllegalStateException("hawser: this JDK makes no TLS connections", failure);
            }
            this.prototype = connection("", 0).context();
        }

        /** @param host null where JSSE knows the host */
        Connection connection(String host, int port) {
            var gate = new Gate(judge);
            var manager = new GateTrustManager(gate, host, port);
            try {
                var context = SSLContext.getInstance("TLS", provider);
                context.init(judge.keyManagers(), new TrustManager[] {manager}, judge.random());
                return new Connection(gate, manager, context);
            } catch (GeneralSecurityException failure) {
                throw new IllegalStateException("hawser: JSSE makes no context", failure);
            }
        }

        /** The refusal of a connection for which nobody named a host. */
        SSLHandshakeException unhosted() {
            var refusal = Target.unhosted(0);
            judge.store().refused(refusal);
            return Gate.failed(refusal);
        }

        SSLSocketFactory defaults() {
            return prototype.getSocketFactory();
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException(
                    "hawser: the context of a judge is ready: its trust manager is not exchanged, and Judge.Builder"
                            + " takes key managers");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return factory;
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw new UnsupportedOperationException(
                    "hawser: policies are about servers, and this would be the server's side");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            var connection = connection("", 0);
            return new JudgedEngine(connection.context().createSSLEngine(), connection.gate(), null, -1);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            var connection = connection(host == null ? "" : host, port);
            return new JudgedEngine(connection.context().createSSLEngine(host, port), connection.gate(), host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return prototype.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return prototype.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return prototype.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return prototype.getSupportedSSLParameters();
        }
    }
}
