import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import TrustEngine

/// `hawser import nsc`: writes a unit from an Android Network Security Configuration.
struct ImportNSCCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "nsc",
        abstract: "Write what an Android Network Security Configuration means.",
        discussion: """
            FILE is `res/xml/network_security_config.xml` in the source of an app. The policy has a \
            rule for each `domain-config` and the base as its `default`. Certificates of `@raw` \
            resources are copied.

            Each difference between the file and the policy is a finding with its place, its hosts \
            and its direction, and so is each part that Android ignores; `hawser rule CODE` \
            explains a code. A file that Android refuses is refused at the same place.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The configuration in XML, or -, standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The `targetSdkVersion` of the app, which decides Android's defaults.",
            valueName: "number"))
    var targetSdk = 34

    @Flag(help: "Take `debug-overrides` over, as an app that can be debugged does.")
    var debuggable = false

    @Option(
        help: ArgumentHelp(
            "The app's folder of resources; by default the one that FILE lies in.",
            valueName: "res"), completion: .directory)
    var resources: String?

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        guard (1...10_000).contains(targetSdk) else {
            throw .couldNotAsk("`--target-sdk` takes a number such as 34; found `\(targetSdk)`")
        }
        return try ForeignFileRun(file, options).answer(
            named: "network_security_config.xml",
            read: { octets throws(ForeignError) in
                try NSCReader.read(octets, isDebuggable: debuggable)
            },
            policy: { read, source throws(CommandFailure) in
                var certificates: [String: [Certificate]] = [:]
                for name in read.resources {
                    guard let path = path(of: name) else { continue }
                    certificates[name] = try CertificateFile.withoutKey(path, Self.advice)
                }
                return NSCImport.policy(
                    of: read, app: NSCModel.App(targetSDK: targetSdk, isDebuggable: debuggable),
                    source: source, resources: certificates, owner: options.owner,
                    crypto: EngineLoader.makeBackend())
            })
    }

    // MARK: Resources

    /// The endings of resources with certificates. Android ignores the ending.
    private static let endings = ["", ".pem", ".crt", ".cer", ".der", ".txt"]

    /// The file of a resource such as `raw/my_ca`; nil if there is none.
    private func path(of name: String) -> String? {
        let local = name.split(separator: ":").last.map(String.init) ?? name
        guard let folder = resources ?? ownResources else { return nil }
        return ImportNSCCommand.endings.map { "\(folder)/\(local)\($0)" }.first(
            where: NamedPath.isFile)
    }

    /// The folder of resources that the file lies in: the parent of `xml`.
    private var ownResources: String? {
        guard file != InputFile.standardInput else { return nil }
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[parts.count - 2].hasPrefix("xml") else { return nil }
        let parents = parts.dropLast(2)
        return parents.isEmpty ? "." : parents == [""] ? "/" : parents.joined(separator: "/")
    }

    private static let advice =
        ", which everybody who has the app can read; take it out, and replace the key"
}
