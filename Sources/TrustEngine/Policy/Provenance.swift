/// Where each part of a policy was written: a droppable section of the table, outside the policy
/// digest, that `explain`, `show` and diagnostics cite.
package struct Provenance: Hashable, Sendable {
    /// A place in a policy file; lines and columns count from 1, columns in characters.
    package struct Location: Hashable, Sendable {
        /// Path relative to the unit's root, with `/`.
        package var file: String
        package var line: Int
        package var column: Int
        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
        /// `file:line:column`.
        package var description: String { "\(file):\(line):\(column)" }
    }

    /// JSON pointers to places: a named thing's to its name (`/rules/api`, `/pins/acme`,
    /// `/anchors/corp`, `/profiles/app`, `/rules/api/identity`, `/rules/api/waivers/expired`,
    /// `/default`), all others to the value (`/rules/api/hosts/0` in source order,
    /// `/rules/api/hosts/api.acme.example` by canonical pattern with any `/` as it is,
    /// `/rules/api/pins`, `/rules/api/keys/rsa-minimum`, `/profiles/app/keys/rsa-minimum`,
    /// `/pins/acme/keys/one`, `/pins/acme/backups/two`, `/pins/acme/enforce-until`,
    /// `/default/anchors`).
    package var locations: [String: Location]
    /// The profile that each profile extends; built-in ones are not listed.
    package var parents: [String: String]

    package init(locations: [String: Location] = [:], parents: [String: String] = [:]) {
        self.locations = locations
        self.parents = parents
    }
}
