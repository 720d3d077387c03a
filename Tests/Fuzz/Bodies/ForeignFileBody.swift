import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import TrustEngine

/// A file of another system, as each of those that are imported: what can be imported is a policy
/// that compiles, and every place that is told lies inside the file.
enum ForeignFileBody {
    private static let crypto = LibCryptoBackend()

    static func run(_ bytes: [UInt8]) {
        let source = SourceFile(path: "file.xml", bytes: bytes)
        runPins(bytes, source)
        do throws(ForeignError) {
            let file = try NSCReader.read(bytes, isDebuggable: bytes.count % 2 == 0)
            let app = NSCModel.App(targetSDK: 20 + bytes.count % 20)
            check(NSCImport.policy(of: file, app: app, source: source, crypto: crypto), source)
        } catch {
            check(error, source)
        }
        do throws(ForeignError) {
            let text = SourceFile(path: "Info.plist", bytes: try ATSReader.text(of: bytes))
            do throws(ForeignError) {
                check(ATSImport.policy(of: try ATSReader.read(text.bytes), source: text), text)
            } catch {
                check(error, text)
            }
        } catch {
            check(error, source)
        }
    }

    /// The bytes as each list of pins, and as a curl command.
    private static func runPins(_ bytes: [UInt8], _ source: SourceFile) {
        let version = [OkHttpModel.Version(3, 13), OkHttpModel.Version(5, 0)][bytes.count % 2]
        attempt(source) { () throws(ForeignError) in
            PinListImport.policy(
                of: OkHttpModel(
                    try OkHttpReader.read(bytes, OkHttpReader.language(of: "", bytes), version),
                    version), command: "okhttp", source: source)
        }
        attempt(source) { () throws(ForeignError) in
            PinListImport.policy(
                of: PinsJSONModel(try PinsJSONReader.read(bytes, takesAll: bytes.count % 2 == 0)),
                command: "pins-json", source: source)
        }
        attempt(source) { () throws(ForeignError) in
            PinListImport.policy(
                of: TrustKitModel(
                    try TrustKitReader.read(bytes, TrustKitReader.form(of: "", bytes))),
                command: "trustkit", source: source)
        }
        attempt(source) { () throws(ForeignError) in
            try CurlImport.policy(
                of: try CurlReader.read(bytes),
                version: CurlModel.Version(splitsAtSemicolons: bytes.count % 2 == 0),
                source: source)
        }
    }

    private static func attempt(
        _ source: SourceFile, _ work: () throws(ForeignError) -> ForeignImport
    ) {
        do throws(ForeignError) {
            check(try work(), source)
        } catch {
            check(error, source)
        }
    }

    private static func check(_ error: ForeignError, _ source: SourceFile) {
        require(!error.message.isEmpty, "an error has words")
        check(error.diagnostic, source)
    }

    private static func check(_ finding: Diagnostic, _ source: SourceFile) {
        let span = finding.primary.span
        require(
            span.start <= span.end && Int(span.end) <= source.bytes.count,
            "a finding is about a place of the file")
    }

    private static func check(_ imported: ForeignImport, _ source: SourceFile) {
        for finding in imported.findings { check(finding, source) }
        guard !imported.findings.contains(where: { $0.severity == .error }) else { return }
        let text = Array(imported.policy.text.utf8)
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: text)],
            resources: NoFiles(),
            isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        require(
            !compiled.diagnostics.contains { $0.severity == .error },
            "the written policy compiles")
    }

    /// The files of a unit that names none.
    private struct NoFiles: UnitResources {
        func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
            throw ResourceError(code: .notFound, context: "the unit has no files")
        }

        func list(_ folder: String) throws(ResourceError) -> [String] { [] }
    }

    private static let key = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let pin = Base64.encode([UInt8](repeating: 0x11, count: 32))

    static let seeds: [[UInt8]] =
        [
            """
            <?xml version="1.0"?><network-security-config><base-config hstsEnforced="true">
            <trust-anchors><certificates src="system"/><certificates src="user"/></trust-anchors>
            </base-config><domain-config cleartextTrafficPermitted="true">
            <domain includeSubdomains="true">a.example</domain><pin-set expiration="2027-06-30">
            <pin digest="SHA-256">\(pin)</pin></pin-set><domain-config><domain>b.a.example</domain>
            <trust-anchors><certificates src="system" overridePins="true"/></trust-anchors>
            </domain-config></domain-config><debug-overrides/></network-security-config>
            """,
            """
            <!DOCTYPE plist PUBLIC "x" "y"><plist><dict><key>NSAppTransportSecurity</key><dict>
            <key>NSAllowsArbitraryLoads</key><true/><key>NSExceptionDomains</key><dict>
            <key>a.example</key><dict><key>NSIncludesSubdomains</key><true/>
            <key>NSExceptionMinimumTLSVersion</key><string>TLSv1.0</string></dict></dict>
            <key>NSPinnedDomains</key><dict><key>b.example</key><dict>
            <key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key>
            <string>\(pin)</string></dict></array></dict></dict></dict></dict></plist>
            """,
            """
            val p = okhttp3.CertificatePinner.Builder() // "
                .add("**.a.com", "sha256/\(key)", "sha1/DmxUShsZuNiqPQsX2Oi9uv2sCnw=")
                .add("*.b.com:443", "sha256/" + "\(pin)", X).apply { add(1) }.build()
            """,
            """
            NSDictionary *c = @{ kTSKPinnedDomains : @{ @"a.com" : @{ kTSKEnforcePinning : @(YES),
            kTSKIncludeSubdomains: @YES, kTSKExpirationDate: @"2027-06-30",
            kTSKPublicKeyHashes : @[ @"\(key)", @"\(pin)", p ] }, @"x.a.com" : @{
            kTSKExcludeSubdomainFromParentPolicy: @YES } } };
            """,
            """
            {"enforcePinning": true, "domains": {"**.a.com": {"hashes": ["\(key)", "\(pin)"]},
            "a.com": {"pins": "sha256/\(key)", "expirationDate": "2027-06-30", "notes": ""}}}
            """,
            """
            X=1 curl -fsSL -k --pinnedpubkey 'sha256//\(key);sha256//\(pin)' \\
              --tlsv1.0 --tls-max 1.2 --ciphers X "https://a.com:8443/$x" http://b.com > out 2>&1
            """,
            """
            # settings
            pinnedpubkey = "sha256//\(key);"
            url: "https://[::1]:444/"
            -k
            """,
        ].map { Array($0.utf8) } + [binary]

    /// A binary list of `NSAllowsArbitraryLoads`.
    private static let binary: [UInt8] = {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in [
            [0xD1, 1, 2], [0x5F, 0x10, 22] + Array("NSAppTransportSecurity".utf8), [0xD1, 3, 4],
            [0x5F, 0x10, 22] + Array("NSAllowsArbitraryLoads".utf8), [0x09],
        ] as [[UInt8]] {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        bytes +=
            [0, 0, 0, 0, 0, 0, 0, 5] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
        return bytes
    }()
}
