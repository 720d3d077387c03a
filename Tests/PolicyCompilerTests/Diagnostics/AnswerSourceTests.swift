import PolicyCompiler
import Testing

@testable import generate_tables

/// The types that write an answer as JSON, made from a small schema.
@Suite struct AnswerSourceTests {
    static let schema = """
        {
          "required": ["schema", "asked", "class"],
          "properties": {
            "schema": { "const": "hawser/small/1" },
            "asked": { "type": "boolean" },
            "reason": { "type": "string" },
            "class": { "type": ["string", "null"] },
            "found-by": { "$ref": "#/definitions/count" },
            "entries": { "type": "array", "items": { "$ref": "#/definitions/entry" } }
          },
          "oneOf": [
            { "properties": { "asked": { "const": true } }, "required": ["entries"] },
            {
              "properties": { "asked": { "const": false } },
              "required": ["reason"],
              "not": { "required": ["found-by"] }
            }
          ],
          "definitions": {
            "count": { "type": "integer" },
            "place": { "type": "object", "properties": { "file": { "type": "string" } } },
            "entry": {
              "required": ["place", "witness", "port"],
              "properties": {
                "place": { "oneOf": [{ "$ref": "#/definitions/place" }, { "type": "null" }] },
                "witness": { "properties": { "host": { "enum": ["a", "b"] } } },
                "port": { "$ref": "#/definitions/count" }
              }
            }
          }
        }
        """

    private static func source(_ text: String) throws -> String {
        let file = SourceFile(path: "small.schema.json", bytes: Array(text.utf8))
        return try AnswerSource(
            schema: "small", namespace: "SmallJSON", foreign: ["place"], isShared: false
        ).source(SyntaxParser.parse(file, fileIndex: 0))
    }

    @Test("each branch, object and property, in the schema's order")
    func source() throws {
        let made = try Self.source(Self.schema)
        let parts = made.split(separator: "enum SmallJSON {\n")
        #expect(
            parts.last.map(String.init) == """
                    struct Document: JSONObject {
                        let json: JSONValue

                        init(class: String?, foundBy: Int? = nil, entries: [Entry]) {
                            json = .object([
                                ("schema", .string("hawser/small/1")),
                                ("asked", .bool(true)),
                                ("class", `class`?.json ?? .null),
                                ("found-by", foundBy?.json),
                                ("entries", entries.json),
                            ])
                        }

                        init(reason: String, class: String?) {
                            json = .object([
                                ("schema", .string("hawser/small/1")),
                                ("asked", .bool(false)),
                                ("reason", reason.json),
                                ("class", `class`?.json ?? .null),
                            ])
                        }
                    }

                    struct Entry: JSONObject {
                        let json: JSONValue

                        init(place: JSONValue, witness: Witness, port: some BinaryInteger) {
                            json = .object([
                                ("place", place.json),
                                ("witness", witness.json),
                                ("port", port.json),
                            ])
                        }

                        struct Witness: JSONObject {
                            let json: JSONValue

                            init(host: String?) {
                                json = .object([
                                    ("host", host?.json),
                                ])
                            }
                        }
                    }
                }

                """)
    }

    @Test("a reference to no definition is refused")
    func reference() {
        #expect(throws: ContractProblem(message: "the schema has no definition `entry`")) {
            try Self.source(Self.schema.replacing("\"entry\": {", with: "\"other\": {"))
        }
    }
}
