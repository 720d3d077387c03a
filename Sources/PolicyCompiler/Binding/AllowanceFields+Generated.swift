// Generated from grammar/allow.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file

/// The keys of every map of a file of allowances.
package enum AllowanceFields {
    /// The shape of a file of allowances, `NAME.allow.yaml`, which `hawser diff --allow` reads: weakenings that were decided, each until a day.
    package static let file = MapShape(
        "file", "a file of allowances",
        [
            FieldShape("hawser-allow", isRequired: true, example: "hawser-allow: 1"),
            FieldShape(
                "allowances",
                isRequired: true,
                example: "allowances: { slow-responder: { hosts: [\"**.cdn.example\"], field: revocation.preset, from: require, to: best-effort, reason: \"responder is replaced\", owner: web, until: 2027-01-31 } }"),
        ])
    /// One weakening that is allowed until a day: one field, from one value to another, for the classes of hosts inside some patterns.
    package static let allowance = MapShape(
        "allowance", "an allowance",
        [
            FieldShape("hosts", isRequired: true, example: "hosts: [\"**.cdn.example\"]"),
            FieldShape("field", isRequired: true, example: "field: revocation.preset"),
            FieldShape("from", isRequired: true, example: "from: require"),
            FieldShape("to", isRequired: true, example: "to: best-effort"),
            FieldShape("also", example: "also: [\"now accepted: rsa-pkcs1\"]"),
            FieldShape("reason", isRequired: true, example: "reason: \"responder is replaced\""),
            FieldShape("owner", isRequired: true, example: "owner: web"),
            FieldShape("until", isRequired: true, example: "until: 2027-01-31"),
        ])
    /// Every map, in the order of the schema.
    package static let all: [MapShape] = [
        file,
        allowance,
    ]
}
