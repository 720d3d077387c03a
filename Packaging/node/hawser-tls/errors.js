'use strict';

// What the package throws, and hands to callbacks.

const { inspect } = require('node:util');

/** A call that failed. Not a verdict. `result` is as in hawser.h, `reason` a stable word. */
class StoreError extends Error {
  constructor(result, reason, message) {
    super(`hawser: ${message} (${[reason, result].filter(Boolean).join(', ')})`);
    this.name = 'StoreError';
    this.code = 'ERR_HAWSER_STORE';
    this.result = result;
    this.reason = reason;
  }
}

/** An option that would weaken the judgement, or that cannot be used. */
class OptionError extends TypeError {
  constructor(message) {
    super(`hawser: ${message}`);
    this.name = 'OptionError';
    this.code = 'ERR_HAWSER_OPTION';
  }
}

/** Text of a stranger, such as a host, which cannot act on a terminal or in a log. */
const printable = (text) =>
  text.replace(/[^\x20-\x7e\u00a1-\u1fff]/gu, (letter) => `\\u{${letter.codePointAt(0).toString(16).toUpperCase()}}`);

const said = (violations) => violations.map(({ id, sentence }) => `${id}: ${sentence}`).join('; ');

/**
 * A server that the policy does not accept, or could not be asked about.
 *
 * The text has the violations and then the words `side=`, `rule=`, `owner=`, `id=` and `next=`, as
 * far as they are known. The properties have them too.
 */
class RejectError extends Error {
  constructor(host, port, violations, verdict) {
    const name = host === undefined ? 'a connection without a host' : printable(host);
    const where = port === undefined ? name : name.includes(':') ? `[${name}]:${port}` : `${name}:${port}`;
    super(`hawser: reject ${where}: ${verdict?.reasons ?? printable(said(violations))}`);
    this.name = 'RejectError';
    this.code = 'ERR_HAWSER_REJECTED';
    this.host = host;
    this.port = port;
    this.violations = violations;
    this.sentences = violations.map(({ sentence }) => sentence);
    this.epoch = verdict?.epoch ?? 0;
    this.side = verdict?.side;
    this.rule = verdict?.rule;
    this.owner = verdict?.owner;
    this.id = verdict?.id;
    this.command = verdict?.command;
    // A page of output for each refusal would be too much.
    Object.defineProperty(this, 'verdict', { value: verdict, enumerable: false });
  }

  /** Whether a violation has this id, such as `revoked`. */
  has(id) {
    return this.violations.some((violation) => violation.id === id);
  }
}

/**
 * The RejectError that a library's error comes from; undefined where it comes from something else.
 * Looks at causes, at the errors of an AggregateError, and at `reason` and `error`.
 */
function rejection(error) {
  const waiting = [error];
  const seen = new Set();
  while (waiting.length > 0 && seen.size < 1000) {
    const found = waiting.shift();
    if (found instanceof RejectError) return found;
    if (found === null || typeof found !== 'object' || seen.has(found)) continue;
    seen.add(found);
    for (const name of ['cause', 'reason', 'error', 'originalError', 'errors']) {
      const next = found[name];
      if (Array.isArray(next)) waiting.push(...next);
      else waiting.push(next);
    }
  }
  return undefined;
}

/** How a value is named in an error, in a few words. */
const shown = (value) => inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 80 });

module.exports = { OptionError, RejectError, StoreError, rejection, shown };
