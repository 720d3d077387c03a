import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.stream.Collectors;

/* Asks `hawser serve` for a verdict from Java 17 (JEP 380): socket, host, a file with the chain in
 * PEM. Prints the status and the verdict. A trust manager has the chain as an array of
 * X509Certificate, as it is here. */
final class Ask {
    public static void main(String[] words) throws Exception {
        X509Certificate[] chain;
        try (var file = Files.newInputStream(Path.of(words[2]))) {
            chain = CertificateFactory.getInstance("X.509").generateCertificates(file)
                .toArray(X509Certificate[]::new);
        }
        var texts = new StringBuilder();
        for (var certificate : chain) {
            texts.append(texts.isEmpty() ? "" : ",").append('"')
                .append(Base64.getEncoder().encodeToString(certificate.getEncoded())).append('"');
        }
        var body = ("{\"host\":\"" + words[1] + "\",\"chain\":[" + texts
            + "],\"tls\":{\"state\":\"observed\",\"version\":\"tls1.3\"}}")
            .getBytes(StandardCharsets.UTF_8);
        var head = "POST /v1/evaluate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(words[0]));
            for (var part : new byte[][] {head.getBytes(StandardCharsets.US_ASCII), body}) {
                var buffer = ByteBuffer.wrap(part);
                while (buffer.hasRemaining()) channel.write(buffer);
            }
            var answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            var status = answer.split(" ", 3)[1];
            var verdict = answer.contains("\"verdict\":\"accept\"") ? "accept"
                : answer.contains("\"verdict\":\"reject\"") ? "reject" : "none";
            System.out.println(status + " " + verdict);
            System.exit(status.equals("200") ? 0 : 1);
        }
    }
}
