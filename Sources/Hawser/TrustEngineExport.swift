// The types of the engine that a service names: requests, verdicts, evidence, tables, errors. A
// service that imports Hawser sees these names and the members of every type that it meets. The
// rest of the engine, such as the steps of a trace and the parts of keys, is in TrustEngine, which
// is a product too.
//
// `@_exported` has an underscore, but the alternative does not work: with a type alias for each
// type, a service could name `Verdict` and not read `verdict.isAccept`, because the members of a
// type are visible only where the module that declares them is imported (`MemberImportVisibility`).
// swift-nio and swift-collections export their parts by the same attribute. An import of one
// declaration exports only that name, with its members.

@_exported public import struct TrustEngine.Acceptance
@_exported public import struct TrustEngine.Certificate
@_exported public import struct TrustEngine.CertificateError
@_exported public import struct TrustEngine.CertificateReference
@_exported public import enum TrustEngine.Check
// Errors.
@_exported public import protocol TrustEngine.CodedError
@_exported public import protocol TrustEngine.CryptoBackend
@_exported public import struct TrustEngine.CustomCheck
@_exported public import struct TrustEngine.Digest
// Tables, and what a program gives to an engine.
@_exported public import struct TrustEngine.Engine
@_exported public import struct TrustEngine.EngineError
@_exported public import struct TrustEngine.EngineInputs
@_exported public import struct TrustEngine.ErrorCode
@_exported public import struct TrustEngine.Evidence
@_exported public import struct TrustEngine.EvidenceError
@_exported public import struct TrustEngine.Explanation
@_exported public import struct TrustEngine.FilterFault
@_exported public import struct TrustEngine.IssuanceBreach
@_exported public import struct TrustEngine.LoggedTime
@_exported public import enum TrustEngine.Notice
@_exported public import struct TrustEngine.PolicyTable
@_exported public import struct TrustEngine.PreparedEvidence
@_exported public import struct TrustEngine.Reported
@_exported public import struct TrustEngine.RevocationFilterQuestion
@_exported public import struct TrustEngine.RevocationFilterReply
@_exported public import protocol TrustEngine.RevocationFilters
@_exported public import struct TrustEngine.RevocationSet
@_exported public import struct TrustEngine.RevocationSetError
@_exported public import enum TrustEngine.RevocationSource
@_exported public import struct TrustEngine.StricterHosts
@_exported public import struct TrustEngine.SuppliedFilters
@_exported public import struct TrustEngine.TLSParameters
@_exported public import enum TrustEngine.TLSState
@_exported public import enum TrustEngine.TLSVersion
@_exported public import struct TrustEngine.TableDecodingError
@_exported public import struct TrustEngine.TableFreshness
@_exported public import struct TrustEngine.TableSignature
@_exported public import struct TrustEngine.TableTerms
// Requests and their evidence.
@_exported public import struct TrustEngine.TrustRequest
@_exported public import struct TrustEngine.UTCInstant
// Verdicts.
@_exported public import struct TrustEngine.Verdict
@_exported public import struct TrustEngine.Violation
@_exported public import struct TrustEngine.WantedEvidence
