import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { authorName, type Claim, type ClaimRule } from "../../domain/claims/claims.ts";
import type { NewClaim } from "../../domain/claims/claims-port.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { checkPrice } from "../check/check-price.ts";
import { invalid } from "../check/read-order.ts";
import { barHours, comingBars, lastOpening } from "../signal/bar-hours.ts";
import { closedBars } from "../signal/closed-bars.ts";
import { claimBaseTask } from "./claim-base.ts";

export interface ClaimRequest {
  readonly author: string;
  readonly symbol: string;
  readonly side: Claim["side"];
  readonly rule?: ClaimRule | undefined;
  readonly target?: string | undefined;
  readonly stop?: string | undefined;
  readonly entry?: string | undefined;
  /** Date `YYYY-MM-DD`. Default: in 30 days. */
  readonly deadline?: string | undefined;
}

const DAY = 86_400_000;
/** Maximum number of days to a deadline: its bars must fit into the series that settles it. */
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/**
 * Returns a claim dated now with its base: the share of past windows of its symbol in which the same came true. @throws
 * ToolError INVALID_INPUT, UNKNOWN_SYMBOL, NOT_ENOUGH_DATA
 */
export async function newClaim(
  request: ClaimRequest,
  signal: AbortSignal,
  ports: Pick<Ports, "symbols" | "bars" | "quotes" | "clock" | "compute">,
): Promise<NewClaim> {
  const resolution = ports.symbols.resolve(request.symbol);
  const { instrument } = resolution;
  const author = authorName(request.author);
  if (author === "")
    throw invalid(
      "author",
      "The author has no readable characters",
      "Write the name of the author in letters or digits.",
    );
  const now = ports.clock.now();
  const deadline = request.deadline ?? dayAfter(now.toISOString().slice(0, 10), DEFAULT_DAYS);
  if (deadline < now.toISOString().slice(0, 10))
    throw invalid("deadline", `The deadline ${deadline} has passed`, "Set a later trading day.");
  if (Date.parse(deadline) - now.getTime() > MAX_DAYS * DAY)
    throw invalid("deadline", `The deadline is more than ${MAX_DAYS} days away`, "Set an earlier date.");
  const series = await closedBars(resolution, { timeframe: "1d", limit: ODDS_BARS, signal }, ports);
  const hours = barHours(series);
  const found = await checkPrice(
    { instrument, given: null, series, moment: now.getTime(), isPast: false, signal },
    ports,
  );
  if (hours === null)
    throw new ToolError(
      "UPSTREAM_UNAVAILABLE",
      `The close times of the bars of ${instrument.symbol} are unknown`,
    );
  if (found.source === "unconfirmed_quote" || found.at < lastOpening(series, hours, now.getTime()))
    throw new ToolError(
      "NOT_ENOUGH_DATA",
      `No confirmed price of ${instrument.symbol} from its last session; the newest is from ${new Date(found.at).toISOString()}`,
      { hint: "A claim is dated now: record it when a newer price is available." },
    );
  const { bars: count, until } = windowOf(deadline, now, comingBars(series, hours, now.getTime()));
  const price = Number(found.value);
  const terms = { side: request.side, price, ...termsOf(request, price) };
  const base = await ports.compute.run(claimBaseTask, { bars: series.bars, terms, count });
  return {
    ...terms,
    ...base,
    author,
    symbol: instrument.symbol,
    asset_class: instrument.asset_class,
    price_source: found.source === "your_quote" ? "historical_close" : found.source,
    deadline,
    bars: count,
    data_as_of: series.as_of,
    close: series.bars.close.at(-1)!,
    recorded_at: now.toISOString(),
    until: new Date(until).toISOString(),
  };
}

/** Returns the number of daily bars that open after now and close by the end of a date, and the close of the last. */
function windowOf(
  deadline: string,
  now: Date,
  coming: ReturnType<typeof comingBars>,
): { bars: number; until: number } {
  let [bars, until] = [0, 0];
  for (const { day, close } of coming) {
    if (day > Date.parse(deadline)) break;
    bars++;
    until = close;
  }
  if (bars > 0) return { bars, until };
  throw invalid(
    "deadline",
    `No daily bar opens after now (${now.toISOString()}) and closes by the end of ${deadline}`,
    "Only bars that open after a claim count: set a later trading day.",
  );
}

/** Returns rule and levels of a claim, checked against the price. */
function termsOf(
  { side, target, stop, entry, ...request }: ClaimRequest,
  price: number,
): Pick<Claim, "rule" | "target" | "stop" | "entry"> {
  const rule =
    request.rule ?? (stop !== undefined ? "target_first" : target !== undefined ? "touch" : "close_beyond");
  const isClose = rule === "close_beyond";
  if (stop !== undefined && rule !== "target_first")
    throw invalid("stop", `The rule ${rule} has no stop`, "Leave stop out, or set rule to target_first.");
  if (entry !== undefined && isClose)
    throw invalid("entry", "The rule close_beyond has no entry", "Leave entry out, or set another rule.");
  if (stop === undefined && rule === "target_first")
    throw invalid("stop", "The rule target_first needs a stop", "Set stop, or set rule to touch.");
  if (target === undefined && !isClose)
    throw invalid("target", `The rule ${rule} needs a target`, "Set target, a price in US dollars.");
  const numbers = {
    entry: entry === undefined ? null : Number(entry),
    target: target === undefined ? price : Number(target),
    stop: stop === undefined ? null : Number(stop),
  };
  const from = numbers.entry ?? price;
  const sign = side === "LONG" ? 1 : -1;
  const [above, below] = side === "LONG" ? ["above", "below"] : ["below", "above"];
  const start = numbers.entry === null ? `the price of ${price}` : `the entry of ${numbers.entry}`;
  if (!isClose && sign * (numbers.target - from) <= 0)
    throw invalid(
      "target",
      `The target of a ${side} claim must be ${above} ${start}`,
      "Correct target or side.",
    );
  if (numbers.stop !== null && sign * (from - numbers.stop) <= 0)
    throw invalid("stop", `The stop of a ${side} claim must be ${below} ${start}`, "Correct stop or side.");
  return { rule, ...numbers };
}
