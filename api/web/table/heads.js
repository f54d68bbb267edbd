// What makes a record that was rewritten later show: the head of every snapshot is remembered on this phone, and each later
// record must contain it. The server signs the heads; phones keep the signatures, and `muggins verify` checks them.

import { heads as kept, keepHeads } from "./link.js";

const CHANGED = "This record is not the one this phone has seen: line";
const OTHER_KEY = "Another key signs this game than before: the server is another, or its key was replaced.";

// What is wrong with this snapshot's head, in words; null if nothing is. The head is remembered.
export function check(id, head) {
  const { key = head.key, seen = {} } = kept(id);
  const before = seen[head.lines];
  if (before && before.head !== head.head) return said(head.lines, before.head, head.head);
  keepHeads(id, { key, seen: { ...seen, [head.lines]: { head: head.head, signature: head.signature } } });
  return key === head.key ? null : OTHER_KEY;
}

// The same for a whole record, by the hashes of its lines: it must contain every head remembered.
export function checkHashes(id, hashes) {
  for (const [lines, { head }] of Object.entries(kept(id).seen ?? {})) {
    if (hashes[lines - 1] !== head) return said(lines, head, hashes[lines - 1]);
  }
  return null;
}

function said(lines, before, now) {
  const found = now ? `now begins with ${now.slice(0, 12)}` : "is gone";
  return `${CHANGED} ${lines} had the hash ${before.slice(0, 12)}…, and ${found}. Compare it with the other phones.`;
}
