/// Where each part of a policy is written. `explain`, `show` and diagnostics cite it. It is a
/// section of the table that may be dropped and that is outside the policy digest.
package struct Provenance: Hashable, Sendable {
    /// A place in a policy file. Lines and columns count from 1, columns in characters.
    package struct Location: Hashable, Sendable {
        /// Path relative to the root of the unit, with `/` between its parts.
        package var file: String
        package var line: Int
        package var column: Int
        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
        /// The place as `file:line:column`.
        package var description: String { "\(file):\(line):\(column)" }
    }

    /// The place of each JSON pointer. The pointer of a named thing gives the place of its name
    /// (`/rules/api`, `/pins/acme`, `/anchors/corp`, `/profiles/app`, `/rules/api/identity`,
    /// `/rules/api/waivers/expired`, `/default`). Every other pointer gives the place of its value
    /// (`/rules/api/hosts/0` in source order, `/rules/api/hosts/api.acme.example` by canonical
    /// pattern, whose `/` is not escaped, `/rules/api/pins`, `/rules/api/keys/rsa-minimum`,
    /// `/profiles/app/keys/rsa-minimum`, `/pins/acme/keys/one`, `/pins/acme/backups/two`,
    /// `/pins/acme/enforce-until`, `/default/anchors`).
    package var locations: [String: Location]
    /// The profile that each profile extends. Built-in profiles are not listed.
    package var parents: [String: String]

    package init(locations: [String: Location] = [:], parents: [String: String] = [:]) {
        self.locations = locations
        self.parents = parents
    }
}
