/** Number of bars that the view of a signal draws. */
const BARS = 130;

/** A signal whose view draws bars up to the close of its decision bar, ISO 8601 UTC. */
interface DecidedSignal<Timeframe extends string> {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly decidedAt: string;
}

/** Returns the input of get_history by which the view of a signal gets its bars. */
export const viewBarsInput = <Timeframe extends string>({
  symbol,
  timeframe,
  decidedAt,
}: DecidedSignal<Timeframe>) => ({ symbol, timeframe, limit: BARS, as_of: decidedAt });
