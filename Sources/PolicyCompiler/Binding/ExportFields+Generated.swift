// Generated from grammar/exports.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file

/// The keys of every map of a file of exports.
package enum ExportFields {
    /// The shape of `exports.yaml`, which `hawser export` reads: the files of other systems that a policy is written to.
    package static let file = MapShape(
        "file", "a file of exports",
        [
            FieldShape("hawser-exports", isRequired: true, example: "hawser-exports: 1"),
            FieldShape(
                "exports",
                isRequired: true,
                example: "exports: { ios: { to: ats-pins, file: ios/App/Info.plist } }"),
        ])
    /// A file of another system that a policy is written to.
    package static let export = MapShape(
        "export", "an export",
        [
            FieldShape("to", isRequired: true, example: "to: nsc"),
            FieldShape("file", isRequired: true, example: "file: ios/App/Info.plist"),
            FieldShape("hosts", example: "hosts: [\"**.shop.example\"]"),
            FieldShape("target-sdk", example: "target-sdk: 36"),
        ])
    /// Every map, in the order of the schema.
    package static let all: [MapShape] = [
        file,
        export,
    ]
}
