package hawser.tls;

import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.StandardConstants;

/**
 * The host and the port that a connection is for.
 *
 * @param port 0 if it is unknown
 */
record Target(String host, int port) {
    /**
     * The host is the one that the connection was opened for. An address, and a connection that was
     * opened without a host, is judged for the server name that it sends, where it sends one.
     *
     * @throws RejectException for a connection without a host, or with two
     */
    static Target of(String peerHost, int peerPort, List<SNIServerName> names) throws RejectException {
        int port = peerPort > 0 && peerPort < 65536 ? peerPort : 0;
        var host = peerHost == null ? "" : peerHost;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        var sent = sent(names);
        if (sent == null) {
            if (host.isEmpty()) {
                throw unhosted(port);
            }
            return new Target(host, port);
        }
        if (host.isEmpty() || isAddress(host)) {
            return new Target(sent, port);
        }
        // A host in other letters than ASCII is sent in ASCII; rules do not match it, and say so.
        boolean isAscii = host.chars().allMatch(letter -> letter < 0x80);
        if (isAscii && !key(sent).equals(key(host))) {
            throw new RejectException(
                    host, port, 0,
                    new Violation(
                            "no-verdict",
                            "the connection is for this host and sends the server name `" + Text.shown(sent)
                                    + "`: let both be the same"),
                    null);
        }
        return new Target(host, port);
    }

    static RejectException unhosted(int port) {
        return new RejectException(
                "", port, 0,
                new Violation(
                        "no-host",
                        "nobody said which host this connection is for: create the engine by createSSLEngine(host, port),"
                                + " the socket by createSocket(host, port), or set a server name"),
                null);
    }

    private static String sent(List<SNIServerName> names) {
        if (names != null) {
            for (var name : names) {
                if (name.getType() == StandardConstants.SNI_HOST_NAME) {
                    return name instanceof SNIHostName host
                            ? host.getAsciiName() : new SNIHostName(name.getEncoded()).getAsciiName();
                }
            }
        }
        return null;
    }

    static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    /** A host as names are compared in DNS. */
    static String key(String host) {
        var name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
