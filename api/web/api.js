// Calls of the public API. A busy service is asked again when it says so.

import { notice, pause } from "./dom.js";
import { t, known } from "./words.js";

const ATTEMPTS = 40;
let key = sessionStorage.getItem("key") ?? "";

/** An answer that is no success: status, problem details, and a sentence for people. */
export class Problem extends Error {
  constructor(status, body) {
    super(sentence(status, body));
    this.status = status;
    this.faults = body?.errors ?? [];
  }
}

function sentence(status, body) {
  const kind = (body?.type ?? "").split("/").pop();
  const ours = `problem.${kind}`;
  const plain = `problem.${status}`;
  const start = known(ours) ? t(ours) : known(plain) ? t(plain) : t("problem.other", { status });
  const details = (body?.errors ?? []).map((fault) => fault.detail);
  return [start, ...new Set(details)].slice(0, 4).join(" ");
}

export function setKey(text) {
  key = text;
  sessionStorage.setItem("key", text);
}

async function problemOf(response) {
  let body = null;
  try {
    body = await response.json();
  } catch {
    /* a proxy's page: the status says it */
  }
  return new Problem(response.status, body);
}

async function send(path, body, accept, signal) {
  const headers = { Accept: accept };
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body) headers["Content-Type"] = "application/json";
  const options = {
    headers,
    signal,
    method: body ? "POST" : "GET",
    body: body && JSON.stringify(body),
  };
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, null);
  }
}

async function patient(path, body, accept, signal) {
  for (let attempt = 1; ; attempt++) {
    const response = await send(path, body, accept, signal);
    const busy = response.status === 503 || response.status === 429;
    if (!busy || attempt === ATTEMPTS) {
      if (attempt > 1) notice("");
      if (!response.ok) throw await problemOf(response);
      return response;
    }
    const seconds = Math.max(1, Number(response.headers.get("Retry-After")) || 1);
    notice(t("busy", { seconds }), "wait", 0);
    await pause(1000 * seconds, signal);
  }
}

/** Whether the service asks for a key, and has none that it knows. */
export async function wantsKey() {
  const response = await send("/v1/games", null, "application/json").catch(() => null);
  return response?.status === 401 || response?.status === 403;
}

/** One answer as data. */
export async function ask(game, operation, request, signal) {
  const path = operation ? `/v1/games/${game}/${operation}` : `/v1/games/${game}`;
  const response = await patient(path, request, "application/json", signal);
  return response.json();
}

/** An answer of many lines, each as soon as it is there. */
export async function* lines(game, operation, request, signal) {
  const path = `/v1/games/${game}/${operation}`;
  const response = await patient(path, request, "application/x-ndjson", signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const parts = (rest + (value ?? "")).split("\n");
    rest = parts.pop();
    for (const part of parts) if (part) yield JSON.parse(part);
    if (done) return;
  }
}

const held = new Map();

/** The rules, levels and limits of a game, asked for once. */
export function capabilities(game) {
  if (!held.has(game))
    held.set(
      game,
      ask(game, "").catch((error) => {
        held.delete(game);
        throw error;
      }),
    );
  return held.get(game);
}
