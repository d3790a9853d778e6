// A game as it goes on: positions, moves played, whose turn it is. Every rule is asked for.

import { ask } from "./api.js";

export class Game {
  /** seats: one `{level}` each, null for a human. first: an answer that holds a position. */
  constructor(game, seats, seed, first) {
    this.game = game;
    this.seats = seats;
    this.seed = seed;
    this.start = { position: first.position, notation: first.notation, node: first.node };
    this.steps = [];
    this.moves = [];
    this.score = null;
  }

  static async begin(game, seats, seed, options) {
    const request = { players: seats.length, ...(seed ? { seed } : {}), ...options };
    const first = await ask(game, "new", request);
    const made = new Game(game, seats, first.seed, first);
    await made.refresh();
    return made;
  }

  static async resume(game, seats, seed, notation) {
    const found = await ask(game, "legal-moves", { position: notation });
    const players = found.position.players;
    const all = Array.from({ length: players }, (_, seat) => seats[seat] ?? { level: null });
    const made = new Game(game, all, seed, found);
    await made.refresh();
    return made;
  }

  get now() {
    return this.steps.at(-1) ?? this.start;
  }
  get position() {
    return this.now.position;
  }
  get toMove() {
    return this.position.to_move;
  }
  get over() {
    return this.now.node === "terminal";
  }
  get human() {
    return !this.over && this.seats[this.toMove].level === null;
  }

  /** Humans whose hidden things may be shown: the one to move, or the only one. */
  get viewer() {
    const humans = this.seats.flatMap((seat, index) => (seat.level === null ? [index] : []));
    if (humans.length === 1) return humans[0];
    return humans.includes(this.toMove) ? this.toMove : null;
  }

  get chance() {
    return `${this.seed}/${this.steps.length}`.slice(-200);
  }

  async play(move, signal) {
    const until = this.game === "tile" ? "decision" : "next";
    const request = { position: this.position, move, seed: this.chance, until };
    const answer = await ask(this.game, "apply", request, signal);
    await this.add(move, answer, signal);
  }

  async bot(signal) {
    const { level } = this.seats[this.toMove];
    const request = { position: this.position, level, seed: this.chance };
    const answer = await ask(this.game, "move", request, signal);
    await this.add(
      answer.chosen?.move ?? (this.game === "tile" ? "refill" : "roll"),
      answer,
      signal,
    );
  }

  async add(move, { position, notation, node, outcomes }, signal) {
    const step = { seat: this.toMove, move, outcomes, position, notation, node };
    const [legal, score] = await this.ask(step, signal);
    signal?.throwIfAborted();
    this.steps.push(step);
    this.moves = legal;
    this.score = score;
  }

  async refresh() {
    [this.moves, this.score] = await this.ask(this.now);
  }

  ask(step, signal) {
    const request = { position: step.position };
    const legal = ask(this.game, "legal-moves", request, signal).then((found) => found.moves);
    return Promise.all([legal, ask(this.game, "score", request, signal)]);
  }

  /** Back to the last decision of a human; false where there is none. */
  async undo() {
    for (let at = this.steps.length - 1; at >= 0; at--) {
      const before = this.steps[at - 1] ?? this.start;
      if (this.seats[before.position.to_move].level === null && before.node === "decision") {
        return this.goTo(at);
      }
    }
    return false;
  }

  async goTo(length) {
    this.steps.length = length;
    await this.refresh();
    return true;
  }

  /** What review takes: every move with what chance made of it. */
  get record() {
    return this.steps.flatMap(({ move, outcomes }) =>
      outcomes[0]?.move === move ? outcomes : [{ move }, ...outcomes],
    );
  }
}
