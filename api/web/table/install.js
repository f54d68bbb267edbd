// Makes the pages available offline, where the browser allows it: over HTTPS, or on the server itself.

if (isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker.register("/worker.js").catch((error) => console.warn("The pages are not kept:", error.message));
}
