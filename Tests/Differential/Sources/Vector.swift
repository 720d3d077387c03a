import Foundation

/// What a peer says of a case.
enum PeerVerdict: Hashable {
    case accept
    /// With its own words.
    case reject(String)
    /// It has no counterpart for what the case asks.
    case declined(String)

    /// Words of others, cut to one line of a table, without the certificates printed into them.
    static func oneLine(_ words: String) -> String {
        var line = ""
        var depth = 0
        for character in words.split(whereSeparator: \.isNewline).joined(separator: " ") {
            if character == "(" { depth += 1 }
            if depth == 0 { line.append(character) }
            if character == ")", depth > 0 { depth -= 1 }
        }
        line = line.replacing("|", with: "/").replacing("`", with: "'")
        return line.count > 160 ? line.prefix(159) + "…" : line
    }
}

/// A case, as far as peers are asked, in the format of the runner `conformance`.
struct Vector: Decodable {
    struct Name: Decodable {
        let kind: String
        let value: String
    }

    let id: String
    let suite: String
    let description: String?
    let strength: String
    let isValid: Bool
    let trusted: [Data]
    let bag: [Data]
    let peer: Data
    let ocspResponses: [Data]
    let time: Date?
    let peerName: Name?
    let revocation: String
    let features: Set<String>
    /// The oddities of a minted shape; nil for other cases.
    let oddities: [String]?

    /// The instant for cases that prescribe none; the runner's.
    static let presentDay = Date(timeIntervalSince1970: 1_795_219_200)

    private enum Key: String, CodingKey {
        case id, suite, description, strength, revocation, features, oddities
        case expected = "expected_result"
        case trusted = "trusted_certs"
        case bag = "untrusted_intermediates"
        case peer = "peer_certificate"
        case ocspResponses = "ocsp_responses"
        case time = "validation_time"
        case peerName = "expected_peer_name"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        id = try fields.decode(String.self, forKey: .id)
        suite = try fields.decode(String.self, forKey: .suite)
        description = try fields.decodeIfPresent(String.self, forKey: .description)
        strength = try fields.decode(String.self, forKey: .strength)
        isValid = try fields.decode(String.self, forKey: .expected) == "SUCCESS"
        trusted = try fields.decode([Data].self, forKey: .trusted)
        bag = try fields.decode([Data].self, forKey: .bag)
        peer = try fields.decode(Data.self, forKey: .peer)
        ocspResponses = try fields.decode([Data].self, forKey: .ocspResponses)
        peerName = try fields.decodeIfPresent(Name.self, forKey: .peerName)
        revocation = try fields.decode(String.self, forKey: .revocation)
        features = try fields.decode(Set<String>.self, forKey: .features)
        oddities = try fields.decodeIfPresent([String].self, forKey: .oddities)
        time = try fields.decodeIfPresent(String.self, forKey: .time).map { text in
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            return try Date(text, strategy: style)
        }
    }

    /// What a minted shape is, in short: its oddities; of the plainest chains their form.
    var subject: String {
        guard let oddities, !oddities.isEmpty else { return description ?? "" }
        return oddities.joined(separator: "; ")
    }

    /// Every case of files, or of the files with the ending `ndjson` in folders.
    static func read(_ paths: [String]) throws -> [Vector] {
        let decoder = JSONDecoder()
        return try files(paths).flatMap { file in
            try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
                try decoder.decode(Vector.self, from: Data($0))
            }
        }
    }

    private static func files(_ paths: [String]) throws -> [URL] {
        try paths.flatMap { path -> [URL] in
            let url = URL(filePath: path)
            guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
                return [url]
            }
            return try FileManager.default.contentsOfDirectory(
                at: url, includingPropertiesForKeys: nil
            ).filter { $0.pathExtension == "ndjson" }.sorted { $0.path < $1.path }
        }
    }
}

/// What `conformance --beside-libcrypto --json` wrote of one case.
struct RunnerCase: Decodable {
    struct Other: Decodable {
        let verdict: String
        let reason: String?
    }

    let id: String
    let verdict: String
    let reason: String?
    let libcrypto: Other?

    static func read(_ path: String) throws -> [String: RunnerCase] {
        struct File: Decodable { let cases: [RunnerCase] }
        let file = try JSONDecoder().decode(
            File.self, from: Data(contentsOf: URL(filePath: path)))
        return Dictionary(file.cases.map { ($0.id, $0) }) { first, _ in first }
    }
}

extension PeerVerdict {
    init(_ verdict: String, _ reason: String?) {
        switch verdict {
        case "accept": self = .accept
        case "declined": self = .declined(PeerVerdict.oneLine(reason ?? ""))
        default: self = .reject(PeerVerdict.oneLine(reason ?? "rejects"))
        }
    }
}
