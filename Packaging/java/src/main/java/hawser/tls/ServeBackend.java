package hawser.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;

/**
 * Asks `hawser serve`. Only an answer that accepts is an accept: every other one, a connection that
 * ends and a server that is slow give none.
 */
final class ServeBackend implements Backend {
    /** Connections that are kept for the next question. */
    private static final int MOST_KEPT = 8;

    /** How long the answer to "which policy is in force" counts. */
    private static final long MARK_LIFE = TimeUnit.SECONDS.toNanos(1);

    /** Epochs whose policy is remembered. */
    private static final int MOST_EPOCHS = 10_000;

    private static final String[] VERSIONS = {"tls1.0", "tls1.1", "tls1.2", "tls1.3"};

    private record Dated(Mark mark, long at) {}

    private final Path socket;
    private final long timeout;
    private final ConcurrentLinkedDeque<ServeConnection> kept = new ConcurrentLinkedDeque<>();
    private volatile Dated last;
    /** The digest of the policy that an epoch had; empty text where there were two. */
    private final Map<Long, String> policies = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    ServeBackend(Path socket, ServeOptions options) throws StoreException {
        this.socket = socket.toAbsolutePath();
        this.timeout = options.timeout.toNanos();
        // Who listens there decides what callers take for verdicts.
        var folder = this.socket.getParent();
        try {
            var permissions = Files.getPosixFilePermissions(folder);
            if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new StoreException(
                        "HAWSER_E_FILE", "socket-folder",
                        "others may write to `" + folder + "`, so anyone of them could listen in the server's place:"
                                + " let only its owner write there");
            }
        } catch (IOException problem) {
            throw new StoreException(
                    "HAWSER_E_FILE", "socket-folder", "`" + folder + "` cannot be read: " + problem, problem);
        }
    }

    // ---------------------------------------------------------------- asking

    private static StoreException problem(String reason, String message, Throwable cause) {
        return new StoreException("HAWSER_E_FILE", reason, message, cause);
    }

    private static StoreException closed() {
        return new StoreException("HAWSER_E_MISUSE", "closed", "the store is closed");
    }

    /**
     * One question. It changes nothing in the server, so it is asked again once where a kept
     * connection had ended.
     */
    private ServeConnection.Answer ask(String method, String path, String body) throws StoreException {
        var octets = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        long deadline = System.nanoTime() + timeout;
        for (boolean isKept = true;; isKept = false) {
            if (isClosed) {
                throw closed();
            }
            var connection = isKept ? kept.pollFirst() : null;
            if (connection == null) {
                isKept = false;
            }
            boolean isGood = false;
            try {
                if (connection == null) {
                    connection = new ServeConnection(socket);
                }
                var answer = connection.ask(method, path, octets, Math.max(1, deadline - System.nanoTime()));
                isGood = !answer.isLast();
                return answer;
            } catch (IOException failure) {
                if (!isKept || connection.hasAnswered() || System.nanoTime() > deadline) {
                    throw problem(
                            "serve", "hawser serve at `" + socket + "` gave no answer: " + failure.getMessage(), failure);
                }
            } finally {
                if (connection != null) {
                    if (isGood && !isClosed && kept.size() < MOST_KEPT) {
                        kept.addFirst(connection);
                    } else {
                        connection.close();
                    }
                }
                if (isClosed) {
                    drop();
                }
            }
        }
    }

    private void drop() {
        for (var connection = kept.pollFirst(); connection != null; connection = kept.pollFirst()) {
            connection.close();
        }
    }

    private static Object read(ServeConnection.Answer answer) throws StoreException {
        try {
            return Json.read(answer.body());
        } catch (IllegalArgumentException wrong) {
            throw problem("serve", "an answer of hawser serve is not JSON", wrong);
        }
    }

    private static StoreException unexpected(ServeConnection.Answer answer) {
        String sentence = "";
        try {
            var document = Json.read(answer.body());
            sentence = Json.string(document, "detail")
                    .or(() -> Json.string(document, "title")).map(text -> ": " + text).orElse("");
        } catch (IllegalArgumentException noProblem) {
            // The status has to be enough.
        }
        return problem("serve", "hawser serve answered with status " + answer.status() + sentence, null);
    }

    // ---------------------------------------------------------------- judging

    @Override
    public Verdict judge(Request request, boolean explains) throws StoreException {
        var path = explains ? "/v1/explain" : "/v1/evaluate";
        if (request.time != null && !explains) {
            throw new StoreException(
                    "HAWSER_E_ARGUMENT", "time", "hawser serve judges by its own clock: only `explain` takes a time");
        }
        if (!request.assumptions.isEmpty()) {
            throw new StoreException("HAWSER_E_ARGUMENT", "assumptions", "hawser serve takes no assumptions");
        }
        var answer = ask("POST", path, question(request));
        var document = read(answer);
        var schema = explains ? "hawser/explain/1" : "hawser/verdict/1";
        var word = Json.string(document, "verdict").orElse("");
        boolean accepts = answer.status() == 200 && word.equals("accept");
        boolean rejects = answer.status() == 403 && word.equals("reject");
        if (!Json.string(document, "schema").orElse("").equals(schema) || !accepts && !rejects) {
            throw unexpected(answer);
        }
        var verdict = verdict(
                request, document, accepts, explains ? Optional.of(answer.body()) : Optional.empty(), answer);
        seen(verdict.epoch(), verdict.policyDigest());
        return verdict;
    }

    private static String question(Request request) throws StoreException {
        var out = new StringBuilder("{\"host\":");
        Json.write(out, request.host);
        out.append(",\"port\":").append(request.port);
        if (request.tls != Request.Tls.CLEARTEXT) {
            out.append(",\"chain\":");
            write(out, request.chain);
        }
        out.append(",\"tls\":{\"state\":");
        Json.write(out, switch (request.tls) {
            case UNKNOWN -> "not-supplied";
            case OBSERVED -> "observed";
            case ASSUMED -> "assumed";
            case CLEARTEXT -> "cleartext";
        });
        if (request.tls == Request.Tls.OBSERVED || request.tls == Request.Tls.ASSUMED) {
            if (request.version != 0) {
                int index = request.version - 0x0301;
                if (index < 0 || index >= VERSIONS.length) {
                    throw new StoreException(
                            "HAWSER_E_ARGUMENT", "version", "hawser serve does not know version " + request.version);
                }
                member(out, "version", VERSIONS[index]);
            }
            member(out, "cipherSuite", request.cipherSuite);
            member(out, "group", request.group);
            member(out, "signatureScheme", request.signatureScheme);
            member(out, "alpn", request.alpn);
        }
        out.append('}');
        var evidence = new StringBuilder();
        member(evidence, "staple", base64(request.staple));
        member(evidence, "sctList", base64(request.sctList));
        list(evidence, "ocspResponses", request.ocspResponses);
        list(evidence, "crls", request.crls);
        if (!evidence.isEmpty()) {
            out.append(",\"evidence\":{").append(evidence, 1, evidence.length()).append('}');
        }
        if (request.time != null) {
            member(out, "time", Instant.ofEpochSecond(request.time.getEpochSecond()).toString());
        }
        return out.append('}').toString();
    }

    private static String base64(byte[] octets) {
        return octets == null ? null : Base64.getEncoder().encodeToString(octets);
    }

    private static void member(StringBuilder out, String name, String value) {
        if (value != null) {
            out.append(",\"").append(name).append("\":");
            Json.write(out, value);
        }
    }

    private static void list(StringBuilder out, String name, List<byte[]> items) {
        if (!items.isEmpty()) {
            out.append(",\"").append(name).append("\":");
            write(out, items);
        }
    }

    private static void write(StringBuilder out, List<byte[]> items) {
        out.append('[');
        for (int index = 0; index < items.size(); index++) {
            out.append(index == 0 ? "\"" : ",\"").append(base64(items.get(index))).append('"');
        }
        out.append(']');
    }

    private static Verdict verdict(
            Request request, Object document, boolean accepted, Optional<String> explanation,
            ServeConnection.Answer answer) throws StoreException {
        var violations = new ArrayList<Violation>();
        for (var one : Json.items(Json.members(document).get("violations"))) {
            violations.add(new Violation(
                    Json.string(one, "id").orElse("unknown"), Json.string(one, "summary").orElse("")));
        }
        if (accepted != violations.isEmpty()) {
            throw problem("serve", "an answer of hawser serve contradicts itself", null);
        }
        var reported = new ArrayList<Reported>();
        for (var one : Json.items(Json.members(document).get("reported"))) {
            var violation = Json.members(one).get("violation");
            reported.add(new Reported(
                    Json.string(violation, "id").orElse("unknown"), Json.string(violation, "summary").orElse(""),
                    Json.string(one, "reason").orElse("")));
        }
        var notices = new ArrayList<Notice>();
        for (var one : Json.items(Json.members(document).get("notices"))) {
            notices.add(new Notice(Json.string(one, "id").orElse("unknown"), Json.string(one, "summary").orElse("")));
        }
        var path = new ArrayList<String>();
        for (var one : Json.items(Json.members(document).get("path"))) {
            path.add(Json.string(one, "subject").orElse(""));
        }
        var wanted = new ArrayList<Wanted>();
        for (var one : Json.items(Json.members(document).get("wanted"))) {
            wanted.add(new Wanted(Json.string(one, "source").orElse(""), Json.string(one, "url").orElse("")));
        }
        var line = Json.string(document, "line");
        var commands = Json.items(Json.members(document).get("commands"));
        return new Verdict(
                accepted, request.host, request.port, instant(document, "time").orElse(Instant.EPOCH),
                epoch(document, answer), digest(document, "policyDigest"), violations, reported, notices, path, wanted,
                line.map(ServeBackend::reasons), accepted ? Optional.empty() : Json.string(document, "rule"),
                accepted ? Optional.empty() : Json.string(document, "owner"),
                accepted ? Optional.empty() : Json.string(document, "side"), Json.string(document, "id"),
                !accepted && !commands.isEmpty() && commands.get(0) instanceof String command
                        ? Optional.of(command) : Optional.empty(),
                explanation, Optional.empty(), Optional.empty());
    }

    /** The line for a log without `reject HOST:PORT: `, which RejectException writes itself. */
    private static String reasons(String line) {
        int end = line.indexOf(": ");
        return line.startsWith("reject ") && end > 0 ? line.substring(end + 2) : line;
    }

    private static long epoch(Object document, ServeConnection.Answer answer) throws StoreException {
        var stated = Json.integer(document, "epoch");
        if (stated.isPresent()) {
            return stated.get();
        }
        try {
            return Long.parseLong(answer.fields().getOrDefault("hawser-epoch", ""));
        } catch (NumberFormatException wrong) {
            throw problem("serve", "an answer of hawser serve names no epoch", wrong);
        }
    }

    private static String digest(Object document, String name) {
        var text = Json.string(document, name).orElse("");
        return text.startsWith("sha256:") ? text.substring(7) : text;
    }

    private static Optional<Instant> instant(Object document, String name) {
        try {
            return Json.string(document, name).map(Instant::parse);
        } catch (DateTimeParseException wrong) {
            return Optional.empty();
        }
    }

    // ---------------------------------------------------------------- the policy in force

    private Object ready() throws StoreException {
        var answer = ask("GET", "/readyz", null);
        var document = read(answer);
        if (!Json.string(document, "schema").orElse("").equals("hawser/ready/1")) {
            throw unexpected(answer);
        }
        return document;
    }

    private static boolean isRefusing(Object ready) {
        return !Boolean.TRUE.equals(Json.members(ready).get("ready"));
    }

    /** Notes which policy an epoch has, and returns the only one that it had. */
    private String seen(long epoch, String digest) {
        if (policies.size() > MOST_EPOCHS) {
            policies.clear();
        }
        return policies.merge(epoch, digest, (before, now) -> before.equals(now) ? before : "");
    }

    @Override
    public Mark mark() throws StoreException {
        if (isClosed) {
            throw closed();
        }
        var dated = last;
        long now = System.nanoTime();
        if (dated != null && now - dated.at() < MARK_LIFE) {
            return dated.mark();
        }
        var ready = ready();
        // A server that was started again counts its epochs anew, so the digest is compared too.
        var mark = new Mark(
                Json.integer(ready, "epoch").orElse(0L), digest(ready, "policyDigest"), isRefusing(ready));
        seen(mark.epoch(), mark.digest());
        last = new Dated(mark, now);
        return mark;
    }

    @Override
    public boolean holds(long epoch, String host, int port) throws StoreException {
        // The server has no question for this: whatever changed may be stricter. A server that was
        // started again counts its epochs anew, so an epoch that two policies had holds nothing.
        var ready = ready();
        long now = Json.integer(ready, "epoch").orElse(0L);
        var digest = digest(ready, "policyDigest");
        return now == epoch && !isRefusing(ready) && digest.equals(policies.get(epoch)) && digest.equals(seen(now, digest));
    }

    @Override
    public PortMatters portMatters(String host) throws StoreException {
        // The server has no question for this either, so a port that is not known always matters.
        return new PortMatters(mark().epoch(), true);
    }

    @Override
    public Snapshot snapshot() throws StoreException {
        var ready = ready();
        return new Snapshot(
                Json.integer(ready, "epoch").orElse(0L),
                Json.integer(ready, "revision").map(OptionalLong::of).orElse(OptionalLong.empty()),
                Boolean.TRUE.equals(Json.members(ready).get("isStale")),
                instant(ready, "loadedAt").orElse(Instant.EPOCH), instant(ready, "confirmedAt").orElse(Instant.EPOCH),
                0, 0, digest(ready, "policyDigest"), digest(ready, "tableDigest"), List.of(), false, Optional.empty(),
                Optional.empty());
    }

    private static StoreException notHere(String call) {
        return new StoreException(
                "HAWSER_E_ARGUMENT", "serve", "`" + call + "` is the server's: hawser serve follows its own table");
    }

    @Override
    public State state() throws StoreException {
        var ready = ready();
        var members = Json.members(ready);
        var failure = members.get("refused") != null ? members.get("refused") : members.get("sourceFailed");
        var watching = Json.string(ready, "watching").orElse("");
        return new State(
                Json.string(ready, "store").orElse("default"), socket.toString(),
                watching.equals("unwatched") ? "nothing" : watching, Json.string(ready, "watchingReason"),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Json.string(failure, "code"), Json.string(failure, "error"),
                instant(failure, "at"), Boolean.TRUE.equals(members.get("isStale")), instant(ready, "staleAfter"),
                Optional.empty(), 0, 0, 0, 0, 0, 0);
    }

    @Override
    public String metrics() throws StoreException {
        var answer = ask("GET", "/metrics", null);
        if (answer.status() != 200) {
            throw unexpected(answer);
        }
        return answer.body();
    }

    @Override
    public void reload() throws StoreException {
        throw notHere("reload");
    }

    @Override
    public void reload(byte[] table) throws StoreException {
        throw notHere("reload");
    }

    @Override
    public void confirm() throws StoreException {
        throw notHere("confirm");
    }

    @Override
    public void close() {
        isClosed = true;
        drop();
    }
}
