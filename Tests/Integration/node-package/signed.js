'use strict';

// Runs the page's script about signed tables: a signed one is opened, and neither an older one nor
// one without a signature takes its place.
//
//   signed.js PAGE

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const scripts = require('./page.js');
const { rig } = require('./servers.js');

const [script, ...others] = scripts(process.argv[2], 'signed');
assert(script !== undefined && others.length === 0);
fs.writeFileSync(path.join(rig, 'signed.js'), script);
const run = (table) => spawnSync(process.execPath, ['signed.js', table, 'publisher.pub', 'kept'], { cwd: rig, encoding: 'utf8' });
fs.rmSync(path.join(rig, 'kept'), { recursive: true, force: true });
const first = run('fleet.table');
assert.deepStrictEqual([first.status, first.stdout.trim()], [0, '42'], first.stderr);
for (const table of ['older.table', 'one.table']) {
  const next = run(table);
  // The table that was kept goes on, or no store is opened.
  if (next.status === 0) assert.strictEqual(next.stdout.trim(), '42', table);
  else assert.match(next.stderr, /ERR_HAWSER_STORE/, table);
}
console.log('revision 42 is opened, and neither an older table nor an unsigned one takes its place');
