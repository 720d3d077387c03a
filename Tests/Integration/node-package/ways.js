'use strict';

// Every way around the verdict: each is refused, or judged. Run by node-package.sh.

const assert = require('node:assert');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const http2 = require('node:http2');
const https = require('node:https');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { Duplex } = require('node:stream');
const { after, test } = require('node:test');
const tls = require('node:tls');
const { Worker } = require('node:worker_threads');
const { once } = require('node:events');

const hawser = require('hawser-tls');
const { lookup, proxy, read, rig, server, undicis } = require('./servers.js');

const table = path.join(rig, 'one.table');
const stricter = read('stricter.table');
const portless = read('portless.table');
const one = read('one.table');

const ended = [];
const opened = async (name, options) => {
  const found = await server(name, options);
  ended.push(() => found.end());
  return found;
};
const open = (octets = one, options = {}) => {
  const store = new hawser.Store(octets, options);
  ended.push(() => store.close());
  return store;
};
const agentOf = (options) => {
  const agent = hawser.agent({ lookup, ...options });
  ended.push(() => agent.destroy());
  return agent;
};
after(async () => {
  for (const end of ended.reverse()) await end();
});

const store = open();

/** The outcome of a request: the status, and the socket it went over. */
function get(options) {
  return new Promise((resolve, reject) => {
    const request = https.request({ path: '/', ...options }, (answer) => {
      const { socket } = answer;
      answer.resume();
      answer.once('end', () => resolve({ status: answer.statusCode, socket, reused: request.reusedSocket }));
    });
    request.once('error', reject);
    request.end();
  });
}

/** The RejectError that an attempt ends in, with an id among its violations. */
async function refused(attempt, id) {
  const error = await attempt.then(() => undefined, (failure) => failure);
  const found = hawser.rejection(error);
  assert(found, error === undefined ? 'it was accepted' : `${error.stack} ${error.cause?.stack}`);
  assert.strictEqual(found.code, 'ERR_HAWSER_REJECTED');
  assert(found.has(id), found.message);
  return found;
}

const isOption = { name: 'OptionError', code: 'ERR_HAWSER_OPTION' };

test('a socket is handed out after the verdict, by promise and by callback', async () => {
  const good = await opened('good', { onConnection: (socket) => socket.write('hello') });
  const socket = await hawser.connect({ store, host: 'good.rig.example', port: good.port, lookup });
  assert.strictEqual(socket.authorized, true);
  assert.strictEqual(hawser.verdict(socket).accepted, true);
  assert.deepStrictEqual(hawser.verdict(socket).path, ['CN=good.rig.example', 'CN=Rig Root,O=Rig']);
  assert.strictEqual(hawser.holds(socket), true);
  // What the server said first is not lost.
  const [data] = await once(socket, 'data');
  assert.strictEqual(data.toString(), 'hello');
  socket.destroy();
  assert.strictEqual(hawser.holds(socket), false);
  const called = await new Promise((resolve, reject) => {
    const returned = hawser.connect(
      { store, host: 'good.rig.example', port: good.port, lookup },
      (error, got) => (error ? reject(error) : resolve(got)));
    assert.strictEqual(returned, undefined);
  });
  assert.strictEqual(called.authorized, true);
  called.destroy();
  const stranger = await opened('stranger');
  const [error, none] = await new Promise((resolve) => {
    hawser.connect({ store, host: 'stranger.rig.example', port: stranger.port, lookup }, (...outcome) => resolve(outcome));
  });
  assert(error.has('no-applicable-rule'));
  assert.strictEqual(none, undefined);
  await stranger.quiet();
  assert.strictEqual(stranger.octets, 0);
});

test('no object that is handed out has `rejectUnauthorized: false`', async () => {
  const good = await opened('good');
  const agent = agentOf({ store, keepAlive: true });
  const { socket } = await get({ agent, host: 'good.rig.example', port: good.port });
  const direct = await hawser.connect({ store, host: 'good.rig.example', port: good.port, lookup });
  const seen = new Set();
  const look = (value, where) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
    if (value === globalThis || value === process) return;
    seen.add(value);
    for (const name of Reflect.ownKeys(value)) {
      const found = Object.getOwnPropertyDescriptor(value, name);
      if (!found || !('value' in found)) continue;
      assert(!(/rejectUnauthorized/i.test(String(name)) && found.value === false), `${where}.${String(name)}`);
      look(found.value, `${where}.${String(name)}`);
    }
  };
  for (const [name, value] of Object.entries({ agent, socket, direct, connector: hawser.connector({ store }) })) look(value, name);
  // The options of a judged connection, copied, make a connection that Node verifies.
  for (const symbol of Object.getOwnPropertySymbols(direct)) {
    const options = direct[symbol];
    if (!options || !Object.hasOwn(options, 'rejectUnauthorized')) continue;
    const copied = tls.connect({ ...options, socket: undefined, host: '127.0.0.1', port: good.port });
    const [error] = await once(copied, 'error');
    assert.match(error.code, /UNABLE_TO|SELF_SIGNED|ERR_TLS/);
  }
  direct.destroy();
});

const weakening = {
  rejectUnauthorized: false,
  checkServerIdentity: () => undefined,
  ca: read('foreign-root.pem'),
  crl: read('root.pem'),
  session: Buffer.alloc(8),
  secureContext: tls.createSecureContext(),
  pskCallback: () => null,
  secureProtocol: 'TLSv1_2_method',
  isServer: true,
  onread: { buffer: Buffer.alloc(8), callback: () => true },
};

test('options that would weaken the judgement are refused in words, and nothing is sent', async () => {
  const good = await opened('good');
  const agent = agentOf({ store });
  const to = { host: 'good.rig.example', port: good.port };
  for (const [name, value] of Object.entries(weakening)) {
    const refusesIt = (error) => error.code === 'ERR_HAWSER_OPTION' && error.message.includes(`\`${name}\``);
    assert.throws(() => hawser.connect({ store, ...to, [name]: value }), refusesIt, name);
    // By a prototype of the caller's, and by a getter.
    assert.throws(() => hawser.connect(Object.assign(Object.create({ [name]: value }), { store, ...to })), refusesIt, name);
    assert.throws(() => hawser.connect({ store, ...to, get [name]() { return value; } }), refusesIt, name);
    assert.throws(() => hawser.agent({ store, [name]: value }), refusesIt, name);
    assert.throws(() => https.request({ ...to, agent, [name]: value }), refusesIt, name);
    assert.throws(() => hawser.connector({ store, [name]: value }), refusesIt, name);
    agent.options[name] = value;
    assert.throws(() => https.request({ ...to, agent }), refusesIt, name);
    delete agent.options[name];
  }
  for (const store of [undefined, null, {}, Object.create(hawser.Store.prototype), table]) {
    assert.throws(() => hawser.connect({ ...to, store }), isOption);
    assert.throws(() => hawser.agent({ store }), isOption);
    assert.throws(() => hawser.connector({ store }), isOption);
  }
  assert.throws(() => hawser.connect({ store, host: 'good.rig.example' }), isOption);
  for (const port of [0, -1, 65536, 1.5, '44x', NaN, {}]) assert.throws(() => hawser.connect({ ...to, store, port }), isOption);
  for (const host of [5, {}, 'good.rig.example\0.evil']) assert.throws(() => hawser.connect({ ...to, store, host }), isOption);
  assert.strictEqual(good.count, 0);
});

test('a property of Object.prototype changes no verdict', async () => {
  const names = {
    ...weakening, host: 'good.rig.example', servername: 'good.rig.example', store: {}, requestOCSP: false,
    socket: {}, port: 1, path: '/nowhere', singleUse: true, isResumed: true, accepted: true, ALPNProtocols: ['h2'],
  };
  const outcomes = [];
  let octets = 0;
  for (const [property, value] of Object.entries(names)) {
    // Servers of their own, as some of these break a server of Node's.
    const good = await opened('good');
    const name = await opened('name');
    // And a store of its own, which has no context yet.
    const store = open();
    Object.prototype[property] = value;
    let attempts;
    try {
      attempts = [
        hawser.connect({ store, host: 'name.rig.example', port: name.port, lookup }),
        hawser.connect({ store, host: 'good.rig.example', port: good.port, lookup }),
      ];
      await Promise.allSettled(attempts).then((results) => outcomes.push([property, results]));
      // Until the sockets are closed, which has an effect on their contexts.
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      delete Object.prototype[property];
    }
    await name.quiet();
    octets += name.octets;
  }
  for (const [property, [bad, fine]] of outcomes) {
    assert.strictEqual(bad.status, 'rejected', property);
    assert(bad.reason.has?.('name-mismatch'), `${property}: ${bad.reason?.stack}`);
    // Some of these break Node itself; none lets another connection through.
    if (fine.status === 'fulfilled') {
      assert.strictEqual(hawser.verdict(fine.value).host, 'good.rig.example');
      assert.strictEqual(fine.value.getProtocol(), 'TLSv1.3', property);
    }
  }
  for (const [, [, fine]] of outcomes) fine.value?.destroy();
  const accepted = outcomes.filter(([, [, fine]]) => fine.status === 'fulfilled').map(([property]) => property);
  assert(accepted.includes('rejectUnauthorized') && accepted.includes('servername'), accepted.join());
  assert.strictEqual(octets, 0);
});

test('options are read once', async () => {
  const name = await opened('name');
  let times = 0;
  const options = {
    store, port: name.port, lookup, host: '127.0.0.1',
    get servername() {
      times++;
      return times === 1 ? 'name.rig.example' : 'another.rig.example';
    },
  };
  await refused(hawser.connect(options), 'name-mismatch');
  assert.strictEqual(times, 1);
  times = 0;
  const through = new Proxy({ store, port: name.port, lookup, host: 'name.rig.example', rejectUnauthorized: true }, {
    get: (target, key) => (key === 'rejectUnauthorized' && times++ > 0 ? false : target[key]),
  });
  await refused(hawser.connect(through), 'name-mismatch');
});

test('NODE_TLS_REJECT_UNAUTHORIZED=0 and other settings of the process change nothing', async () => {
  const name = await opened('name');
  const foreign = await opened('foreign');
  const program = `
    const hawser = require('hawser-tls');
    const https = require('node:https');
    require('node:tls').connect = () => { throw new Error('replaced'); };
    const store = new hawser.Store(${JSON.stringify(table)});
    const lookup = (host, options, done) => options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    https.globalAgent.options.rejectUnauthorized = false;
    const agent = hawser.agent({ store, lookup });
    for (const [host, port] of [['name', ${name.port}], ['foreign', ${foreign.port}]]) {
      https.get({ host: host + '.rig.example', port, agent }, () => console.log('accepted'))
        .once('error', (error) => console.log(error.code, error.violations[0].id));
    }`;
  for (const [environment, options] of [
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, []],
    [{ NODE_EXTRA_CA_CERTS: path.join(rig, 'foreign-root.pem') }, []],
    [{}, ['--tls-min-v1.0']],
    [{}, ['--use-openssl-ca']],
    [{}, ['--frozen-intrinsics']],
    [{}, ['--disable-proto=throw']],
  ]) {
    const run = await new Promise((resolve) => {
      const child = require('node:child_process').spawn(
        process.execPath, [...options, '-e', program], { env: { ...process.env, ...environment } });
      let text = '';
      child.stdout.on('data', (data) => { text += data; });
      child.stderr.on('data', (data) => { if (process.env.SHOW) process.stderr.write(data); });
      child.once('close', () => resolve(text));
    });
    assert.deepStrictEqual(
      run.trim().split('\n').sort(), ['ERR_HAWSER_REJECTED issuer-not-found', 'ERR_HAWSER_REJECTED name-mismatch'],
      JSON.stringify([environment, options]));
  }
});

test('no host is a reject in words; addresses are judged as addresses', async () => {
  const good = await opened('good');
  const address = await opened('address');
  const raw = net.connect(good.port, '127.0.0.1');
  await once(raw, 'connect');
  const error = await refused(hawser.connect({ store, port: good.port, socket: raw }), 'no-host');
  assert.match(error.message, /a connection without a host.*give `host` or `servername`/);
  raw.destroy();
  await refused(hawser.connect({ store, port: good.port, host: '' }), 'no-host');
  // A host that a stranger gave does not act on a terminal, and goes into no request of a proxy.
  const stranger = 'a\u001b[2J\u202e\r\nX: y';
  const hostile = await refused(hawser.connect({ store, host: stranger, port: good.port, lookup }), 'bad-host');
  assert.match(hostile.message, /^[\x20-\x7e\u2026]*$/);
  for (const host of ['127.0.0.1', '[127.0.0.1]']) {
    const socket = await hawser.connect({ store, host, port: address.port });
    assert.strictEqual(socket.servername || false, false);
    assert.strictEqual(hawser.verdict(socket).host, '127.0.0.1');
    socket.destroy();
  }
  const six = await opened('address', { listen: '::1' }).catch(() => undefined);
  if (six === undefined) console.log('# this machine has no IPv6');
  for (const host of six === undefined ? [] : ['::1', '[::1]', '0:0:0:0:0:0:0:1']) {
    const socket = await hawser.connect({ store, host, port: six.port });
    assert.strictEqual(hawser.verdict(socket).accepted, true);
    socket.destroy();
    const url = new URL(`https://[::1]:${six.port}/`);
    assert.strictEqual((await get({ agent: agentOf({ store }), host: url.hostname.slice(1, -1), port: url.port })).status, 200);
  }
  // The certificate names a host, and the address was asked for.
  await refused(hawser.connect({ store, host: '127.0.0.1', port: good.port }), 'name-mismatch');
  const { status } = await get({ agent: agentOf({ store }), host: '127.0.0.1', port: address.port });
  assert.strictEqual(status, 200);
  await refused(get({ agent: agentOf({ store }), host: '127.0.0.1', port: good.port }), 'name-mismatch');
});

test('the chain is judged as it was sent, and the tree of getPeerCertificate would not do', async () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const crossed = await opened('crossed', { chain: 'crossed-chain.pem', maxVersion, minVersion: maxVersion });
    const sent = fs.readFileSync(path.join(rig, 'crossed-chain.pem'), 'latin1').split(/(?<=-----END CERTIFICATE-----\n)/)
      .filter((text) => text.includes('BEGIN')).map((text) => new (require('node:crypto').X509Certificate)(text).raw);
    assert.strictEqual(sent.length, 5);
    const plain = tls.connect({ host: '127.0.0.1', port: crossed.port, servername: 'crossed.rig.example', rejectUnauthorized: false });
    await once(plain, 'secureConnect');
    const tree = [];
    for (let at = plain.getPeerCertificate(true); at && !tree.includes(at.raw); at = at.issuerCertificate) tree.push(at.raw);
    const list = [];
    for (let at = plain.getPeerX509Certificate(); at; at = at.issuerCertificate) list.push(at.raw);
    plain.destroy();
    assert.deepStrictEqual(list, sent);
    assert(tree.length < sent.length, 'the tree has lost nothing');
    const lost = store.evaluate('crossed.rig.example', tree, { version: 0x0303 });
    const whole = store.evaluate('crossed.rig.example', list, { version: 0x0303 });
    assert.deepStrictEqual([lost.accepted, whole.accepted], [false, true]);
    const socket = await hawser.connect({ store, host: 'crossed.rig.example', port: crossed.port, lookup });
    // What the program may look at afterwards.
    assert.deepStrictEqual(socket.getPeerX509Certificate().raw, sent[0]);
    const shown = [];
    for (let at = socket.getPeerCertificate(true); at && !shown.includes(at.raw); at = at.issuerCertificate) shown.push(at.raw);
    assert.deepStrictEqual(shown.map(String), sent.map(String));
    assert.strictEqual(socket.getPeerCertificate().subject.CN, 'crossed.rig.example');
    assert.strictEqual(socket.getPeerCertificate().issuerCertificate, undefined);
    socket.destroy();
  }
});

test('the staple is seen: asked for, judged, and missed where it is not sent', async () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const to = async (name, options) => {
      const found = await opened(name, { maxVersion, minVersion: maxVersion, ...options });
      return hawser.connect({ store, host: `${name}.rig.example`, port: found.port, lookup });
    };
    (await to('stapled', { staple: 'stapled.staple' })).destroy();
    await refused(to('stapled'), 'revocation-undetermined');
    await refused(to('revoked', { staple: 'revoked.staple' }), 'revoked');
    // A rule that would do without: what the staple tells counts.
    await refused(to('seen', { staple: 'seen.staple' }), 'revoked');
    // A staple of another certificate is none.
    await refused(to('revoked', { staple: 'stapled.staple' }), 'revocation-undetermined');
  }
});

test('version, suite and group come from the handshake', async () => {
  const to = async (name, options) => {
    const found = await opened(name, options);
    return hawser.connect({ store, host: `${name}.rig.example`, port: found.port, lookup });
  };
  (await to('modern')).destroy();
  const error = await refused(to('modern', { maxVersion: 'TLSv1.2' }), 'tls-version');
  assert.deepStrictEqual([error.rule, error.owner], ['modern', 'security']);
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    (await to('groups', { maxVersion, ecdhCurve: 'X25519' })).destroy();
    await refused(to('groups', { maxVersion, ecdhCurve: 'prime256v1' }), 'tls-parameter');
  }
});

test('the Host header plays no part', async () => {
  const good = await opened('good');
  const name = await opened('name');
  const agent = agentOf({ store, keepAlive: true });
  await refused(get({ agent, host: 'name.rig.example', port: name.port, headers: { Host: 'another.rig.example' } }), 'name-mismatch');
  const { status } = await get({ agent, host: 'good.rig.example', port: good.port, headers: { Host: 'name.rig.example' } });
  assert.strictEqual(status, 200);
  assert.strictEqual(good.host, 'name.rig.example');
  for (const [by, { Agent, fetch, request }] of Object.entries(undicis())) {
    const dispatcher = hawser.dispatcher(Agent, { store, lookup });
    ended.push(() => dispatcher.destroy());
    const headers = { Host: 'another.rig.example' };
    await refused(
      request ? request(`https://name.rig.example:${name.port}/`, { dispatcher, headers })
        : fetch(`https://name.rig.example:${name.port}/`, { dispatcher, headers }), 'name-mismatch');
    const answer = await fetch(`https://good.rig.example:${good.port}/`, { dispatcher });
    assert.strictEqual(answer.status, 200, by);
    await answer.text();
  }
  await name.quiet();
  assert.strictEqual(name.octets, 0);
});

test('sessions: a resumed connection is judged again, and none is resumed under a stricter policy', async () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const mine = open();
    const changing = await opened('changing', { maxVersion, minVersion: maxVersion });
    const agent = agentOf({ store: mine });
    const ask = () => get({ agent, host: 'changing.rig.example', port: changing.port, headers: { Connection: 'close' } });
    await ask();
    await ask();
    assert.strictEqual(changing.resumed, 1, maxVersion);
    const before = mine.state().accepted;
    await ask();
    assert.strictEqual(changing.resumed, 2);
    assert.strictEqual(mine.state().accepted, before + 1);
    // The table of a moment ago is in force again, and the host's rule was stricter meanwhile.
    mine.reload(stricter);
    const { octets, count } = changing;
    await refused(ask(), 'pin-mismatch');
    // A session that is offered and refused would take a second connection.
    assert.deepStrictEqual([changing.resumed, changing.count], [2, count + 1], 'a session was offered under a stricter policy');
    mine.reload(one);
    await ask();
    assert.strictEqual(changing.resumed, 2, 'a session of before the stricter policy was offered');
    await ask();
    assert.strictEqual(changing.resumed, 3);
    // Another store's agent has none of these sessions.
    await get({ agent: agentOf({ store: open() }), host: 'changing.rig.example', port: changing.port });
    assert.strictEqual(changing.resumed, 3);
    assert(changing.octets > octets);
    // Nor does a connection by `connect`.
    const socket = await hawser.connect({ store: mine, host: 'changing.rig.example', port: changing.port, lookup });
    assert.strictEqual(socket.isSessionReused(), false);
    socket.destroy();
  }
});

test('a session that a table refuses between its offer and its verdict is not resumed', async () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const mine = open();
    let isSlow = false;
    const changing = await opened('changing', { maxVersion, minVersion: maxVersion });
    const slow = net.createServer((near) => {
      const far = net.connect(changing.port, '127.0.0.1');
      near.on('error', () => {});
      far.on('error', () => {});
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      near.pipe(far);
      far.on('data', (data) => {
        if (isSlow) mine.reload(stricter);
        near.write(data);
      });
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    ended.push(() => slow.close());
    const { port } = slow.address();
    const agent = agentOf({ store: mine });
    const ask = () => get({ agent, host: 'changing.rig.example', port, headers: { Connection: 'close' } });
    await ask();
    isSlow = true;
    const { octets, count } = changing;
    await refused(ask(), 'pin-mismatch');
    assert.strictEqual(changing.octets, octets);
    // The resumed connection was refused, and then the one by a full handshake.
    assert.strictEqual(changing.count, count + 2, 'the session was not offered: this shows nothing');
  }
});

test('kept connections follow the policy', async () => {
  const mine = open();
  const changing = await opened('changing');
  const good = await opened('good');
  for (const scheduling of ['lifo', 'fifo']) {
    mine.reload(one);
    const agent = agentOf({ store: mine, keepAlive: true, scheduling });
    const to = (name, found) => get({ agent, host: `${name}.rig.example`, port: found.port });
    const first = await Promise.all([to('changing', changing), to('changing', changing), to('good', good)]);
    assert.strictEqual((await to('changing', changing)).reused, true);
    assert.strictEqual((await to('good', good)).reused, true);
    mine.reload(stricter);
    const octets = changing.octets;
    await refused(to('changing', changing), 'pin-mismatch');
    assert.strictEqual(changing.octets, octets);
    assert(first.slice(0, 2).every(({ socket }) => socket.destroyed));
    assert.strictEqual((await to('good', good)).reused, true);
    agent.destroy();
  }
});

test('a request that waits for its turn gets no connection that a reload has outdated', async () => {
  const mine = open();
  let answer;
  const changing = await opened('changing', {
    onConnection: (socket) => socket.once('data', () => {
      answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    }),
  });
  const agent = agentOf({ store: mine, keepAlive: true, maxSockets: 1 });
  const ask = () => get({ agent, host: 'changing.rig.example', port: changing.port });
  const under = ask();
  const waiting = refused(ask(), 'pin-mismatch');
  while (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  mine.reload(stricter);
  answer();
  assert.strictEqual((await under).status, 200);
  await waiting;
});

test('limits of an agent hold while connections are being judged', async () => {
  const good = await opened('good');
  const name = await opened('name');
  let most = 0;
  good.on('connection', () => { most = Math.max(most, good.raw.size); });
  for (const limits of [{ maxSockets: 2 }, { maxTotalSockets: 2 }]) {
    const agent = agentOf({ store, keepAlive: true, ...limits });
    const ask = (host, found) => get({ agent, host: `${host}.rig.example`, port: found.port });
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('good', good)));
    assert(answers.every(({ status }) => status === 200));
    agent.destroy();
    await good.quiet();
    // Refused ones: each request has its error, and each was one connection.
    const before = name.count;
    const other = agentOf({ store, ...limits });
    const failures = await Promise.allSettled(
      Array.from({ length: 7 }, () => get({ agent: other, host: 'name.rig.example', port: name.port })));
    assert(failures.every(({ reason }) => hawser.rejection(reason)?.has('name-mismatch')));
    assert.strictEqual(name.count - before, 7);
    assert.strictEqual(other.totalSocketCount, 0);
    assert.deepStrictEqual([Object.keys(other.sockets), Object.keys(other.requests)], [[], []]);
  }
  assert(most <= 2, `${most} connections at a time`);
  assert.strictEqual(name.octets, 0);
});

test('an agent makes no connection without a callback', () => {
  const agent = agentOf({ store });
  assert.throws(() => agent.createConnection({ host: 'good.rig.example', port: 1 }), isOption);
  assert.throws(() => http2.connect('https://good.rig.example:1', { createConnection: () => agent.createConnection({ host: 'a', port: 1 }) }), isOption);
  assert.throws(() => require('node:http').get({ host: 'good.rig.example', agent }), { code: 'ERR_INVALID_PROTOCOL' });
});

test('proxies: the tunnel is judged inside, and a proxy over TLS itself', async () => {
  const good = await opened('good');
  const name = await opened('name');
  const plain = await proxy();
  const over = await proxy({ name: 'proxy' });
  const wrong = await proxy({ name: 'name' });
  const closed = await proxy({ status: 407 });
  ended.push(() => [plain, over, wrong, closed].forEach((one) => one.close()));
  const ways = {
    connect: (host, port, by) => hawser.connect({ store, host, port, proxy: by, lookup }).then((socket) => socket.destroy()),
    agent: (host, port, by) => get({ agent: agentOf({ store, proxy: by, lookup }), host, port, headers: { Connection: 'close' } }),
  };
  for (const [by, { Agent, fetch }] of Object.entries(undicis())) {
    ways[by] = async (host, port, to) => {
      const dispatcher = hawser.dispatcher(Agent, { store, proxy: to, lookup });
      ended.push(() => dispatcher.destroy());
      await (await fetch(`https://${host}:${port}/`, { dispatcher })).text();
    };
  }
  for (const [by, way] of Object.entries(ways)) {
    const asked = plain.asked.length;
    await way('good.rig.example', good.port, `http://user:secret@127.0.0.1:${plain.port}`);
    assert.strictEqual(plain.asked.length, asked + 1, by);
    assert.strictEqual(plain.asked.at(-1).host, 'good.rig.example');
    assert.match(plain.asked.at(-1).head, /Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=/i);
    await refused(way('name.rig.example', name.port, `http://127.0.0.1:${plain.port}`), 'name-mismatch');
    // The proxy's own certificate is for a name that no rule is about, and then for another's.
    await refused(way('good.rig.example', good.port, `https://127.0.0.1:${over.port}`), 'name-mismatch');
    await assert.rejects(way('good.rig.example', good.port, `http://127.0.0.1:${closed.port}`), (error) =>
      (error.cause ?? error).code === 'ERR_HAWSER_PROXY' && /407/.test((error.cause ?? error).message));
  }
  assert.strictEqual(over.asked.length, 0, 'a proxy that was refused has seen a CONNECT');
  // And one that is accepted: its name is looked up by the system, so it is an address here.
  const addressed = await proxy({ name: 'address' });
  ended.push(() => addressed.close());
  await ways.connect('good.rig.example', good.port, `https://127.0.0.1:${addressed.port}`);
  assert.strictEqual(addressed.asked.length, 1);
  await refused(ways.connect('name.rig.example', name.port, `https://127.0.0.1:${addressed.port}`), 'name-mismatch');
  await name.quiet();
  assert.strictEqual(name.octets, 0);
  for (const bad of ['socks://127.0.0.1:1', 'nothing', 5, 'http://%zz@127.0.0.1:1']) {
    assert.throws(() => hawser.connect({ store, host: 'good.rig.example', port: 1, proxy: bad }), isOption);
  }
});

test('HTTP/2', async () => {
  const stop = http2.createSecureServer({ cert: read('good.pem'), key: read('good.key') });
  stop.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('ok');
  });
  stop.listen(0, '127.0.0.1');
  await once(stop, 'listening');
  ended.push(() => stop.close());
  const { port } = stop.address();
  const socket = await hawser.connect({ store, host: 'good.rig.example', port, lookup, ALPNProtocols: ['h2'] });
  const session = http2.connect(`https://good.rig.example:${port}`, { createConnection: () => socket });
  const request = session.request({ ':path': '/' });
  const [headers] = await once(request, 'response');
  assert.strictEqual(headers[':status'], 200);
  request.resume();
  await once(request, 'end');
  session.close();
  const name = await opened('name', { ALPNProtocols: ['h2'] });
  await refused(hawser.connect({ store, host: 'name.rig.example', port: name.port, lookup, ALPNProtocols: ['h2'] }), 'name-mismatch');
  await name.quiet();
  assert.strictEqual(name.octets, 0);
});

test('fetch and undici: redirects, clear text, reloads', async () => {
  const found = undicis();
  console.log(`# seen: ${Object.keys(found).join(', ')}`);
  assert(found.fetch, 'this Node has no fetch');
  for (const [by, { Agent, fetch, request }] of Object.entries(found)) {
    const mine = open();
    const name = await opened('name');
    const changing = await opened('changing');
    const clear = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
    });
    let cleartext = 0;
    clear.on('connection', () => { cleartext++; });
    clear.listen(0, '127.0.0.1');
    await once(clear, 'listening');
    ended.push(() => clear.close());
    const good = await opened('good', {
      redirects: {
        '/name': `https://name.rig.example:${name.port}/`, '/clear': `http://good.rig.example:${clear.address().port}/`,
      },
    });
    const dispatcher = hawser.dispatcher(Agent, { store: mine, lookup });
    ended.push(() => dispatcher.destroy());
    const ask = async (url) => {
      const answer = await fetch(url, { dispatcher });
      return answer.text();
    };
    assert.strictEqual(await ask(`https://good.rig.example:${good.port}/`), 'ok', by);
    await refused(ask(`https://good.rig.example:${good.port}/name`), 'name-mismatch');
    await refused(ask(`https://good.rig.example:${good.port}/clear`), 'cleartext');
    assert.strictEqual(cleartext, 0);
    // A rule waives it for this host.
    assert.strictEqual(await ask(`http://clear.rig.example:${clear.address().port}/`), 'ok');
    assert.strictEqual(cleartext, 1);
    if (request !== undefined) {
      await refused(
        request(`https://good.rig.example:${good.port}/name`, { dispatcher, maxRedirections: 3 }).then(async (answer) => {
          // Later versions follow redirects by an interceptor.
          await answer.body.dump?.();
          return answer.statusCode === 302 ? refusedLater() : answer;
        }), 'name-mismatch');
    }
    // Reloads.
    assert.strictEqual(await ask(`https://changing.rig.example:${changing.port}/`), 'ok');
    const { count } = changing;
    // undici takes a connection again when it has seen that it is idle.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.strictEqual(await ask(`https://changing.rig.example:${changing.port}/`), 'ok');
    assert.strictEqual(changing.count, count, 'the connection was not kept');
    await new Promise((resolve) => setTimeout(resolve, 50));
    mine.reload(stricter);
    const { octets } = changing;
    await refused(ask(`https://changing.rig.example:${changing.port}/`), 'pin-mismatch');
    assert.strictEqual(changing.octets, octets);
    assert.strictEqual(await ask(`https://good.rig.example:${good.port}/`), 'ok');
    await name.quiet();
    assert.strictEqual(name.octets, 0);
    assert.throws(() => hawser.dispatcher(Agent, { store: mine, agentOptions: { connect: {} } }), isOption);
    assert.throws(() => hawser.dispatcher(Agent, { store: mine, rejectUnauthorized: false }), isOption);
    assert.throws(() => hawser.dispatcher({}, { store: mine }), isOption);
  }
  function refusedLater() {
    throw store.lastRejection('nowhere') ?? new Error('the redirect was not followed');
  }
});

test('undici\'s own connect function', async () => {
  const connect = hawser.connector({ store, lookup });
  const good = await opened('good');
  const name = await opened('name');
  const ask = (target) => new Promise((resolve, reject) => {
    const returned = connect(target, (error, socket) => (error ? reject(error) : resolve(socket)));
    assert.strictEqual(returned, undefined);
  });
  const socket = await ask({ hostname: 'good.rig.example', protocol: 'https:', port: String(good.port) });
  socket.destroy();
  // `servername` of undici follows the Host header.
  await refused(
    ask({ hostname: 'name.rig.example', servername: 'another.rig.example', protocol: 'https:', port: name.port }),
    'name-mismatch');
  await refused(ask({ hostname: '', protocol: 'https:', port: name.port }), 'no-host');
  await assert.rejects(ask({ hostname: 'good.rig.example', protocol: 'ftp:', port: 1 }), isOption);
  await refused(ask({ hostname: 'good.rig.example', protocol: 'http:', port: 1 }), 'cleartext');
});

test('sockets of the caller\'s: TCP, a stream, TLS; the port is not guessed', async () => {
  const good = await opened('good');
  const ported = await opened('ported');
  const name = await opened('name');
  const raw = async (found) => {
    const socket = net.connect(found.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const streamed = async (found) => {
    const socket = await raw(found);
    const stream = new Duplex({
      read() { socket.resume(); },
      write(data, encoding, done) { socket.write(data, encoding, done); },
      final(done) { socket.end(done); },
      destroy(error, done) { socket.destroy(); done(error); },
    });
    socket.on('data', (data) => { if (!stream.push(data)) socket.pause(); });
    socket.on('end', () => stream.push(null));
    socket.on('error', () => stream.destroy());
    return stream;
  };
  for (const make of [raw, streamed]) {
    const socket = await hawser.connect({ store, host: 'good.rig.example', socket: await make(good) });
    socket.write('GET / HTTP/1.1\r\nHost: good\r\n\r\n');
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/);
    assert.strictEqual(hawser.holds(socket), true);
    socket.destroy();
    const under = await make(name);
    await refused(hawser.connect({ store, host: 'name.rig.example', socket: under }), 'name-mismatch');
    await refused(hawser.connect({ store, host: 'ported.rig.example', socket: await make(ported) }), 'port-unknown');
    (await hawser.connect({ store, host: 'ported.rig.example', port: ported.port, socket: await make(ported) })).destroy();
    await refused(hawser.connect({ store, host: 'ported.rig.example', port: 8443, socket: await make(ported) }), 'pin-mismatch');
  }
  const where = open(portless);
  const socket = await hawser.connect({ store: where, host: 'ported.rig.example', socket: await raw(ported) });
  assert.strictEqual(hawser.holds(socket), true);
  // From now on the port matters, and nobody has said it.
  where.reload(one);
  assert.strictEqual(hawser.holds(socket), false);
  socket.destroy();
  // TLS inside TLS: the outer connection is the caller's, the inner one is judged.
  const inner = await opened('good');
  const outer = tls.createServer({ cert: read('good.pem'), key: read('good.key') }, (near) => {
    const far = net.connect(inner.port, '127.0.0.1');
    near.on('error', () => {});
    far.on('error', () => {});
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  outer.listen(0, '127.0.0.1');
  await once(outer, 'listening');
  ended.push(() => outer.close());
  const first = await hawser.connect({ store, host: 'good.rig.example', port: outer.address().port, lookup });
  const second = await hawser.connect({ store, host: 'good.rig.example', socket: first });
  second.write('GET / HTTP/1.1\r\nHost: good\r\n\r\n');
  assert.match(String((await once(second, 'data'))[0]), /^HTTP\/1.1 200/);
  second.destroy();
  const third = await hawser.connect({ store, host: 'good.rig.example', port: outer.address().port, lookup });
  await refused(hawser.connect({ store, host: 'name.rig.example', socket: third }), 'name-mismatch');
  await name.quiet();
  assert.strictEqual(name.octets, 0);
});

test('a port of its own has a rule of its own', async () => {
  const ported = await opened('ported');
  const agent = agentOf({ store, keepAlive: true });
  assert.strictEqual((await get({ agent, host: 'ported.rig.example', port: ported.port })).status, 200);
  // The same server, found at port 8443.
  const to8443 = (options, done) => {
    const socket = net.connect(ported.port, '127.0.0.1');
    socket.once('connect', () => done(null, socket));
  };
  const socket = await new Promise((resolve) => to8443({}, (error, made) => resolve(made)));
  await refused(hawser.connect({ store, host: 'ported.rig.example', port: 8443, socket }), 'pin-mismatch');
});

test('names of pools: no letters of an option make one host\'s connection another\'s', () => {
  const agent = agentOf({ store });
  const plain = (options) => https.Agent.prototype.getName.call(new https.Agent(), options);
  const left = { host: 'good.rig.example', port: '443:', localAddress: '1' };
  const right = { host: 'good.rig.example', port: '443', localAddress: ':1' };
  assert.strictEqual(plain(left), plain(right), 'Node tells them apart by now');
  assert.notStrictEqual(agent.getName(left), agent.getName(right));
});

test('a store that is closed refuses, also under load, and nothing is sent', async () => {
  const good = await opened('good');
  const mine = new hawser.Store(one);
  const agent = agentOf({ store: mine, keepAlive: true });
  const kept = (await get({ agent, host: 'good.rig.example', port: good.port })).socket;
  const attempts = Array.from({ length: 60 }, () =>
    hawser.connect({ store: mine, host: 'good.rig.example', port: good.port, lookup }));
  await Promise.race(attempts);
  mine.close();
  mine.close();
  const outcomes = await Promise.allSettled(attempts);
  let accepted = 0;
  for (const { status, value, reason } of outcomes) {
    if (status === 'fulfilled') {
      accepted++;
      value.destroy();
    } else {
      assert(hawser.rejection(reason)?.has('no-verdict'), reason.stack);
      assert.match(reason.message, /the store is closed/);
    }
  }
  assert(accepted >= 1 && accepted < 60, `${accepted} of 60 were accepted`);
  const { count } = good;
  await refused(hawser.connect({ store: mine, host: 'good.rig.example', port: good.port, lookup }), 'no-verdict');
  await refused(get({ agent, host: 'good.rig.example', port: good.port }), 'no-verdict');
  assert.strictEqual(kept.destroyed, true);
  assert.strictEqual(good.count, count, 'a connection was made for a closed store');
  assert.throws(() => mine.snapshot(), { code: 'ERR_HAWSER_STORE', reason: 'closed' });
  assert.throws(() => mine.metrics(), { code: 'ERR_HAWSER_STORE' });
});

test('two stores judge side by side', async () => {
  const mine = open(stricter);
  const changing = await opened('changing');
  const agents = [agentOf({ store, keepAlive: true }), agentOf({ store: mine, keepAlive: true })];
  for (let round = 0; round < 3; round++) {
    assert.strictEqual((await get({ agent: agents[0], host: 'changing.rig.example', port: changing.port })).status, 200);
    await refused(get({ agent: agents[1], host: 'changing.rig.example', port: changing.port, store }), 'pin-mismatch');
  }
  const socket = await hawser.connect({ store, host: 'changing.rig.example', port: changing.port, lookup });
  assert.strictEqual(hawser.holds(socket), true);
  socket.destroy();
});

test('threads: a store of each, and one that is shared', async () => {
  const good = await opened('good');
  const program = `
    const { workerData, parentPort } = require('node:worker_threads');
    const hawser = require('hawser-tls');
    const store = workerData.shared ? hawser.Store.shared(workerData.shared) : new hawser.Store(workerData.table);
    const ask = async () => {
      try {
        const socket = await hawser.connect({ store, host: '127.0.0.1', servername: 'good.rig.example', port: workerData.port });
        socket.destroy();
        return 'accepted';
      } catch (error) {
        return error.violations?.[0].id ?? error.stack;
      }
    };
    parentPort.on('message', async (message) => {
      if (message === 'end') process.exit();
      parentPort.postMessage(await ask());
    });
    parentPort.postMessage('ready');`;
  const mine = open();
  for (const shared of [undefined, mine.share()]) {
    const worker = new Worker(program, { eval: true, workerData: { shared, table, port: good.port } });
    const next = async () => (await once(worker, 'message'))[0];
    assert.strictEqual(await next(), 'ready');
    worker.postMessage('ask');
    assert.strictEqual(await next(), 'accepted');
    if (shared !== undefined) {
      mine.close();
      worker.postMessage('ask');
      assert.strictEqual(await next(), 'no-verdict');
    }
    worker.postMessage('end');
    await once(worker, 'exit');
  }
  for (const token of [{}, { hawserStore: 5n, process: process.pid + 1 }, { hawserStore: '5', process: process.pid }]) {
    assert.throws(() => hawser.Store.shared(token), isOption);
  }
  assert.throws(() => hawser.Store.shared({ hawserStore: 5n, process: process.pid }), { code: 'ERR_HAWSER_STORE' });
  assert.throws(() => JSON.stringify(mine), TypeError);
  // Threads that come and go with the library inside.
  for (let round = 0; round < 8; round++) {
    const worker = new Worker(program, { eval: true, workerData: { table, port: good.port } });
    await once(worker, 'message');
    await worker.terminate();
  }
});

test('the library stays when the thread that loaded it ends', () => {
  const program = `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker(${JSON.stringify(`new (require('hawser-tls').Store)(${JSON.stringify(table)})`)}, { eval: true });
    worker.once('exit', () => setTimeout(() => console.log('fine'), 300));`;
  assert.strictEqual(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim(), 'fine');
});

test('a time limit, a signal, and servers that say nothing or go away', async () => {
  const silent = net.createServer((socket) => socket.on('error', () => {}));
  const rude = net.createServer((socket) => socket.once('data', () => socket.destroy()));
  const other = net.createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  for (const found of [silent, rude, other]) {
    found.listen(0, '127.0.0.1');
    await once(found, 'listening');
    ended.push(() => found.close());
  }
  const to = (found, more) => hawser.connect({ store, host: 'good.rig.example', port: found.address().port, lookup, ...more });
  await assert.rejects(to(silent, { connectTimeout: 50 }), { code: 'ETIMEDOUT' });
  await assert.rejects(to(silent, { timeout: 50 }), { code: 'ETIMEDOUT' });
  await assert.rejects(get({ agent: agentOf({ store }), host: 'good.rig.example', port: silent.address().port, timeout: 50 }), { code: 'ETIMEDOUT' });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  await assert.rejects(to(silent, { signal: controller.signal }), { name: 'AbortError' });
  await assert.rejects(to(silent, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(to(rude), { code: 'ECONNRESET' });
  await assert.rejects(to(other), /SSL|wrong version/i);
  const unused = net.createServer();
  unused.listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const { port } = unused.address();
  unused.close();
  await assert.rejects(hawser.connect({ store, host: 'good.rig.example', port, lookup }), { code: 'ECONNREFUSED' });
  for (const socket of [silent]) socket.close();
});

test('renegotiation is off, and a client certificate is sent', async () => {
  let peer;
  const good = await opened('good', {
    maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: false,
    onConnection: (socket) => { peer = socket.getPeerCertificate().subject?.CN; socket.write('x'); },
  });
  const socket = await hawser.connect({
    store, host: 'good.rig.example', port: good.port, lookup, cert: read('changing.pem'), key: read('changing.key'),
  });
  await once(socket, 'data');
  assert.strictEqual(peer, 'changing.rig.example');
  // With the setting of its own it stays off, too.
  const error = await new Promise((resolve) => socket.renegotiate({}, resolve));
  assert(error instanceof Error, 'it was renegotiated');
  socket.destroy();
});

test('an error has everything that a log should', async () => {
  const lines = [];
  const mine = open(one, { log: (level, line) => lines.push([level, line]) });
  const pinned = await opened('pinned');
  const error = await refused(hawser.connect({ store: mine, host: 'pinned.rig.example', port: pinned.port, lookup }), 'pin-mismatch');
  assert.strictEqual(error.name, 'RejectError');
  assert.deepStrictEqual([error.host, error.port, error.rule, error.side], ['pinned.rig.example', pinned.port, 'pinned', 'in-between']);
  assert.deepStrictEqual(error.sentences, error.violations.map(({ sentence }) => sentence));
  assert.match(error.message, /^hawser: reject pinned\.rig\.example:\d+: pin-mismatch: pin set `ours`.* side=in-between rule=pinned id=r[0-9a-f]{16}/);
  assert.strictEqual(error.verdict.accepted, false);
  assert.throws(() => error.verdict.orThrow(), { code: 'ERR_HAWSER_REJECTED' });
  assert.deepStrictEqual(lines.filter(([level]) => level === 'warning').map(([, line]) => line), [error.message]);
  assert.strictEqual(mine.lastRejection('PINNED.rig.example.'), error);
  // The library's own words for the same chain, and a receipt that the command replays.
  const chain = [new (require('node:crypto').X509Certificate)(read('pinned.pem')).raw];
  const verdict = mine.explain('pinned.rig.example', chain, { version: 0x0304, port: 443 });
  const explained = JSON.parse(verdict.explanation);
  assert.deepStrictEqual(explained.violations.map(({ summary }) => summary), verdict.violations.map(({ sentence }) => sentence));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'receipt-'));
  fs.writeFileSync(path.join(folder, 'receipts'), `${verdict.receipt}\n`);
  const replay = spawnSync(process.env.HAWSER, ['explain', '--receipt', `${folder}/receipts:${verdict.id}`, '--table', table], { encoding: 'utf8' });
  fs.rmSync(folder, { recursive: true });
  assert.strictEqual(replay.status, 1, replay.stderr);
  assert.match(replay.stdout.split('\n')[0], /same/);
  assert(hawser.rejection(new Error('other', { cause: new AggregateError([error]) })) === error);
  assert.strictEqual(hawser.rejection(new Error('other')), undefined);
  assert.strictEqual(hawser.rejection(null), undefined);
});

test('a store: its file, its options, its log', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-'));
  ended.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'policy.table');
  const replace = (octets) => {
    fs.writeFileSync(`${file}.new`, octets);
    fs.renameSync(`${file}.new`, file);
  };
  replace(one);
  const lines = [];
  const changes = [];
  const mine = new hawser.Store(new URL(`file://${file}`), {
    name: 'followed', log: (level, line) => lines.push([level, line]), onChange: (snapshot) => changes.push(snapshot),
  });
  ended.push(() => mine.close());
  const until = async (condition) => {
    for (let round = 0; round < 1000 && !condition(); round++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert(condition());
  };
  await until(() => mine.state().watching === 'notified');
  replace(stricter);
  await until(() => changes.length > 0);
  assert.strictEqual(changes[0].epoch, 2);
  assert(changes[0].stricterHosts.includes('changing.rig.example'), changes[0].stricterHosts.join());
  replace(Buffer.from('no table'));
  await until(() => lines.some(([level]) => level === 'warning' || level === 'error'));
  assert.strictEqual(mine.epoch, 2);
  const state = mine.state();
  assert.deepStrictEqual([state.name, state.origin, typeof state.refusalReason], ['followed', file, 'string']);
  assert(state.failedAt instanceof Date && state.refused >= 1);
  assert.match(mine.metrics(), /hawser_store_epoch\{[^}]*"followed"[^}]*\} 2/);
  assert.throws(() => mine.reload(), (error) => error.code === 'ERR_HAWSER_STORE' && error.result === 'HAWSER_E_TABLE');
  mine.confirm();
  assert.strictEqual(mine.holds(1, 'changing.rig.example'), false);
  assert.strictEqual(mine.holds(1, 'good.rig.example'), true);
  // A mistyped name of an option would have no effect.
  for (const options of [
    { trustedKey: [] }, { trusted_keys: [] }, { threshold: 0 }, { staleness: 'reject' }, { staleAfter: 5 }, { watch: 'polled' },
    { requireState: 'yes' }, { refuseWaivers: 1 }, { log: 5 }, { onChange: 'x' }, { trustedKeys: Buffer.alloc(32) },
    { trustedKeys: ['x'] }, { trustedKeys: [undefined] }, { name: '' }, { name: 'a\0b' },
  ]) {
    assert.throws(() => new hawser.Store(one, options), isOption, JSON.stringify(options));
  }
  assert.throws(() => new hawser.Store(one, { watch: true }), isOption);
  for (const wrong of [undefined, 5, {}, 'a\0b', new URL('https://a.example/')]) assert.throws(() => new hawser.Store(wrong), TypeError);
  assert.throws(() => new hawser.Store(one, { refuseWaivers: true }), { code: 'ERR_HAWSER_STORE', result: 'HAWSER_E_TABLE' });
  assert.throws(() => new hawser.Store(one, { trustedKeys: [Buffer.alloc(32, 1)] }), { result: 'HAWSER_E_TABLE' });
  assert.throws(() => new hawser.Store('/nowhere/policy.table'), { result: 'HAWSER_E_FILE' });
  // Options by a prototype of the caller's count, and properties of Object.prototype do not.
  assert.throws(() => new hawser.Store(one, Object.create({ refuseWaivers: true })), { result: 'HAWSER_E_TABLE' });
  for (const request of [{ port: -1 }, { tls: 'yes' }, { version: 1e9 }, { staple: 'x' }, { time: 'now' }, { cipher: 'x' }]) {
    assert.throws(() => mine.evaluate('good.rig.example', [], request), isOption, JSON.stringify(request));
  }
  assert.throws(() => mine.evaluate('good.rig.example', Buffer.alloc(3)), isOption);
  assert.throws(() => mine.evaluate(5, []), isOption);
  assert.strictEqual(mine.evaluate('good.rig.example', []).accepted, false);
  assert.strictEqual(mine.evaluate('good.rig.example', [Buffer.alloc(0)]).accepted, false);
  const sharedOctets = new Uint8Array(new SharedArrayBuffer(64));
  assert.strictEqual(mine.evaluate('good.rig.example', [sharedOctets]).accepted, false);
});

test('CRLite filters answer where a rule asks them', async () => {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'filters-'));
  const folder = path.join(parent, 'crlite');
  const fill = (state) =>
    execFileSync('python3', [process.env.HAWSER_FILTERS, 'fill', folder, path.join(rig, 'root.pem'), state]);
  const made = await opened('filtered');
  const to = (mine) => hawser.connect({ store: mine, host: 'filtered.rig.example', port: made.port, lookup });
  const lines = [];
  const missing = open(one, { crliteDirectory: folder, log: (level, line) => lines.push(line) });
  await refused(to(missing), 'revocation-undetermined');
  for (let round = 0; round < 500 && lines.length === 0; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.match(lines.join('\n'), /CRLite filters cannot be asked/);
  assert.ok(missing.state().crliteMessage.includes(folder), missing.state().crliteMessage);
  fill('good');
  const good = open(one, { crliteDirectory: folder });
  (await to(good)).destroy();
  assert.deepStrictEqual([good.state().crliteDirectory, good.state().crliteMessage], [folder, undefined]);
  fill('revoked');
  const error = await refused(to(open(one, { crliteDirectory: folder })), 'revoked');
  assert.match(error.message, /revoked/);
  await refused(to(open(one)), 'revocation-undetermined');
  assert.throws(() => new hawser.Store(one, { crliteDirectory: 5 }), isOption);
  fs.rmSync(parent, { recursive: true });
});

test('a refused file is a line on standard error where no function takes it, and the program may end', () => {
  const program = `
    const fs = require('node:fs');
    const hawser = require('hawser-tls');
    const store = new hawser.Store(process.argv[1]);
    fs.writeFileSync(process.argv[1] + '.new', 'no table');
    fs.renameSync(process.argv[1] + '.new', process.argv[1]);
    const begun = Date.now();
    const timer = setInterval(() => {
      if (store.state().refused > 0 || Date.now() - begun > 20000) clearInterval(timer);
    }, 10);`;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-'));
  const file = path.join(folder, 'policy.table');
  fs.writeFileSync(file, one);
  const run = spawnSync(process.execPath, ['-e', program, file], { encoding: 'utf8' });
  fs.rmSync(folder, { recursive: true });
  assert.strictEqual(run.status, 0, run.stderr);
  assert.match(run.stderr, /^hawser: (warning|error): /m);
});

test('modules of both kinds have every name', () => {
  const cwd = path.resolve(path.dirname(require.resolve('hawser-tls/package.json')), '../..');
  const names = Object.keys(hawser).sort();
  const program = `
    import hawser, * as all from 'hawser-tls';
    console.log(JSON.stringify(Object.keys(all).filter((name) => name !== 'default' && name !== 'module.exports').sort()));
    console.log(Object.keys(hawser).every((name) => hawser[name] === all[name]));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd, encoding: 'utf8' });
  assert.deepStrictEqual(said.trim().split('\n'), [JSON.stringify(names), 'true']);
});
