import CPeers

/// A list of certificates in C's form. It lives as long as the process, as everything does that is
/// measured.
struct CChain {
    let bytes: UnsafeMutableBufferPointer<hwpeers_bytes>

    init(_ certificates: [[UInt8]]) {
        bytes = .allocate(capacity: certificates.count)
        for (index, certificate) in certificates.enumerated() {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: certificate.count)
            _ = copy.initialize(from: certificate)
            bytes.initializeElement(
                at: index,
                to: hwpeers_bytes(
                    octets: UnsafePointer(copy.baseAddress), count: certificate.count))
        }
    }

    var count: Int { bytes.count }

    /// The first element.
    var start: UnsafePointer<hwpeers_bytes>? { UnsafePointer(bytes.baseAddress) }
}
