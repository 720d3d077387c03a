'use strict';

// Runs the scripts of the package's page as they are written there, against a server that is
// accepted and one that is refused.
//
//   examples.js PAGE TABLE

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http2 = require('node:http2');
const path = require('node:path');
const { once } = require('node:events');

const scripts = require('./page.js');
const { read, rig, server } = require('./servers.js');

const [page, table] = process.argv.slice(2);

/** What a program does in which every name is on loopback. */
async function run(script, url) {
  const file = path.join(rig, 'script.js');
  fs.writeFileSync(file, script);
  const child = spawn(process.execPath, ['--require', path.join(__dirname, 'loopback.js'), file, table, url]);
  let out = '';
  let failed = '';
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { failed += data; });
  const [status] = await once(child, 'close');
  return { status, out: out.trim(), failed: failed.trim() };
}

async function main() {
  const good = await server('good');
  const name = await server('name');
  const second = http2.createSecureServer({ cert: read('good.pem'), key: read('good.key') });
  second.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    stream.end();
  });
  second.listen(0, '127.0.0.1');
  await once(second, 'listening');
  const all = [
    ...scripts(page).map((script) => [script, good.port]),
    ...scripts(page, 'http2').map((script) => [script, second.address().port]),
  ];
  assert.strictEqual(all.length, 5);
  let hasUndici = true;
  try {
    require('undici');
  } catch {
    hasUndici = false;
  }
  for (const [script, port] of all) {
    if (script.includes("require('undici')") && !hasUndici) {
      console.log('no undici here: a script was not run');
      continue;
    }
    const accepted = await run(script, `https://good.rig.example:${port}/`);
    assert.deepStrictEqual([accepted.status, accepted.out], [0, '200'], `${script}\n${accepted.failed}`);
    const refused = await run(script, `https://name.rig.example:${name.port}/`);
    assert.strictEqual(refused.status, 1, script);
    assert.match(refused.failed, /^RejectError: hawser: reject name\.rig\.example:\d+: name-mismatch: /m, script);
  }
  await name.quiet();
  assert.strictEqual(name.octets, 0);
  console.log(`${all.length} scripts of the page, each with a server that is accepted and one that is refused`);
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
