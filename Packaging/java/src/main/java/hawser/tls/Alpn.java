package hawser.tls;

import java.util.function.Supplier;

/** The application protocol of a handshake. */
final class Alpn {
    private Alpn() {}

    /** Null where it is not known, or the provider does not tell it. */
    static String of(Supplier<String> source) {
        try {
            return source.get();
        } catch (UnsupportedOperationException none) {
            return null;
        }
    }
}
