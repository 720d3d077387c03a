/// Swift source that holds a schema of `grammar/` as it is, so that `hawser schema` prints it
/// without a file beside the command.
enum SchemaSource {
    /// Every schema by the word that `hawser schema` takes: `show` is `grammar/show.schema.json`.
    static let names = [
        "policy", "baseline", "diagnostics", "fetch", "inspect", "receipt", "report", "revocations",
        "rules", "show", "trace", "why-not",
    ]

    /// The generated file of a schema.
    static func file(_ name: String) -> GeneratedFile {
        let parts = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let contract = "grammar/\(name).schema.json"
        return GeneratedFile(
            name: "\(name)-schema", contract: contract,
            target: "Sources/HawserCommand/Schemas/\(parts.joined())Schema+Generated.swift",
            source: .text { bytes throws(ContractProblem) in
                try source(bytes, of: contract, property: property(parts) + "Text")
            })
    }

    private static func source(
        _ bytes: [UInt8], of contract: String, property: String
    ) throws(ContractProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("}\n") else {
            throw ContractProblem(message: "\(contract) is no object with a line feed behind it")
        }
        // A raw literal holds everything but its own end.
        guard !text.contains("\"\"\"#") else {
            throw ContractProblem(message: "\(contract) holds \"\"\"#, which ends a literal")
        }
        return """
            // Made by `swift run generate-tables` from \(contract). Do not edit.
            // swift-format-ignore-file

            extension PrintedSchema {
                /// \(contract), octet by octet.
                static var \(property): String {
                    #\"""

            """ + text + """

                \"""#
                    }
                }

                """
    }

    private static func property(_ parts: [String]) -> String {
        (parts.first?.lowercased() ?? "") + parts.dropFirst().joined()
    }
}
