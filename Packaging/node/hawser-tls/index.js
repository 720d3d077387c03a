'use strict';

// Hawser for Node: TLS servers are judged by a compiled policy table.

const { OptionError, RejectError, StoreError, rejection } = require('./errors.js');
const { Store, Verdict } = require('./store.js');
const { connect, holds, verdict } = require('./connect.js');
const { Agent, agent, connector, dispatcher } = require('./agent.js');
const { version } = require('./package.json');

module.exports = {
  Agent, OptionError, RejectError, Store, StoreError, Verdict, agent, connect, connector, dispatcher, holds, rejection,
  verdict, version,
};
