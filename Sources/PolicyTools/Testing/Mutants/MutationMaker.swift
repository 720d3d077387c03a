import Rendering
import TrustEngine

/// Makes the changes of a policy that a reviewer could overlook: a demand dropped or loosened, an
/// end moved out, a rule or a pattern gone or widened, an exception or a narrower rule added. One
/// change for each thing that the policy writes, so that what a profile writes is changed for all
/// its rules at once.
struct MutationMaker {
    let contents: PolicyContents
    let places: FieldPlaces
    let sets: PolicySets
    /// Whether the policy has places. Without them each rule is changed by itself.
    let hasPlaces: Bool
    private let locations: PlaceFinder

    init(_ table: PolicyTable) {
        contents = table.contents()
        places = FieldPlaces(table, contents)
        sets = PolicySets(contents)
        locations = PlaceFinder(
            provenance: table.provenance(), profile: BuiltInProfile.baseline.rawValue)
        hasPlaces = locations.hasProvenance
    }

    /// Every change, by its place; changes without a place stand last.
    ///
    /// - Parameter since: the earliest clock of the tests.
    func all(since: UTCInstant) -> [Mutation] {
        let made =
            rules.flatMap { ofRule($0) } + ofFields() + ofExceptions()
            + contents.rules.indices.flatMap { ofHosts($0) }
            + contents.anchorSets.flatMap(ofAnchors)
            + contents.pinSets.flatMap(ofPins) + ofDefault()
            + rules.flatMap { ofAdditions($0, since: since) }
            + contents.rules.indices.flatMap { ofAddedHosts($0) }
            + contents.anchorSets.flatMap(ofExchangedKeys)
        return PlaceOrder.sorted(made, \.location)
    }

    // MARK: Parts

    /// Every rule with a body; `default` last.
    var rules: [Int] {
        let named = Array(contents.rules.indices)
        guard case .body = contents.defaultRule else { return named }
        return named + [HostClass.byDefault]
    }

    func body(_ index: Int) -> RuleBody? {
        guard index == HostClass.byDefault else { return contents.rules[index].body }
        guard case .body(let body) = contents.defaultRule else { return nil }
        return body
    }

    /// A rule in a sentence.
    func name(_ index: Int) -> String {
        index == HostClass.byDefault ? "`default`" : "`\(contents.rules[index].id)`"
    }

    /// Rules in a sentence: the one, or the layer that they share.
    func name(_ indices: [Int], _ origin: FieldOrigin?) -> String {
        if case .profile(let id, _) = origin?.layer { return "profile `\(id)`" }
        return indices.first.map { name($0) } ?? ""
    }

    /// The policy with changed bodies.
    func changed(_ indices: [Int], _ change: (inout RuleBody) -> Void) -> PolicyContents {
        var contents = contents
        for index in indices {
            guard var body = body(index) else { continue }
            change(&body)
            if index == HostClass.byDefault {
                contents.defaultRule = .body(body)
            } else {
                contents.rules[index].body = body
            }
        }
        return contents
    }

    /// The place of exactly this pointer.
    func exact(_ pointer: String) -> Provenance.Location? { locations.exact(pointer) }

    func mutation(
        _ change: String, _ location: Provenance.Location?, _ contents: PolicyContents
    ) -> Mutation {
        Mutation(change: change, location: location, contents: contents)
    }
}
