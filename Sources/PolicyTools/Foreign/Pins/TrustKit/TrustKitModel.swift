import TrustEngine

/// What TrustKit demands of a host.
///
/// Sources, datatheorem/TrustKit (iOS and macOS, 3.0) and datatheorem/TrustKit-Android:
///
/// - Which entry decides: an exact entry first, else the entry with subdomains that has the longest
///   name (`configuration_utils.m`; `TrustKitConfiguration.getPolicyForHostname`). Names are
///   compared as they are written.
/// - An excluded name is taken out of the wider entry, and names below it are not
///   (`kTSKExcludeSubdomainFromParentPolicy` is an entry without subdomains).
/// - Pins bind up to and including the instant of their end (`TSKPinningValidator.m`;
///   `PinningTrustManager`). The day begins at UTC midnight on iOS (`parse_configuration.m`), and
///   at midnight of the device's time zone on Android (`SimpleDateFormat` without a zone).
/// - Pins are enforced unless the file says otherwise on iOS (`parse_configuration.m`), and only if
///   it says so on Android (`DomainPinningPolicy`, `TrustKitConfigurationParser`).
/// - Enforced pins are at least two, and a domain is not a public suffix with subdomains
///   (`parse_configuration.m`, `DomainPinningPolicy`).
/// - A key anywhere in the verified chain matches. iOS compares octets; Android compares the text
///   of a pin with base64 that has its padding (`PublicKeyPin`).
/// - iOS leaves out names that lie below another public suffix than the entry does, and refuses
///   domains whose suffix its own list lacks. The model has neither list nor refusal: for such
///   names the policy is stricter.
///
/// From Android 7 on, the system's own reader of `network_security_config.xml` decides whether a
/// chain has a pinned key (`import nsc`), and TrustKit decides whether that ends the connection.
package struct TrustKitModel: PinListModel {
    package let file: PinListFile
    package var readersDiffer: Bool { false }

    package init(_ file: PinListFile) { self.file = file }

    package func deciding(_ host: String) -> [Int] { mostSpecific(host) }
}
