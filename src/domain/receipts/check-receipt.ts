import { z } from "zod";
import { Iso, MarketMode } from "../answers.ts";
import { CheckAnswer, CheckInput } from "../check/check.ts";
import { SnapshotInput } from "../check/snapshot.ts";
import { MarketState, PriceSource } from "../market/market.ts";
import { RiskLimits } from "../trading/risk.ts";
import { Amount } from "../trading/trading.ts";

/** SHA-256 in base64url, as the key and the signature are: 21 characters shorter than in hexadecimal digits. */
const Sha256 = z.string().regex(/^[\w-]{43}$/);

const { quote: _quote, account: _account, positions: _positions, ...withoutAccount } = CheckInput;
const {
  open_orders: _orders,
  recent_trades: _trades,
  receipt: _signs,
  detail: _detail,
  ...Order
} = withoutAccount;

/** State of an account of which a receipt has the hash only. */
export const Snapshot = z.strictObject(SnapshotInput);
export type Snapshot = z.infer<typeof Snapshot>;

const { receipt: _receipt, ...Result } = CheckAnswer;
/** Part of a check that its receipt has the hash of: the full answer, with figures rounded as answers show them. */
export const CheckResult = z.object(Result);
export type CheckResult = z.infer<typeof CheckResult>;

/**
 * Receipt of a check of an order, signed by the installation that made it. Numbers are integers or decimal text, so that
 * JSON with sorted keys is the same in every language.
 */
export const CheckReceipt = z.object({
  kind: z.literal("order_check"),
  version: z.literal(1),
  /** Also the time of the check, unless the order has an `as_of`. */
  issued_at: Iso,
  market: z.object({ mode: MarketMode, id: z.string() }),
  rules_version: z.string(),
  odds_version: z.string(),
  /** As the caller sent it, with the defaults. */
  order: z.strictObject(Order),
  /** The quote that this server read; absent without one. The quote of the caller belongs to the snapshot. */
  quote: z.object({ price: Amount, source: PriceSource, at: Iso, session: MarketState }).optional(),
  /** Date of the next report that was read; absent without one. */
  report_date: z.iso.date().optional(),
  /** Present if the kill switch of the account was engaged. */
  kill_switch: z.literal(true).optional(),
  /** Limits that the owner of the account had set. */
  limits: RiskLimits.partial(),
  verdict: CheckAnswer.verdict,
  snapshot_sha256: Sha256,
  bars_sha256: Sha256,
  result_sha256: Sha256,
  public_key: z.string(),
  signature: z.string(),
});
export type CheckReceipt = z.infer<typeof CheckReceipt>;
