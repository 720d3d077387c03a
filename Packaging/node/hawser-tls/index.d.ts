// Types of hawser-tls.

import type { EventEmitter } from 'node:events';
import type { Agent as HttpsAgent, AgentOptions as HttpsAgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions, TLSSocket } from 'node:tls';

/** The version of the package. */
export const version: string;

/**
 * A reason to reject: a stable id, such as `pin-mismatch`, and what `hawser explain` says.
 * `no-host`, `no-verdict` and `port-unknown` come from this package: the policy was not asked.
 */
export interface Violation {
  readonly id: string;
  readonly sentence: string;
  /** The check that it belongs to, as waivers name it. */
  readonly check?: string;
  /** One sentence for someone who only wanted to connect. */
  readonly forUser?: string;
}

/** A failure that was let through. */
export interface Reported {
  readonly id: string;
  readonly sentence: string;
  readonly reason: 'waived' | 'report-only';
}

export interface Notice {
  readonly id: string;
  readonly sentence: string;
}

/** Evidence that could change the verdict. The URL is a stranger's text. */
export interface Wanted {
  readonly source: 'ocsp' | 'crl';
  readonly url: string;
}

export type Side = 'server' | 'policy' | 'this-machine' | 'network' | 'in-between';

/** What the policy says of one request at one instant. Only `accepted` means trust. */
export class Verdict {
  private constructor();
  readonly accepted: boolean;
  readonly host: string;
  readonly port: number | undefined;
  readonly time: Date;
  /** Of the table that judged. */
  readonly epoch: number;
  readonly policyDigest: string;
  /** Of a reject: at least one. */
  readonly violations: readonly Violation[];
  readonly reported: readonly Reported[];
  readonly notices: readonly Notice[];
  /** The subjects of the accepted path, end entity first. */
  readonly path: readonly string[];
  readonly wanted: readonly Wanted[];
  /** Of a reject, as the next five: whose fault it is. */
  readonly side?: Side;
  /** The rule that decided; empty for the body of `default`. */
  readonly rule?: string;
  readonly owner?: string;
  /** The id of the decision, which its receipt and its report have too. */
  readonly id?: string;
  /** The command to run next on this machine. */
  readonly command?: string;
  /** One line for a log. */
  readonly reasons?: string;
  /** Of `explain`, as the next two: what `hawser explain --format json` prints. */
  readonly explanation?: string;
  /** A line of JSON by which `hawser explain --receipt` makes the decision again. */
  readonly receipt?: string;
  readonly report?: string;
  /** Itself where it accepts; otherwise throws RejectError. */
  orThrow(): this;
}

/** A server that the policy does not accept, or could not be asked about. */
export class RejectError extends Error {
  private constructor();
  readonly code: 'ERR_HAWSER_REJECTED';
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly violations: readonly Violation[];
  readonly sentences: readonly string[];
  /** Of the table that judged; 0 where none did. */
  readonly epoch: number;
  readonly side?: Side;
  readonly rule?: string;
  readonly owner?: string;
  readonly id?: string;
  readonly command?: string;
  /** Undefined where the policy could not be asked. */
  readonly verdict: Verdict | undefined;
  /** Whether a violation has this id, such as `revoked`. */
  has(id: string): boolean;
}

/** A call that failed. Not a verdict. */
export class StoreError extends Error {
  private constructor();
  readonly code: 'ERR_HAWSER_STORE';
  /** As in hawser.h, such as `HAWSER_E_TABLE`. */
  readonly result: string;
  /** A stable word. */
  readonly reason: string;
}

/** An option that would weaken the judgement, or that cannot be used. */
export class OptionError extends TypeError {
  private constructor();
  readonly code: 'ERR_HAWSER_OPTION';
}

/**
 * The RejectError that a library's error comes from; undefined where it comes from something else.
 */
export function rejection(error: unknown): RejectError | undefined;

export type Level = 'trace' | 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical';

export interface Snapshot {
  readonly epoch: number;
  readonly revision?: number;
  readonly isStale: boolean;
  readonly loadedAt: Date;
  readonly confirmedAt: Date;
  readonly refusals: number;
  readonly sourceFailures: number;
  readonly policyDigest: string;
  readonly fileDigest: string;
  /** Patterns whose hosts may be judged more strictly than by the table before. */
  readonly stricterHosts: readonly string[];
  readonly stricterDefault: boolean;
  readonly rollbackProtection: 'on' | 'against-mistakes' | 'off';
  readonly rollbackMessage?: string;
}

export interface State {
  readonly name: string;
  readonly origin: string;
  readonly watching: 'nothing' | 'notified' | 'polled';
  readonly watchingMessage?: string;
  readonly directory?: string;
  readonly directoryMessage?: string;
  /** The folder of CRLite filters; the message says why they cannot be asked. */
  readonly crliteDirectory?: string;
  readonly crliteMessage?: string;
  readonly refusalReason?: string;
  readonly refusalMessage?: string;
  readonly failedAt?: Date;
  readonly isStale: boolean;
  readonly staleAfter?: Date;
  readonly expires?: Date;
  readonly installed: number;
  readonly confirmed: number;
  readonly refused: number;
  readonly sourceFailed: number;
  readonly accepted: number;
  readonly rejected: number;
}

export interface StoreOptions {
  /** For logs and metrics, and whose the state directory is. */
  name?: string;
  /** The service's name, for receipts and reports. */
  service?: string;
  /**
   * Ed25519 public keys, 32 octets each, or PEM; with any, a table must be signed by `threshold` of
   * them.
   */
  trustedKeys?: readonly Uint8Array[];
  threshold?: number;
  /**
   * How the file is followed: true by the system's notices, `poll` each five seconds, false never.
   */
  watch?: boolean | 'poll';
  /** Load no table in which any rule has a waiver. */
  refuseWaivers?: boolean;
  /** Where the last good table and its revision are kept. */
  stateDirectory?: string;
  /**
   * A folder of CRLite filters, as `upki fetch` fills it, for rules that ask `crlite`. Where it is
   * missing or refused, these rules go by their `revocation.causes`; the log and
   * `state().crliteMessage` say it.
   */
  crliteDirectory?: string;
  requireState?: boolean | 'at-start';
  /** The fate of a table that is not confirmed for `staleAfter` seconds. */
  staleness?: 'never' | 'warn' | 'reject';
  staleAfter?: number;
  /** A log_list.json, version 3, newer than the table's. */
  logList?: Uint8Array;
  /** The policy that the tables are compiled from, for the commands that messages propose. */
  policyPath?: string;
  /** Takes each line; null: nobody does. Without it warnings and errors go to standard error. */
  log?: ((level: Level, line: string) => void) | null;
  /** Is called with the snapshot when another epoch has come into force. */
  onChange?: (snapshot: Snapshot) => void;
}

export interface RequestOptions {
  /** By default 443. */
  port?: number;
  /** By default now. A number is seconds since 1970. */
  time?: Date | number;
  /** How the parameters after it are known; by default `observed`. */
  tls?: 'unknown' | 'observed' | 'assumed' | 'cleartext';
  /** As on the wire: 0x0304 is TLS 1.3. */
  version?: number;
  cipherSuite?: string;
  group?: string;
  signatureScheme?: string;
  alpn?: string;
  staple?: Uint8Array;
  sctList?: Uint8Array;
  ocspResponses?: readonly Uint8Array[];
  crls?: readonly Uint8Array[];
  /** Sentences that only the explanation has. */
  assumptions?: readonly string[];
}

/** What `Store.share` returns. Hand it to another worker thread of this process. */
export interface SharedStore {
  readonly hawserStore: bigint;
  readonly process: number;
}

/** Holds the policy in force and replaces it while the program runs. */
export class Store {
  /** Opens a table file by its path, or a table by its octets. */
  constructor(table: string | URL | Uint8Array, options?: StoreOptions);
  /** A store of another thread, which closes it. */
  static shared(token: SharedStore): Store;
  share(): SharedStore;
  readonly isShared: boolean;
  readonly epoch: number;
  close(): void;
  /** Offers a table, or reads the file again. StoreError says why it was refused. */
  reload(table?: Uint8Array): void;
  /** Confirms that the table in force is still the newest. */
  confirm(): void;
  /** Whether a connection that was accepted under an epoch may go on. */
  holds(epoch: number, host: string, port?: number, time?: Date | number): boolean;
  snapshot(): Snapshot;
  state(): State;
  /** Counters and gauges in Prometheus' text format. */
  metrics(): string;
  /** Why the last connection to a host was refused, in this thread. */
  lastRejection(host: string): RejectError | undefined;
  /**
   * Judges a chain that the program has from elsewhere: DER of each certificate, the server's own
   * first.
   */
  evaluate(host: string, chain: readonly Uint8Array[], options?: RequestOptions): Verdict;
  /** The same verdict with its explanation, receipt and report. */
  explain(host: string, chain: readonly Uint8Array[], options?: RequestOptions): Verdict;
}

/** Options of TLS that a program keeps. The policy decides trust. */
export type TlsOptions = Pick<
  ConnectionOptions,
  | 'ALPNProtocols' | 'cert' | 'ciphers' | 'ecdhCurve' | 'enableTrace' | 'key' | 'maxVersion' | 'minDHSize'
  | 'minVersion' | 'passphrase' | 'pfx' | 'privateKeyEngine' | 'privateKeyIdentifier' | 'secureOptions' | 'sigalgs'
>;

export interface WayOptions {
  /** `http://` or `https://`: a proxy that is asked for a tunnel. One over TLS is judged itself. */
  proxy?: string | URL;
  proxyHeaders?: { readonly [name: string]: string };
  /**
   * Milliseconds until a connection must have its verdict; by default `timeout`, and without it no
   * limit.
   */
  connectTimeout?: number;
}

export interface ConnectOptions extends TlsOptions, WayOptions {
  store: Store;
  /** The host that is dialled, and judged where `servername` says no other. */
  host?: string;
  /** Needed unless there is a `socket` or a `path`. */
  port?: number | string;
  servername?: string;
  /** A stream to the host: TLS is made over it. */
  socket?: Duplex;
  /** A Unix socket. */
  path?: string;
  signal?: AbortSignal;
  /** Milliseconds of silence until the socket has the event `timeout`. */
  timeout?: number;
  lookup?: ConnectionOptions['lookup'];
  family?: number;
  hints?: number;
  localAddress?: string;
  localPort?: number;
  noDelay?: boolean;
  keepAlive?: boolean;
  keepAliveInitialDelay?: number;
  autoSelectFamily?: boolean;
  autoSelectFamilyAttemptTimeout?: number;
  highWaterMark?: number;
  allowHalfOpen?: boolean;
}

/** In the place of `tls.connect`: a socket that the policy has accepted. */
export function connect(options: ConnectOptions): Promise<TLSSocket>;
export function connect(
  options: ConnectOptions, callback: (error: Error | null, socket?: TLSSocket) => void): void;

/**
 * Whether a connection may go on, as when a pool hands it out. False for one that is not judged.
 */
export function holds(socket: Socket): boolean;

/** The verdict that accepted a connection; undefined for one that is not judged. */
export function verdict(socket: Socket): Verdict | undefined;

export type AgentOptions = WayOptions & TlsOptions & { store: Store } & Omit<
  HttpsAgentOptions,
  'ca' | 'checkServerIdentity' | 'crl' | 'pskCallback' | 'rejectUnauthorized' | 'secureContext' | 'secureProtocol'
  | 'session'
>;

/** An agent for `https` whose connections the policy judges. */
export class Agent extends HttpsAgent {
  constructor(options: AgentOptions);
}

export function agent(options: AgentOptions): Agent;

export interface ConnectorOptions extends Omit<ConnectOptions, 'host' | 'path' | 'port' | 'signal' | 'socket'> {
  /** Offer HTTP/2, as undici's own `allowH2`. */
  allowH2?: boolean;
  /** Sessions that are kept, by default 100. */
  maxCachedSessions?: number;
}

/** The options that undici gives to its `connect` function. */
export interface ConnectorTarget {
  hostname: string;
  protocol: string;
  port: string;
  host?: string;
  servername?: string;
  localAddress?: string | null;
  httpSocket?: Socket;
}

export type Connector = (
  target: ConnectorTarget, callback: (...outcome: [Error, null] | [null, Socket]) => void) => void;

/** The `connect` function of undici's Client, Pool and Agent. */
export function connector(options: ConnectorOptions): Connector;

/** A dispatcher for `fetch` and undici, over undici's Agent. */
export interface Dispatcher extends EventEmitter {
  dispatch(options: object, handler: object): boolean;
  close(): Promise<void>;
  destroy(error?: Error | null): Promise<void>;
  readonly store: Store;
}

export function dispatcher(
  Agent: new (options: any) => { dispatch(options: any, handler: any): boolean; close(): Promise<void> },
  options: ConnectorOptions & { agentOptions?: object }): Dispatcher;
