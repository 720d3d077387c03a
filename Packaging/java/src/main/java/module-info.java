/**
 * Judges the TLS servers of a program by a compiled policy table of Hawser, in the place of the
 * JDK's own verification.
 */
module hawser.tls {
    exports hawser.tls;
}
