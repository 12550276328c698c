import type { Print } from "../../domain/off-exchange/prints.ts";

/** Side that initiated a trade: 1 buyer, -1 seller, 0 unknown. */
export interface PrintSide {
  readonly sign: 1 | 0 | -1;
  /** Basis of the classification: the quotes, or the last different price; null if unknown. */
  readonly basis: "quote" | "tick" | null;
}

/**
 * Returns the side of each print of a tape that is ascending by report time: a print above the quote midpoint was
 * bought, one below it sold. At the midpoint, or without quotes, the tick test against the last different price
 * decides.
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

/** Returns 1 above the quote midpoint, -1 below it, 0 at it or without valid quotes. */
function quoteSign({ price, nbbo }: Print): PrintSide["sign"] {
  if (!isQuoted(nbbo)) return 0;
  return signOf(2 * price - nbbo.bid - nbbo.ask);
}

/** Returns true if the best bid and offer are known and valid. */
export const isQuoted = (nbbo: Print["nbbo"]): nbbo is NonNullable<Print["nbbo"]> =>
  nbbo !== null && nbbo.bid > 0 && nbbo.ask >= nbbo.bid;

const signOf = (x: number): PrintSide["sign"] => (x > 0 ? 1 : x < 0 ? -1 : 0);
