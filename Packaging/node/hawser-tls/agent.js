'use strict';

// Agents for `https`, and what undici asks for connections.

const { EventEmitter } = require('node:events');
const https = require('node:https');
const net = require('node:net');

const {
  Contexts, Sessions, dial, holds, isFor, judgeCleartext, limited, noted, record, settingsOf, stream,
} = require('./connect.js');
const { OptionError, RejectError, shown } = require('./errors.js');
const { take, taken } = require('./options.js');
const { handleOf } = require('./store.js');

/** Sessions that an agent or a connector keeps, as many as Node's agent. */
const MOST_SESSIONS = 100;

function sessionsOf(most) {
  const number = most ?? MOST_SESSIONS;
  if (!Number.isInteger(number) || number < 0) {
    throw new OptionError(`\`maxCachedSessions\` is ${shown(most)}: a number of sessions, or 0`);
  }
  return new Sessions(number);
}

// Node calls these functions of an agent, and documents only one of them. A Node without them would
// hand out kept connections without asking whether they still hold.
for (const name of ['addRequest', 'createSocket', 'createConnection', 'removeSocket', 'getName']) {
  if (typeof https.Agent.prototype[name] !== 'function') {
    throw new Error(`hawser-tls: agents of this Node have no \`${name}\`, and make connections in a way that is not known`);
  }
}

/** Options of an agent that a single request does not change. */
const AGENT_ALONE = ['proxy', 'proxyHeaders', 'connectTimeout'];

/**
 * An agent for `https` whose connections the policy judges, each for the host and the port that is
 * asked for. The name in a request's Host header plays no part. A connection that is kept is used
 * again while no policy since then judges its host more strictly.
 */
class Agent extends https.Agent {
  #store;
  #own;
  #contexts = new Contexts();
  #sessions;

  constructor(options) {
    const given = taken(options, ['store', 'maxCachedSessions', ...AGENT_ALONE]);
    handleOf(given.store);
    const rest = { __proto__: null };
    for (let holder = options; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
      for (const name of Object.keys(holder)) {
        if (!(name in rest) && !(name in given)) rest[name] = take(options, name);
      }
    }
    settingsOf({ ...rest, ...given, host: 'probe.invalid', port: 443 });
    // No session of Node's own cache, which knows no epochs.
    super({ ...rest, maxCachedSessions: 0 });
    this.#store = given.store;
    this.#own = { __proto__: null };
    for (const name of AGENT_ALONE) if (given[name] !== undefined) this.#own[name] = given[name];
    this.#sessions = sessionsOf(given.maxCachedSessions);
    // First of all that listen: a connection that no longer holds goes to no request that waits.
    this.prependListener('free', (socket) => {
      if (!holds(socket)) socket.destroy();
    });
  }

  /** What a connection for these options of a request is judged by. */
  #settings(options) {
    return settingsOf({ ...options, ...this.#own });
  }

  addRequest(request, options, ...legacy) {
    if (typeof options === 'string') {
      const [port, localAddress] = legacy;
      return this.addRequest(request, { host: options, port, localAddress });
    }
    const named = { __proto__: null, ...options };
    if (this.options.servername === undefined && named.servername === undefined) {
      // Node would take the Host header's name.
      named.servername = net.isIP(named.host ?? '') ? '' : named.host;
    }
    const asked = { __proto__: null, ...named, ...this.options };
    if (asked.socketPath) asked.path = asked.socketPath;
    // Throws for an option that would weaken the judgement.
    const settings = this.#settings(asked);
    const free = this.freeSockets[this.getName(asked)];
    if (free !== undefined) {
      for (let index = free.length - 1; index >= 0; index--) {
        if (isFor(free[index], settings.host, settings.port) && holds(free[index])) continue;
        const [socket] = free.splice(index, 1);
        socket.destroy();
      }
      if (free.length === 0) delete this.freeSockets[this.getName(asked)];
    }
    return super.addRequest(request, named);
  }

  /** The name of a pool: no two hosts or ports share one, whatever letters the options have. */
  getName(options = {}) {
    return `${super.getName(options)}:${JSON.stringify([options.host, options.port, options.servername])}`;
  }

  createSocket(request, options, done) {
    // Node leaves a request that waited in its queue until the connection has come, and would make
    // a second one for it where another ends meanwhile.
    const name = this.#leaveQueue(request);
    super.createSocket(request, options, (error, socket) => {
      if (!error && name !== undefined) (this.requests[name] ??= []).unshift(request);
      done(error, socket);
    });
  }

  #leaveQueue(request) {
    for (const name of Object.keys(this.requests)) {
      const waiting = this.requests[name];
      const index = waiting.indexOf(request);
      if (index === -1) continue;
      waiting.splice(index, 1);
      if (waiting.length === 0) delete this.requests[name];
      return name;
    }
    return undefined;
  }

  createConnection(options, callback) {
    if (typeof callback !== 'function') {
      throw new OptionError('a connection comes after its verdict: give a callback, or use `hawser.connect`');
    }
    const settings = this.#settings(options);
    // Node counts a connection when it has the socket, which is too late for `maxSockets` here.
    const place = this.#reserve(options);
    const key = JSON.stringify([settings.host, settings.port, settings.indicated, this.getName(options)]);
    dial(this.#store, settings, this.#contexts, this.#sessions, key, (error, socket) => {
      this.#give(place, options);
      if (error === null) {
        callback(null, socket);
        return;
      }
      callback(error);
      // The next request that waits.
      if (place !== undefined) this.removeSocket(place, options);
    });
    return undefined;
  }

  #reserve(options) {
    if (this.maxSockets === Infinity && this.maxTotalSockets === Infinity) return undefined;
    const place = new net.Socket({ writable: true });
    const name = this.getName(options);
    (this.sockets[name] ??= []).push(place);
    this.totalSocketCount++;
    return place;
  }

  #give(place, options) {
    if (place === undefined) return;
    const name = this.getName(options);
    const index = this.sockets[name]?.indexOf(place) ?? -1;
    if (index === -1) return;
    this.sockets[name].splice(index, 1);
    if (this.sockets[name].length === 0) delete this.sockets[name];
    this.totalSocketCount--;
  }
}

/** An agent for `https` whose connections the policy judges. */
const agent = (options) => new Agent(options);

/** The connections of a dispatcher, so that it can see whether all of them still hold. */
function connectorTo(options, opened) {
  const given = taken(options, ['store', 'maxCachedSessions', 'allowH2', 'connectTimeout', 'timeout']);
  handleOf(given.store);
  const base = {};
  for (let holder = options; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.keys(holder)) if (!(name in base)) base[name] = take(options, name);
  }
  // As undici's own: ten seconds for a connection; `timeout` is its name of that limit.
  base.connectTimeout = given.connectTimeout ?? given.timeout ?? 10_000;
  delete base.timeout;
  base.ALPNProtocols ??= given.allowH2 ? ['http/1.1', 'h2'] : ['http/1.1'];
  base.noDelay ??= true;
  base.keepAlive ??= true;
  base.keepAliveInitialDelay ??= 60_000;
  settingsOf({ ...base, host: 'probe.invalid', port: 443 });
  const contexts = new Contexts();
  const sessions = sessionsOf(given.maxCachedSessions);
  const { store } = given;

  return function connect(asked, callback) {
    // undici's `servername` follows the Host header; judged is the URL's host.
    const { hostname, protocol, port, httpSocket, localAddress } =
      taken(asked, ['hostname', 'protocol', 'port', 'httpSocket', 'localAddress']);
    const finish = (error, socket) => {
      if (error === null) opened?.(socket);
      callback(error, error === null ? socket : null);
    };
    let settings;
    try {
      const isClear = protocol === 'http:';
      if (!isClear && protocol !== 'https:') throw new OptionError(`the scheme is ${shown(protocol)}, and may be https:`);
      const to = { ...base, host: hostname, port: port || (isClear ? 80 : 443) };
      if (httpSocket) to.socket = httpSocket;
      if (localAddress) to.localAddress = localAddress;
      settings = settingsOf(to);
      if (isClear) {
        clear(store, settings, finish);
        return;
      }
    } catch (error) {
      setImmediate(finish, error);
      return;
    }
    const key = JSON.stringify([settings.host, settings.port, settings.indicated]);
    dial(store, settings, contexts, sessions, key, finish);
  };
}

/** A connection without TLS, where a rule waives it. */
function clear(store, settings, finish) {
  const attempt = limited(settings, finish);
  let found;
  try {
    found = judgeCleartext(store, settings);
  } catch (error) {
    setImmediate(() => (error instanceof RejectError ? noted(store, error, attempt.finish) : attempt.finish(error)));
    return;
  }
  stream(store, settings, attempt, (socket) => {
    record(socket, store, settings, found);
    if (!attempt.finish(null, socket)) socket.destroy();
  });
}

/** The `connect` function of undici's Client, Pool and Agent. */
const connector = (options) => connectorTo(options);

/**
 * A dispatcher for `fetch` and undici: undici's Agent, whose connections the policy judges. When a
 * policy judges a host of an open connection more strictly, the next request goes to a new Agent;
 * requests that are under way come to their end.
 */
class Dispatcher extends EventEmitter {
  #make;
  #store;
  #current;
  #retired = new Set();

  constructor(Agent, options) {
    super();
    const given = taken(options, ['store', 'agentOptions']);
    handleOf(given.store);
    if (typeof Agent !== 'function') throw new OptionError(`undici's Agent is a class, not ${shown(Agent)}`);
    const { connect } = taken(given.agentOptions ?? {}, ['connect']);
    if (connect !== undefined) throw new OptionError('`connect` of the agent is this package\'s');
    this.#store = given.store;
    const connections = { ...options };
    delete connections.agentOptions;
    this.#make = () => {
      const sockets = new Set();
      const connect = connectorTo(connections, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      return { agent: new Agent({ ...given.agentOptions, connect }), sockets };
    };
    this.#current = this.#make();
  }

  #agent() {
    for (const socket of this.#current.sockets) {
      if (socket.destroyed || holds(socket)) continue;
      const { agent: old } = this.#current;
      this.#current = this.#make();
      this.#retired.add(old);
      // Waits for its requests.
      old.close().catch(() => {}).finally(() => this.#retired.delete(old));
      break;
    }
    return this.#current.agent;
  }

  dispatch(options, handler) {
    return this.#agent().dispatch(options, handler);
  }

  async close() {
    await Promise.all([this.#current.agent, ...this.#retired].map((one) => one.close()));
  }

  async destroy(error = null) {
    await Promise.all([this.#current.agent, ...this.#retired].map((one) => one.destroy(error)));
  }

  get store() {
    return this.#store;
  }
}

/** A dispatcher over undici's Agent, for `fetch(url, { dispatcher })`. */
const dispatcher = (UndiciAgent, options) => new Dispatcher(UndiciAgent, options);

module.exports = { Agent, agent, connector, dispatcher };
