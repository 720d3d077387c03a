// Placeholder until the test PKI lands.
