import hawser.tls.Judge;
import hawser.tls.Options;
import hawser.tls.RejectException;
import hawser.tls.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The load of java-soak.sh, and the cost of a handshake.
 *
 * <p>Soak.java TABLE STRICTER ROOT CONNECTIONS RELOADS NAME=PORT...     names are good and pinned
 */
final class Soak {
    private static final int THREADS = 8;
    /** Of the measurement of a handshake, for each kind. */
    private static final int TURNS = 300;

    private static final Map<String, List<Integer>> ports = new HashMap<>();

    private static double resident() throws Exception {
        System.gc();
        Thread.sleep(50);
        System.gc();
        var pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
        return Long.parseLong(pages[1]) * 4096 / 1048576.0;
    }

    private static int descriptors() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return (int) files.count();
        }
    }

    private static String connect(SSLSocketFactory factory, String host, int port) throws IOException {
        try (var socket = (SSLSocket) factory.createSocket(host + ".rig.example", port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    private static final class Load {
        final Store store;
        final SSLSocketFactory factory;
        final byte[][] tables;
        final AtomicInteger done = new AtomicInteger();
        final AtomicInteger accepted = new AtomicInteger();
        final AtomicInteger refused = new AtomicInteger();
        // Reloads that were begun, and that are over: even numbers have the first table in force.
        volatile int begun;
        volatile int over;
        final Queue<String> wrong = new ConcurrentLinkedQueue<>();

        Load(byte[][] tables) throws Exception {
            this.tables = tables;
            this.store = Store.open(tables[0], new Options().logger(null));
            this.factory = Judge.of(store).socketFactory();
        }

        void work(int connections, long seed) {
            var choose = new Random(seed);
            for (int time = 0; time < connections; time++) {
                var host = choose.nextInt(3) < 2 ? "good" : "pinned";
                var list = ports.get(host);
                int before = over;
                String answer = null;
                RejectException refusal = null;
                try {
                    answer = connect(factory, host, list.get(choose.nextInt(list.size())));
                } catch (Exception failure) {
                    refusal = RejectException.find(failure).orElse(null);
                    if (refusal == null) {
                        wrong.add(host + ": " + failure);
                    }
                }
                // The tables that may have judged: those in force at any time since `before`.
                boolean mayAccept = false;
                boolean mayRefuse = false;
                for (int reload = before; reload <= begun; reload++) {
                    mayAccept |= reload % 2 == 0;
                    mayRefuse |= reload % 2 == 1;
                }
                if (refusal != null) {
                    refused.incrementAndGet();
                    if (!refusal.has("pin-mismatch") || refusal.violations().size() != 1
                            || host.equals("good") && !mayRefuse) {
                        wrong.add(host + ": " + refusal.getMessage());
                    }
                } else if (answer != null) {
                    accepted.incrementAndGet();
                    if (!answer.startsWith("HTTP/1.0 200") || !host.equals("good") || !mayAccept) {
                        wrong.add(host + ": " + answer);
                    }
                }
                done.incrementAndGet();
            }
        }

        void run(int connections, int reloads, List<Double> sizes, List<Integer> files) throws Exception {
            var threads = new ArrayList<Thread>();
            for (int number = 0; number < THREADS; number++) {
                long seed = number;
                threads.add(new Thread(() -> work(connections / THREADS, seed)));
            }
            threads.forEach(Thread::start);
            for (int number = 1; number <= reloads; number++) {
                while (done.get() < (long) number * connections / (reloads + 1)) {
                    Thread.sleep(1);
                }
                begun = number;
                store.reload(tables[number % 2]);
                over = number;
                if (number % Math.max(1, reloads / 10) == 0) {
                    sizes.add(resident());
                    files.add(descriptors());
                }
            }
            for (var thread : threads) {
                thread.join();
            }
        }
    }

    /**
     * Microseconds until a connection may be used: the middle one for each factory, taken in turns.
     */
    private static Map<String, Double> cost(Map<String, SSLSocketFactory> factories, int port, int turns)
            throws Exception {
        var taken = new LinkedHashMap<String, double[]>();
        factories.keySet().forEach(name -> taken.put(name, new double[turns]));
        for (int turn = -turns / 2; turn < turns; turn++) {
            for (var one : factories.entrySet()) {
                var plain = new java.net.Socket("127.0.0.1", port);
                long begun = System.nanoTime();
                try (var socket = (SSLSocket) one.getValue().createSocket(plain, "good.rig.example", port, true)) {
                    socket.startHandshake();
                    double microseconds = (System.nanoTime() - begun) / 1000.0;
                    socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readNBytes(12);
                    if (turn >= 0) {
                        taken.get(one.getKey())[turn] = microseconds;
                    }
                }
            }
        }
        var middle = new LinkedHashMap<String, Double>();
        taken.forEach((name, times) -> {
            Arrays.sort(times);
            middle.put(name, times[times.length / 2]);
        });
        return middle;
    }

    private static SSLContext plain(String root) throws Exception {
        var keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null, null);
        try (var file = Files.newInputStream(Path.of(root))) {
            keys.setCertificateEntry("rig", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    public static void main(String[] words) throws Exception {
        byte[][] tables = {Files.readAllBytes(Path.of(words[0])), Files.readAllBytes(Path.of(words[1]))};
        int connections = Integer.parseInt(words[3]);
        int reloads = Integer.parseInt(words[4]);
        for (int index = 5; index < words.length; index++) {
            var pair = words[index].split("=");
            ports.computeIfAbsent(pair[0], name -> new ArrayList<>()).add(Integer.valueOf(pair[1]));
        }
        var load = new Load(tables);
        var sizes = new ArrayList<Double>();
        var files = new ArrayList<Integer>();
        long begun = System.nanoTime();
        load.run(connections, reloads, sizes, files);
        System.out.printf("%d connections: %d threads, %d reloads, %d s, %d accepted, %d refused, %d wrong%n",
                load.done.get(), THREADS, reloads, (System.nanoTime() - begun) / 1_000_000_000,
                load.accepted.get(), load.refused.get(), load.wrong.size());
        System.out.print("memory after each tenth, MiB:");
        sizes.forEach(size -> System.out.printf(" %.1f", size));
        System.out.println("; descriptors: " + files);
        var state = load.store.state();
        if (!load.wrong.isEmpty() || load.accepted.get() == 0 || load.refused.get() == 0) {
            System.out.println("FAILED: " + load.wrong.stream().limit(10).toList());
            System.exit(1);
        }
        if (state.installed() != reloads + 1 || load.store.epoch() != reloads + 1) {
            System.out.println("FAILED: " + state.installed() + " tables were in force");
            System.exit(1);
        }
        load.store.close();
        // From the third tenth on, when every thread has its memory and the code is compiled.
        if (sizes.get(sizes.size() - 1) - sizes.get(2) > 24 || files.get(files.size() - 1) > files.get(0) + 2 * THREADS) {
            System.out.println("FAILED: memory or descriptors grow");
            System.exit(1);
        }
        try (var store = Store.open(tables[0], new Options().logger(null))) {
            var full = plain(words[2]);
            // Beyond the seven days of a ticket JSSE keeps none.
            full.getClientSessionContext().setSessionTimeout(8 * 24 * 60 * 60);
            var factories = new LinkedHashMap<String, SSLSocketFactory>();
            factories.put("plain JSSE, a full handshake", full.getSocketFactory());
            factories.put("plain JSSE, resumed", plain(words[2]).getSocketFactory());
            factories.put("judged", Judge.of(store).socketFactory());
            var middle = cost(factories, ports.get("good").get(0), TURNS);
            double first = middle.values().iterator().next();
            middle.forEach((name, microseconds) -> System.out.printf(
                    "a handshake, %s: %.0f us, %+.0f us%n", name, microseconds, microseconds - first));
        }
        System.exit(0);
    }
}
