// A service that imports Hawser sees what it types of the engine too: requests, verdicts, traces,
// evidence.
//
// `@_exported` has an underscore, but the alternative does not work: with a type alias for each
// type in place of it, a service could name `Verdict` and not read `verdict.isAccept`, since the
// members of a type are visible only where the module that declares them is imported
// (`MemberImportVisibility`). swift-nio and swift-collections export their parts by the same
// attribute. What is public in TrustEngine is by this public in Hawser.
@_exported public import TrustEngine
