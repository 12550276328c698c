import type { Print } from "../../domain/off-exchange/prints.ts";

/** Side that initiated a trade: 1 buyer, -1 seller, 0 unknown. */
export interface PrintSide {
  readonly sign: 1 | 0 | -1;
  /** Basis of the classification: the quotes, or the last different price; null if unknown. */
  readonly basis: "quote" | "tick" | null;
}

/**
 * The side of each print of a tape, ascending by report: bought above the middle of the quotes, sold under it; on it, or
 * without quotes, the last other price before it decides.
 * @see Charles Lee and Mark Ready, "Inferring Trade Direction from Intraday Data", Journal of Finance 46 (1991)
 */
export function sidesOf(prints: readonly Print[]): readonly PrintSide[] {
  let tick: PrintSide["sign"] = 0;
  let before = Number.NaN;
  return prints.map((print) => {
    if (print.price !== before) tick = signOf(print.price - before);
    before = print.price;
    const quoted = quoteSign(print);
    if (quoted !== 0) return { sign: quoted, basis: "quote" };
    return tick === 0 ? { sign: 0, basis: null } : { sign: tick, basis: "tick" };
  });
}

/** 1 above the middle of the quotes, -1 under it, 0 on it or without quotes that make sense. */
function quoteSign({ price, nbbo }: Print): PrintSide["sign"] {
  if (!isQuoted(nbbo)) return 0;
  return signOf(2 * price - nbbo.bid - nbbo.ask);
}

/** True if the best bid and offer are known and valid. */
export const isQuoted = (nbbo: Print["nbbo"]): nbbo is NonNullable<Print["nbbo"]> =>
  nbbo !== null && nbbo.bid > 0 && nbbo.ask >= nbbo.bid;

const signOf = (x: number): PrintSide["sign"] => (x > 0 ? 1 : x < 0 ? -1 : 0);
