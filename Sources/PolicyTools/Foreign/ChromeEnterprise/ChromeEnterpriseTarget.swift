import PolicyCompiler
package import TrustEngine

/// Chrome's enterprise lists of certificates as a target of exports: `ChromeEnterpriseImport` is
/// its model.
package struct ChromeEnterpriseTarget: ForeignTarget {
    package static let name = "chrome-enterprise"
    package static let title = "a file of Chrome's enterprise policies"
    package static let system = "Chrome"
    package static let usualFile = "certificates.json"
    package static let limitsAnchorsByName = true
    package static let unstated = [
        "pins", "revocation", "transparency", "tls", "keys", "signatures", "path", "validity",
        "identity", "forbidden-keys", "checks", "waivers", "report-only",
    ]

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        ChromeEnterpriseImport.policy(
            of: try ChromeEnterpriseReader.read(file.source.bytes), source: file.source,
            crypto: crypto)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        try ChromeEnterpriseExport.file(policy, over: existing)
    }
}
