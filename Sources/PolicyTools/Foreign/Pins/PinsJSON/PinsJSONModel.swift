import TrustEngine

/// What a list of pins in JSON demands of a host.
///
/// The file has no reader of its own: apps hand it to OkHttp on Android and to TrustKit on iOS.
/// OkHttp from 4.3 on gives the rules (`OkHttpModel` has its sources):
///
/// - A host that no entry names is accepted.
/// - The pins of every entry that names a host are united. TrustKit takes the narrower entry, and
///   the import reports hosts for which the two differ.
/// - `*.name` is exactly one label before the name. `**.name`, and a name with
///   `includeSubdomains`, is the name itself and every name below it.
/// - A key anywhere in the chain matches.
/// - Pins with `expirationDate` end at UTC midnight of that day, as in TrustKit
///   (`parse_configuration.m`).
/// - `enforcePinning: false` switches enforcement off, for one host or for all (Expensify/App,
///   `config/certificatePinning/pins.json`).
package struct PinsJSONModel: PinListModel {
    package let file: PinListFile
    package var readersDiffer: Bool { true }
    private let rules: OkHttpModel

    package init(_ file: PinListFile) {
        self.file = file
        rules = OkHttpModel(file, OkHttpModel.Version(5, 0))
    }

    package func deciding(_ host: String) -> [Int] { rules.deciding(host) }
}
