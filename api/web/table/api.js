// Requests to the server. A refusal is thrown as a Refused with the server's sentence (RFC 9457).

import { t, told } from "/web/words.js";

export class Refused extends Error {
  // `detail` is the sentence in English, as received.
  constructor(status, code, message, detail = message) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export class Api {
  constructor(token) {
    this.token = token;
  }

  async json(path, headers = {}) {
    return (await this.ask(path, { headers })).json();
  }

  async blob(path) {
    return (await this.ask(path)).blob();
  }

  async text(path) {
    return (await this.ask(path)).text();
  }

  async post(path, body, headers = {}) {
    return (await this.send(path, body, headers)).json();
  }

  async put(path, body) {
    return (await this.send(path, body, {}, "PUT")).json();
  }

  send(path, body, headers = {}, method = "POST") {
    const typed = { ...headers, "content-type": "application/json" };
    return this.ask(path, { method, headers: typed, body: JSON.stringify(body) });
  }

  // `signal` may abort it before the server has answered.
  async photo(path, photo, fields = {}, signal = null) {
    const body = new FormData();
    body.append("photo", photo, photo.name || "photo.jpg");
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return (await this.ask(path, { method: "POST", body, signal })).json();
  }

  async ask(path, { headers = {}, ...options } = {}) {
    const signed = this.token ? { ...headers, authorization: `Bearer ${this.token}` } : headers;
    const response = await fetch(path, { ...options, headers: signed }).catch(() => null);
    if (!response) throw new Refused(0, "unreached", t("error.unreached"));
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    const { code, detail } = problem;
    throw new Refused(response.status, code, detail ? told(detail) : t("error.status", { status: response.status }), detail);
  }
}
