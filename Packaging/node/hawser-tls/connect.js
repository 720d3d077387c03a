'use strict';

// Connections that the policy judges.
//
// The handshake is made without OpenSSL's verification, on a socket that nobody but this file has.
// `secureConnect` comes when the handshake is over and before the stream has read or written a byte
// of the program's. There the chain is judged, and only a connection that the policy accepts is
// handed out. A byte that is written to a TLS socket earlier leaves with the client's Finished, so
// a socket that is not judged yet is never handed out. README.md weighs this way against the one
// inside the handshake.

const crypto = require('node:crypto');
const http = require('node:http');
const net = require('node:net');
// Taken once: a function that takes the place of `tls.connect` later makes none of our connections.
const { connect: tlsConnect, createSecureContext, checkServerIdentity } = require('node:tls');

const { OptionError, RejectError, StoreError, shown } = require('./errors.js');
const { taken } = require('./options.js');
const { Verdict, handleOf, native, noteRefusal } = require('./store.js');

/** Options that go on to TLS. None of them changes whom a connection trusts. */
const TLS_OPTIONS = [
  'ALPNProtocols', 'minDHSize', 'highWaterMark', 'allowHalfOpen', 'enableTrace',
];
/** Options of the context of a connection: a client certificate, and the offer to the server. */
const CONTEXT_OPTIONS = [
  'cert', 'key', 'pfx', 'passphrase', 'ciphers', 'ecdhCurve', 'sigalgs', 'minVersion', 'maxVersion', 'secureOptions',
  'privateKeyEngine', 'privateKeyIdentifier',
];
/** Options of the connection below. */
const NET_OPTIONS = [
  'path', 'lookup', 'family', 'hints', 'localAddress', 'localPort', 'noDelay', 'keepAlive', 'keepAliveInitialDelay',
  'autoSelectFamily', 'autoSelectFamilyAttemptTimeout', 'blockList',
];
const OWN_OPTIONS = ['host', 'port', 'servername', 'socket', 'proxy', 'proxyHeaders', 'connectTimeout', 'timeout', 'signal'];

const NOT_OFF = 'verification by a policy is not switched off: to let a certificate pass, change the policy';
const ANCHORS = 'the policy says which anchors are trusted';
/** Options of `tls.connect` that are refused where they say anything, and why. */
const REFUSED = {
  rejectUnauthorized: (value) => (value === undefined || value === true ? undefined : NOT_OFF),
  checkServerIdentity: () => 'the host is judged by the policy: for another identity it has `identity`',
  ca: () => ANCHORS,
  crl: () => 'the policy says which revocation counts',
  session: () => 'sessions are kept and judged by this package: an agent and a connector have them',
  secureContext: () => 'give `cert` and `key` in its place, so that it trusts and resumes nothing of its own',
  pskCallback: () => 'a connection by a pre-shared key shows no certificate to judge',
  secureProtocol: () => 'give `minVersion` and `maxVersion`',
  isServer: (value) => (value ? 'policies are about servers, and this would be the server\'s side' : undefined),
  onread: () => 'its buffer would be filled before the verdict',
};
const NAMES = [...TLS_OPTIONS, ...CONTEXT_OPTIONS, ...NET_OPTIONS, ...OWN_OPTIONS, ...Object.keys(REFUSED)];

/** IANA's names of the groups that Node names after OpenSSL's. */
const GROUPS = {
  __proto__: null,
  X25519: 'x25519', X448: 'x448', 'prime256v1': 'secp256r1', 'P-256': 'secp256r1', 'secp384r1': 'secp384r1',
  'P-384': 'secp384r1', 'secp521r1': 'secp521r1', 'P-521': 'secp521r1',
};
const VERSIONS = { __proto__: null, TLSv1: 0x0301, 'TLSv1.1': 0x0302, 'TLSv1.2': 0x0303, 'TLSv1.3': 0x0304 };

/** HAWSER_TLS_OBSERVED and HAWSER_TLS_CLEARTEXT. */
const OBSERVED = 1;
const CLEARTEXT = 4;
/** As HAWSER_LIMIT_ITEMS: a longer chain is refused by the library. */
const MOST_CERTIFICATES = 1025;
/** As in hawser_openssl.h: a resumed connection is judged by the staple of an earlier handshake. */
const SESSION_LIFE = 3600_000;

const CHANGED = 'the policy changed again and again during the handshake: connect again';

/** What accepted a connection that was handed out. */
const records = new WeakMap();

// ------------------------------------------------------------------------------------ options

function stringOption(value, what) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new OptionError(`${what} is a string, not ${shown(value)}`);
  if (value.includes('\0')) throw new OptionError(`${what} has a NUL octet`);
  return value;
}

function portOption(value) {
  if (value === undefined || value === null || value === '') return undefined;
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new OptionError(`the port is ${shown(value)}, and may be 1 to 65535`);
  }
  return port;
}

function duration(value, what) {
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'number' || !(value >= 0)) throw new OptionError(`${what} is ${shown(value)} milliseconds`);
  return Math.min(value, 2 ** 31 - 1);
}

const withoutBrackets = (host) => (host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);

function proxyOption(value) {
  if (value === undefined || value === null || value === '') return undefined;
  let url;
  try {
    url = new URL(value);
  } catch {
    throw new OptionError(`the proxy is ${shown(value)}, which is not a URL`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OptionError(`the proxy is ${shown(value)}: its scheme is \`http\` or \`https\``);
  }
  let user;
  try {
    user = url.username === '' ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  } catch {
    throw new OptionError('the name or the password of the proxy has a `%` that begins no octet');
  }
  return { url, user };
}

/** Reads the options of a connection; OptionError for one that would weaken the judgement. */
function settingsOf(options) {
  const given = taken(options, NAMES);
  for (const [name, why] of Object.entries(REFUSED)) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    const reason = why(value);
    if (reason !== undefined) throw new OptionError(`\`${name}\` is refused: ${reason}`);
  }
  const host = stringOption(given.host, '`host`');
  const servername = stringOption(given.servername, '`servername`');
  // As `tls.connect` does it: the server's name where there is one, and otherwise the host.
  const judged = withoutBrackets(servername || host || '') || undefined;
  const indicated = servername === undefined ? judged : servername;
  const { socket } = given;
  if (socket !== undefined && socket !== null && (typeof socket !== 'object' || typeof socket.write !== 'function')) {
    throw new OptionError(`\`socket\` is a stream, not ${shown(socket)}`);
  }
  const { secureOptions } = given;
  if (secureOptions !== undefined && !Number.isInteger(secureOptions)) {
    throw new OptionError(`\`secureOptions\` is ${shown(secureOptions)}: a number of OpenSSL's options`);
  }
  const { signal } = given;
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) {
    throw new OptionError('`signal` is an AbortSignal');
  }
  const settings = {
    host: judged,
    port: portOption(given.port),
    // An address is not indicated.
    indicated: indicated && !net.isIP(indicated) ? indicated.replace(/\.$/, '') : undefined,
    dialled: host === undefined ? judged : withoutBrackets(host),
    socket: socket ?? undefined,
    proxy: proxyOption(given.proxy),
    proxyHeaders: given.proxyHeaders,
    limit: duration(given.connectTimeout ?? given.timeout, 'the time limit'),
    idle: duration(given.timeout, '`timeout`'),
    signal: signal ?? undefined,
    tls: { __proto__: null }, context: [], net: { __proto__: null },
  };
  for (const name of TLS_OPTIONS) if (given[name] !== undefined) settings.tls[name] = given[name];
  for (const name of NET_OPTIONS) if (given[name] !== undefined && given[name] !== null) settings.net[name] = given[name];
  given.secureOptions = (secureOptions ?? 0) | crypto.constants.SSL_OP_NO_RENEGOTIATION;
  settings.context = CONTEXT_OPTIONS.map((name) => given[name]);
  if (settings.net.path && settings.proxy) throw new OptionError('a socket\'s `path` is not reached through a proxy');
  return settings;
}

/** The context of the last connection: connections of one agent nearly always have one context. */
class Contexts {
  #options = [];
  #context;

  of(options) {
    if (this.#context === undefined || options.some((value, index) => value !== this.#options[index])) {
      // Without a prototype, so that a property of Object.prototype does not come in. Without
      // anchors OpenSSL looks for none, and verifies no signature that the policy verifies.
      const named = { __proto__: null, ca: [] };
      CONTEXT_OPTIONS.forEach((name, index) => {
        if (options[index] !== undefined && options[index] !== null) named[name] = options[index];
      });
      this.#context = createSecureContext(named);
      // Node closes a context that says otherwise with its first connection.
      this.#context.singleUse = false;
      this.#options = options;
    }
    return this.#context;
  }
}

// ------------------------------------------------------------------------------------ sessions

/**
 * Sessions of one agent or connector, each with what the handshake that made it has shown. Node
 * keeps of a session's chain only the server's certificate, so a resumed connection is judged by
 * the chain and the staple of here.
 */
class Sessions {
  #most;
  #kept = new Map();

  constructor(most) {
    this.#most = most;
  }

  put(key, session) {
    if (this.#most === 0) return;
    this.#kept.delete(key);
    this.#kept.set(key, session);
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value);
  }

  /** A session that is young, and that no table since then judges more strictly. */
  get(key, store, settings) {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    const age = Date.now() - found.made;
    let holds = false;
    try {
      holds = age >= 0 && age <= SESSION_LIFE &&
        native.holds(handleOf(store), found.epoch, settings.host, settings.port ?? 443);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    if (!holds) {
      this.#kept.delete(key);
      return undefined;
    }
    return found;
  }

  drop(key) {
    this.#kept.delete(key);
  }
}

// ------------------------------------------------------------------------------------- judging

const refusal = (settings, id, sentence) =>
  new RejectError(settings.host, settings.port, [{ id, sentence }]);

function judged(store, settings, request) {
  try {
    const found = native.judge(handleOf(store), request, false);
    return new Verdict(found, settings.host, settings.port);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw refusal(settings, 'no-verdict', error.message);
  }
}

/** The epoch in force; RejectError where the host's rule hangs on a port that nobody said. */
function needNoPort(store, settings) {
  let found;
  try {
    found = native.demanded(handleOf(store), settings.host, 443);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw refusal(settings, 'no-verdict', error.message);
  }
  if (found.dependsOnPort) {
    throw refusal(settings, 'port-unknown',
      'the policy may decide this host by another rule at another port, and the socket does not say which port it is ' +
      'for: give `port`');
  }
  return found.epoch;
}

/** What can be refused before anything is sent. */
function precheck(store, settings) {
  if (settings.host === undefined) {
    throw refusal(settings, 'no-host', 'the host to judge is missing: give `host` or `servername`');
  }
  if (settings.port === undefined) {
    needNoPort(store, settings);
    return;
  }
  try {
    native.epoch(handleOf(store));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw refusal(settings, 'no-verdict', error.message);
  }
}

/** An accept by one table; RejectError otherwise. */
function verdictOf(store, settings, request) {
  // Under which table the port does not matter, and the same table's verdict: another one may come
  // into force in between, and then both are asked again.
  for (let round = 0; round < 16; round++) {
    const epoch = settings.port === undefined ? needNoPort(store, settings) : undefined;
    const verdict = judged(store, settings, { ...request, host: settings.host, port: settings.port ?? 443 });
    if (!verdict.accepted) throw new RejectError(settings.host, settings.port, verdict.violations, verdict);
    if (epoch === undefined || epoch === verdict.epoch) return verdict;
  }
  throw refusal(settings, 'no-verdict', CHANGED);
}

/**
 * DER of each certificate as the server sent it. `getPeerCertificate(true)` makes a tree by names,
 * without duplicates, strangers and the order; the issuers of `getPeerX509Certificate` are the
 * further certificates of the message, one after the other.
 */
function chainOf(socket) {
  const chain = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && certificate !== null && chain.length < MOST_CERTIFICATES) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

/**
 * Gives back what `chainOf` took: Node's own functions find nothing more, since the chain was moved
 * into the objects that it made.
 */
function showChain(socket, chain) {
  let legacy;
  let own;
  const property = (name, value) => Object.defineProperty(socket, name, {
    value, configurable: true, enumerable: false, writable: true,
  });
  property('getPeerX509Certificate', () => {
    if (socket.destroyed || chain.length === 0) return undefined;
    own ??= new crypto.X509Certificate(chain[0]);
    return own;
  });
  property('getPeerCertificate', (detailed) => {
    if (socket.destroyed) return null;
    if (chain.length === 0) return {};
    legacy ??= chain.map((der) => new crypto.X509Certificate(der).toLegacyObject());
    if (!detailed) return { ...legacy[0] };
    const copies = legacy.map((certificate) => ({ ...certificate }));
    copies.forEach((certificate, index) => {
      const next = copies[index + 1];
      if (next !== undefined) certificate.issuerCertificate = next;
      else if (isSelfIssued(certificate)) certificate.issuerCertificate = certificate;
    });
    return copies[0];
  });
}

const isSelfIssued = ({ subject, issuer }) => JSON.stringify(subject) === JSON.stringify(issuer);

/** What the handshake of a connection came to. */
function observed(socket, staple, session) {
  const cipher = socket.getCipher();
  const group = socket.getEphemeralKeyInfo?.()?.name;
  return {
    tls: OBSERVED,
    version: VERSIONS[socket.getProtocol()] ?? 0,
    cipherSuite: cipher?.standardName,
    group: GROUPS[group],
    alpn: socket.alpnProtocol || undefined,
    chain: session === undefined ? chainOf(socket) : session.chain,
    staple: session === undefined ? staple : session.staple,
  };
}

/** Judges a request without TLS: only a waiver of `cleartext` lets it pass. */
function judgeCleartext(store, settings) {
  precheck(store, settings);
  return verdictOf(store, settings, { tls: CLEARTEXT, version: 0, chain: [] });
}

// ---------------------------------------------------------------------------------- connections

/** The property of a TLS socket that keeps the options of `tls.connect`, and others alike. */
function forgetOptions(socket) {
  for (const name of Reflect.ownKeys(socket)) {
    const value = socket[name];
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, 'rejectUnauthorized')) continue;
    // Whoever copies the options of a judged connection gets a connection that Node verifies.
    value.rejectUnauthorized = true;
    if (Object.hasOwn(value, 'checkServerIdentity')) value.checkServerIdentity = checkServerIdentity;
  }
  socket._rejectUnauthorized = true;
}

/** Calls `done` once, with the first outcome; afterwards outcomes are dropped. */
function once(done) {
  let isDone = false;
  return (...outcome) => {
    if (isDone) return false;
    isDone = true;
    done(...outcome);
    return true;
  };
}

/** An attempt that a time limit and a signal end. */
function limited(settings, done) {
  const endings = new Set();
  let timer;
  const finish = once((error, ...values) => {
    clearTimeout(timer);
    settings.signal?.removeEventListener('abort', abort);
    if (error !== null) for (const ending of endings) ending();
    done(error, ...values);
  });
  function abort() {
    finish(settings.signal.reason ?? new DOMException('The operation was aborted', 'AbortError'));
  }
  if (settings.limit > 0) {
    timer = setTimeout(() => {
      finish(Object.assign(
        new Error(`no connection to ${settings.host}:${settings.port} within ${settings.limit} ms`),
        { code: 'ETIMEDOUT', syscall: 'connect' }));
    }, settings.limit);
  }
  if (settings.signal?.aborted) setImmediate(abort);
  settings.signal?.addEventListener('abort', abort);
  return { finish, endings };
}

/** A stream to the host, before TLS: the caller's, a proxy's tunnel or a connection of its own. */
function stream(store, settings, attempt, then) {
  if (settings.socket !== undefined) {
    then(settings.socket);
    return;
  }
  if (settings.proxy !== undefined) {
    tunnel(store, settings, attempt, then);
    return;
  }
  reach({ ...settings.net, host: settings.dialled, port: settings.port }, attempt, then);
}

function reach(where, attempt, then) {
  let raw;
  try {
    raw = net.connect({ __proto__: null, ...where });
  } catch (error) {
    attempt.finish(error);
    return;
  }
  const end = () => raw.destroy();
  attempt.endings.add(end);
  const fail = (error) => attempt.finish(error);
  raw.once('error', fail);
  raw.once('connect', () => {
    raw.removeListener('error', fail);
    attempt.endings.delete(end);
    then(raw);
  });
}

/** Asks a proxy for a tunnel. One that is spoken to over TLS is judged itself. */
function tunnel(store, settings, attempt, then) {
  const { url: proxy, user } = settings.proxy;
  const isTLS = proxy.protocol === 'https:';
  const host = withoutBrackets(proxy.hostname);
  const port = proxy.port === '' ? (isTLS ? 443 : 80) : Number(proxy.port);
  const ask = (raw) => {
    const to = net.isIPv6(settings.dialled) ? `[${settings.dialled}]:${settings.port}` : `${settings.dialled}:${settings.port}`;
    const headers = { ...settings.proxyHeaders, Host: to };
    if (user !== undefined) headers['Proxy-Authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
    const end = () => raw.destroy();
    attempt.endings.add(end);
    let request;
    try {
      request = http.request({ method: 'CONNECT', path: to, headers, createConnection: () => raw });
    } catch (error) {
      attempt.finish(error);
      return;
    }
    request.once('error', (error) => attempt.finish(error));
    request.once('response', (response) => {
      response.destroy();
      attempt.finish(refusedByProxy(proxy, response.statusCode));
    });
    request.once('connect', (response, socket, head) => {
      if (response.statusCode < 200 || response.statusCode > 299) {
        attempt.finish(refusedByProxy(proxy, response.statusCode));
        return;
      }
      attempt.endings.delete(end);
      if (head.length > 0) socket.unshift(head);
      then(socket);
    });
    request.end();
  };
  if (!isTLS) {
    reach({ host, port, noDelay: true }, attempt, ask);
    return;
  }
  let own;
  try {
    own = settingsOf({ host, port, ALPNProtocols: ['http/1.1'] });
    precheck(store, own);
  } catch (error) {
    noted(store, error, attempt.finish);
    return;
  }
  reach({ host, port, noDelay: true }, attempt, (raw) => {
    handshake(store, own, raw, undefined, new Contexts(), attempt, (socket) => ask(socket));
  });
}

const refusedByProxy = (proxy, status) =>
  Object.assign(new Error(`the proxy ${proxy.host} answered ${status} to CONNECT`), { code: 'ERR_HAWSER_PROXY' });

/** Finishes an attempt with an error; a refusal is kept by its store. */
function noted(store, error, finish) {
  if (error instanceof RejectError) noteRefusal(store, error);
  finish(error);
}

/** Makes the handshake over a stream and judges it. `then` gets the socket after an accept. */
function handshake(store, settings, raw, session, contexts, attempt, then, keep, again) {
  let socket;
  let staple;
  let accepted;
  try {
    socket = tlsConnect({
      // Each option of `tls.connect` that would count is named, whatever Object.prototype has.
      host: undefined, port: undefined, path: undefined, lookup: undefined, timeout: undefined, signal: undefined,
      pskCallback: undefined, onread: undefined, singleUse: undefined, ALPNProtocols: undefined, enableTrace: undefined,
      highWaterMark: undefined, allowHalfOpen: undefined, keepAlive: true, minDHSize: 1024,
      ...settings.tls,
      secureContext: contexts.of(settings.context),
      socket: raw,
      servername: settings.indicated,
      session: session?.data,
      requestOCSP: true,
      // Judged below, on a socket that only this function has.
      rejectUnauthorized: false,
      checkServerIdentity: () => new Error('judged by hawser'),
    });
  } catch (error) {
    raw.destroy?.();
    attempt.finish(error);
    return;
  }
  const end = () => {
    socket.destroy();
    raw.destroy?.();
  };
  attempt.endings.add(end);
  // Errors after the outcome are of a socket that nobody has.
  const fail = (error) => attempt.finish(error);
  socket.on('error', fail);
  socket.once('close', ended);
  function ended() {
    attempt.finish(Object.assign(
      new Error('the connection ended before its handshake was over'), { code: 'ECONNRESET' }));
  }
  socket.once('OCSPResponse', (response) => {
    staple = response ?? undefined;
  });
  if (keep !== undefined) {
    // Tickets of TLS 1.3 come after the verdict; the session of TLS 1.2 does, too.
    socket.on('session', (data) => {
      if (accepted === undefined) return;
      keep({ data, chain: accepted.chain, staple: accepted.staple, made: accepted.made, epoch: accepted.epoch });
    });
  }
  socket.once('secureConnect', () => {
    let verdict;
    let facts;
    try {
      const isResumed = socket.isSessionReused();
      if (isResumed && session === undefined) {
        throw refusal(settings, 'no-verdict', 'the connection resumed a session that this package did not offer');
      }
      facts = observed(socket, staple, isResumed ? session : undefined);
      try {
        verdict = verdictOf(store, settings, facts);
      } catch (error) {
        if (!isResumed || again === undefined || !(error instanceof RejectError)) throw error;
        // The facts are of an earlier handshake. Nothing was sent: once more, by a full one.
        attempt.endings.delete(end);
        socket.removeListener('close', ended);
        socket.removeListener('error', fail);
        socket.on('error', () => {});
        end();
        again();
        return;
      }
      accepted = {
        chain: facts.chain, staple: facts.staple, epoch: verdict.epoch,
        made: isResumed ? session.made : Date.now(),
      };
    } catch (error) {
      noted(store, error, attempt.finish);
      return;
    }
    attempt.endings.delete(end);
    socket.removeListener('close', ended);
    // Node's own words: it was told to verify nothing.
    socket.authorized = true;
    socket.authorizationError = null;
    forgetOptions(socket);
    showChain(socket, facts.chain);
    record(socket, store, settings, verdict);
    if (settings.idle > 0) socket.setTimeout(settings.idle);
    // An error must not be an uncaught one before the program has had a turn to listen.
    setImmediate(() => socket.removeListener('error', fail));
    then(socket);
  });
}

/** Connects, and calls `done(error)` or `done(null, socket)` once, after the verdict. */
function dial(store, settings, contexts, sessions, key, done) {
  const attempt = limited(settings, done);
  const connect = (session) => stream(store, settings, attempt, (raw) => {
    const keep = sessions === undefined ? undefined : (made) => sessions.put(key, made);
    const again = session === undefined || settings.socket !== undefined ? undefined : () => {
      sessions.drop(key);
      connect(undefined);
    };
    handshake(store, settings, raw, session, contexts, attempt, (socket) => {
      // Where the attempt is over, by its limit, nobody gets the socket.
      if (!attempt.finish(null, socket)) socket.destroy();
    }, keep, again);
  });
  try {
    precheck(store, settings);
    connect(sessions?.get(key, store, settings));
  } catch (error) {
    setImmediate(() => noted(store, error, attempt.finish));
  }
}

/** Of `connect`: contexts of the last options of a store. */
const contextsOfStores = new WeakMap();

/**
 * In the place of `tls.connect`: a promise of a socket that the policy has accepted. With a
 * callback, `callback(error, socket)` in its place.
 */
function connect(options, callback) {
  const { store } = taken(options, ['store']);
  handleOf(store);
  const settings = settingsOf(options);
  if (settings.port === undefined && settings.socket === undefined && !settings.net.path) {
    throw new OptionError('a connection needs a `port`, a `path` or a `socket`');
  }
  if (settings.port === undefined && settings.proxy !== undefined) throw new OptionError('a proxy needs a `port`');
  if (!contextsOfStores.has(store)) contextsOfStores.set(store, new Contexts());
  const contexts = contextsOfStores.get(store);
  if (callback !== undefined) {
    if (typeof callback !== 'function') throw new OptionError(`the callback is a function, not ${shown(callback)}`);
    dial(store, settings, contexts, undefined, undefined, callback);
    return undefined;
  }
  return new Promise((resolve, reject) => {
    dial(store, settings, contexts, undefined, undefined, (error, socket) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

/** Whether a connection may go on, as when a pool hands it out. False for an unjudged one. */
function holds(socket) {
  const record = records.get(socket);
  if (record === undefined || socket.destroyed) return false;
  const { store, settings, verdict } = record;
  try {
    const handle = handleOf(store);
    if (settings.port === undefined && native.demanded(handle, settings.host, 443).dependsOnPort) return false;
    return native.holds(handle, verdict.epoch, settings.host, settings.port ?? 443);
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** The verdict that accepted a connection; undefined for one that is not judged. */
const verdict = (socket) => records.get(socket)?.verdict;

/** Whether a socket was accepted for a host and a port. */
function isFor(socket, host, port) {
  const record = records.get(socket);
  return record !== undefined && record.settings.host === host && record.settings.port === port;
}

/** Notes which verdict let a connection pass, one without TLS too. */
const record = (socket, store, settings, found) =>
  records.set(socket, { store, settings: { host: settings.host, port: settings.port }, verdict: found });

module.exports = {
  Contexts, Sessions, connect, dial, holds, isFor, judgeCleartext, limited, noted, record, settingsOf, stream, verdict,
};
