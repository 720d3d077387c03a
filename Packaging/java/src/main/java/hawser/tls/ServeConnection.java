package hawser.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A connection to `hawser serve`: as much of HTTP/1.1 as the server speaks, with a limit on time.
 */
final class ServeConnection implements AutoCloseable {
    /** Octets of an answer. An explanation has some tens of KiB. */
    private static final int LARGEST = 64 << 20;

    private static final int LARGEST_HEAD = 64 << 10;

    /** An answer. `isLast` tells that the server closes the connection after it. */
    record Answer(int status, Map<String, String> fields, String body, boolean isLast) {}

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocate(16 << 10).flip();
    private long deadline;
    private boolean hasAnswered;

    ServeConnection(Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector opened = null;
        try {
            // A blocking connect would wait without end for a server that takes no connections.
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            opened = Selector.open();
            key = channel.register(opened, 0);
        } catch (IOException | RuntimeException failure) {
            if (opened != null) {
                opened.close();
            }
            channel.close();
            throw failure;
        }
        selector = opened;
    }

    /** Whether any octet of an answer to the last question has come. */
    boolean hasAnswered() {
        return hasAnswered;
    }

    Answer ask(String method, String path, byte[] body, long nanoseconds) throws IOException {
        deadline = System.nanoTime() + nanoseconds;
        hasAnswered = false;
        while (!channel.finishConnect()) {
            await(SelectionKey.OP_CONNECT);
        }
        if (in.hasRemaining()) {
            throw new IOException("the server sent more than its answer");
        }
        var head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n";
        if (body != null) {
            head += "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n";
        }
        send(ByteBuffer.wrap((head + "\r\n").getBytes(StandardCharsets.US_ASCII)));
        if (body != null) {
            send(ByteBuffer.wrap(body));
        }
        return answer();
    }

    private void await(int operation) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("hawser serve did not answer in time");
        }
        key.interestOps(operation);
        selector.select(Math.max(1, left / 1_000_000));
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("the thread was interrupted");
        }
    }

    private void send(ByteBuffer octets) throws IOException {
        while (octets.hasRemaining()) {
            if (channel.write(octets) == 0) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    private int octet() throws IOException {
        while (!in.hasRemaining()) {
            in.clear();
            int count = channel.read(in);
            in.flip();
            if (count < 0) {
                throw new IOException("hawser serve ended the connection");
            }
            if (count == 0) {
                await(SelectionKey.OP_READ);
            }
        }
        hasAnswered = true;
        return in.get() & 0xff;
    }

    private String line(int most) throws IOException {
        var line = new StringBuilder();
        while (true) {
            int octet = octet();
            if (octet == '\n') {
                int length = line.length();
                if (length == 0 || line.charAt(length - 1) != '\r') {
                    throw new IOException("an answer that is not HTTP");
                }
                line.setLength(length - 1);
                return line.toString();
            }
            if (line.length() >= most) {
                throw new IOException("an answer with a line that is too long");
            }
            line.append((char) octet);
        }
    }

    private void body(ByteArrayOutputStream body, long length) throws IOException {
        if (length < 0 || body.size() + length > LARGEST) {
            throw new IOException("an answer that is too long");
        }
        for (long left = length; left > 0;) {
            body.write(octet());
            left--;
            int there = (int) Math.min(left, in.remaining());
            body.write(in.array(), in.arrayOffset() + in.position(), there);
            in.position(in.position() + there);
            left -= there;
        }
    }

    private static long number(String text, int radix) throws IOException {
        try {
            return Long.parseUnsignedLong(text.strip(), radix);
        } catch (NumberFormatException wrong) {
            throw new IOException("an answer that is not HTTP", wrong);
        }
    }

    private Answer answer() throws IOException {
        var first = line(LARGEST_HEAD);
        if (!first.matches("HTTP/1\\.1 [1-5][0-9][0-9]( .*)?")) {
            throw new IOException("an answer that is not HTTP");
        }
        int status = Integer.parseInt(first.substring(9, 12));
        var fields = new HashMap<String, String>();
        int read = 0;
        for (var line = line(LARGEST_HEAD); !line.isEmpty(); line = line(LARGEST_HEAD)) {
            int colon = line.indexOf(':');
            read += line.length();
            if (colon < 1 || read > LARGEST_HEAD) {
                throw new IOException("an answer that is not HTTP");
            }
            var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            if (fields.put(name, line.substring(colon + 1).strip()) != null && name.equals("content-length")) {
                throw new IOException("an answer with two lengths");
            }
        }
        var body = new ByteArrayOutputStream();
        if ("chunked".equalsIgnoreCase(fields.get("transfer-encoding"))) {
            while (true) {
                long length = number(line(100), 16);
                body(body, length);
                if (!line(LARGEST_HEAD).isEmpty()) {
                    throw new IOException("an answer that is not HTTP");
                }
                if (length == 0) {
                    break;
                }
            }
        } else if (fields.containsKey("content-length")) {
            body(body, number(fields.get("content-length"), 10));
        } else {
            throw new IOException("an answer without a length");
        }
        return new Answer(
                status, fields, body.toString(StandardCharsets.UTF_8),
                "close".equalsIgnoreCase(fields.get("connection")));
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException ignored) {
            // Nothing waits for it.
        }
    }
}
