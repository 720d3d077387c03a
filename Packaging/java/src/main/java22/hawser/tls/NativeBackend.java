package hawser.tls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Calls libhawser.so.0 by the foreign function interface.
 *
 * <p>Stores and verdicts of the library are numbers. One that was freed is refused by the library,
 * so a store that another thread closes is safe to use. Memory for a call lives as long as the
 * call.
 */
final class NativeBackend implements Backend {
    // Results of hawser.h.
    private static final int OK = 0;
    private static final int REJECT = 2;
    private static final int SMALL = -7;
    private static final int DECISION_ACCEPT = 1;
    private static final long NOW = Long.MIN_VALUE;
    private static final int ABI_VERSION = 1;

    // ---------------------------------------------------------------- the structs

    /** A struct of hawser.h: its layout, and where its fields are. */
    private static final class Struct {
        final StructLayout layout;
        private final Map<String, Long> offsets = new HashMap<>();

        Struct(long size, MemoryLayout... fields) {
            layout = MemoryLayout.structLayout(fields);
            for (var field : fields) {
                var name = field.name().orElseThrow();
                offsets.put(name, layout.byteOffset(PathElement.groupElement(name)));
            }
            // The sizes of version 1 of the interface.
            if (layout.byteSize() != size) {
                throw new ExceptionInInitializerError("hawser.tls: a struct has " + layout.byteSize()
                        + " octets here, and " + size + " in the library");
            }
        }

        /** Zeros, and the size. */
        MemorySegment make(SegmentAllocator allocator) {
            var made = allocator.allocate(layout);
            made.fill((byte) 0);
            made.set(JAVA_LONG, 0, layout.byteSize());
            return made;
        }

        long at(String name) {
            return offsets.get(name);
        }

        int getInt(MemorySegment segment, String name) {
            return segment.get(JAVA_INT, at(name));
        }

        long getLong(MemorySegment segment, String name) {
            return segment.get(JAVA_LONG, at(name));
        }

        byte[] octets(MemorySegment segment, String name, int count) {
            return segment.asSlice(at(name), count).toArray(JAVA_BYTE);
        }

        void set(MemorySegment segment, String name, int value) {
            segment.set(JAVA_INT, at(name), value);
        }

        void set(MemorySegment segment, String name, long value) {
            segment.set(JAVA_LONG, at(name), value);
        }

        void set(MemorySegment segment, String name, MemorySegment value) {
            segment.set(ADDRESS, at(name), value);
        }
    }

    private static MemoryLayout u32(String name) {
        return JAVA_INT.withName(name);
    }

    private static MemoryLayout u64(String name) {
        return JAVA_LONG.withName(name);
    }

    private static MemoryLayout pointer(String name) {
        return ADDRESS.withName(name);
    }

    private static MemoryLayout octets(String name, int count) {
        return MemoryLayout.sequenceLayout(count, JAVA_BYTE).withName(name);
    }

    private static final Struct ERROR =
            new Struct(1032, u64("size"), u32("result"), u32("reserved"), octets("reason", 64), octets("message", 952));

    private static final Struct OPTIONS = new Struct(
            136, u64("size"), pointer("name"), pointer("trusted_keys"), u64("trusted_key_count"), u32("threshold"),
            u32("flags"), pointer("state_directory"), u32("staleness"), u32("follow"), u64("stale_after"),
            pointer("checks"), u64("check_count"), pointer("log_list"), u64("log_list_length"), pointer("log"),
            pointer("log_context"), pointer("service"), pointer("policy_path"),
            pointer("crlite_directory"));

    private static final Struct SNAPSHOT = new Struct(
            176, u64("size"), u64("epoch"), u64("revision"), u32("has_revision"), u32("is_stale"), u64("loaded_at"),
            u64("confirmed_at"), u64("refusals"), u64("source_failures"), octets("policy_digest", 32),
            octets("file_digest", 32), octets("system_store_digest", 32), u32("has_system_store"),
            u32("stricter_count"), u32("stricter_default"), u32("rollback_protection"));

    private static final Struct STATE = new Struct(
            128, u64("size"), u32("watching"), u32("directory"), u32("damage_count"), u32("failure"), u64("failed_at"),
            u64("poll_interval"), u32("is_stale"), u32("has_stale_after"), u64("stale_after"), u32("has_issued"),
            u32("has_expires"), u64("issued"), u64("expires"), u64("installed"), u64("confirmed"), u64("refused"),
            u64("source_failed"), u64("accepted"), u64("rejected"));

    private static final Struct DEMANDED = new Struct(
            112, u64("size"), u64("epoch"), octets("between", 56), octets("policy_digest", 32), u32("depends_on_port"),
            u32("reserved"));

    private static final Struct REQUEST = new Struct(
            216, u64("size"), pointer("host"), u64("host_length"), u32("port"), u32("tls"), u64("time"),
            pointer("chain"), u64("chain_count"), u32("tls_version"), u32("reserved"), pointer("cipher_suite"),
            pointer("group"), pointer("signature_scheme"), pointer("alpn"), pointer("enforced_rule"),
            pointer("enforced_policy"), u64("enforced_policy_length"), pointer("staple"), u64("staple_length"),
            pointer("sct_list"), u64("sct_list_length"), pointer("ocsp_responses"), u64("ocsp_response_count"),
            pointer("crls"), u64("crl_count"), pointer("prepared"), u64("prepared_count"), pointer("assumptions"),
            u64("assumption_count"));

    private static final Struct OUTCOME = new Struct(
            152, u64("size"), u32("decision"), u32("violation_count"), u32("reported_count"), u32("notice_count"),
            u32("wanted_count"), u32("path_count"), u64("epoch"), u64("time"), octets("policy_digest", 32),
            octets("system_store_digest", 32), octets("log_list_digest", 32), u32("has_system_store"),
            u32("has_log_list"));

    // ---------------------------------------------------------------- the library

    /**
     * The functions. A store and a verdict are structs of one 64-bit number, which the calling
     * conventions of x86-64 and AArch64 pass as that number.
     */
    private static final class Library {
        final MethodHandle storeOpen;
        final MethodHandle storeOpenFile;
        final MethodHandle storeReload;
        final MethodHandle storeReloadFile;
        final MethodHandle storeConfirm;
        final MethodHandle storeHolds;
        final MethodHandle storeClose;
        final MethodHandle storeSnapshot;
        final MethodHandle storeState;
        final MethodHandle storeText;
        final MethodHandle storeDemands;
        final MethodHandle metrics;
        final MethodHandle evaluate;
        final MethodHandle explain;
        final MethodHandle verdictText;
        final MethodHandle verdictFree;
        final MethodHandle resultName;
        final MemorySegment log;

        private final Linker linker = Linker.nativeLinker();
        private final SymbolLookup lookup;

        @SuppressWarnings("restricted")
        private MethodHandle function(String name, MemoryLayout result, MemoryLayout... parameters) {
            var address = lookup.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
            return linker.downcallHandle(address, FunctionDescriptor.of(result, parameters));
        }

        @SuppressWarnings("restricted")
        Library(SymbolLookup lookup) throws Throwable {
            this.lookup = lookup;
            var version = (int) function("hawser_abi_version", JAVA_INT).invokeExact();
            if (version < ABI_VERSION) {
                throw new UnsatisfiedLinkError("libhawser.so.0 is older than this package");
            }
            storeOpen = function("hawser_store_open", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
            storeOpenFile = function("hawser_store_open_file", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
            storeReload = function("hawser_store_reload", JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
            storeReloadFile = function("hawser_store_reload_file", JAVA_INT, JAVA_LONG, ADDRESS);
            storeConfirm = function("hawser_store_confirm", JAVA_INT, JAVA_LONG, ADDRESS);
            storeHolds = function(
                    "hawser_store_holds", JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    ADDRESS);
            storeClose = function("hawser_store_close", JAVA_INT, JAVA_LONG);
            storeSnapshot = function("hawser_store_snapshot", JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
            storeState = function("hawser_store_state", JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
            storeText = function(
                    "hawser_store_text", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
            storeDemands = function(
                    "hawser_store_demands", JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS,
                    ADDRESS, ADDRESS);
            metrics = function(
                    "hawser_metrics", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
            evaluate = function("hawser_evaluate", JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
            explain = function("hawser_explain", JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
            verdictText = function(
                    "hawser_verdict_text", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
            verdictFree = function("hawser_verdict_free", JAVA_INT, JAVA_LONG);
            resultName = function("hawser_result_name", ADDRESS, JAVA_INT);
            var take = MethodHandles.lookup().findStatic(
                    NativeBackend.class, "take",
                    MethodType.methodType(void.class, MemorySegment.class, int.class, MemorySegment.class));
            log = linker.upcallStub(take, FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, ADDRESS), Arena.global());
        }
    }

    private static Library library;
    private static StoreException failure;

    /** Loads the library once for the program. */
    private static synchronized Library library() throws StoreException {
        if (library == null && failure == null) {
            try {
                library = new Library(Loader.find());
            } catch (StoreException problem) {
                failure = problem;
            } catch (Throwable problem) {
                failure = new StoreException(
                        "HAWSER_E_INTERNAL", "library",
                        "libhawser.so.0 cannot be used: " + problem.getMessage(), problem);
            }
        }
        if (failure != null) {
            throw new StoreException(failure);
        }
        return library;
    }

    /** Where the library is: the property `hawser.library`, this jar, or the system's folders. */
    private static final class Loader {
        @SuppressWarnings("restricted")
        static SymbolLookup find() throws StoreException {
            var named = System.getProperty("hawser.library");
            try {
                if (named != null) {
                    return SymbolLookup.libraryLookup(Path.of(named).toAbsolutePath(), Arena.global());
                }
                var machine = System.getProperty("os.arch");
                var resource = "native/linux-" + (machine.equals("amd64") ? "x86_64" : machine) + "/libhawser.so.0";
                try (var octets = NativeBackend.class.getResourceAsStream(resource)) {
                    if (octets == null) {
                        return SymbolLookup.libraryLookup("libhawser.so.0", Arena.global());
                    }
                    // A folder that only this user may enter; the mapping outlives the file.
                    var folder = Files.createTempDirectory("hawser-tls");
                    var file = folder.resolve("libhawser.so.0");
                    try {
                        Files.copy(octets, file);
                        return SymbolLookup.libraryLookup(file, Arena.global());
                    } finally {
                        Files.deleteIfExists(file);
                        Files.deleteIfExists(folder);
                    }
                }
            } catch (IOException | IllegalArgumentException problem) {
                throw new StoreException(
                        "HAWSER_E_INTERNAL", "library",
                        "libhawser.so.0 does not load" + (named == null ? "" : " from `" + named + "`")
                                + ": the machine needs OpenSSL 3 (libcrypto.so.3) and a glibc that is as new as the"
                                + " library's: " + problem.getMessage(),
                        problem);
            } catch (IllegalCallerException problem) {
                throw new StoreException(
                        "HAWSER_E_INTERNAL", "native-access",
                        "Java denies native access: start it with --enable-native-access=hawser.tls, or"
                                + " --enable-native-access=ALL-UNNAMED where the jar is on the class path",
                        problem);
            }
        }
    }

    // ---------------------------------------------------------------- the log

    /**
     * Who takes the lines of a store, by a number: the library holds no reference to an object of
     * Java's.
     */
    private static final Map<Long, BiConsumer<Integer, String>> journals = new ConcurrentHashMap<>();

    private static final AtomicLong numbers = new AtomicLong();

    /** hawser_log_function: called from threads of the library. Nothing may leave it. */
    @SuppressWarnings("restricted")
    private static void take(MemorySegment context, int level, MemorySegment message) {
        try {
            var journal = journals.get(context.address());
            if (journal != null) {
                journal.accept(level, message.reinterpret(Long.MAX_VALUE).getString(0));
            }
        } catch (Throwable ignored) {
            // An exception in a callback would end the program.
        }
    }

    // ---------------------------------------------------------------- the backend

    private final Library calls;
    private final long store;
    private final long journal;

    private NativeBackend(Library calls, long store, long journal) {
        this.calls = calls;
        this.store = store;
        this.journal = journal;
    }

    static Backend open(Path path, byte[] table, Options options, BiConsumer<Integer, String> log)
            throws StoreException {
        var calls = library();
        long number = numbers.incrementAndGet();
        journals.put(number, log);
        try (var arena = Arena.ofConfined()) {
            var struct = options(arena, calls, options, number);
            var handle = arena.allocate(JAVA_LONG);
            var error = ERROR.make(arena);
            int result;
            if (path != null) {
                result = (int) calls.storeOpenFile.invokeExact(string(arena, path.toString()), struct, handle, error);
            } else {
                result = (int) calls.storeOpen.invokeExact(
                        copy(arena, table), (long) table.length, struct, handle, error);
            }
            if (result != OK) {
                throw failed(calls, result, error);
            }
            var opened = new NativeBackend(calls, handle.get(JAVA_LONG, 0), number);
            number = 0;
            return opened;
        } catch (Throwable problem) {
            throw thrown(problem);
        } finally {
            if (number != 0) {
                // The log was called for the last time.
                journals.remove(number);
            }
        }
    }

    private static MemorySegment options(Arena arena, Library calls, Options options, long number) {
        var struct = OPTIONS.make(arena);
        OPTIONS.set(struct, "name", string(arena, options.name));
        OPTIONS.set(struct, "service", string(arena, options.service));
        OPTIONS.set(struct, "trusted_keys", list(arena, options.trustedKeys));
        OPTIONS.set(struct, "trusted_key_count", (long) options.trustedKeys.size());
        OPTIONS.set(struct, "threshold", options.threshold);
        int flags = options.refuseWaivers ? 1 : 0;
        flags |= switch (options.requireState) {
            case NO -> 0;
            case ALWAYS -> 2;
            case AT_START -> 4;
        };
        OPTIONS.set(struct, "flags", flags);
        OPTIONS.set(struct, "state_directory", string(arena, text(options.stateDirectory)));
        OPTIONS.set(struct, "staleness", options.staleness.ordinal());
        OPTIONS.set(struct, "follow", options.follow.ordinal());
        OPTIONS.set(struct, "stale_after", options.staleAfter == null ? 0 : options.staleAfter.toSeconds());
        if (options.logList != null) {
            OPTIONS.set(struct, "log_list", copy(arena, options.logList));
            OPTIONS.set(struct, "log_list_length", (long) options.logList.length);
        }
        OPTIONS.set(struct, "log", calls.log);
        OPTIONS.set(struct, "log_context", MemorySegment.ofAddress(number));
        OPTIONS.set(struct, "policy_path", string(arena, text(options.policyPath)));
        OPTIONS.set(struct, "crlite_directory", string(arena, text(options.crliteDirectory)));
        return struct;
    }

    private static String text(Path path) {
        return path == null ? null : path.toString();
    }

    private static MemorySegment string(SegmentAllocator arena, String text) {
        if (text == null) {
            return MemorySegment.NULL;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a text has a NUL character");
        }
        return arena.allocateFrom(text);
    }

    /** Octets; not NULL where there are none, which is "empty" and not "absent". */
    private static MemorySegment copy(SegmentAllocator arena, byte[] octets) {
        var copy = arena.allocate(Math.max(1, octets.length), 1);
        MemorySegment.copy(octets, 0, copy, JAVA_BYTE, 0, octets.length);
        return copy;
    }

    /** An array of hawser_bytes. */
    private static MemorySegment list(SegmentAllocator arena, List<byte[]> items) {
        if (items.isEmpty()) {
            return MemorySegment.NULL;
        }
        var array = arena.allocate(ADDRESS.byteSize() * 2 * items.size(), ADDRESS.byteAlignment());
        for (int index = 0; index < items.size(); index++) {
            array.set(ADDRESS, 16L * index, copy(arena, items.get(index)));
            array.set(JAVA_LONG, 16L * index + 8, items.get(index).length);
        }
        return array;
    }

    @SuppressWarnings("restricted")
    private static StoreException failed(Library calls, int result, MemorySegment error) {
        try {
            var name = ((MemorySegment) calls.resultName.invokeExact(result)).reinterpret(64).getString(0);
            if (error == null) {
                return new StoreException(name, "", "the call failed");
            }
            var reason = error.getString(ERROR.at("reason"));
            var message = error.getString(ERROR.at("message"));
            return new StoreException(name, reason, message.isEmpty() ? "the call failed" : message);
        } catch (Throwable problem) {
            return thrown(problem);
        }
    }

    /** What a call threw: a StoreException, or an error of the machine's. */
    private static StoreException thrown(Throwable problem) {
        return switch (problem) {
            case StoreException ours -> ours;
            case VirtualMachineError fatal -> throw fatal;
            default -> new StoreException("HAWSER_E_INTERNAL", "call", "the call failed: " + problem, problem);
        };
    }

    /** A call that has a text in a buffer. */
    private interface TextCall {
        int into(MemorySegment buffer, long capacity, MemorySegment length) throws Throwable;
    }

    private static Optional<String> text(SegmentAllocator arena, TextCall call) throws Throwable {
        long capacity = 512;
        var length = arena.allocate(JAVA_LONG);
        while (true) {
            var buffer = arena.allocate(capacity, 1);
            int result = call.into(buffer, capacity, length);
            if (result == OK) {
                return Optional.of(buffer.getString(0, StandardCharsets.UTF_8));
            }
            if (result != SMALL) {
                return Optional.empty();
            }
            capacity = length.get(JAVA_LONG, 0) + capacity;
        }
    }

    private Optional<String> storeText(SegmentAllocator arena, int which, long index) throws Throwable {
        return text(arena, (buffer, capacity, length) -> (int) calls.storeText.invokeExact(
                store, which, index, buffer, capacity, length));
    }

    /** A call that fills a struct, or does something. */
    private interface ErrorCall {
        int with(Arena arena, MemorySegment error) throws Throwable;
    }

    private int call(ErrorCall call) throws StoreException {
        try (var arena = Arena.ofConfined()) {
            var error = ERROR.make(arena);
            int result = call.with(arena, error);
            if (result != OK && result != REJECT) {
                throw closed(failed(calls, result, error));
            }
            return result;
        } catch (Throwable problem) {
            throw thrown(problem);
        }
    }

    // ---------------------------------------------------------------- judging

    @Override
    public Verdict judge(Request request, boolean explains) throws StoreException {
        try (var arena = Arena.ofConfined()) {
            var struct = request(arena, request);
            var outcome = OUTCOME.make(arena);
            var verdict = arena.allocate(JAVA_LONG);
            var error = ERROR.make(arena);
            int result;
            // `error` is not handed over: for a reject its words would cost an explanation, and the
            // verdict has them.
            if (explains) {
                result = (int) calls.explain.invokeExact(store, struct, outcome, verdict, MemorySegment.NULL);
            } else {
                result = (int) calls.evaluate.invokeExact(store, struct, outcome, verdict, MemorySegment.NULL);
            }
            if (result != OK && result != REJECT) {
                // Once more for the words; its answer is not used as a verdict.
                int again = (int) calls.evaluate.invokeExact(
                        store, struct, MemorySegment.NULL, MemorySegment.NULL, error);
                throw closed(again == result ? failed(calls, result, error) : failed(calls, result, null));
            }
            long number = verdict.get(JAVA_LONG, 0);
            try {
                return read(arena, request, result, outcome, number, explains);
            } finally {
                int freed = (int) calls.verdictFree.invokeExact(number);
                assert freed == OK;
            }
        } catch (Throwable problem) {
            throw thrown(problem);
        }
    }

    private static MemorySegment request(Arena arena, Request request) {
        var struct = REQUEST.make(arena);
        var host = request.host.getBytes(StandardCharsets.UTF_8);
        REQUEST.set(struct, "host", copy(arena, host));
        REQUEST.set(struct, "host_length", (long) host.length);
        REQUEST.set(struct, "port", request.port);
        REQUEST.set(struct, "tls", request.tls.number);
        REQUEST.set(struct, "time", request.time == null ? NOW : request.time.getEpochSecond());
        REQUEST.set(struct, "chain", list(arena, request.chain));
        REQUEST.set(struct, "chain_count", (long) request.chain.size());
        REQUEST.set(struct, "tls_version", request.version);
        REQUEST.set(struct, "cipher_suite", string(arena, request.cipherSuite));
        REQUEST.set(struct, "group", string(arena, request.group));
        REQUEST.set(struct, "signature_scheme", string(arena, request.signatureScheme));
        REQUEST.set(struct, "alpn", string(arena, request.alpn));
        if (request.staple != null) {
            REQUEST.set(struct, "staple", copy(arena, request.staple));
            REQUEST.set(struct, "staple_length", (long) request.staple.length);
        }
        if (request.sctList != null) {
            REQUEST.set(struct, "sct_list", copy(arena, request.sctList));
            REQUEST.set(struct, "sct_list_length", (long) request.sctList.length);
        }
        REQUEST.set(struct, "ocsp_responses", list(arena, request.ocspResponses));
        REQUEST.set(struct, "ocsp_response_count", (long) request.ocspResponses.size());
        REQUEST.set(struct, "crls", list(arena, request.crls));
        REQUEST.set(struct, "crl_count", (long) request.crls.size());
        if (!request.assumptions.isEmpty()) {
            var array = arena.allocate(ADDRESS, request.assumptions.size());
            for (int index = 0; index < request.assumptions.size(); index++) {
                array.setAtIndex(ADDRESS, index, string(arena, request.assumptions.get(index)));
            }
            REQUEST.set(struct, "assumptions", array);
            REQUEST.set(struct, "assumption_count", (long) request.assumptions.size());
        }
        return struct;
    }

    private Verdict read(
            SegmentAllocator arena, Request request, int result, MemorySegment outcome, long number, boolean explains)
            throws Throwable {
        var texts = new Object() {
            Optional<String> maybe(int which, long index) throws Throwable {
                return text(arena, (buffer, capacity, length) -> (int) calls.verdictText.invokeExact(
                        number, which, index, buffer, capacity, length));
            }

            String of(int which, long index) throws Throwable {
                return maybe(which, index).orElseThrow(() -> new StoreException(
                        "HAWSER_E_RANGE", "no-such-text", "the verdict lacks a text of its own"));
            }
        };
        boolean rejects = result == REJECT;
        var violations = new ArrayList<Violation>();
        for (int index = 0; index < OUTCOME.getInt(outcome, "violation_count"); index++) {
            violations.add(new Violation(texts.of(17, index), texts.of(16, index)));
        }
        var reported = new ArrayList<Reported>();
        for (int index = 0; index < OUTCOME.getInt(outcome, "reported_count"); index++) {
            reported.add(new Reported(texts.of(21, index), texts.of(20, index), texts.of(22, index)));
        }
        var notices = new ArrayList<Notice>();
        for (int index = 0; index < OUTCOME.getInt(outcome, "notice_count"); index++) {
            notices.add(new Notice(texts.of(24, index), texts.of(23, index)));
        }
        var path = new ArrayList<String>();
        for (int index = 0; index < OUTCOME.getInt(outcome, "path_count"); index++) {
            path.add(texts.of(27, index));
        }
        var wanted = new ArrayList<Wanted>();
        for (int index = 0; index < OUTCOME.getInt(outcome, "wanted_count"); index++) {
            wanted.add(new Wanted(texts.of(25, index), texts.of(26, index)));
        }
        return new Verdict(
                result == OK && OUTCOME.getInt(outcome, "decision") == DECISION_ACCEPT, request.host, request.port,
                Instant.ofEpochSecond(OUTCOME.getLong(outcome, "time")), OUTCOME.getLong(outcome, "epoch"),
                Text.hex(OUTCOME.octets(outcome, "policy_digest", 32)), violations, reported, notices, path, wanted,
                rejects ? Optional.of(texts.of(36, 0)) : Optional.empty(),
                rejects ? texts.maybe(37, 0) : Optional.empty(),
                rejects ? texts.maybe(38, 0) : Optional.empty(),
                rejects ? texts.maybe(39, 0) : Optional.empty(),
                rejects || explains ? texts.maybe(41, 0) : Optional.empty(),
                rejects ? texts.maybe(40, 0) : Optional.empty(),
                explains ? Optional.of(texts.of(28, 0)) : Optional.empty(),
                explains ? Optional.of(texts.of(30, 0)) : Optional.empty(),
                explains ? Optional.of(texts.of(31, 0)) : Optional.empty());
    }

    @Override
    public Mark mark() throws StoreException {
        try (var arena = Arena.ofConfined()) {
            var found = SNAPSHOT.make(arena);
            int result = (int) calls.storeSnapshot.invokeExact(store, found, MemorySegment.NULL);
            if (result != OK) {
                throw closed(failed(calls, result, null));
            }
            return new Mark(
                    SNAPSHOT.getLong(found, "epoch"), "", SNAPSHOT.getInt(found, "is_stale") != 0);
        } catch (Throwable problem) {
            throw thrown(problem);
        }
    }

    /** The number of a store is refused when the store is closed. */
    private static StoreException closed(StoreException failed) {
        return failed.result().equals("HAWSER_E_MISUSE")
                ? new StoreException(failed.result(), "closed", "the store is closed") : failed;
    }

    @Override
    public boolean holds(long epoch, String host, int port) throws StoreException {
        var octets = host.getBytes(StandardCharsets.UTF_8);
        return call((arena, error) -> (int) calls.storeHolds.invokeExact(
                store, epoch, copy(arena, octets), (long) octets.length, port, NOW, error)) == OK;
    }

    @Override
    public PortMatters portMatters(String host) throws StoreException {
        var octets = host.getBytes(StandardCharsets.UTF_8);
        var answer = new PortMatters[1];
        call((arena, error) -> {
            var found = DEMANDED.make(arena);
            int result = (int) calls.storeDemands.invokeExact(
                    store, copy(arena, octets), (long) octets.length, 443, NOW, found, MemorySegment.NULL, error);
            answer[0] = new PortMatters(
                    DEMANDED.getLong(found, "epoch"), DEMANDED.getInt(found, "depends_on_port") != 0);
            return result;
        });
        return answer[0];
    }

    // ---------------------------------------------------------------- for operators

    private static Optional<Instant> instant(boolean isThere, long seconds) {
        return isThere ? Optional.of(Instant.ofEpochSecond(seconds)) : Optional.empty();
    }

    private static String word(int number, String... words) {
        return number >= 0 && number < words.length ? words[number] : "unknown";
    }

    @Override
    public Snapshot snapshot() throws StoreException {
        var answer = new Snapshot[1];
        call((arena, error) -> {
            var found = SNAPSHOT.make(arena);
            int result = (int) calls.storeSnapshot.invokeExact(store, found, error);
            if (result != OK) {
                return result;
            }
            var hosts = new ArrayList<String>();
            for (var host = storeText(arena, 4, 0); host.isPresent(); host = storeText(arena, 4, hosts.size())) {
                hosts.add(host.get());
            }
            answer[0] = new Snapshot(
                    SNAPSHOT.getLong(found, "epoch"),
                    SNAPSHOT.getInt(found, "has_revision") != 0
                            ? OptionalLong.of(SNAPSHOT.getLong(found, "revision")) : OptionalLong.empty(),
                    SNAPSHOT.getInt(found, "is_stale") != 0,
                    Instant.ofEpochSecond(SNAPSHOT.getLong(found, "loaded_at")),
                    Instant.ofEpochSecond(SNAPSHOT.getLong(found, "confirmed_at")),
                    SNAPSHOT.getLong(found, "refusals"), SNAPSHOT.getLong(found, "source_failures"),
                    Text.hex(SNAPSHOT.octets(found, "policy_digest", 32)),
                    Text.hex(SNAPSHOT.octets(found, "file_digest", 32)), hosts,
                    SNAPSHOT.getInt(found, "stricter_default") != 0,
                    Optional.of(word(SNAPSHOT.getInt(found, "rollback_protection"), "off", "on", "against-mistakes")),
                    storeText(arena, 6, 0));
            return result;
        });
        return answer[0];
    }

    @Override
    public State state() throws StoreException {
        var answer = new State[1];
        call((arena, error) -> {
            var found = STATE.make(arena);
            int result = (int) calls.storeState.invokeExact(store, found, error);
            if (result != OK) {
                return result;
            }
            answer[0] = new State(
                    storeText(arena, 14, 0).orElse("default"), storeText(arena, 15, 0).orElse("program"),
                    word(STATE.getInt(found, "watching"), "nothing", "notified", "polled"), storeText(arena, 8, 0),
                    storeText(arena, 9, 0), storeText(arena, 11, 0), storeText(arena, 16, 0), storeText(arena, 18, 0),
                    storeText(arena, 1, 0), storeText(arena, 2, 0),
                    instant(STATE.getInt(found, "failure") != 0, STATE.getLong(found, "failed_at")),
                    STATE.getInt(found, "is_stale") != 0,
                    instant(STATE.getInt(found, "has_stale_after") != 0, STATE.getLong(found, "stale_after")),
                    instant(STATE.getInt(found, "has_expires") != 0, STATE.getLong(found, "expires")),
                    STATE.getLong(found, "installed"), STATE.getLong(found, "confirmed"),
                    STATE.getLong(found, "refused"), STATE.getLong(found, "source_failed"),
                    STATE.getLong(found, "accepted"), STATE.getLong(found, "rejected"));
            return result;
        });
        return answer[0];
    }

    @Override
    public String metrics() throws StoreException {
        try (var arena = Arena.ofConfined()) {
            var stores = arena.allocate(JAVA_LONG);
            stores.set(JAVA_LONG, 0, store);
            return text(arena, (buffer, capacity, length) -> (int) calls.metrics.invokeExact(
                    stores, 1L, buffer, capacity, length, MemorySegment.NULL))
                    .orElseThrow(() -> new StoreException("HAWSER_E_MISUSE", "closed", "the store is closed"));
        } catch (Throwable problem) {
            throw thrown(problem);
        }
    }

    @Override
    public void reload() throws StoreException {
        call((arena, error) -> (int) calls.storeReloadFile.invokeExact(store, error));
    }

    @Override
    public void reload(byte[] table) throws StoreException {
        call((arena, error) -> (int) calls.storeReload.invokeExact(
                store, copy(arena, table), (long) table.length, error));
    }

    @Override
    public void confirm() throws StoreException {
        call((arena, error) -> (int) calls.storeConfirm.invokeExact(store, error));
    }

    @Override
    public void close() {
        try {
            // Waits for callbacks that run, which hand their line over and go on.
            int result = (int) calls.storeClose.invokeExact(store);
            assert result == OK;
        } catch (Throwable problem) {
            throw new IllegalStateException(problem);
        } finally {
            journals.remove(journal);
        }
    }
}
