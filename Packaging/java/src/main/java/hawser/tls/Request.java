package hawser.tls;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The inputs of one verdict besides the table. A request is built step by step and not changed
 * while it is judged:
 *
 * {@snippet :
 * var request = new Request("api.acme.example", 443).chain(certificates)
 *         .tls(Request.Tls.OBSERVED).version(0x0304);
 * }
 *
 * <p>Parameters that are left out are unknown. A rule that demands one of them rejects.
 */
public final class Request {
    /** How the parameters of the connection are known. */
    public enum Tls {
        /** Nothing is known. */
        UNKNOWN(0),
        /** This connection's handshake showed them. */
        OBSERVED(1),
        /** They are stated without a connection; the verdict has a notice. */
        ASSUMED(3),
        /** The connection has no TLS. */
        CLEARTEXT(4);

        final int number;

        Tls(int number) {
            this.number = number;
        }
    }

    final String host;
    final int port;
    List<byte[]> chain = List.of();
    Tls tls = Tls.UNKNOWN;
    Instant time;
    int version;
    String cipherSuite;
    String group;
    String signatureScheme;
    String alpn;
    byte[] staple;
    byte[] sctList;
    List<byte[]> ocspResponses = List.of();
    List<byte[]> crls = List.of();
    List<String> assumptions = List.of();

    /**
     * Begins a request.
     *
     * @param host the host that was asked for, a name in ASCII or an address
     * @param port its port, 0 to 65535
     */
    public Request(String host, int port) {
        this.host = Objects.requireNonNull(host, "the host");
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("the port is " + port);
        }
        this.port = port;
    }

    /** The same request for an unknown port. */
    Request at(int otherPort) {
        var other = new Request(host, otherPort);
        other.chain = chain;
        other.tls = tls;
        other.time = time;
        other.version = version;
        other.cipherSuite = cipherSuite;
        other.group = group;
        other.signatureScheme = signatureScheme;
        other.alpn = alpn;
        other.staple = staple;
        other.sctList = sctList;
        other.ocspResponses = ocspResponses;
        other.crls = crls;
        other.assumptions = assumptions;
        return other;
    }

    private static List<byte[]> copies(List<byte[]> items) {
        var copies = new ArrayList<byte[]>(items.size());
        for (var item : items) {
            copies.add(item.clone());
        }
        return copies;
    }

    /**
     * Sets the chain.
     *
     * @param certificates DER of each certificate as the peer sent it, its own first
     * @return this request
     */
    public Request chain(List<byte[]> certificates) {
        this.chain = copies(certificates);
        return this;
    }

    /**
     * Sets the chain.
     *
     * @param certificates the certificates as the peer sent them, its own first
     * @return this request
     * @throws CertificateEncodingException where a certificate has no DER
     */
    public Request chain(X509Certificate... certificates) throws CertificateEncodingException {
        var octets = new ArrayList<byte[]>(certificates.length);
        for (var certificate : certificates) {
            octets.add(certificate.getEncoded());
        }
        this.chain = octets;
        return this;
    }

    /**
     * Sets how the parameters are known.
     *
     * @param knowledge how
     * @return this request
     */
    public Request tls(Tls knowledge) {
        this.tls = Objects.requireNonNull(knowledge);
        return this;
    }

    /**
     * Sets the instant to judge at. Without it the system's clock counts.
     *
     * @param instant the instant
     * @return this request
     */
    public Request time(Instant instant) {
        this.time = instant;
        return this;
    }

    /**
     * Sets the version of TLS.
     *
     * @param number as on the wire: 0x0304 is TLS 1.3
     * @return this request
     */
    public Request version(int number) {
        if (number < 0 || number > 65535) {
            throw new IllegalArgumentException("the version is " + number);
        }
        this.version = number;
        return this;
    }

    /**
     * Sets the cipher suite.
     *
     * @param name the name that IANA gives it
     * @return this request
     */
    public Request cipherSuite(String name) {
        this.cipherSuite = name;
        return this;
    }

    /**
     * Sets the group of the key exchange.
     *
     * @param name the name that IANA gives it
     * @return this request
     */
    public Request group(String name) {
        this.group = name;
        return this;
    }

    /**
     * Sets the signature scheme of the server's handshake.
     *
     * @param name the name that IANA gives it
     * @return this request
     */
    public Request signatureScheme(String name) {
        this.signatureScheme = name;
        return this;
    }

    /**
     * Sets the application protocol.
     *
     * @param name such as {@code h2}
     * @return this request
     */
    public Request alpn(String name) {
        this.alpn = name;
        return this;
    }

    /**
     * Sets the OCSP response of the handshake.
     *
     * @param response DER
     * @return this request
     */
    public Request staple(byte[] response) {
        this.staple = response == null ? null : response.clone();
        return this;
    }

    /**
     * Sets the timestamps of the handshake's TLS extension.
     *
     * @param list a SignedCertificateTimestampList
     * @return this request
     */
    public Request sctList(byte[] list) {
        this.sctList = list == null ? null : list.clone();
        return this;
    }

    /**
     * Sets further OCSP responses.
     *
     * @param responses DER of each
     * @return this request
     */
    public Request ocspResponses(List<byte[]> responses) {
        this.ocspResponses = copies(responses);
        return this;
    }

    /**
     * Sets CRLs.
     *
     * @param lists DER of each
     * @return this request
     */
    public Request crls(List<byte[]> lists) {
        this.crls = copies(lists);
        return this;
    }

    /**
     * Sets what the program assumed, for the explanation.
     *
     * @param sentences a sentence for each
     * @return this request
     */
    public Request assumptions(List<String> sentences) {
        this.assumptions = List.copyOf(sentences);
        return this;
    }
}
