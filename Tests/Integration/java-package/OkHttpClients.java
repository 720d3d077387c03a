import hawser.tls.Judge;
import hawser.tls.Options;
import hawser.tls.RejectException;
import hawser.tls.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;

/**
 * OkHttp, where the machine has it.
 *
 * <p>OkHttpClients.java TABLE PORT     one server of HTTP/2 whose certificate has two names: OkHttp
 * shares its connection between the hosts, unless it has a verifier of the program's
 */
public final class OkHttpClients {
    private OkHttpClients() {}

    private static OkHttpClient.Builder client(Judge judge) {
        return new OkHttpClient.Builder().sslSocketFactory(judge.socketFactory(), judge.trustManager());
    }

    public static void add(Map<String, Clients.Client> all) {
        all.put("OkHttp", (judge, host, port) -> {
            var client = client(judge).hostnameVerifier(judge.hostnameVerifier()).build();
            var request = new Request.Builder().url("https://" + host + ":" + port + "/").build();
            try (var answer = client.newCall(request).execute()) {
                return "" + answer.code();
            } finally {
                client.connectionPool().evictAll();
            }
        });
    }

    private static String ask(OkHttpClient client, String host, int port) throws IOException {
        var request = new Request.Builder().url("https://" + host + ":" + port + "/").build();
        try (var answer = client.newCall(request).execute()) {
            return answer.code() + (answer.protocol() == Protocol.HTTP_2 ? "/2" : "/1");
        } catch (IOException failure) {
            return RejectException.find(failure).orElseThrow(() -> failure).violations().get(0).id();
        }
    }

    public static void main(String[] words) throws Exception {
        int port = Integer.parseInt(words[1]);
        try (var store = Store.open(Path.of(words[0]), new Options().logger(null))) {
            var plain = Judge.of(store);
            var judge = Judge.builder(store).http2OnSockets(true).build();
            OkHttpClient[] clients = {
                client(plain).build(), client(judge).hostnameVerifier(judge.hostnameVerifier()).build(),
                // The reason why sockets offer no HTTP/2 by themselves.
                client(judge).build(),
            };
            var found = new StringBuilder();
            for (var client : clients) {
                found.append(ask(client, "good.rig.example", port)).append(' ')
                        .append(ask(client, "pinned.rig.example", port)).append("; ");
            }
            System.out.println("OkHttp and a certificate with two names, as it is, by HTTP/2 with the judge's verifier, and"
                    + " by HTTP/2 without it: " + found);
            System.exit(found.toString().equals("200/1 pin-mismatch; 200/2 pin-mismatch; 200/2 200/2; ") ? 0 : 1);
        }
    }
}
