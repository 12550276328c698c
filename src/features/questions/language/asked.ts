/** A question as the rules of intents read it. */
export interface Asked {
  /** The words, misspelt ones set right, a space about each. */
  readonly said: string;
  readonly named: number;
  /** Whether two that are named stand about an `or`. */
  readonly choice: boolean;
  /** Whether one is called the asker's own: `my tesla`. */
  readonly own: boolean;
  /** Whether nothing is asked but what one is: `what is bitcoin`. */
  readonly bare: boolean;
}

/** A rule that any of several patterns fulfils. */
export const any =
  (...patterns: readonly RegExp[]) =>
  (asked: Asked) =>
    patterns.some((pattern) => pattern.test(asked.said));
