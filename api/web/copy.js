// Copies what stands in a field. Over plain HTTP browsers copy only what is selected. Whether it was copied.

export async function copy(field) {
  field.select();
  if (!navigator.clipboard) return document.execCommand("copy");
  return navigator.clipboard.writeText(field.value).then(() => true, () => false);
}
