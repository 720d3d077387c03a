import PolicyCompiler
package import TrustEngine

/// App Transport Security in an `Info.plist` as a target of exports: `ATSModel` is its model.
package struct ATSTarget: ForeignTarget {
    package static let name = "ats-pins"
    package static let title = "the App Transport Security of an Info.plist"
    package static let system = "App Transport Security"
    package static let usualFile = "Info.plist"
    package static let unstated = [
        "revocation", "transparency", "anchors", "keys", "signatures", "path", "validity",
        "identity", "forbidden-keys", "checks", "tls.maximum-version", "tls.cipher-suites",
        "tls.groups", "tls.signature-schemes", "tls.alpn",
    ]

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        let text = try ATSReader.text(of: file.source.bytes)
        return ATSImport.policy(
            of: try ATSReader.read(text), source: SourceFile(path: file.source.path, bytes: text))
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        let export = ATSExport(policy)
        guard let existing else {
            let text = PropertyListEdit.document(ATSReader.key, export.lines)
            return ExportedFile(Array(text.utf8))
        }
        guard !BinaryPropertyList.isBinary(existing) else {
            throw ForeignError(
                .foreignSyntax, "this is a binary property list, which is not edited", at: 0..<8,
                help: ["`plutil -convert xml1 Info.plist` writes it as XML"])
        }
        // The whole part must be readable before a part of it is replaced.
        _ = try ATSReader.read(existing)
        return try PropertyListEdit(of: ATSReader.key, in: existing)
            .replacing(ATSExport.keys, by: export.lines)
    }
}
