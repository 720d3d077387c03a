// A service that imports Hawser needs types of the engine too: requests, verdicts, traces,
// evidence.
//
// `@_exported` has an underscore, but the alternative does not work. With a type alias for each
// type, a service could name `Verdict` and not read `verdict.isAccept`, because the members of a
// type are visible only where the module that declares them is imported (`MemberImportVisibility`).
// swift-nio and swift-collections export their parts by the same attribute. So every public symbol
// of TrustEngine is a public symbol of Hawser.
@_exported public import TrustEngine
