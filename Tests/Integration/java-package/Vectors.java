import hawser.tls.Judge;
import hawser.tls.Options;
import hawser.tls.RejectException;
import hawser.tls.Request;
import hawser.tls.Store;
import hawser.tls.Verdict;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Public vectors over loopback through JSSE: the verdict inside the handshake beside the library's
 * own on the same chain. The server has no key of a vector's certificate, so its handshake fails
 * after the verdict.
 *
 * <p>Vectors.java FOLDER     with ID.table and ID.case for each: host, instant, and a line for each
 * certificate
 */
final class Vectors {
    /**
     * A certificate whose octets are sent as they are, whatever they hold, beside a key of the
     * server's.
     */
    private static final class Raw extends X509Certificate {
        private static final long serialVersionUID = 1;
        private final byte[] octets;
        private final transient PublicKey key;

        Raw(byte[] octets, PublicKey key) {
            this.octets = octets;
            this.key = key;
        }

        @Override
        public byte[] getEncoded() {
            return octets.clone();
        }

        @Override
        public PublicKey getPublicKey() {
            return key;
        }

        @Override
        public void verify(PublicKey by) {}

        @Override
        public void verify(PublicKey by, String provider) {}

        @Override
        public String toString() {
            return "raw";
        }

        @Override
        public boolean hasUnsupportedCriticalExtension() {
            return false;
        }

        @Override
        public Set<String> getCriticalExtensionOIDs() {
            return Set.of();
        }

        @Override
        public Set<String> getNonCriticalExtensionOIDs() {
            return Set.of();
        }

        @Override
        public byte[] getExtensionValue(String id) {
            return null;
        }

        @Override
        public void checkValidity() {}

        @Override
        public void checkValidity(Date date) {}

        @Override
        public int getVersion() {
            return 3;
        }

        @Override
        public BigInteger getSerialNumber() {
            return BigInteger.ONE;
        }

        @Override
        @Deprecated
        public Principal getIssuerDN() {
            return getIssuerX500Principal();
        }

        @Override
        @Deprecated
        public Principal getSubjectDN() {
            return getSubjectX500Principal();
        }

        @Override
        public javax.security.auth.x500.X500Principal getIssuerX500Principal() {
            return new javax.security.auth.x500.X500Principal("CN=raw");
        }

        @Override
        public javax.security.auth.x500.X500Principal getSubjectX500Principal() {
            return new javax.security.auth.x500.X500Principal("CN=raw");
        }

        @Override
        public Date getNotBefore() {
            return new Date(0);
        }

        @Override
        public Date getNotAfter() {
            return new Date(Long.MAX_VALUE / 2);
        }

        @Override
        public byte[] getTBSCertificate() {
            return octets.clone();
        }

        @Override
        public byte[] getSignature() {
            return new byte[1];
        }

        @Override
        public String getSigAlgName() {
            return "SHA256withECDSA";
        }

        @Override
        public String getSigAlgOID() {
            return "1.2.840.10045.4.3.2";
        }

        @Override
        public byte[] getSigAlgParams() {
            return null;
        }

        @Override
        public boolean[] getIssuerUniqueID() {
            return null;
        }

        @Override
        public boolean[] getSubjectUniqueID() {
            return null;
        }

        @Override
        public boolean[] getKeyUsage() {
            return null;
        }

        @Override
        public int getBasicConstraints() {
            return -1;
        }
    }

    private static final class Keys extends X509ExtendedKeyManager {
        volatile X509Certificate[] chain;
        final KeyPair pair;

        Keys() throws Exception {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            pair = generator.generateKeyPair();
        }

        private static String of(String type) {
            return type.equals("EC") ? "raw" : null;
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return of(type);
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return of(type);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {"raw"};
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return pair.getPrivate();
        }
    }

    private static String words(Verdict verdict) {
        return verdict.accepted() ? "accept"
                : verdict.violations().stream().map(one -> one.id() + ": " + one.sentence()).collect(Collectors.joining("; "));
    }

    /** Whether JSSE's parser reads every certificate; its words where it does not. */
    private static String parses(List<byte[]> chain) {
        for (var octets : chain) {
            try {
                ((X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(octets))).getPublicKey();
            } catch (CertificateException no) {
                return String.valueOf(no.getMessage());
            }
        }
        return null;
    }

    public static void main(String[] words) throws Exception {
        var keys = new Keys();
        var context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {keys}, null, null);
        var listener = (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        Server.daemon(() -> {
            while (true) {
                try (var connection = (SSLSocket) listener.accept()) {
                    connection.setSoTimeout(20_000);
                    connection.startHandshake();
                    connection.getInputStream().read();
                } catch (java.io.IOException expected) {
                    // The client refused, or found that the key is another one.
                }
            }
        });
        int same = 0;
        int wrong = 0;
        int accepted = 0;
        var unread = new TreeMap<String, String>();
        List<Path> cases;
        try (var files = Files.list(Path.of(words[0]))) {
            cases = files.filter(file -> file.toString().endsWith(".case")).sorted().toList();
        }
        for (var file : cases) {
            var lines = Files.readAllLines(file);
            var name = file.getFileName().toString().replace(".case", "");
            var host = lines.get(0);
            var time = Instant.parse(lines.get(1));
            var chain = new ArrayList<byte[]>();
            lines.subList(2, lines.size()).forEach(line -> chain.add(Base64.getDecoder().decode(line)));
            try (var store = Store.open(Path.of(file.toString().replace(".case", ".table")),
                    new Options().logger(null).follow(Options.Follow.NEVER))) {
                for (var version : new String[] {"TLSv1.3", "TLSv1.2"}) {
                    var seen = new ArrayList<Verdict>();
                    var judge = Judge.builder(store).clock(InstantSource.fixed(time)).onVerdict(seen::add).build();
                    keys.chain = chain.stream().map(octets -> (X509Certificate) new Raw(octets, keys.pair.getPublic()))
                            .toArray(X509Certificate[]::new);
                    Exception failure = null;
                    try (var plain = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                            var socket = (SSLSocket) judge.socketFactory().createSocket(plain, host, 443, true)) {
                        socket.setSoTimeout(20_000);
                        socket.setEnabledProtocols(new String[] {version});
                        socket.startHandshake();
                    } catch (Exception no) {
                        failure = no;
                    }
                    if (failure == null) {
                        System.out.println("WRONG " + name + ": a handshake with another key ended well");
                        wrong++;
                        continue;
                    }
                    var direct = store.evaluate(new Request(host, 443).chain(chain).tls(Request.Tls.OBSERVED)
                            .version(version.equals("TLSv1.3") ? 0x0304 : 0x0303).time(time)
                            .cipherSuite(version.equals("TLSv1.3") ? "TLS_AES_256_GCM_SHA384"
                                    : "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"));
                    if (seen.isEmpty()) {
                        var why = parses(chain);
                        if (why == null && String.valueOf(failure.getMessage()).contains("exceeds the maximum allowed")) {
                            why = failure.getMessage();
                        }
                        if (why != null) {
                            unread.put(name, why + "; the library: " + words(direct));
                        } else {
                            System.out.println("WRONG " + name + " " + version + ": no verdict: " + failure);
                            wrong++;
                        }
                        continue;
                    }
                    boolean refused = RejectException.find(failure).isPresent();
                    if (seen.size() != 1 || !words(seen.get(0)).equals(words(direct)) || refused == direct.accepted()) {
                        System.out.println("WRONG " + name + " " + version + ": through JSSE " + seen.stream()
                                .map(Vectors::words).toList() + ", the library " + words(direct) + ", " + failure);
                        wrong++;
                        continue;
                    }
                    same++;
                    accepted += direct.accepted() ? 1 : 0;
                }
            }
        }
        unread.forEach((name, why) -> System.out.println("JSSE does not read " + name + ": " + why));
        System.out.println(cases.size() + " vectors by TLS 1.2 and 1.3: " + same + " verdicts as the library's, " + accepted
                + " of them accepts; " + unread.size() + " chains that JSSE does not read; " + wrong + " wrong");
        System.exit(wrong > 0 || accepted == 0 ? 1 : 0);
    }
}
