'use strict';

// Preloaded: every name is on loopback.

const dns = require('node:dns');
const { lookup } = require('./servers.js');

dns.lookup = (host, options, done) =>
  typeof options === 'function' ? lookup(host, {}, options) : lookup(host, typeof options === 'object' ? options : {}, done);
