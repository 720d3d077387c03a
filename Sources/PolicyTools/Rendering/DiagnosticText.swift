// Placeholder until the renderers land.
