// A program that uses the types of the package. A line after `REFUSED:` must not fit them.

import * as hawser from 'hawser-tls';

const store = new hawser.Store('policy.table', {
  trustedKeys: [new Uint8Array(32)], requireState: 'at-start', log: (level, line) => level.concat(line),
  onChange: (snapshot) => snapshot.stricterHosts.join(),
});
// REFUSED: new hawser.Store('policy.table', { trusted_keys: [] });
// REFUSED: new hawser.Store(5);

async function main(): Promise<string> {
  const socket = await hawser.connect({ store, host: 'api.acme.example', port: 443, ALPNProtocols: ['h2'] });
  // REFUSED: await hawser.connect({ store, host: 'api.acme.example', port: 443, rejectUnauthorized: false });
  // REFUSED: await hawser.connect({ host: 'api.acme.example', port: 443 });
  socket.write('GET / HTTP/1.0\r\n\r\n');
  hawser.connect({ store, socket, servername: 'a.example' }, (error, made) => error ?? made?.destroy());
  const agent = hawser.agent({ store, keepAlive: true, proxy: 'http://proxy.example:3128' });
  // REFUSED: hawser.agent({ store, checkServerIdentity: () => undefined });
  agent.destroy();
  const verdict: hawser.Verdict | undefined = hawser.verdict(socket);
  const chain: Uint8Array[] = [];
  const judged = store.evaluate('api.acme.example', chain, { port: 443, time: new Date(), version: 0x0304 }).orThrow();
  const error = hawser.rejection(new Error('a'));
  // REFUSED: const code: 'ERR_HAWSER_STORE' = error!.code;
  const connect: hawser.Connector = hawser.connector({ store, allowH2: true });
  connect({ hostname: 'a.example', protocol: 'https:', port: '' }, (failure, made) => failure ?? made?.destroy());
  return `${verdict?.path[0]} ${judged.epoch} ${error?.side} ${hawser.holds(socket)} ${store.share().process}`;
}

main().catch((error: unknown) => hawser.rejection(error)?.has('revoked'));
