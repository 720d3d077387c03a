'use strict';

// The policy in force, and verdicts by it.

const fs = require('node:fs');
const path = require('node:path');
const process = require('node:process');
const { fileURLToPath } = require('node:url');
const { isUint8Array, isSharedArrayBuffer } = require('node:util').types;

const { OptionError, RejectError, StoreError, shown } = require('./errors.js');
const { refuseOthers, taken } = require('./options.js');

function load() {
  const file = path.join(__dirname, 'native', 'hawser.node');
  try {
    const found = require(file);
    found.begin(StoreError);
    return found;
  } catch (error) {
    let needs = 'the package as build.py writes it, not a checkout';
    try {
      needs = fs.readFileSync(path.join(__dirname, 'native', 'needs.txt'), 'utf8').trim();
    } catch {
      // The words above say it.
    }
    throw Object.assign(new Error(`hawser-tls needs ${needs}: ${error.message}`, { cause: error }), {
      code: 'ERR_HAWSER_LIBRARY',
    });
  }
}

const native = load();

// HAWSER_STORE_*, HAWSER_FOLLOW_*, HAWSER_STALE_*, HAWSER_TLS_*.
const REFUSE_WAIVERS = 1;
const REQUIRE_STATE = new Map([[undefined, 0], [false, 0], [true, 2], ['at-start', 4]]);
const FOLLOW = new Map([[undefined, 0], [true, 0], ['poll', 1], [false, 2]]);
const STALENESS = new Map([[undefined, 0], ['never', 0], ['warn', 1], ['reject', 2]]);
const TLS = new Map([['unknown', 0], [undefined, 1], ['observed', 1], ['assumed', 3], ['cleartext', 4]]);
// HAWSER_ROLLBACK_*, HAWSER_WATCHING_*.
const ROLLBACK = ['off', 'on', 'against-mistakes'];
const WATCHING = ['nothing', 'notified', 'polled'];
/** The levels of hawser_log_function. */
const LEVELS = ['trace', 'debug', 'info', 'notice', 'warning', 'error', 'critical'];

const STORE_OPTIONS = [
  'name', 'service', 'trustedKeys', 'threshold', 'watch', 'refuseWaivers', 'stateDirectory', 'crliteDirectory',
  'requireState', 'staleness', 'staleAfter', 'logList', 'policyPath', 'log', 'onChange',
];
const REQUEST_OPTIONS = [
  'port', 'time', 'tls', 'version', 'cipherSuite', 'group', 'signatureScheme', 'alpn', 'staple', 'sctList',
  'ocspResponses', 'crls', 'assumptions',
];

/** Hosts whose last refusal a store keeps. */
const MOST_REJECTIONS = 1024;

function chosen(map, value, what) {
  if (!map.has(value)) {
    const allowed = [...map.keys()].filter((key) => key !== undefined).map(shown).join(', ');
    throw new OptionError(`${what} is ${shown(value)}, and may be ${allowed}`);
  }
  return map.get(value);
}

function name(value, what) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new OptionError(`${what} is a string, not ${shown(value)}`);
  if (value === '') throw new OptionError(`${what} is empty: leave it out for the default`);
  if (value.includes('\0')) throw new OptionError(`${what} has a NUL octet`);
  return value;
}

/** Octets that nothing else changes during the call. */
function octets(value, what) {
  if (value === undefined || value === null) return undefined;
  if (!isUint8Array(value)) throw new OptionError(`${what} is a Uint8Array, not ${shown(value)}`);
  return isSharedArrayBuffer(value.buffer) ? Uint8Array.from(value) : value;
}

function octetsList(value, what) {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    throw new OptionError(`${what} is a list of Uint8Arrays, not ${shown(value)}: for one of them write [it]`);
  }
  return value.map((item) => {
    if (item === undefined || item === null) throw new OptionError(`${what} has an item that is missing`);
    return octets(item, what);
  });
}

function integer(value, least, most, what) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new OptionError(`${what} is ${shown(value)}, and may be ${least} to ${most}`);
  }
  return value;
}

const date = (seconds) => (seconds === undefined ? undefined : new Date(seconds * 1000));

/** Seconds since 1970; undefined for now. */
function instant(value) {
  if (value === undefined || value === null) return undefined;
  const seconds = value instanceof Date ? Math.floor(value.getTime() / 1000) : value;
  if (!Number.isSafeInteger(seconds)) throw new OptionError(`the time is ${shown(value)}: a Date, or seconds since 1970`);
  return seconds;
}

/** What the policy says of one request at one instant. */
class Verdict {
  constructor(found, host, port) {
    this.accepted = found.accepted;
    this.host = host;
    this.port = port;
    this.time = date(found.time);
    this.epoch = found.epoch;
    this.policyDigest = found.policyDigest;
    this.violations = found.violations;
    this.reported = found.reported;
    this.notices = found.notices;
    this.path = found.path;
    this.wanted = found.wanted;
    for (const text of ['side', 'rule', 'owner', 'id', 'command', 'reasons', 'explanation', 'receipt', 'report']) {
      this[text] = found[text];
    }
    Object.freeze(this);
  }

  /** Itself where it accepts; otherwise throws RejectError. */
  orThrow() {
    if (!this.accepted) throw new RejectError(this.host, this.port, this.violations, this);
    return this;
  }
}

/** The library's store; for the scripts of this package, as the next one. */
let handleOf;
/** Notes that a connection was refused. */
let noteRefusal;

/** A host as names are compared in DNS. */
const key = (host) => host.toLowerCase().replace(/\.$/, '');

/**
 * Holds the policy in force and replaces it while the program runs.
 *
 * A table that is damaged, unsigned where keys are trusted, or older than the one in force never
 * replaces a good one: `state` says why. A store that nothing refers to any more is closed, and so
 * is each one when its thread ends. It does not keep the program alive.
 */
class Store {
  #native;
  #isShared = false;
  #told = 1;
  #log;
  #onChange;
  #rejections = new Map();

  constructor(table, options = {}) {
    if (table instanceof Shared) {
      this.#native = native.adopt(table.number);
      this.#isShared = true;
      this.#told = native.epoch(this.#native);
      return;
    }
    refuseOthers(options, STORE_OPTIONS, 'a store');
    const given = taken(options, STORE_OPTIONS);
    const staleness = chosen(STALENESS, given.staleness, '`staleness`');
    if ((given.staleAfter === undefined) !== (staleness === 0)) {
      throw new OptionError(
        `\`staleness\` is ${shown(given.staleness)}, and \`staleAfter\` ${shown(given.staleAfter)}: give both, or none`);
    }
    for (const member of ['log', 'onChange']) {
      if (given[member] !== undefined && given[member] !== null && typeof given[member] !== 'function') {
        throw new OptionError(`\`${member}\` is a function, not ${shown(given[member])}`);
      }
    }
    for (const member of ['refuseWaivers']) {
      if (given[member] !== undefined && typeof given[member] !== 'boolean') {
        throw new OptionError(`\`${member}\` is ${shown(given[member])}, and may be true or false`);
      }
    }
    const settings = {
      name: name(given.name, 'the name'),
      service: name(given.service, 'the service'),
      trustedKeys: octetsList(given.trustedKeys, '`trustedKeys`'),
      threshold: given.threshold === undefined ? 0 : integer(given.threshold, 1, 64, '`threshold`'),
      flags: (given.refuseWaivers ? REFUSE_WAIVERS : 0) | chosen(REQUIRE_STATE, given.requireState, '`requireState`'),
      stateDirectory: name(given.stateDirectory, '`stateDirectory`'),
      crliteDirectory: name(given.crliteDirectory, '`crliteDirectory`'),
      staleness,
      staleAfter: given.staleAfter === undefined ? 0 : integer(given.staleAfter, 1, 2 ** 40, '`staleAfter`'),
      follow: chosen(FOLLOW, given.watch, '`watch`'),
      logList: octets(given.logList, '`logList`'),
      policyPath: name(given.policyPath, '`policyPath`'),
    };
    if (isUint8Array(table)) {
      if (given.watch) throw new OptionError('octets cannot be watched: give a path, or call `reload`');
      settings.table = octets(table, 'the table');
    } else if (table instanceof URL) {
      settings.path = name(fileURLToPath(table), 'the path');
    } else if (typeof table === 'string') {
      settings.path = name(table, 'the path');
    } else {
      throw new OptionError(`a table is a path, a file URL or a Uint8Array, not ${shown(table)}`);
    }
    // null silences the store; without a function the library writes to standard error.
    this.#log = given.log === null ? () => {} : given.log;
    this.#onChange = given.onChange ?? undefined;
    this.#native = native.open(settings, this.#listener());
  }

  /** Takes lines of the library. It does not keep a store alive that nothing else refers to. */
  #listener() {
    if (this.#log === undefined && this.#onChange === undefined) return undefined;
    const reference = new WeakRef(this);
    const log = this.#log;
    return (level, line) => {
      try {
        if (log !== undefined) log(LEVELS[level], line);
        else if (level >= 4) process.stderr.write(`hawser: ${LEVELS[level]}: ${line}\n`);
      } finally {
        // Another epoch comes into force with a line.
        reference.deref()?.#tellChange();
      }
    };
  }

  #tellChange() {
    if (this.#onChange === undefined) return;
    let snapshot;
    try {
      snapshot = this.snapshot();
    } catch (error) {
      if (error instanceof StoreError) return; // It was closed meanwhile.
      throw error;
    }
    if (snapshot.epoch === this.#told) return;
    this.#told = snapshot.epoch;
    this.#onChange(snapshot);
  }

  static {
    handleOf = (store) => {
      if (typeof store !== 'object' || store === null || !(#native in store)) {
        throw new OptionError(`\`store\` is a hawser Store, not ${shown(store)}`);
      }
      return store.#native;
    };
    noteRefusal = (store, refusal) => {
      const kept = store.#rejections;
      const host = key(refusal.host ?? '');
      kept.delete(host);
      kept.set(host, refusal);
      if (kept.size > MOST_REJECTIONS) kept.delete(kept.keys().next().value);
      store.#log?.('warning', refusal.message);
    };
  }

  /** Why the last connection to a host was refused, in this thread; undefined where none was. */
  lastRejection(host) {
    return this.#rejections.get(key(host));
  }

  /** Stops watching. Later verdicts fail: connections are refused. A second call does nothing. */
  close() {
    native.close(this.#native);
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() {
    this.close();
  }

  /**
   * Offers a table, or reads the file again. StoreError says why it was refused; the one before
   * stays in force.
   */
  reload(table) {
    native.reload(this.#native, octets(table, 'the table'));
    this.#tellChange();
  }

  /** Confirms that the table in force is still the newest, as its source answered. */
  confirm() {
    native.confirm(this.#native);
  }

  get epoch() {
    return native.epoch(this.#native);
  }

  /**
   * Whether a connection that was accepted under an epoch may go on, as when a pool hands it out:
   * no table since then judges the host more strictly.
   */
  holds(epoch, host, port = 443, time = undefined) {
    integer(epoch, 0, Number.MAX_SAFE_INTEGER, 'the epoch');
    integer(port, 0, 65535, 'the port');
    return native.holds(this.#native, epoch, String(host), port, instant(time));
  }

  snapshot() {
    const found = native.snapshot(this.#native);
    found.loadedAt = date(found.loadedAt);
    found.confirmedAt = date(found.confirmedAt);
    found.rollbackProtection = ROLLBACK[found.rollbackProtection] ?? 'off';
    return found;
  }

  state() {
    const found = native.state(this.#native);
    for (const member of ['failedAt', 'staleAfter', 'expires']) found[member] = date(found[member]);
    found.watching = WATCHING[found.watching] ?? 'nothing';
    return found;
  }

  /** Counters and gauges in Prometheus' text format, version 0.0.4. */
  metrics() {
    return native.metrics(this.#native) ?? '';
  }

  #judge(host, chain, options, explains) {
    const given = taken(options, REQUEST_OPTIONS);
    refuseOthers(options, REQUEST_OPTIONS, 'a request');
    const port = integer(given.port ?? 443, 0, 65535, 'the port');
    if (typeof host !== 'string') throw new OptionError(`the host is a string, not ${shown(host)}`);
    if (!Array.isArray(given.assumptions ?? [])) throw new OptionError('`assumptions` is a list of sentences');
    const found = native.judge(
      this.#native,
      {
        host,
        port,
        time: instant(given.time),
        tls: chosen(TLS, given.tls, '`tls`'),
        version: given.version === undefined ? 0 : integer(given.version, 0, 65535, 'the version'),
        cipherSuite: name(given.cipherSuite, 'the cipher suite'),
        group: name(given.group, 'the group'),
        signatureScheme: name(given.signatureScheme, 'the signature scheme'),
        alpn: name(given.alpn, 'the application protocol'),
        chain: octetsList(chain, '`chain`'),
        staple: octets(given.staple, '`staple`'),
        sctList: octets(given.sctList, '`sctList`'),
        ocspResponses: octetsList(given.ocspResponses, '`ocspResponses`'),
        crls: octetsList(given.crls, '`crls`'),
        assumptions: (given.assumptions ?? []).map((text) => name(text, 'an assumption')),
      },
      explains,
    );
    return new Verdict(found, host, port);
  }

  /**
   * Judges a chain that the program has from elsewhere. A reject is a Verdict too. StoreError means
   * that there is none: do not trust the server.
   */
  evaluate(host, chain, options = {}) {
    return this.#judge(host, chain, options, false);
  }

  /** The same verdict with its explanation, receipt and report, at several times the cost. */
  explain(host, chain, options = {}) {
    return this.#judge(host, chain, options, true);
  }

  /** What another worker thread of this process opens the same store by: `new Store(shared)`. */
  share() {
    return { hawserStore: native.share(this.#native), process: process.pid };
  }

  /** A store of another thread, by what its `share` returned. That thread closes it. */
  static shared(token) {
    const { hawserStore, process: owner } = taken(token, ['hawserStore', 'process']);
    if (typeof hawserStore !== 'bigint' || owner !== process.pid) {
      throw new OptionError('a store is shared with other threads of its process, by what `share` returned');
    }
    return new Store(new Shared(hawserStore));
  }

  get isShared() {
    return this.#isShared;
  }

  toJSON() {
    throw new TypeError('a store is a policy that this process follows: hand over the path of its table instead');
  }
}

/** Made by `Store.shared`, which has looked at the number. */
class Shared {
  constructor(number) {
    this.number = number;
  }
}

module.exports = { Store, Verdict, handleOf, native, noteRefusal };
