'use strict';

// Servers on loopback, and what the tests share.

const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const tls = require('node:tls');
const { once } = require('node:events');

const rig = process.env.HAWSER_RIG;
const read = (name) => fs.readFileSync(path.join(rig, name));

/** Every name is on loopback. */
function lookup(host, options, done) {
  const found = [{ address: '127.0.0.1', family: 4 }];
  if (options.all) done(null, found);
  else done(null, found[0].address, 4);
}

/** undici's Agent and `fetch`, of this Node and of packages that are found. */
function undicis() {
  const found = {};
  // Node makes its dispatcher when `fetch` is first used.
  fetch('data:,').catch(() => {});
  const own = globalThis[Symbol.for('undici.globalDispatcher.1')];
  if (own !== undefined) found.fetch = { Agent: own.constructor, fetch };
  try {
    const undici = require('undici');
    found.undici = { Agent: undici.Agent, fetch: undici.fetch, request: undici.request };
  } catch {
    // Not here.
  }
  return found;
}

/** A TLS server that counts the octets of the program's that it gets. */
async function server(name, options = {}) {
  const { staple, chain = `${name}.pem`, onConnection, listen = '127.0.0.1', ...rest } = options;
  const found = tls.createServer({ cert: read(chain), key: read(`${name}.key`), noDelay: true, ...rest });
  found.octets = found.count = found.resumed = 0;
  found.raw = new Set();
  found.on('connection', (socket) => {
    found.count++;
    found.raw.add(socket);
    socket.once('close', () => found.raw.delete(socket));
  });
  found.on('tlsClientError', () => {});
  if (staple !== undefined) found.on('OCSPRequest', (certificate, issuer, done) => done(null, read(staple)));
  found.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    if (socket.isSessionReused()) found.resumed++;
    socket.on('data', (data) => {
      found.octets += data.length;
    });
    if (onConnection !== undefined) {
      onConnection(socket);
      return;
    }
    // Enough of HTTP for a request without a body.
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const [, where, host] = /^\w+ (\S+)[^]*?\r\nhost: *(\S*)/i.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 4);
        found.host = host;
        const to = options.redirects?.[where];
        const head = to === undefined ? '200 OK' : `302 Found\r\nLocation: ${to}`;
        socket.write(`HTTP/1.1 ${head}\r\nContent-Length: 2\r\n\r\nok`);
      }
    });
  });
  found.listen(0, listen);
  await once(found, 'listening');
  found.port = found.address().port;
  found.end = () => new Promise((resolve) => {
    for (const socket of found.raw) socket.destroy();
    found.close(resolve);
  });
  /** Until what was sent has come, and every connection is over. */
  found.quiet = async () => {
    for (let round = 0; round < 400 && found.raw.size > 0; round++) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return found;
}

/** A proxy that makes tunnels to loopback. */
async function proxy(options = {}) {
  const { name, status = 200 } = options;
  const asked = [];
  const serve = (near) => {
    near.on('error', () => {});
    let text = '';
    const take = (data) => {
      text += data.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      near.removeListener('data', take);
      const [, host, port] = /^CONNECT (\S+):(\d+) /.exec(text) ?? [];
      asked.push({ host, port: Number(port), head: text.slice(0, end) });
      if (status !== 200) {
        near.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const far = net.connect(Number(port), '127.0.0.1', () => {
        near.write('HTTP/1.1 200 Yes\r\n\r\n');
        near.pipe(far).pipe(near);
      });
      far.on('error', () => near.destroy());
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    };
    near.on('data', take);
  };
  const found = name === undefined
    ? net.createServer(serve)
    : tls.createServer({ cert: read(`${name}.pem`), key: read(`${name}.key`) }, serve);
  found.on('tlsClientError', () => {});
  found.listen(0, '127.0.0.1');
  await once(found, 'listening');
  found.port = found.address().port;
  found.asked = asked;
  return found;
}

module.exports = { lookup, proxy, read, rig, server, undicis };
