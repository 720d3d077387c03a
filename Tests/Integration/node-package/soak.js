'use strict';

// 4 worker threads connect while the policy is reloaded: a policy that was in force during the
// connection has to give each verdict, and memory and descriptors stay where they are. Then what a
// handshake costs beside plain `tls`, in one run; that is printed and not judged.
//
//   soak.js TABLE STRICTER CONNECTIONS     with --expose-gc, in the rig's folder; one reload for
//                                          each hundred connections

const assert = require('node:assert');
const { fork } = require('node:child_process');
const fs = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const tls = require('node:tls');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { once } = require('node:events');

const WORKERS = 4;
const SERVERS = ['soak', 'good', 'expired'];

/** Connections to a random server, by `connect` and by an agent that resumes. */
async function work() {
  const hawser = require('hawser-tls');
  const { lookup } = require('./servers.js');
  const { shared, ports, connections, counters } = workerData;
  // Done, reloads begun, reloads that are over: even numbers have the first table in force.
  const [done, begun, over] = [0, 1, 2];
  const counts = new Int32Array(counters);
  const store = hawser.Store.shared(shared);
  const agent = hawser.agent({ store, lookup });
  const told = { accepted: 0, refused: 0, wrong: [] };
  const ask = async (name, number) => {
    const to = { host: `${name}.rig.example`, port: ports[name] };
    if (number % 2 === 0) {
      const socket = await hawser.connect({ store, ...to, lookup });
      const { epoch } = hawser.verdict(socket);
      socket.destroy();
      return epoch;
    }
    return new Promise((resolve, reject) => {
      https.get({ ...to, agent, headers: { Connection: 'close' } }, (answer) => {
        const { epoch } = hawser.verdict(answer.socket);
        answer.resume();
        answer.once('end', () => resolve(epoch));
      }).once('error', reject);
    });
  };
  const one = async (number) => {
    const name = SERVERS[Math.floor(Math.random() * SERVERS.length)];
    const from = Atomics.load(counts, over);
    let epoch;
    let isAccepted = true;
    try {
      epoch = await ask(name, number);
    } catch (error) {
      const rejected = hawser.rejection(error);
      if (rejected === undefined || rejected.verdict === undefined) {
        told.wrong.push(`${name}: ${error.stack}`);
        return;
      }
      isAccepted = false;
      epoch = rejected.epoch;
      const id = name === 'expired' ? 'expired' : 'pin-mismatch';
      if (!rejected.has(id)) told.wrong.push(`${name}: ${rejected.message}`);
    }
    const until = Atomics.load(counts, begun);
    // Epoch 1 was in force before any reload, and each reload makes one more.
    const reload = epoch - 1;
    const expected = name === 'good' || (name === 'soak' && reload % 2 === 0);
    if (isAccepted !== expected || reload < from || reload > until) {
      told.wrong.push(`${name}: ${isAccepted} by reload ${reload}, and ${from} to ${until} were in force`);
    }
    if (isAccepted) told.accepted++;
    else told.refused++;
  };
  for (let number = 0; number < connections; number += 4) {
    await Promise.all([0, 1, 2, 3].map((more) => one(number + more)));
    Atomics.add(counts, done, 4);
    // Otherwise the size of the process is the garbage of four heaps.
    if (number % 256 === 0) globalThis.gc();
  }
  agent.destroy();
  globalThis.gc();
  parentPort.postMessage(told);
}

const descriptors = () => fs.readdirSync('/proc/self/fd').length;

function resident() {
  globalThis.gc();
  return Number(fs.readFileSync('/proc/self/statm', 'utf8').split(' ')[1]) * 4096;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function load(hawser, tables, ports, connections) {
  const reloads = Math.max(4, connections / 100);
  const store = new hawser.Store(tables[0], { log: null });
  const before = descriptors();
  const counters = new SharedArrayBuffer(12);
  const counts = new Int32Array(counters);
  const workers = Array.from({ length: WORKERS }, () => new Worker(__filename, {
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    workerData: { shared: store.share(), ports, connections: connections / WORKERS, counters },
  }));
  const told = Promise.all(workers.map((worker) => once(worker, 'message').then(([message]) => message)));
  let isOver = false;
  told.finally(() => { isOver = true; });
  const sizes = [];
  const begun = process.hrtime.bigint();
  for (let number = 1; number <= reloads; number++) {
    while (!isOver && Atomics.load(counts, 0) < (number * connections) / (reloads + 1)) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    Atomics.store(counts, 1, number);
    store.reload(tables[number % 2]);
    Atomics.store(counts, 2, number);
    sizes.push(resident());
  }
  const results = await told;
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  await Promise.all(workers.map((worker) => worker.terminate()));
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const wrong = results.flatMap((result) => result.wrong);
  assert.deepStrictEqual(wrong.slice(0, 5), [], `${wrong.length} wrong`);
  assert.strictEqual(sum('accepted') + sum('refused'), connections);
  assert(sum('accepted') > connections / 4 && sum('refused') > connections / 4);
  assert.strictEqual(store.epoch, reloads + 1);
  const state = store.state();
  store.close();
  for (let round = 0; round < 200 && descriptors() > before; round++) await new Promise((resolve) => setTimeout(resolve, 10));
  const quarter = Math.floor(sizes.length / 4);
  const [early, late] = [sizes.slice(quarter, 2 * quarter), sizes.slice(-quarter)].map((some) => median(some) / 2 ** 20);
  console.log(`${connections} connections of ${WORKERS} workers through ${reloads} reloads in ${seconds.toFixed(1)} s: ` +
    `${sum('accepted')} accepted, ${sum('refused')} refused, 0 wrong`);
  console.log(`resident in the second quarter ${early.toFixed(1)} MiB, in the last ${late.toFixed(1)} MiB; ` +
    `descriptors ${before} before, ${descriptors()} after`);
  assert(late <= early * 1.15 + 8, 'memory grows');
  assert(descriptors() <= before, 'descriptors are left open');
  assert(state.accepted + state.rejected >= connections);
}

/** Memory after half of some connections of one thread and after all: of a thread it is steady. */
async function flat(hawser, tables, ports, connections) {
  const { lookup } = require('./servers.js');
  const store = new hawser.Store(tables[0], { log: null });
  const sizes = [];
  for (let number = 1; number <= connections; number++) {
    const name = SERVERS[number % SERVERS.length];
    try {
      const socket = await hawser.connect({ store, host: `${name}.rig.example`, port: ports[name], lookup });
      socket.destroy();
    } catch (error) {
      if (hawser.rejection(error) === undefined) throw error;
    }
    if (number % 50 === 0) store.reload(tables[(number / 50) % 2]);
    if (number === Math.floor(connections / 2) || number === connections) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      sizes.push({ resident: resident() / 2 ** 20, heap: process.memoryUsage().heapUsed / 2 ** 20 });
    }
  }
  store.close();
  const [half, all] = sizes;
  console.log(`one thread after ${connections / 2} connections: ${half.resident.toFixed(1)} MiB, heap ${half.heap.toFixed(2)}; ` +
    `after ${connections}: ${all.resident.toFixed(1)} MiB, heap ${all.heap.toFixed(2)}`);
  // The process reaches its size after some thousands of connections; the heap has it at once.
  assert(all.heap < half.heap + 1 && all.resident < half.resident + 16, 'memory grows');
}

/** Stores that nothing refers to any more are closed: their threads and descriptors go. */
async function dropped(hawser, table) {
  const count = () => fs.readdirSync('/proc/self/task').length + descriptors();
  fs.writeFileSync('dropped.table', table);
  const before = count();
  for (let number = 0; number < 100; number++) new hawser.Store('dropped.table', { log: () => {}, onChange: () => {} });
  const open = count();
  assert(open > before, 'a store has neither a thread nor a descriptor: this shows nothing');
  for (let round = 0; round < 200 && count() > before; round++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log(`100 stores dropped: ${before} threads and descriptors before, ${open} open, ${count()} after`);
  assert(count() <= before, 'stores that were dropped are open');
}

async function cost(hawser, table, ports) {
  const { lookup } = require('./servers.js');
  const store = new hawser.Store(table, { log: null });
  const ca = fs.readFileSync('root.pem');
  const context = tls.createSecureContext({ ca });
  const to = { host: 'good.rig.example', port: ports.good, lookup };
  const plain = () => new Promise((resolve, reject) => {
    const socket = tls.connect({ ...to, servername: to.host, secureContext: context, requestOCSP: true }, () => resolve(socket));
    socket.once('error', reject);
  });
  const ways = {
    'tls.connect with a context that is kept': plain,
    'hawser.connect': () => hawser.connect({ store, ...to }),
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < 440; round++) {
    for (const [name, connect] of Object.entries(ways)) {
      const begun = process.hrtime.bigint();
      const socket = await connect();
      const took = Number(process.hrtime.bigint() - begun) / 1000;
      socket.destroy();
      await once(socket, 'close');
      if (round >= 40) times[name].push(took);
    }
  }
  for (const [name, took] of Object.entries(times)) console.log(`${name}: ${median(took).toFixed(0)} us`);
  const chain = [new (require('node:crypto').X509Certificate)(fs.readFileSync('good.pem')).raw];
  const begun = process.hrtime.bigint();
  for (let round = 0; round < 20000; round++) store.evaluate('good.rig.example', chain, { version: 0x0304 });
  console.log(`the verdict of a known chain: ${(Number(process.hrtime.bigint() - begun) / 1000 / 20000).toFixed(1)} us`);
  store.close();
}

async function serve() {
  const { server } = require('./servers.js');
  const ports = {};
  for (const name of SERVERS) ports[name] = (await server(name)).port;
  process.send(ports);
  process.once('disconnect', () => process.exit());
}

async function main() {
  const hawser = require('hawser-tls');
  const [table, stricter, connections] = process.argv.slice(2);
  const child = fork(__filename, ['serve'], { execArgv: [] });
  const [ports] = await once(child, 'message');
  const tables = [table, stricter].map((name) => fs.readFileSync(path.resolve(name)));
  await flat(hawser, tables, ports, Number(connections) / 4);
  await load(hawser, tables, ports, Number(connections));
  await dropped(hawser, tables[0]);
  await cost(hawser, tables[0], ports);
  child.disconnect();
}

const run = isMainThread ? (process.argv[2] === 'serve' ? serve : main) : work;
run().catch((error) => {
  console.error(error);
  process.exit(1);
});
