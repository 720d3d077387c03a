// The values that are shown here are values of PolicyReading: an effective rule, the place of a
// field, a JSON value. Whoever imports Rendering to show one has their members too, as importers of
// Hawser have those of TrustEngine.
@_exported public import PolicyReading
