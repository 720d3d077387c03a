// A stub of Apple's CoreFoundation; see `Tests/AppleStubs/README.md`.

/// Page: corefoundation/cfarray
public final class CFArray {}

/// Page: corefoundation/cfdata
public final class CFData {}
