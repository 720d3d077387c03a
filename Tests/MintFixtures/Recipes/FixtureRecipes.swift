/// Every recipe whose files are checked in. A new one is a file beside this one and a line here.
public enum FixtureRecipes {
    /// The recipes, in the order they run.
    public static let all: [FixtureRecipe] =
        [
            afnetworking, alamofireManager, anchorTerms, androidNSC, anchorsOnly, anotherName,
            atsExceptions, classicFailures, envoyUpstream, fleet, interceptingProxy,
            privatePKI, protectionSpace, review, revocationFlags, sameKeyRenewal, secTrust, spiffe,
            startup, systemDefault,
            tangledChain, waivers, webLifetimes,
        ] + twelveOrganisations
}
