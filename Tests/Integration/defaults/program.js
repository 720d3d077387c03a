'use strict';

// A store that is opened on a file with nothing else, for defaults.py: writes its condition, and
// again for each line of its standard input.

const readline = require('node:readline');

const hawser = require('hawser-tls');

const store = new hawser.Store(process.argv[2]);

function write() {
  const [state, snapshot] = [store.state(), store.snapshot()];
  console.log(
    `watching=${state.watching} stale=${state.staleAfter ? 'dated' : 'never'} directory=${state.directory ? 'some' : 'none'} ` +
    `rollback=${snapshot.rollbackProtection} crlite=${state.crliteDirectory ? 'some' : 'none'} epoch=${snapshot.epoch} refused=${state.refused}`);
}

write();
readline.createInterface({ input: process.stdin }).on('line', write).on('close', () => store.close());
