// Translates sentences that the server composed in English. The catalogue has templates: "{who}: throw {count} dice".
// A slot in braces is matched by its name, without trailing digits: `n` a number (1.5 is written in the local form),
// `dice` pieces such as 1-2-5, `who` a name, `names` several names, `numbers` several line numbers, `either` a list of choices,
// `code` a hash, a time or a file, `typed` a move as it is typed, `rule` a reference to a rule, `count` a word, `part` the first
// item of a list, up to its comma; anything else has to be translated itself. A sentence is translated as a whole or not at all;
// a name has no sentence before it and no verb.

const OPAQUE = {
  n: /^[+−-]?\d+([.,]\d+)*$/,
  dice: /^\d([\d ,-]*\d)?$/,
  who: /^(?!.* and )(?!.*([a-z]{4}|[\d)%])[.!?…] )(?!.*[.!?…] (Die|Tile) \d)(?!.* (is|are|was|were|has|have|not|left) )[^:;,]{1,40}$/,
  names: /^.+$/,
  numbers: /^\d+(, \d+)*,? and \d+$/,
  either: /^.+$/,
  code: /^\S+$/,
  typed: /^[a-z][\w :-]*$/,
  rule: /^[A-Z][\w' ,;:-]*$/,
};

const DECIMAL = /^\d+\.\d+$/;

// Characters at which these slots end.
const CLOSED = { part: /,/, count: / /, total: /:/ };

// `list` formats a list of names, and `choice` a list of choices; `moment` formats a day or a time, and returns anything else
// unchanged; `decimal` formats a number with a given number of decimals.
export function translator(catalogue, list, choice, moment, decimal) {
  const templates = Object.entries(catalogue)
    .map(([english, other]) => ({ ...parsed(english), other }))
    .sort((one, two) => two.weight - one.weight);
  const exact = new Map(Object.entries(catalogue).filter(([english]) => !english.includes("{")));
  const done = new Map();

  function translate(text) {
    if (!done.has(text)) {
      if (done.size > 5000) done.clear();
      done.set(text, null); // guards against infinite recursion
      done.set(text, exact.get(text) ?? byTemplate(text) ?? asSentence(text) ?? asSentences(text));
    }
    return done.get(text);
  }

  function byTemplate(text) {
    for (const { literals, slots, other } of templates) {
      if (!slots.length || !text.startsWith(literals[0]) || !text.endsWith(literals.at(-1))) continue;
      for (const values of splits(literals, text)) {
        const filled = fill(other, slots, values, /^[A-Z]/.test(literals[0]));
        if (filled !== null) return filled;
      }
    }
    return null;
  }

  // A sentence that begins with a capital does so in the other language, too.
  function fill(other, slots, values, begins) {
    const parts = {};
    for (const [place, slot] of slots.entries()) {
      const part = partOf(slot.replace(/\d+$/, ""), values[place]);
      if (part === null || (slot in parts && parts[slot] !== part)) return null;
      parts[slot] = part;
    }
    const filled = other.replace(/\{(\w+)\}/g, (_, slot) => parts[slot]);
    return begins && /^\{.*\.$/.test(other) ? `${filled[0].toUpperCase()}${filled.slice(1)}` : filled;
  }

  function partOf(kind, text) {
    if (CLOSED[kind]?.test(text)) return null;
    if (!OPAQUE[kind]) return translate(text);
    if (!OPAQUE[kind].test(text)) return null;
    if (kind === "names" || kind === "numbers") return list(text.split(/, and | and |, /));
    if (kind === "code") return moment(text);
    if (kind === "n" && DECIMAL.test(text)) return decimal(Number(text), text.length - 1 - text.indexOf("."));
    return kind === "either" ? choice(text.split(/, or | or |, /)) : text;
  }

  // A clause may also be a sentence of its own.
  function asSentence(text) {
    if (!/^[A-Z].*\.$/.test(text)) return null;
    const clause = translate(text[0].toLowerCase() + text.slice(1, -1));
    return clause && `${clause[0].toUpperCase()}${clause.slice(1)}.`;
  }

  // Several sentences are translated one by one.
  function asSentences(text) {
    for (const { index } of text.matchAll(/[.?!] (?=[A-Z])/g)) {
      const first = translate(text.slice(0, index + 1));
      const others = first && translate(text.slice(index + 2));
      if (others) return `${first} ${others}`;
    }
    return null;
  }

  return translate;
}

// Literals and slots alternate, with a literal first and last. Templates with more literal text are tried first.
function parsed(english) {
  const pieces = english.split(/\{(\w+)\}/);
  const literals = pieces.filter((_, place) => place % 2 === 0);
  return { literals, slots: pieces.filter((_, place) => place % 2), weight: literals.join("").length };
}

// Every way to match the text with these literals and something between each two of them.
function* splits([first, ...rest], text) {
  if (text.startsWith(first)) yield* following(rest, text.slice(first.length));
}

function* following([next, ...rest], text) {
  if (next === undefined) {
    if (!text) yield [];
    return;
  }
  if (!rest.length) {
    if (text.length > next.length && text.endsWith(next)) yield [text.slice(0, text.length - next.length)];
    return;
  }
  for (let at = text.indexOf(next, 1); at > 0; at = text.indexOf(next, at + 1)) {
    for (const others of following(rest, text.slice(at + next.length))) yield [text.slice(0, at), ...others];
  }
}
