package hawser.tls;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/**
 * An engine that a judge judges. JSSE's engine is inside; until the gate is open it gets no octet
 * of the program's and no room for one of the server's.
 */
final class JudgedEngine extends SSLEngine {
    private static final ByteBuffer[] NOTHING = {};

    private final SSLEngine engine;
    private final Gate gate;
    /** The session that opened the gate: another one comes with a renegotiation. */
    private volatile SSLSession session;

    JudgedEngine(SSLEngine engine, Gate gate, String host, int port) {
        super(host, port);
        this.engine = engine;
        this.gate = gate;
        engine.setUseClientMode(true);
    }

    Gate gate() {
        return gate;
    }

    /** Opens the gate where a handshake is over. */
    private void settle() throws SSLException {
        var now = engine.getSession();
        if (now == session && gate.isOpen() || now.getCipherSuite().equals("SSL_NULL_WITH_NULL_NULL")) {
            return;
        }
        try {
            gate.complete(now);
        } catch (SSLException no) {
            abandon();
            throw no;
        }
        session = now;
    }

    private void abandon() {
        engine.closeOutbound();
    }

    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        for (int index = offset; index < offset + length; index++) {
            if (buffers[index].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer to) throws SSLException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        boolean hasOctets = hasRemaining(sources, offset, length);
        if (gate.isRefused()) {
            // What JSSE still has to send is the alert.
            if (engine.isOutboundDone() || hasOctets && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
                gate.requireNoRefusal();
            }
            return engine.wrap(NOTHING, 0, 0, to);
        }
        settle();
        if (!gate.isOpen()) {
            return engine.wrap(NOTHING, 0, 0, to);
        }
        if (hasOctets && !engine.isOutboundDone()) {
            try {
                gate.use();
            } catch (SSLException no) {
                abandon();
                throw no;
            }
        }
        return engine.wrap(sources, offset, length, to);
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] destinations, int offset, int length)
            throws SSLException {
        Objects.checkFromIndexSize(offset, length, destinations.length);
        if (!gate.isRefused()) {
            settle();
        } else if (session != null) {
            // Refused after it was open: nothing of the server's is handed out any more.
            gate.requireNoRefusal();
        }
        if (!gate.isOpen()) {
            return engine.unwrap(from, NOTHING, 0, 0);
        }
        return engine.unwrap(from, destinations, offset, length);
    }

    @Override
    public void setUseClientMode(boolean isClient) {
        if (!isClient) {
            throw new IllegalArgumentException(
                    "hawser: policies are about servers, and this would be the server's side");
        }
    }

    @Override
    public boolean getUseClientMode() {
        return true;
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
        engine.setHandshakeApplicationProtocolSelector(
                selector == null ? null : (inner, protocols) -> selector.apply(this, protocols));
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return engine.getHandshakeApplicationProtocolSelector();
    }

    // ---------------------------------------------------------------- as JSSE's engine does

    @Override
    public String getPeerHost() {
        return engine.getPeerHost();
    }

    @Override
    public int getPeerPort() {
        return engine.getPeerPort();
    }

    @Override
    public Runnable getDelegatedTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public void closeInbound() throws SSLException {
        engine.closeInbound();
    }

    @Override
    public boolean isInboundDone() {
        return engine.isInboundDone();
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
    }

    @Override
    public boolean isOutboundDone() {
        return engine.isOutboundDone();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return engine.getHandshakeStatus();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    @Override
    public String getApplicationProtocol() {
        return engine.getApplicationProtocol();
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return engine.getHandshakeApplicationProtocol();
    }
}
