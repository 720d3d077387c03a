package hawser.tls;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSession;

/**
 * What JSSE tells of a handshake under way, as a request. It does not tell the group and the
 * signature scheme.
 */
final class Handshakes {
    private static final Map<String, Integer> VERSIONS =
            Map.of("SSLv3", 0x0300, "TLSv1", 0x0301, "TLSv1.1", 0x0302, "TLSv1.2", 0x0303, "TLSv1.3", 0x0304);

    private Handshakes() {}

    static List<SNIServerName> serverNames(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            try {
                return extended.getRequestedServerNames();
            } catch (UnsupportedOperationException none) {
                // A provider without them.
            }
        }
        return List.of();
    }

    /** OCSP responses of the handshake, the server's own first; some are empty. */
    private static List<byte[]> staples(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            try {
                return extended.getStatusResponses();
            } catch (UnsupportedOperationException none) {
                // A provider without them.
            }
        }
        return List.of();
    }

    /** IANA's name. JSSE calls the suites that SSL 3 had by older names. */
    static String suite(String name) {
        if (name == null || name.equals("SSL_NULL_WITH_NULL_NULL")) {
            return null;
        }
        return name.startsWith("SSL_") ? "TLS_" + name.substring(4) : name;
    }

    static Request request(Target target, X509Certificate[] chain, SSLSession session, String alpn)
            throws CertificateEncodingException {
        var request = new Request(target.host(), target.port()).chain(chain).tls(Request.Tls.OBSERVED);
        request.version(VERSIONS.getOrDefault(String.valueOf(session.getProtocol()), 0));
        request.cipherSuite(suite(session.getCipherSuite()));
        request.alpn(alpn == null || alpn.isEmpty() ? null : alpn);
        var others = new ArrayList<byte[]>();
        var staples = staples(session);
        for (int index = 0; index < staples.size(); index++) {
            var response = staples.get(index);
            if (response.length == 0) {
                continue;
            }
            if (index == 0) {
                request.staple(response);
            } else {
                // Of a certificate above: as good as a response from elsewhere.
                others.add(response);
            }
        }
        return request.ocspResponses(others);
    }

    /** A verdict for a host whose port does not matter, and is not known. */
    static Verdict withoutPort(Verdict verdict) {
        return new Verdict(
                verdict.accepted(), verdict.host(), 0, verdict.time(), verdict.epoch(), verdict.policyDigest(),
                verdict.violations(), verdict.reported(), verdict.notices(), verdict.path(), verdict.wanted(),
                verdict.reasons(), verdict.rule(), verdict.owner(), verdict.side(), verdict.id(), verdict.command(),
                verdict.explanation(), verdict.receipt(), verdict.report());
    }
}
