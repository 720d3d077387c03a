'use strict';

// Options of callers, each read once: a getter that answers differently the second time, and
// properties that something has put on Object.prototype, have no effect.

const { OptionError, shown } = require('./errors.js');

/** A member of an object or of its prototypes, but for Object.prototype. */
function take(object, name) {
  for (let holder = object; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, name)) return object[name];
  }
  return undefined;
}

/** An object with only these members, and without a prototype; `undefined` where one is missing. */
function taken(object, names) {
  if (object === null || (typeof object !== 'object' && typeof object !== 'function')) {
    throw new OptionError(`options are an object, not ${shown(object)}`);
  }
  const found = { __proto__: null };
  for (const name of names) found[name] = take(object, name);
  return found;
}

/** Refuses members that are not in `names`: a name that is mistyped would have no effect. */
function refuseOthers(object, names, what) {
  for (let holder = object; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.keys(holder)) {
      if (!names.includes(name)) {
        throw new OptionError(`${what} has no option \`${name}\`; its options are ${names.join(', ')}`);
      }
    }
  }
}

module.exports = { refuseOthers, take, taken };
