// Detects a record that was rewritten later: the head of every snapshot is stored on this phone, and each later record must
// contain it. The server signs the heads; phones store the signatures, and `muggins verify` checks them.

import { t } from "/web/words.js";
import { heads as kept, keepHeads } from "./link.js";

// What is wrong with this snapshot's head, in words; null if nothing is. The head is stored.
export function check(id, head) {
  const { key = head.key, seen = {} } = kept(id);
  const before = seen[head.lines];
  if (before && before.head !== head.head) return said(head.lines, before.head, head.head);
  keepHeads(id, { key, seen: { ...seen, [head.lines]: { head: head.head, signature: head.signature } } });
  return key === head.key ? null : t("record.other-key");
}

// The same check for a whole record, by the hashes of its lines: it must contain every stored head.
export function checkHashes(id, hashes) {
  for (const [lines, { head }] of Object.entries(kept(id).seen ?? {})) {
    if (hashes[lines - 1] !== head) return said(lines, head, hashes[lines - 1]);
  }
  return null;
}

// What is wrong with evidence of the game, which may have been saved before its last moves; its heads are known to be the game's.
export function checkSaved(seen, hashes) {
  const lines = Object.keys(seen).map(Number);
  const changed = lines.find((line) => line <= hashes.length && hashes[line - 1] !== seen[line].head);
  if (changed) return { level: "wrong", text: said(changed, seen[changed].head, hashes[changed - 1]) };
  if (Math.max(...lines) > hashes.length) return { level: "warning", text: t("verify.went-on", { line: Math.max(...lines), last: hashes.length }) };
  return { level: "ok", text: t("verify.saved-here", { count: lines.length }) };
}

function said(lines, before, now) {
  return t(now ? "record.changed" : "record.gone", { line: lines, before: before.slice(0, 12), now: now?.slice(0, 12) });
}
