// A compiled policy is a table of the engine, and what is bound on the way holds the engine's types.
// So an importer of PolicyCompiler also gets the members of these types, as an importer of Hawser
// does.
@_exported public import TrustEngine
