package hawser.tls;

import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets the program's code run on a thread of this package: its logger, its function for changes.
 * The library's own threads hand a line over and go on.
 */
final class Journal {
    /** Lines that wait. Further ones are counted and dropped: who logs may be judging. */
    private static final int MOST = 1024;

    private static final AtomicLong lost = new AtomicLong();

    // One thread for all stores, which ends when nothing came for some seconds.
    private static final ThreadPoolExecutor writer = new ThreadPoolExecutor(
            0, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST),
            work -> {
                var thread = new Thread(work, "hawser-log");
                thread.setDaemon(true);
                return thread;
            },
            (work, executor) -> lost.incrementAndGet());

    private Journal() {}

    /** Runs some work of the program's soon, in order. */
    static void soon(Runnable work) {
        writer.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException ignored) {
                // A logger that throws costs its line.
            }
        });
    }

    /** A line of log. */
    static void log(System.Logger logger, Level level, String line) {
        if (logger == null) {
            return;
        }
        soon(() -> {
            long missed = lost.getAndSet(0);
            if (missed > 0) {
                logger.log(Level.WARNING, missed + " lines were not logged, as too many waited");
            }
            logger.log(level, line);
        });
    }

    /** The level for a number of hawser_log_function. */
    static Level level(int number) {
        return switch (number) {
            case 0 -> Level.TRACE;
            case 1 -> Level.DEBUG;
            case 2, 3 -> Level.INFO;
            case 4 -> Level.WARNING;
            default -> Level.ERROR;
        };
    }
}
