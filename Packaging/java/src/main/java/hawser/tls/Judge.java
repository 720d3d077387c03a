package hawser.tls;

import java.net.Socket;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Makes what libraries take, so that a store judges their TLS servers.
 *
 * <p>Take {@link #sslContext} or {@link #socketFactory} wherever a library takes one of them. Their
 * connections are judged inside the handshake, before a client certificate or an octet of the
 * program's is sent; they offer no sessions, since JSSE asks nobody about a resumed one; and each
 * use of a connection under another policy is judged again.
 *
 * <p>{@link #trustManager} is for libraries that take nothing else. It judges inside the handshake
 * too; connections that are open stay open when the policy changes.
 *
 * <p>A judge is used by any number of threads and connections.
 */
public final class Judge {
    private final Store store;
    private final int port;
    private final KeyManager[] keyManagers;
    private final SecureRandom random;
    private final boolean explains;
    private final boolean http2OnSockets;
    private final Consumer<Verdict> onVerdict;
    private final InstantSource clock;
    private final SSLContext context;
    private final X509ExtendedTrustManager trustManager;

    private Judge(Builder builder) {
        this.store = builder.store;
        this.port = builder.port;
        this.keyManagers = builder.keyManagers;
        this.random = builder.random;
        this.explains = builder.explains;
        this.http2OnSockets = builder.http2OnSockets;
        this.onVerdict = builder.onVerdict;
        this.clock = builder.clock;
        this.context = new JudgedContext(this);
        this.trustManager = new PolicyTrustManager(this);
    }

    /**
     * Makes a judge.
     *
     * @param store judges
     * @return the judge
     */
    public static Judge of(Store store) {
        return builder(store).build();
    }

    /**
     * Begins a judge with settings.
     *
     * @param store judges
     * @return the settings
     */
    public static Builder builder(Store store) {
        return new Builder(store);
    }

    /** The settings of a judge. */
    public static final class Builder {
        private final Store store;
        private int port;
        private KeyManager[] keyManagers;
        private SecureRandom random;
        private boolean explains;
        private boolean http2OnSockets;
        private Consumer<Verdict> onVerdict;
        private InstantSource clock;

        private Builder(Store store) {
            this.store = Objects.requireNonNull(store, "the store");
        }

        /**
         * States the port of every connection, for libraries that name another one or none, as
         * those that tunnel through a proxy and hand over only the trust manager. It counts in the
         * place of the connection's own.
         *
         * @param number 1 to 65535
         * @return this builder
         */
        public Builder port(int number) {
            if (number < 1 || number > 65535) {
                throw new IllegalArgumentException("the port is " + number);
            }
            this.port = number;
            return this;
        }

        /**
         * Sets who has the client's own certificates.
         *
         * @param managers as for {@link SSLContext#init}
         * @return this builder
         */
        public Builder keyManagers(KeyManager... managers) {
            this.keyManagers = managers.clone();
            return this;
        }

        /**
         * Sets the source of randomness.
         *
         * @param source as for {@link SSLContext#init}
         * @return this builder
         */
        public Builder random(SecureRandom source) {
            this.random = source;
            return this;
        }

        /**
         * Makes verdicts with explanation, receipt and report, at several times the cost.
         *
         * @param explain whether to
         * @return this builder
         */
        public Builder explains(boolean explain) {
            this.explains = explain;
            return this;
        }

        /**
         * Lets sockets speak HTTP/2. Without it they do not offer the protocol {@code h2}: OkHttp,
         * which speaks it over sockets, sends requests for one host over a connection that was
         * judged for another one, where the certificate has both names. It does not where it has a
         * hostname verifier of the program's, so give it {@link Judge#hostnameVerifier} with this
         * setting. Engines, as {@code HttpClient} and Netty use them, offer whatever the program
         * asks for.
         *
         * @param allowed whether sockets may offer it
         * @return this builder
         */
        public Builder http2OnSockets(boolean allowed) {
            this.http2OnSockets = allowed;
            return this;
        }

        /**
         * Sets a function that is given every verdict, on the thread of its handshake. It changes
         * nothing: its exceptions are ignored.
         *
         * @param function the function
         * @return this builder
         */
        public Builder onVerdict(Consumer<Verdict> function) {
            this.onVerdict = function;
            return this;
        }

        /**
         * Sets the clock, for tests; without it the system's counts. {@code hawser serve} takes no
         * other one.
         *
         * @param source the clock
         * @return this builder
         */
        public Builder clock(InstantSource source) {
            this.clock = source;
            return this;
        }

        /**
         * Makes the judge.
         *
         * @return the judge
         */
        public Judge build() {
            return new Judge(this);
        }
    }

    /**
     * Returns a context for clients. It is ready: {@link SSLContext#init} of it is refused, and it
     * makes nothing for servers.
     *
     * @return the context
     */
    public SSLContext sslContext() {
        return context;
    }

    /**
     * Returns the socket factory of {@link #sslContext}.
     *
     * @return the factory
     */
    public SSLSocketFactory socketFactory() {
        return context.getSocketFactory();
    }

    /**
     * Returns a trust manager, for libraries that take a trust manager only. It works with the
     * JDK's own JSSE provider under TLS 1.2. Under TLS 1.3 and under another provider it refuses
     * every server, as sessions would be resumed without asking it.
     *
     * @return the trust manager
     */
    public X509ExtendedTrustManager trustManager() {
        return trustManager;
    }

    /**
     * Returns a verifier that accepts the connections that this judge accepted for the host. Give
     * it to libraries with a verifier of their own: the policy knows hosts whose certificate has
     * another name, and OkHttp shares no connection between hosts where it has a verifier of the
     * program's.
     *
     * @return the verifier
     */
    public HostnameVerifier hostnameVerifier() {
        return (host, session) -> session != null && JudgedSession.isFor(session, this, host);
    }

    /**
     * Returns the store that judges.
     *
     * @return the store
     */
    public Store store() {
        return store;
    }

    /**
     * Returns whether a connection may go on, as when a pool hands it out: a judge has accepted it,
     * and the policy in force does too. Where it does not, the connection sends nothing any more.
     *
     * @param socket a socket of a judge's context
     * @return whether it may
     */
    public static boolean holds(Socket socket) {
        return socket instanceof JudgedSocket judged && judged.gate().holds();
    }

    /**
     * Returns whether a connection may go on, as {@link #holds(Socket)} does.
     *
     * @param engine an engine of a judge's context
     * @return whether it may
     */
    public static boolean holds(SSLEngine engine) {
        return engine instanceof JudgedEngine judged && judged.gate().holds();
    }

    /**
     * Returns the epoch of the policy that accepted a connection last.
     *
     * @param socket a socket of a judge's context
     * @return the epoch; 0 where none did
     */
    public static long epoch(Socket socket) {
        return socket instanceof JudgedSocket judged ? judged.gate().epoch() : 0;
    }

    int port() {
        return port;
    }

    KeyManager[] keyManagers() {
        return keyManagers;
    }

    SecureRandom random() {
        return random;
    }

    /** The instant to judge at; null for the system's clock. */
    Instant now() {
        return clock == null ? null : clock.instant();
    }

    boolean explains() {
        return explains;
    }

    boolean http2OnSockets() {
        return http2OnSockets;
    }

    /** Reports a verdict to the program. */
    Verdict asked(Verdict verdict) {
        if (onVerdict != null) {
            try {
                onVerdict.accept(verdict);
            } catch (RuntimeException ignored) {
                // It changes nothing.
            }
        }
        return verdict;
    }
}
