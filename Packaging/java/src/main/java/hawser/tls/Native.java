package hawser.tls;

import java.nio.file.Path;
import java.util.function.BiConsumer;

/** Before Java 22 nothing calls the library: the class of this name for Java 22 does. */
final class Native {
    private Native() {}

    /** As the class for Java 22 has it. */
    static Backend open(Path path, byte[] table, Options options, BiConsumer<Integer, String> log)
            throws StoreException {
        throw new StoreException(
                "HAWSER_E_INTERNAL", "java-version",
                "calling libhawser needs Java 22 or later, and this is Java " + Runtime.version().feature()
                        + ": use Java 22, or run `hawser serve` and open the store by Store.connect(socket)");
    }
}
