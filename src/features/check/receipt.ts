import { createHash } from "node:crypto";
import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import { DEFAULT_LIMITS } from "../../analytics/risk/limits.ts";
import { type CheckAnswer, type CheckRequest, withOrderType } from "../../domain/check/check.ts";
import type { BarSeries, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { type CheckReceipt, CheckResult, type Snapshot } from "../../domain/receipts/check-receipt.ts";
import { ToolError } from "../../kernel/errors.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { decimal } from "../../lib/decimal.ts";
import { encodeColumns, packParts } from "../receipts/bytes.ts";
import { signedText } from "../receipts/issue.ts";
import { RULES_VERSION } from "./assess-order.ts";
import type { CheckCaller, CheckPorts } from "./basis.ts";
import { checkOrder } from "./check-order.ts";

/** Checks an order and signs the check. Stores nothing. @throws ToolError as `checkOrder`, NOT_CONNECTED without a key */
export async function checkOrderSigned(
  request: CheckRequest,
  caller: CheckCaller,
  ports: CheckPorts & Pick<Ports, "signer">,
): Promise<CheckAnswer> {
  const { market, signer } = ports;
  const issuedAt = ports.clock.now();
  const reads = recordReads({ ...ports, clock: { now: () => issuedAt } });
  const answer = await checkOrder(request, caller, reads.ports);
  const { quote, account, positions, open_orders, recent_trades, receipt: _, detail: __, ...order } = request;
  const unsigned: Omit<CheckReceipt, "public_key" | "signature"> = {
    kind: "order_check",
    version: 1,
    issued_at: issuedAt.toISOString(),
    market: { mode: market.mode, id: market.id },
    rules_version: RULES_VERSION,
    odds_version: ODDS_VERSION,
    order,
    ...reads.facts(),
    verdict: answer.verdict,
    snapshot_sha256: hashOf({ quote, account, positions, open_orders, recent_trades } satisfies Snapshot),
    bars_sha256: reads.barsHash(),
    result_sha256: hashOf(CheckResult.parse(answer)),
  };
  const { publicKey, signature } = await signer.sign((public_key) => signedText({ ...unsigned, public_key }));
  // what is undefined is not signed, and not served
  const receipt = JSON.parse(canonicalJson({ ...unsigned, public_key: publicKey, signature }));
  return { ...answer, receipt };
}

/** Repeats the check of a receipt at its time. What the receipt has is taken from it; bars are read here. */
export async function repeatCheck(
  receipt: CheckReceipt,
  snapshot: Snapshot,
  { account, signal, ports }: CheckCaller & { readonly ports: RepeatPorts },
): Promise<{ readonly result: CheckResult; readonly barsHash: string }> {
  const reads = recordReads(portsOf(receipt, ports));
  const request = withOrderType({ ...receipt.order, ...snapshot, receipt: false });
  const answer = await checkOrder(request, { account, signal }, reads.ports);
  return { result: CheckResult.parse(answer), barsHash: reads.barsHash() };
}
export type RepeatPorts = Pick<Ports, "symbols" | "bars" | "market" | "marketDays" | "compute">;

/** Returns the SHA-256 of JSON with sorted keys, in base64url. */
export const hashOf = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("base64url");

/** Returns the ports of the time of a receipt. */
function portsOf(
  receipt: CheckReceipt,
  { symbols, bars, market, marketDays, compute }: RepeatPorts,
): CheckPorts {
  const { issued_at, quote, report_date, kill_switch, limits: set } = receipt;
  const issuedAt = new Date(issued_at);
  const isSet = kill_switch === true;
  const unavailable = () => Promise.reject(new Error("A check does not use it"));
  return {
    symbols,
    market,
    marketDays,
    compute,
    checkedOrders: { record: () => {}, published: unavailable },
    clock: { now: () => issuedAt },
    bars: {
      history: (instrument, request) => bars.history(instrument, { asOf: issuedAt.getTime(), ...request }),
    },
    quotes: {
      async latest({ symbol }) {
        if (quote === undefined) throw new ToolError("NO_PRICE", `The receipt has no quote of ${symbol}`);
        return quoteOf(quote);
      },
    },
    tradeRules: {
      limits: async () => ({ limits: { ...DEFAULT_LIMITS, ...set }, set, setAt: null }) as Limits,
      killSwitch: async () => ({ engaged: isSet, since: null, reason: null }),
      setLimits: unavailable,
      setKillSwitch: unavailable,
    },
    earnings: {
      reports: unavailable,
      schedule: unavailable,
      next: async () =>
        report_date === undefined
          ? { next: null, reason: "The receipt has no date" }
          : { next: { date: report_date, hour: "unknown", confirmed: false }, reason: null },
    },
  };
}
type Limits = Awaited<ReturnType<Ports["tradeRules"]["limits"]>>;

/** Returns a quote with the fields that a check reads. */
const quoteOf = ({ price, source, at, session }: NonNullable<CheckReceipt["quote"]>): Quote => ({
  price: Number(price),
  price_source: source,
  timestamp: at,
  market_state: session,
  change: null,
  changePercent: null,
  volume: null,
  high: null,
  low: null,
  open: null,
  source: "",
  venue: "",
  delayed_minutes: null,
});

/** Returns ports that record what a check reads. */
function recordReads(ports: CheckPorts) {
  const { symbols, bars, quotes, clock, market, tradeRules, earnings, marketDays, ...others } = ports;
  const facts: {
    -readonly [Name in "quote" | "report_date" | "kill_switch" | "limits"]?: CheckReceipt[Name];
  } = {};
  const series = new Map<string, BarSeries>();
  const recording: CheckPorts = {
    ...others,
    symbols,
    clock,
    market,
    marketDays,
    bars: {
      async history(instrument, request) {
        const found = await bars.history(instrument, request);
        series.set(`${instrument.symbol} ${request.limit}`, found);
        return found;
      },
    },
    quotes: {
      async latest(instrument, options) {
        const quote = await quotes.latest(instrument, options);
        const { price, price_source: source, timestamp: at, market_state: session, currency = "USD" } = quote;
        if (currency === "USD") facts.quote = { price: decimal(price).toFixed(), source, at, session };
        return quote;
      },
    },
    tradeRules: {
      ...tradeRules,
      async limits(account) {
        const found = await tradeRules.limits(account);
        facts.limits = found.set;
        return found;
      },
      async killSwitch(account) {
        const found = await tradeRules.killSwitch(account);
        if (found.engaged) facts.kill_switch = true;
        return found;
      },
    },
    earnings: {
      ...earnings,
      async next(instrument, options) {
        const found = await earnings.next(instrument, options);
        if (found.next !== null) facts.report_date = found.next.date;
        return found;
      },
    },
  };
  return {
    ports: recording,
    facts: () => ({ limits: {}, ...facts }),
    /** Returns the SHA-256 of all bars read, those of the order and of the holdings, in base64url. */
    barsHash: () => createHash("sha256").update(packSeries(series)).digest("base64url"),
  };
}

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

/** Packs series in the order of their names, as they are read at the same time. */
function packSeries(series: ReadonlyMap<string, BarSeries>): Uint8Array {
  const sorted = [...series].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return packParts(
    sorted.map(([name, { bars }]) => {
      const { timeframe, adjustment, zone } = bars;
      const head = JSON.stringify({ timeframe, adjustment, zone });
      const columns = COLUMNS.map((column) => bars[column]);
      return { name, bytes: encodeColumns(head, columns) };
    }),
  );
}
