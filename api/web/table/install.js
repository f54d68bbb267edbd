// Keeps the pages on this phone, where the browser lets a page do so: over HTTPS, or on the server itself.

if (isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker.register("/worker.js").catch((error) => console.warn("The pages are not kept:", error.message));
}
