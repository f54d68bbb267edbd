// Files chosen with a button, or dropped anywhere on a page.

// Includes a file chosen while the page was still loading. The input is cleared, so that the same file can be chosen again.
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
