// Copies the contents of a field; returns whether that worked. Over plain HTTP browsers copy only a selection.

export async function copy(field) {
  field.select();
  if (!navigator.clipboard) return document.execCommand("copy");
  return navigator.clipboard.writeText(field.value).then(() => true, () => false);
}
