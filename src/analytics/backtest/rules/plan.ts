/** Groups of conditions: all must hold, at least one must hold, none may hold. An omitted group imposes no constraint. */
export const GROUPS = ["all", "any", "none"] as const;
export const OPERATORS = ["<", "<=", ">", ">=", "=", "!=", "crosses_above", "crosses_below"] as const;
export type Operator = (typeof OPERATORS)[number];

/** An indicator with all its arguments, such as `sma` and 50; has one value per bar. */
export interface Term {
  readonly name: string;
  readonly args: readonly number[];
}

/** One side of a condition: a number, or the index of a term in `Plan.terms`. */
export type Operand = { readonly number: number } | { readonly term: number };

export interface Condition {
  readonly left: Operand;
  readonly op: Operator;
  readonly right: Operand;
}

/** A distance in multiples of ATR14 or in percent of the close. */
export interface Distance {
  readonly unit: "atr" | "%";
  readonly value: number;
}

export type ConditionGroup = { readonly [K in (typeof GROUPS)[number]]: readonly Condition[] };

/** Parsed rules as plain data; each term occurs once. */
export interface Plan {
  readonly terms: readonly Term[];
  readonly entry: ConditionGroup;
  readonly exit: ConditionGroup | null;
  readonly side: "long" | "short";
  readonly stop: Distance | null;
  readonly target: Distance | null;
  /** Trailing stop. Default: none. */
  readonly trail?: Distance | null;
  /** Distance of a limit entry below (short: above) the close. Default: entries at the open. */
  readonly limit?: Distance | null;
}
