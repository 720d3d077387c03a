// Rendering shows values of PolicyReading: an effective rule, the place of a field, a JSON value.
// So an importer of Rendering also gets the members of these values, as an importer of Hawser gets
// the members of TrustEngine's types.
@_exported public import PolicyReading
