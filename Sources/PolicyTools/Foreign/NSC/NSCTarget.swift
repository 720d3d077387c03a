import PolicyCompiler
package import TrustEngine

/// Android's Network Security Configuration as a target of exports: `NSCModel` is its model.
package struct NSCTarget: ForeignTarget {
    package static let name = "nsc"
    package static let title = "an Android Network Security Configuration"
    package static let system = "Android"
    package static let options: [ForeignOption] = [.targetSDK]
    package static let usualFile = "network_security_config.xml"
    package static let hasBounds = true
    package static let unstated = [
        "revocation", "transparency", "tls", "keys", "signatures", "path", "validity", "identity",
        "forbidden-keys", "checks",
    ]

    private let app: NSCModel.App

    package init(_ options: [ForeignOption: Int]) {
        app = NSCModel.App(targetSDK: options[.targetSDK] ?? NSCModel.App().targetSDK)
    }

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        let read = try NSCReader.read(file.source.bytes, isDebuggable: false)
        var resources: [String: [Certificate]] = [:]
        for name in read.resources {
            guard let octets = Self.octets(of: name, file) else { continue }
            resources[name] = try ForeignCertificates.read(octets, named: "@\(name)", at: 0..<0)
        }
        return NSCImport.policy(
            of: read, app: app, source: file.source, resources: resources,
            zone: bound == .strictest ? .last : .first, crypto: crypto)
    }

    /// The endings of resources with certificates. Android ignores the ending.
    private static let endings = ["", ".pem", ".crt", ".cer", ".der", ".txt"]

    /// The octets of a resource such as `raw/my_ca`, which lies beside the folder of the file.
    private static func octets(of name: String, _ file: ForeignFile) -> [UInt8]? {
        let local = name.split(separator: ":").last.map(String.init) ?? name
        return endings.lazy.compactMap { file.companion("../\(local)\($0)") }.first
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        try NSCExport.file(policy, over: existing)
    }
}
