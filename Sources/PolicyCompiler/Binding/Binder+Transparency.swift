internal import TrustEngine

// `transparency` (LANGUAGE section 8).
extension Binder {
    func bindTransparency(_ map: MapContents, _ fields: inout BoundFields) {
        bind(.transparencyPreset, in: map, &fields) {
            member($0, $1, of: PolicyWords.transparencyPreset, named: \TransparencyPreset.name)
        } write: {
            $0.transparency.preset = $1
            // A preset counts as writing both numbers in its layer.
            $0.transparency.minimumSCTs = nil
            $0.transparency.minimumOperators = nil
        }
        bind(.minimumSCTs, in: map, &fields) {
            integer($0, $1, in: 1...10)
        } write: {
            $0.transparency.minimumSCTs = $1
        }
        bind(.minimumOperators, in: map, &fields) {
            integer($0, $1, in: 1...10)
        } write: {
            $0.transparency.minimumOperators = $1
        }
        bind(.logList, in: map, &fields, read: logList) { $0.transparency.logList = $1 }
        bind(.logListMaximumAge, in: map, &fields) {
            duration($0, $1)
        } write: {
            $0.transparency.logListMaximumAge = $1
        }
        bind(.whenStale, in: map, &fields, read: action) { $0.transparency.whenStale = $1 }
        if let entry = map["exempt-anchors"] {
            let (bound, isWhole) = list(entry, path: ProfileField.exemptAnchors.rawValue) {
                id($0, field: ProfileField.exemptAnchors.rawValue, example: entry.shape.example)
            }
            fields.exemptAnchors = bound.items
            let ids = Set(bound.items.map(\.value)).sorted()
            bind(.exemptAnchors, in: map, &fields) { _, _ in
                isWhole && !ids.isEmpty ? ids : nil
            } write: {
                $0.transparency.exemptAnchors = $1
            }
        }
    }

    /// The log list of a path: the file is read and looked at once, and what it holds becomes part of
    /// the policy.
    private func logList(_ entry: MapEntry, _ path: String) -> Digest? {
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
