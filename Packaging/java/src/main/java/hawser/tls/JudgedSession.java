package hawser.tls;

import javax.net.ssl.SSLSession;

/**
 * What a session keeps of its verdict, for {@link Judge#hostnameVerifier}.
 *
 * @param session the session itself: a mark that is copied to another session means nothing
 */
record JudgedSession(Judge judge, String host, SSLSession session) {
    private static final String NAME = "hawser.tls.judged";

    static void mark(SSLSession session, Judge judge, String host) {
        session.putValue(NAME, new JudgedSession(judge, host, session));
    }

    static boolean isFor(SSLSession session, Judge judge, String host) {
        return host != null && session.getValue(NAME) instanceof JudgedSession judged && judged.session == session
                && judged.judge == judge && Target.key(judged.host).equals(Target.key(unbracketed(host)));
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return "judged for " + host;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
