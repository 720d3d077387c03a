/// The exit status of the command. The output format never changes it.
enum ExitStatus: Int32 {
    /// No findings, or an accept, even with reported violations.
    case clean = 0
    /// Findings, or a reject.
    case findings = 1
    /// The question could not be asked: wrong usage, inputs that cannot be read, no connection, or
    /// a policy that does not compile where an answer needs it.
    case couldNotAsk = 2
    /// A fault of ours prevented the answer.
    case ownFault = 3
    /// `diff --detailed-exitcode`: the new policy is stricter, and nowhere weaker.
    case stricter = 10
    /// `diff --detailed-exitcode`: the new policy is weaker for at least one class of hosts.
    case weaker = 11
    /// `diff --detailed-exitcode`: no class is weaker, and at least one is incomparable.
    case incomparable = 12
    /// `run`: the program was not started, because of a fault of ours or of the command line. This
    /// status and the next two are as in `env`; common programs do not use them.
    case runFailed = 125
    /// `run`: the program cannot be judged, or the system does not execute it.
    case notStarted = 126
    /// `run`: the program was not found.
    case notFound = 127
}
