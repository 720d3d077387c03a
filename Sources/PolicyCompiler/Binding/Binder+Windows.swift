internal import TrustEngine

// Windows of time (LANGUAGE section 11).
extension Binder {
    /// A window of time: `from`, `until` or both. A date without a time includes the whole day. A
    /// window that contains no instant is an error.
    func window(_ entry: MapEntry?, path: String) -> Located<DateWindow>? {
        guard let entry, let shape = entry.shape.map,
            let map = section(
                entry.value, shape: shape, name: path, example: entry.shape.example)
        else { return nil }
        let from = date(map["from"], path: "\(path).from")
        let until = date(map["until"], path: "\(path).until")
        let isWhole = ["from", "until"].allSatisfy { !map.mayHold($0) }
        guard isWhole, (map["from"] == nil) == (from == nil),
            (map["until"] == nil) == (until == nil)
        else { return nil }
        let window = DateWindow(from: from?.value.firstSecond, until: until?.value.lastSecond)
        if let from, let until, from.value.firstSecond > until.value.lastSecond {
            report(
                .flagConflict, "`\(path)` begins after it ends, so no time lies in it",
                at: until.span, labels: [Diagnostic.Label(from.span, "it begins here")],
                help: ["write the earlier date as `from`"])
            return nil
        }
        return Located(value: window, span: entry.value.span)
    }
}
