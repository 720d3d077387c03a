'use strict';

// The scripts of a page: each fenced block that begins with ```js and the words after it.

const fs = require('node:fs');

module.exports = (page, words = '') => {
  const found = [];
  const text = fs.readFileSync(page, 'utf8');
  for (const [, kind, script] of text.matchAll(/^```js ?(.*)\n([^]*?)^```$/gm)) if (kind === words) found.push(script);
  return found;
};
