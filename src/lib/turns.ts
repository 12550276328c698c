/** Runs the work of each key one at a time, in the order in which it was added; keys do not wait for each other. */
export class Turns {
  /** Last work of each key that has not ended. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after that of the same key has ended, failed or not. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    const end = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(end, end);
    return turn;
  }

  /** Resolves when no work is left, also none that was added meanwhile. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
