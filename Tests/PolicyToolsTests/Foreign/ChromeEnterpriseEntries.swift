import Foundation
import Testing

/// The entries of a file of Chrome's enterprise policies, read by Foundation.
struct ChromeEnterpriseEntries {
    struct Entry {
        let der: [UInt8]
        /// `permitted_dns_names`; nil for a certificate without constraints.
        let names: [String]?
    }

    let entries: [Entry]

    init(_ octets: [UInt8]) throws {
        let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
        let text = lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n")
        let root = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        func der(_ value: Any?) throws -> [UInt8] {
            let text = try #require(value as? String)
            return Array(try #require(Data(base64Encoded: text)))
        }
        var entries = try (root["CACertificates"] as? [Any] ?? []).map {
            Entry(der: try der($0), names: nil)
        }
        for value in root["CACertificatesWithConstraints"] as? [[String: Any]] ?? [] {
            let limits = try #require(value["constraints"] as? [String: Any])
            entries.append(
                Entry(
                    der: try der(value["certificate"]),
                    names: try #require(limits["permitted_dns_names"] as? [String])))
        }
        self.entries = entries
    }
}
