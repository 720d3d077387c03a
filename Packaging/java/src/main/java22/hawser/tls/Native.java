package hawser.tls;

import java.nio.file.Path;
import java.util.function.BiConsumer;

/** From Java 22 on the library is called. */
final class Native {
    private Native() {}

    static Backend open(Path path, byte[] table, Options options, BiConsumer<Integer, String> log)
            throws StoreException {
        return NativeBackend.open(path, table, options, log);
    }
}
