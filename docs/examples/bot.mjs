// Plays a whole game against the service, one level a seat, and prints every move.
//
//     node bot.mjs http://127.0.0.1:8000 dice 1 10       two players: level 1 against level 10
//     node bot.mjs http://127.0.0.1:8000 tile 3 3 8 --seed=monday
//
// Needs Node 18 or newer and no packages.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const ATTEMPTS = 10;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, key: { type: "string" } },
});
const [url, game, ...levels] = positionals;
const seed = options.seed ?? randomUUID();

/** The answer to a request; waits where the service is busy. Every request is safe to repeat. */
async function ask(operation, request) {
  const headers = { "Content-Type": "application/json" };
  if (options.key) headers.Authorization = `Bearer ${options.key}`;
  const call = { method: "POST", headers, body: JSON.stringify(request) };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url.replace(/\/$/, "")}/v1/games/${game}/${operation}`, call);
    const answer = await response.json(); // a problem is JSON as well
    if (response.ok) return answer;
    const busy = response.status === 503 || response.status === 429;
    if (!busy || attempt === ATTEMPTS) throw new Error(`${answer.title}: ${answer.detail}`);
    await sleep(1000 * Number(response.headers.get("Retry-After") ?? 1));
  }
}

/** Plays a game to its end; the final score. Equal seeds give equal games. */
async function play() {
  let answer = await ask("new", { players: levels.length, seed });
  for (let turn = 1; answer.node !== "terminal"; turn++) {
    const seat = answer.position.to_move;
    const level = Number(levels[seat]);
    const request = { position: answer.position, level, seed: `${seed}/${turn}` };
    // At a chance node the only move is to roll or to refill, which `move` does as well.
    answer = await ask("move", request);
    console.log(`${turn}. seat ${seat}, level ${level}: ${answer.chosen.move}`);
  }
  return ask("score", { position: answer.position });
}

if (!url || !levels.length) {
  console.error("usage: node bot.mjs URL tile|dice LEVEL LEVEL... [--seed=TEXT] [--key=KEY]");
  process.exit(2);
}
const { scores, winners } = await play();
scores.forEach(({ total }, seat) =>
  console.log(`seat ${seat}: ${total} points, win share ${winners[seat].toFixed(2)}`));
