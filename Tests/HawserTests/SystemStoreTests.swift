import Foundation
import Hawser
import Testing

/// The machine's trust store as a file.
@Suite struct SystemStoreTests {
    private static func block(_ label: String, _ bytes: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Data(bytes).base64EncodedString())\n-----END \(label)-----\n"
    }

    @Test func givesTheCertificatesInTheirOrder() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "store.pem",
            "# Example Root\n" + Self.block("CERTIFICATE", [1, 2, 3])
                + Self.block("PUBLIC KEY", [9]) + Self.block("CERTIFICATE", [4, 5]))
        #expect(try SystemStore.read(path: folder.at("store.pem")) == [[1, 2, 3], [4, 5]])
    }

    @Test func aBrokenStoreIsAnErrorAndNotAShorterStore() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "store.pem",
            Self.block("CERTIFICATE", [1, 2, 3])
                + "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n")
        #expect(code { try SystemStore.read(path: folder.at("store.pem")) } == .unreadable)
    }
}
