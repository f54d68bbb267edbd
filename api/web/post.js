// What both pages do that send a file: they post it, and say in words why nothing came back.

import { t, told } from "/web/words.js";

// `unsent`: the key of what is said when the server cannot be reached. Throws an Error, or AbortError where `signal` is told.
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
