// Files that are chosen by a button, or dropped on a page, wherever on it.

// Also one that was chosen while the page was still loading. The input is emptied, so that the same file can be chosen again.
export function onChosen(input, take) {
  const chosen = () => {
    const [file] = input.files;
    input.value = "";
    if (file) take(file);
  };
  input.addEventListener("change", chosen);
  chosen();
}

export function onDrop(take) {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    take(event.dataTransfer.files);
  });
}
