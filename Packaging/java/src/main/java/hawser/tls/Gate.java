package hawser.tls;

import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Stands before the octets of one connection until the policy has accepted, and looks again when
 * another policy is in force.
 *
 * <p>The verdict comes inside the handshake, from the trust manager that belongs to this
 * connection. JSSE asks no trust manager when it resumes a session; the connections of a {@link
 * Judge} offer none, since each has a context of its own (see {@link JudgedContext}). The gate does
 * not rely on that: a handshake whose chain its trust manager has not judged does not open it.
 */
final class Gate {
    /** Tried again where another table comes into force between two questions. */
    private static final int MOST_ROUNDS = 16;

    private final Judge judge;

    // Guarded by this object.
    private List<Certificate> judgedChain;
    private Request question;
    private Target target;
    private long epoch;
    private Backend.Mark mark;
    private RejectException refusal;
    private volatile boolean isOpen;

    Gate(Judge judge) {
        this.judge = judge;
    }

    Judge judge() {
        return judge;
    }

    /** Whether a verdict accepted the connection, and its handshake is over. */
    boolean isOpen() {
        return isOpen;
    }

    synchronized boolean isRefused() {
        return refusal != null;
    }

    /** The epoch of the last verdict that accepted; 0 before. */
    synchronized long epoch() {
        return isOpen ? epoch : 0;
    }

    synchronized Target target() {
        return isOpen ? target : null;
    }

    // ---------------------------------------------------------------- in the handshake

    /** Judges the chain that a handshake shows. Called by the trust manager of this connection. */
    synchronized void judge(
            X509Certificate[] chain, SSLSession session, String peerHost, int peerPort, String alpn)
            throws RejectException {
        isOpen = false;
        judgedChain = null;
        try {
            if (session == null) {
                throw unjudged(null, "the connection has no handshake", null);
            }
            var asked = Target.of(peerHost, judge.port() > 0 ? judge.port() : peerPort, Handshakes.serverNames(session));
            var request = Handshakes.request(asked, chain, session, alpn);
            epoch = accepted(judge, request, asked, before -> mark = before);
            question = request;
            target = asked;
            judgedChain = List.of(chain);
            refusal = null;
        } catch (RejectException no) {
            refuse(no);
            throw no;
        } catch (CertificateEncodingException | RuntimeException failure) {
            var no = unjudged(null, "the chain cannot be judged: " + failure, failure);
            refuse(no);
            throw no;
        }
    }

    private void refuse(RejectException no) {
        refusal = no;
        isOpen = false;
        judge.store().refused(no);
    }

    private static RejectException unjudged(Target target, String why, Throwable cause) {
        return new RejectException(
                target == null ? "" : target.host(), target == null ? 0 : target.port(), 0,
                new Violation("no-verdict", Text.shown(why)), cause);
    }

    private interface Marked {
        void at(Backend.Mark mark);
    }

    /** The epoch of the verdict that accepts a request; RejectException where none does. */
    private static long accepted(Judge judge, Request request, Target target, Marked marked) throws RejectException {
        var backend = judge.store().backend();
        request.time(judge.now());
        try {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                // Asked before the verdict: whatever changes after it is noticed.
                marked.at(backend.mark());
                if (target.port() > 0) {
                    return judge.asked(backend.judge(request, judge.explains())).orThrow().epoch();
                }
                // The table by which the port does not matter must also give the verdict.
                var matters = backend.portMatters(target.host());
                if (matters.matters()) {
                    throw new RejectException(
                            target.host(), 0, matters.epoch(),
                            new Violation(
                                    "port-unknown",
                                    "the policy may decide this host by another rule at another port, and nobody said"
                                            + " which port this connection is for: give it to createSSLEngine or"
                                            + " createSocket, or to Judge.Builder.port"),
                            null);
                }
                var verdict = judge.asked(backend.judge(request.at(443), judge.explains()));
                if (!verdict.accepted()) {
                    throw new RejectException(Handshakes.withoutPort(verdict));
                }
                if (verdict.epoch() == matters.epoch()) {
                    return verdict.epoch();
                }
            }
        } catch (StoreException failure) {
            throw unjudged(target, failure.getMessage(), failure);
        }
        throw unjudged(target, "the policy changed again and again during the handshake: connect again", null);
    }

    // ---------------------------------------------------------------- after the handshake

    /** The exception of JSSE's kind for a refusal. */
    static SSLHandshakeException failed(RejectException no) {
        var failure = new SSLHandshakeException(no.getMessage());
        failure.initCause(no.again());
        return failure;
    }

    /** Throws the refusal where there is one. */
    synchronized void requireNoRefusal() throws SSLHandshakeException {
        if (refusal != null) {
            throw failed(refusal);
        }
    }

    /** Opens, when a handshake is over whose chain was judged. */
    synchronized void complete(SSLSession session) throws SSLHandshakeException {
        requireNoRefusal();
        List<Certificate> shown = null;
        try {
            shown = Arrays.asList(session.getPeerCertificates());
        } catch (SSLPeerUnverifiedException none) {
            // Then nothing was judged.
        }
        if (judgedChain == null || !judgedChain.equals(shown)) {
            refuse(unjudged(
                    target, "the handshake ended without asking the policy, as if it had resumed a session", null));
            throw failed(refusal);
        }
        mark(session);
        isOpen = true;
    }

    /** Notes the verdict in the session, for the judge's hostname verifier. */
    synchronized void mark(SSLSession session) {
        JudgedSession.mark(session, judge, target.host());
    }

    /**
     * Called before octets of the program's go out. Where another policy is in force than the one
     * that accepted, or the table is stale, judges again by what the handshake showed. A refusal
     * closes the gate.
     */
    void use() throws SSLHandshakeException {
        Backend.Mark now;
        try {
            now = judge.store().backend().mark();
        } catch (StoreException failure) {
            synchronized (this) {
                refuse(unjudged(target, failure.getMessage(), failure));
                throw failed(refusal);
            }
        }
        synchronized (this) {
            requireNoRefusal();
            if (!isOpen) {
                throw new SSLHandshakeException("hawser: the connection was not judged");
            }
            if (now.equals(mark) && !now.isRefusing()) {
                return;
            }
            try {
                epoch = accepted(judge, question, target, before -> mark = before);
            } catch (RejectException no) {
                refuse(no);
                throw failed(no);
            }
        }
    }

    /** Whether the connection may go on under the policy in force, as when a pool hands it out. */
    boolean holds() {
        try {
            if (!isOpen) {
                return false;
            }
            use();
            return true;
        } catch (SSLHandshakeException no) {
            return false;
        }
    }
}
