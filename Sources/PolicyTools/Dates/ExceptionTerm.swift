/// How long an exception may last before the linter reports it.
enum ExceptionTerm {
    /// 180 days in seconds, which LANGUAGE calls short.
    static let longest: Int64 = 180 * 86_400
}
