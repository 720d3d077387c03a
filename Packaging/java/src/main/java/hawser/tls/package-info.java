/**
 * Judges the TLS servers of a program by a compiled policy table of Hawser.
 *
 * <p>A {@link hawser.tls.Store} holds the policy in force. A {@link hawser.tls.Judge} makes what
 * libraries take: an {@link javax.net.ssl.SSLContext}, a socket factory, a trust manager. A server
 * that is refused is the library's own exception, with a {@link hawser.tls.RejectException} as its
 * cause.
 */
package hawser.tls;
