package hawser.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * A socket that a judge judges. JSSE's socket is inside and is never handed out; every way to its
 * octets leads through the gate.
 */
final class JudgedSocket extends SSLSocket {
    private final SSLSocket socket;
    private final Gate gate;
    private final GateTrustManager manager;
    private final Map<HandshakeCompletedListener, HandshakeCompletedListener> listeners = new ConcurrentHashMap<>();
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    /** The session that opened the gate: another one comes with a renegotiation. */
    private volatile SSLSession session;

    JudgedSocket(SSLSocket socket, Gate gate, GateTrustManager manager) {
        this.socket = socket;
        this.gate = gate;
        this.manager = manager;
        socket.setUseClientMode(true);
    }

    Gate gate() {
        return gate;
    }

    // ---------------------------------------------------------------- the handshake

    @Override
    public void startHandshake() throws IOException {
        gate.requireNoRefusal();
        socket.startHandshake();
        settle();
    }

    /** Opens the gate for the session that a handshake has brought. */
    private void settle() throws IOException {
        var now = socket.getSession();
        if (now != session || !gate.isOpen()) {
            try {
                gate.complete(now);
            } catch (IOException no) {
                abandon();
                throw no;
            }
            session = now;
        }
    }

    private void begin() throws IOException {
        gate.requireNoRefusal();
        if (gate.isOpen()) {
            settle();
        } else {
            startHandshake();
        }
    }

    /** Ends a connection that was refused. */
    private void abandon() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // Nothing more is sent in any case.
        }
    }

    private final class In extends InputStream {
        @Override
        public int read() throws IOException {
            begin();
            return socket.getInputStream().read();
        }

        @Override
        public int read(byte[] octets, int offset, int length) throws IOException {
            begin();
            return socket.getInputStream().read(octets, offset, length);
        }

        @Override
        public long skip(long count) throws IOException {
            begin();
            return socket.getInputStream().skip(count);
        }

        @Override
        public int available() throws IOException {
            return gate.isOpen() ? socket.getInputStream().available() : 0;
        }

        @Override
        public void close() throws IOException {
            JudgedSocket.this.close();
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] octets, int offset, int length) throws IOException {
            begin();
            try {
                gate.use();
            } catch (IOException no) {
                abandon();
                throw no;
            }
            socket.getOutputStream().write(octets, offset, length);
        }

        @Override
        public void flush() throws IOException {
            if (gate.isOpen()) {
                socket.getOutputStream().flush();
            }
        }

        @Override
        public void close() throws IOException {
            JudgedSocket.this.close();
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        gate.requireNoRefusal();
        // What JSSE has to say of a socket that is closed, or not connected.
        socket.getInputStream();
        return in;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        gate.requireNoRefusal();
        socket.getOutputStream();
        return out;
    }

    /**
     * JSSE makes the handshake where none was made; after a refusal its session has no cipher
     * suite.
     */
    @Override
    public SSLSession getSession() {
        if (!gate.isRefused()) {
            try {
                begin();
            } catch (IOException no) {
                // The session tells it, as it does without Hawser.
            }
        }
        return socket.getSession();
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

    /** Listeners are given this socket, and not the one inside. */
    @Override
    public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("listener is null");
        }
        var inner = listeners.computeIfAbsent(listener, outer -> event -> {
            if (!gate.isRefused()) {
                outer.handshakeCompleted(new HandshakeCompletedEvent(this, event.getSession()));
            }
        });
        socket.addHandshakeCompletedListener(inner);
    }

    @Override
    public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
        var inner = listener == null ? null : listeners.remove(listener);
        if (inner == null) {
            throw new IllegalArgumentException("no such listener");
        }
        socket.removeHandshakeCompletedListener(inner);
    }

    /** Without `h2`, unless the judge permits it: see Judge.Builder.http2OnSockets. */
    @Override
    public void setSSLParameters(SSLParameters parameters) {
        socket.setSSLParameters(parameters);
        var protocols = parameters.getApplicationProtocols();
        if (protocols != null && !gate.judge().http2OnSockets()) {
            var rest = Arrays.stream(protocols).filter(name -> !name.equals("h2")).toArray(String[]::new);
            if (rest.length < protocols.length) {
                // The caller's own object stays as it is.
                var offered = socket.getSSLParameters();
                offered.setApplicationProtocols(rest);
                socket.setSSLParameters(offered);
            }
        }
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLSocket, List<String>, String> selector) {
        socket.setHandshakeApplicationProtocolSelector(
                selector == null ? null : (inner, protocols) -> selector.apply(this, protocols));
    }

    @Override
    public BiFunction<SSLSocket, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return socket.getHandshakeApplicationProtocolSelector();
    }

    // ---------------------------------------------------------------- the connection

    @Override
    public void connect(SocketAddress address) throws IOException {
        connect(address, 0);
    }

    @Override
    public void connect(SocketAddress address, int timeout) throws IOException {
        socket.connect(address, timeout);
        if (address instanceof InetSocketAddress to) {
            manager.connectsTo(to.getPort());
        }
    }

    /**
     * A connection that the policy in force refuses counts as closed, so that a pool makes another
     * one.
     */
    @Override
    public boolean isClosed() {
        if (gate.isOpen() && !socket.isClosed() && !gate.holds()) {
            abandon();
        }
        return socket.isClosed();
    }

    /** For channels there would be octets without TLS. */
    @Override
    public SocketChannel getChannel() {
        return null;
    }

    @Override
    public String toString() {
        return "judged " + socket;
    }

    // ---------------------------------------------------------------- as JSSE's socket does

    @Override
    public String[] getSupportedCipherSuites() {
        return socket.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return socket.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        socket.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return socket.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return socket.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        socket.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getHandshakeSession() {
        return socket.getHandshakeSession();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        socket.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return socket.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        socket.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return socket.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        socket.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return socket.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return socket.getSSLParameters();
    }

    @Override
    public String getApplicationProtocol() {
        return socket.getApplicationProtocol();
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return socket.getHandshakeApplicationProtocol();
    }

    @Override
    public void bind(SocketAddress address) throws IOException {
        socket.bind(address);
    }

    @Override
    public InetAddress getInetAddress() {
        return socket.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return socket.getLocalAddress();
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return socket.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return socket.getLocalSocketAddress();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        socket.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return socket.getTcpNoDelay();
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        socket.setSoLinger(on, linger);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return socket.getSoLinger();
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        socket.sendUrgentData(data);
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        socket.setOOBInline(on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return socket.getOOBInline();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        socket.setSoTimeout(timeout);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return socket.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        socket.setSendBufferSize(size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return socket.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        socket.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return socket.getReceiveBufferSize();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        socket.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return socket.getKeepAlive();
    }

    @Override
    public void setTrafficClass(int type) throws SocketException {
        socket.setTrafficClass(type);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return socket.getTrafficClass();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        socket.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return socket.getReuseAddress();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        socket.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public boolean isConnected() {
        return socket.isConnected();
    }

    @Override
    public boolean isBound() {
        return socket.isBound();
    }

    @Override
    public boolean isInputShutdown() {
        return socket.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return socket.isOutputShutdown();
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        socket.setPerformancePreferences(connectionTime, latency, bandwidth);
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
        socket.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return socket.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return socket.supportedOptions();
    }
}
