/** Conditions by group: all must hold, any one must hold, none may hold. An omitted group is no constraint. */
export interface RuleGroup {
  readonly all?: readonly string[] | undefined;
  readonly any?: readonly string[] | undefined;
  readonly none?: readonly string[] | undefined;
}

/** A strategy in conditions, as its author writes it. */
export interface Rules {
  readonly entry: RuleGroup;
  /** Left out, a position ends by its stop or target alone. */
  readonly exit?: RuleGroup | undefined;
  /** Side of an entry. Default: long. */
  readonly side?: "long" | "short" | undefined;
  /** Distance from the close that entered: "2 atr" or "5 %". */
  readonly stop?: string | undefined;
  readonly target?: string | undefined;
}

export const GROUPS = ["all", "any", "none"] as const;
export const OPERATORS = ["<", "<=", ">", ">=", "=", "!=", "crosses_above", "crosses_below"] as const;
export type Operator = (typeof OPERATORS)[number];

/** Something that has a number at every bar, in full: `sma` and 50. */
export interface Term {
  readonly name: string;
  readonly args: readonly number[];
}

/** A side of a condition: a number, or the place of a term among those of the plan. */
export type Operand = { readonly number: number } | { readonly term: number };

export interface Condition {
  readonly left: Operand;
  readonly op: Operator;
  readonly right: Operand;
}

/** Multiples of ATR14, or percent of the close. */
export interface Distance {
  readonly unit: "atr" | "%";
  readonly value: number;
}

export type ConditionGroup = { readonly [K in (typeof GROUPS)[number]]: readonly Condition[] };

/** Rules that were understood: plain data, each term once. */
export interface Plan {
  readonly terms: readonly Term[];
  readonly entry: ConditionGroup;
  readonly exit: ConditionGroup | null;
  readonly side: "long" | "short";
  readonly stop: Distance | null;
  readonly target: Distance | null;
}
