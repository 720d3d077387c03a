// Placeholder until the unit loader lands.
