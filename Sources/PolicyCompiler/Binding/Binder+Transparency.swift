internal import TrustEngine

// Values of `transparency` (LANGUAGE section 8).
extension Binder {
    /// The digest of the log list that a path names. The file is read and checked once, and its
    /// bytes become a part of the policy.
    func logList(_ entry: MapEntry, _ path: String) -> Digest? {
        let scanned = scan(entry, path: path) { text throws(ScalarProblem) in
            try RelativePathScanner.scan(text, namedIn: self.currentPath)
        }
        guard let scanned else { return nil }
        guard !scanned.value.isFolder else {
            report(
                .unknownValue,
                "`\(path)` takes the path of one file; found \(quoted(entry.value.text)), a folder",
                at: scanned.span, help: ["for example `\(entry.shape.example)`"])
            return nil
        }
        let file = Located(value: scanned.value.path, span: scanned.span)
        if let digest = logListDigests[file.value] { return digest }
        let bytes: [UInt8]
        do throws(ResourceError) {
            bytes = try files.read(file.value)
        } catch {
            report(error, of: file)
            return nil
        }
        guard bytes.count <= LogListFile.limit else {
            report(
                .limits,
                "`\(file.value)` has \(bytes.count) octets; a log list has at most "
                    + "\(LogListFile.limit)", at: file.span)
            return nil
        }
        if let problem = LogListFile.problem(bytes, crypto: crypto) {
            report(
                .anchorUnreadable, "`\(file.value)` is no log list: it \(problem)", at: file.span,
                help: ["version 3 of log_list.json has `log_list_timestamp` and `operators`"])
            return nil
        }
        let digest = crypto.digest(.sha256, of: bytes.span)
        logListDigests[file.value] = digest
        policy.logLists[digest] = bytes
        return digest
    }
}
