// Shared by both pages that send a file: they post it, and report in words why nothing came back.

import { t, told } from "/web/words.js";

// `unsent`: key of the message when the server cannot be reached. Throws an Error, or an AbortError when `signal` is aborted.
export async function post(path, options, unsent) {
  let response;
  try {
    response = await fetch(path, { method: "POST", ...options });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(t(unsent));
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail ? told(problem.detail) : t("error.try-again", { status: response.status }));
}
