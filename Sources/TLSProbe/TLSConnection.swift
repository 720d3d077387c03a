// Placeholder until the probe lands.
