import Hawser

/// Judges one request by a table file, as a program does that runs once: whether the server is
/// trusted, and the reasons in full where it is not.
func judgeOnce(
    _ request: TrustRequest, table path: String
) throws(TableLoadError) -> (isTrusted: Bool, reasons: String) {
    let engine = try EngineLoader.load(tableFile: path)
    if engine.evaluate(request).isAccept { return (true, "") }
    return (false, engine.explain(request).rendered(as: .text))
}
