package hawser.tls;

/**
 * Evidence that could change the verdict.
 *
 * @param source {@code ocsp} or {@code crl}
 * @param url text from a stranger's certificate: whether it may be asked is the program's decision
 */
public record Wanted(String source, String url) {}
