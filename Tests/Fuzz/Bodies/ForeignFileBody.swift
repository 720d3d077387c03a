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
        do throws(ForeignError) {
            let file = try CertdataReader.read(bytes)
            check(CertdataImport.policy(of: file, source: source, crypto: crypto), source)
        } catch {
            check(error, source)
        }
        readStore(bytes)
        mesh(bytes, source)
    }

    /// Reads a trust store with a password, except where the number of octets is even.
    private static func readStore(_ bytes: [UInt8]) {
        var listing = StoreListing()
        var store: StoreFile?
        var refusal: ForeignError?
        do throws(ForeignError) {
            store = try StoreReader.read(
                bytes, password: bytes.count % 2 == 0 ? nil : .javaDefault, listing: &listing,
                crypto: crypto, passwords: FewIterations())
        } catch {
            refusal = error
        }
        let source = SourceFile(path: "store", bytes: listing.octets)
        require(
            listing.octets.allSatisfy { $0 >= 0x20 || $0 == 0x0A },
            "names of entries have no control characters")
        if let refusal { check(refusal, source) }
        guard let store else { return }
        check(
            StoreImport.policy(
                of: store, takesAll: bytes.count % 3 == 0, source: source, crypto: crypto), source)
    }

    /// The cryptography of passwords without the time that many iterations take.
    private struct FewIterations: PasswordCryptography {
        private let crypto = LibCryptoPasswords()

        func pbkdf2(
            _ hash: PasswordHash, password: [UInt8], salt: [UInt8], iterations: Int, octets: Int
        ) -> [UInt8]? {
            crypto.pbkdf2(
                hash, password: password, salt: salt, iterations: min(iterations, 100),
                octets: octets)
        }

        func pkcs12Key(
            _ hash: PasswordHash, _ purpose: PasswordKeyPurpose, password: [UInt8],
            salt: [UInt8], iterations: Int, octets: Int
        ) -> [UInt8]? {
            crypto.pkcs12Key(
                hash, purpose, password: password, salt: salt, iterations: min(iterations, 100),
                octets: octets)
        }

        func hmac(_ hash: PasswordHash, key: [UInt8], message: [UInt8]) -> [UInt8]? {
            crypto.hmac(hash, key: key, message: message)
        }

        func decrypt(
            _ cipher: PasswordCipher, key: [UInt8], vector: [UInt8], message: [UInt8]
        ) -> [UInt8]? {
            crypto.decrypt(cipher, key: key, vector: vector, message: message)
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

    private static func mesh(_ bytes: [UInt8], _ source: SourceFile) {
        do throws(ForeignError) {
            check(EnvoyImport.policy(of: try EnvoyReader.read(bytes), source: source), source)
        } catch {
            check(error, source)
        }
        do throws(ForeignError) {
            check(IstioImport.policy(of: try IstioFile.read(bytes), source: source), source)
        } catch {
            check(error, source)
        }
        do throws(ForeignError) {
            check(GatewayImport.policy(of: try GatewayReader.read(bytes), source: source), source)
        } catch {
            check(error, source)
        }
        do throws(ForeignError) {
            let imported = SPIFFEImport.policy(
                of: try SPIFFEBundle.read(bytes), trustDomain: "mesh.example", source: source,
                at: Scenario.judgedAt)
            check(imported, source)
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
        let files = Dictionary(imported.files.map { ($0.name, $0.certificates) }) { first, _ in
            first
        }
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: text)],
            resources: WrittenFiles(files: files),
            isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        require(
            !compiled.diagnostics.contains { $0.severity == .error },
            "the written policy compiles")
    }

    /// The certificates that an import writes.
    private struct WrittenFiles: UnitResources {
        let files: [String: [[UInt8]]]

        func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
            guard let certificates = files[path] else {
                throw ResourceError(code: .notFound, context: "the unit has no such file")
            }
            return Array(
                certificates.map { PEMWriter.block("CERTIFICATE", $0) }.joined().utf8)
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
            """
            BEGINDATA
            CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST
            CKA_LABEL UTF8 "A \\xC3\\xA9"
            CKA_ISSUER MULTILINE_OCTAL
            \\060\\000
            END
            CKA_SERIAL_NUMBER MULTILINE_OCTAL
            \\002\\001\\005
            END
            CKA_TRUST_SERVER_AUTH CK_TRUST CKT_NSS_NOT_TRUSTED
            """,
            """
            - name: api
              load_assignment: {endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address:
                {address: api.example, port_value: 443}}}}]}]}
              transport_socket: {typed_config: {"@type": x.UpstreamTlsContext, sni: api.example,
                auto_sni_san_validation: true, common_tls_context: {tls_params:
                {tls_minimum_protocol_version: TLSv1_0, cipher_suites: [ECDHE-RSA-AES128-SHA]},
                validation_context: {trusted_ca: {filename: /etc/ssl/cert.pem},
                verify_certificate_spki: ["\(pin)"], match_typed_subject_alt_names:
                [{san_type: URI, matcher: {prefix: "spiffe://a/b/"}}]}}}}
            """,
            """
            apiVersion: gateway.networking.k8s.io/v1
            kind: BackendTLSPolicy
            metadata: {name: a, creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              targetRefs: [{group: "", kind: Service, name: api}]
              validation:
                hostname: api.example
                wellKnownCACertificates: System
                subjectAltNames: [{type: URI, uri: "spiffe://a/b"}]
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: ca}
            data: {ca.crt: x}
            """,
            """
            {"keys": [{"use": "jwt-svid", "kid": "a"}, {"use": "x509-svid", "x5c": []}],
             "spiffe_sequence": 1, "spiffe_refresh_hint": 60}
            """,
        ].map { Array($0.utf8) } + [binary, javaStore, pkcs12]

    /// A root with its name, for stores.
    private static let root = Scenario().root("Fuzz", key: .p256("fuzz-store"))

    private static func number(_ value: Int, _ octets: Int) -> [UInt8] {
        (0..<octets).map { UInt8(value >> (8 * (octets - 1 - $0)) & 0xFF) }
    }

    /// JKS with one certificate, without a true digest.
    private static let javaStore: [UInt8] =
        number(0xFEED_FEED, 4) + number(2, 4) + number(1, 4) + number(2, 4) + number(1, 2) + [0x61]
        + number(0, 8) + number(5, 2) + Array("X.509".utf8) + number(root.der.count, 4) + root.der
        + number(0, 20)

    /// PKCS#12 with one certificate that stands open.
    private static let pkcs12: [UInt8] = {
        func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
            let content = parts.flatMap { $0 }
            return content.count < 0x80
                ? [tag, UInt8(content.count)] + content
                : content.count < 0x100
                    ? [tag, 0x81, UInt8(content.count)] + content
                    : [tag, 0x82] + number(content.count, 2) + content
        }
        func identifier(_ arcs: [UInt8]) -> [UInt8] {
            element(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1] + arcs)
        }
        func info(_ content: [UInt8]) -> [UInt8] {
            element(0x30, identifier([7, 1]), element(0xA0, element(4, content)))
        }
        let bag = element(
            0x30, identifier([12, 10, 1, 3]),
            element(
                0xA0,
                element(0x30, identifier([9, 22, 1]), element(0xA0, element(4, root.der)))))
        return element(
            0x30, [2, 1, 3], info(element(0x30, info(element(0x30, bag)))))
    }()

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
