// Effective rules, places and traces are made of the engine's types: instants, patterns, violations.
// So an importer of PolicyReading also gets the members of these types, as an importer of Hawser
// does.
@_exported public import TrustEngine
