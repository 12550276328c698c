/** Minimum values for a buy by the prediction and news agent; all three are required. */
export const BUY_AT = { technical: 85, markets: 70, publishers: 3 } as const;
/** Values below which it sells; one is enough. */
const SELL_UNDER = { technical: 50, markets: 50 } as const;

/** The three parts of the enhanced signal; null for a missing part, with the reason. */
export interface PredictionNewsInput {
  /** 0-100, 50 neutral. */
  readonly technical: number | null;
  readonly technicalReason: string | null;
  /** Probability of the level by venues, percent. */
  readonly markets: number | null;
  readonly marketsReason: string | null;
  /** Number of distinct publishers that were first with a bullish story within the news window. */
  readonly publishers: number | null;
  readonly publishersReason: string | null;
}

interface EntryCondition {
  readonly condition: "technical" | "markets" | "publishers";
  readonly passed: boolean;
  /** Null if the part has no value. */
  readonly value: number | null;
  /** Minimum value that passes. */
  readonly needed: number;
  readonly text: string;
}

export interface PredictionNewsDecision {
  readonly action: "buy" | "sell" | "hold";
  readonly reason: string;
  readonly conditions: readonly EntryCondition[];
}

/**
 * Buys without a position if the technical score is at least 85, markets give at least 70 % and three distinct
 * publishers were first with a bullish story; an unknown value does not pass. Sells a position if the technical score
 * or the probability is known and under 50; a missing part is no reason to sell.
 */
export function predictionNewsDecision(
  reading: PredictionNewsInput & { readonly holds: boolean },
): PredictionNewsDecision {
  const conditions = conditionsOf(reading);
  const { holds, technical, markets } = reading;
  if (holds) {
    const weak = [
      ...(technical !== null && technical < SELL_UNDER.technical
        ? [`the technical score ${technical} is under ${SELL_UNDER.technical}`]
        : []),
      ...(markets !== null && markets < SELL_UNDER.markets
        ? [`markets give ${markets} %, under ${SELL_UNDER.markets} %`]
        : []),
    ];
    if (weak.length > 0) return { action: "sell", reason: `Sold, since ${weak.join(" and ")}`, conditions };
    return { action: "hold", reason: holdReason(reading), conditions };
  }
  const unmet = conditions.filter(({ passed }) => !passed).map(({ text }) => text);
  if (unmet.length > 0)
    return { action: "hold", reason: `Not bought, since ${unmet.join("; ")}`, conditions };
  return {
    action: "buy",
    reason: `Bought, since ${conditions.map(({ text }) => text).join("; ")}`,
    conditions,
  };
}

function conditionsOf(reading: PredictionNewsInput): readonly EntryCondition[] {
  const part = (
    condition: EntryCondition["condition"],
    reason: string | null,
    { known, unknown, unit = "" }: { readonly known: (value: number) => string } & ConditionText,
  ): EntryCondition => {
    const value = reading[condition];
    const needed = BUY_AT[condition];
    const passed = value !== null && value >= needed;
    const valueText = value === null ? `${unknown}${because(reason)}` : known(value);
    const text = `${valueText}, minimum ${needed}${unit}`;
    return { condition, passed, value, needed, text };
  };
  return [
    part("technical", reading.technicalReason, {
      known: (value) => `the technical score is ${value}`,
      unknown: "the technical score is unknown",
    }),
    part("markets", reading.marketsReason, {
      known: (value) => `markets give ${value} %`,
      unknown: "no market probability is known",
      unit: " %",
    }),
    part("publishers", reading.publishersReason, {
      known: (value) => `publishers first with a bullish story: ${value}`,
      unknown: "no publisher count is known",
    }),
  ];
}

interface ConditionText {
  readonly unknown: string;
  readonly unit?: string;
}

const because = (reason: string | null): string => (reason === null ? "" : ` (${reason})`);

function holdReason({ technical, markets, technicalReason, marketsReason }: PredictionNewsInput): string {
  const known = [
    technical === null
      ? `the technical score is unknown${because(technicalReason)}`
      : `the technical score is ${technical}`,
    markets === null
      ? `no market probability is known${because(marketsReason)}`
      : `markets give ${markets} %`,
  ];
  return `Held: ${known.join(" and ")}; sells if either is under ${SELL_UNDER.technical}`;
}
