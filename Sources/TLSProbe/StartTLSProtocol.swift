/// A protocol in which client and server speak in clear text first, and then agree to begin TLS.
package enum StartTLSProtocol: String, Hashable, Sendable, CaseIterable {
    /// RFC 3207.
    case smtp
    /// RFC 9051 section 6.2.1.
    case imap
    /// RFC 2595 section 4.
    case pop3
    /// RFC 4511 section 4.14.
    case ldap
    /// RFC 4217 section 4.
    case ftp
    /// PostgreSQL's frontend/backend protocol, "SSL Session Encryption".
    case postgres
    /// MySQL's client/server protocol, "SSL Handshake"; also MariaDB's.
    case mysql

    /// The ports of the protocol in the IANA registry "Service Name and Transport Protocol Port
    /// Number", the protocol's own first.
    package var ports: [UInt16] {
        switch self {
        case .smtp: return [25, 587]
        case .imap: return [143]
        case .pop3: return [110]
        case .ldap: return [389]
        case .ftp: return [21]
        case .postgres: return [5432]
        case .mysql: return [3306]
        }
    }

    /// The protocol's name in a sentence.
    package var title: String {
        switch self {
        case .smtp: return "SMTP"
        case .imap: return "IMAP"
        case .pop3: return "POP3"
        case .ldap: return "LDAP"
        case .ftp: return "FTP"
        case .postgres: return "PostgreSQL"
        case .mysql: return "MySQL"
        }
    }

    /// The port that the protocol has if no other is given.
    package var port: UInt16 { ports[0] }
}
