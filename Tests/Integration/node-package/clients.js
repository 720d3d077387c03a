'use strict';

// Connects to the servers of node-package.sh by each client, and compares the verdicts with the
// verdicts of the command.
//
//   clients.js VERSION TABLE     in the folder of the rig: servers-VERSION.txt has a line for each
//                                server, explained-VERSION-NAME.json what the command said

const assert = require('node:assert');
const fs = require('node:fs');
const http2 = require('node:http2');
const https = require('node:https');

const hawser = require('hawser-tls');
const { lookup, undicis } = require('./servers.js');

const [version, table] = process.argv.slice(2);
const store = new hawser.Store(table);

/** A sentence without the instant of its verdict, which is another one for each client. */
const timeless = (sentence) => sentence.replace(/judged at \S+/, 'judged at …');

/** What the command says: the ids and the sentences. */
function commanded(name) {
  const explained = JSON.parse(fs.readFileSync(`explained-${version}-${name}.json`, 'utf8'));
  const { verdict } = explained;
  assert(verdict === 'accept' || verdict === 'reject', `${name}: ${verdict}`);
  const reasons = verdict === 'accept' ? [] : explained.violations;
  return { accepted: verdict === 'accept', ids: reasons.map(({ id }) => id), sentences: reasons.map(({ summary }) => summary) };
}

const agent = hawser.agent({ store, lookup });
const kept = hawser.agent({ store, lookup, keepAlive: true });

function get(host, port, by) {
  return new Promise((resolve, reject) => {
    https.get({ host, port, path: '/', agent: by }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    }).once('error', reject);
  });
}

const clients = {
  'https.request': (host, port) => get(host, port, agent),
  'https.request, kept alive': (host, port) => get(host, port, kept),
  'hawser.connect': async (host, port) => {
    const socket = await hawser.connect({ store, host: '127.0.0.1', servername: host, port });
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.0\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
  },
  'http2.connect': async (host, port) => {
    const socket = await hawser.connect({ store, host, port, lookup, ALPNProtocols: ['h2'] });
    assert.strictEqual(socket.alpnProtocol, 'h2');
    const session = http2.connect(`https://${host}:${port}`, { createConnection: () => socket });
    session.on('error', () => {}); // s_server speaks no HTTP/2.
    await new Promise((resolve) => session.once('connect', resolve));
    session.destroy();
  },
};
const dispatchers = [];
for (const [name, { Agent, fetch }] of Object.entries(undicis())) {
  const dispatcher = hawser.dispatcher(Agent, { store, lookup });
  dispatchers.push(dispatcher);
  clients[name] = async (host, port) => {
    const answer = await fetch(`https://${host}:${port}/`, { dispatcher });
    await answer.text();
  };
}

async function main() {
  const servers = fs.readFileSync(`servers-${version}.txt`, 'utf8').trim().split('\n').map((line) => line.split(' '));
  for (const [name, port] of servers) {
    const expected = commanded(name);
    const host = `${name}.rig.example`;
    for (const [client, ask] of Object.entries(clients)) {
      let failure;
      try {
        await ask(host, Number(port));
      } catch (error) {
        failure = error;
      }
      const what = `${version} ${name} ${client}`;
      if (expected.accepted) {
        assert.strictEqual(failure, undefined, `${what}: ${failure?.stack} ${failure?.cause}`);
        continue;
      }
      const rejected = hawser.rejection(failure);
      assert(rejected, `${what}: ${failure === undefined ? 'accepted' : failure.stack}`);
      assert.strictEqual(rejected.code, 'ERR_HAWSER_REJECTED');
      assert.deepStrictEqual(rejected.violations.map(({ id }) => id), expected.ids, what);
      assert.deepStrictEqual(rejected.sentences.map(timeless), expected.sentences.map(timeless), what);
      assert(rejected.side && rejected.id && rejected.command, what);
      assert.strictEqual(store.lastRejection(host).message, rejected.message);
    }
    console.log(`${name.padEnd(10)} ${expected.accepted ? 'accept' : expected.ids.join(', ')}`);
  }
  await Promise.all(dispatchers.map((one) => one.destroy()));
  agent.destroy();
  kept.destroy();
  console.log(`by ${Object.keys(clients).join('; ')}`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
