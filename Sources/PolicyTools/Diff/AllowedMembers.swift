import Rendering
import TrustEngine

extension FieldValue {
    /// The items that a value accepts, as a reader names them: the members of a list of allowed
    /// words, the TLS versions from the smallest on. Empty for a value of another kind, and for a
    /// list that allows everything.
    func allowed(_ field: ProfileField) -> Set<String> {
        if field == .tlsMinimumVersion || field == .tlsMaximumVersion {
            return versions(field)
        }
        guard field.descriptor.stricter == .subset else { return [] }
        return Set(FieldTexts.members(of: self, field))
    }

    private func versions(_ field: ProfileField) -> Set<String> {
        guard let text = FieldTexts.members(of: self, field).first,
            let own = TLSVersion.allCases.first(where: { $0.name == text })
        else { return [] }
        return Set(
            TLSVersion.allCases.filter {
                field == .tlsMinimumVersion ? $0 >= own : $0 <= own
            }.map(\.name))
    }
}
