import { z } from "zod";
import { Iso } from "../answers.ts";
import { Timeframe } from "../market/bars.ts";
import { Signal } from "../signal/signal.ts";
import { MarketMode } from "../trading/positions.ts";

export const ReceiptId = z
  .string()
  .regex(/^rc_[0-9a-f]{20}$/, "is an id such as issue_receipt gives: rc_ and 20 hexadecimal digits")
  .describe("As issue_receipt gave it: rc_ and 20 hexadecimal digits");

/** Newest receipts per account and market whose inputs are stored. */
export const MAX_STORED_INPUTS = 1_000;

/** One of the things a signal was computed from. */
export const ReceiptInput = z.object({
  name: z
    .string()
    .regex(/^(bars|benchmark|peer_\d{1,3}|universe|facts|prints)$/)
    .describe("bars, benchmark, peer_1 and on, universe, facts (with the kind of asset) or prints"),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("Of its exact bytes as they are kept"),
  rows: z.number().int().min(0),
  first: Iso.nullable().describe("Time of the earliest row; null where rows have none"),
  last: Iso.nullable().describe("Time of the latest"),
});
export type ReceiptInput = z.infer<typeof ReceiptInput>;

/** Result of a signal as determined by its inputs; omits confidence, which the track record changes. */
export const ReceiptResult = Signal.pick({
  direction: true,
  score: true,
  grade: true,
  tier: true,
  reason: true,
  entry_zone: true,
  stop_loss: true,
  targets: true,
  reward_to_risk: true,
  break_even_win_rate: true,
  levels_basis: true,
  target_basis: true,
  component_scores: true,
  ics: true,
  coverage: true,
}).extend({
  close: z.number().describe("Of the decision bar"),
  drivers: z
    .array(z.object({ id: z.string(), value: z.number().nullable() }))
    .describe("Each driver, -1 bearish to 1 bullish; null where it had no data"),
});
export type ReceiptResult = z.infer<typeof ReceiptResult>;

/** Inputs, model and result of one signal, signed by the installation that computed it. */
export const Receipt = z.object({
  receipt_id: ReceiptId,
  version: z.literal(1),
  symbol: z.string(),
  timeframe: Timeframe,
  market: z.object({ mode: MarketMode, id: z.string() }),
  source: z.string().describe("Who told the bars"),
  venue: z.string(),
  adjustment: z.enum(["raw", "split", "total_return", "unknown"]).describe("What the bars are corrected for"),
  issued_at: Iso,
  as_of: Iso.nullable().describe("The moment that was asked about; null where it was now"),
  decided_at: Iso.describe("When the decision bar closed: no input is later"),
  model_version: z.string(),
  inputs: z.array(ReceiptInput),
  inputs_hash: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe("As the answer of the signal names its inputs"),
  result: ReceiptResult,
  public_key: z.string().describe("Ed25519, 32 bytes in base64url"),
  signature: z
    .string()
    .describe("Ed25519 in base64url, over JSON with sorted keys of everything but the signature"),
});
export type Receipt = z.infer<typeof Receipt>;

/** A receipt before it is signed. */
export type UnsignedReceipt = Omit<Receipt, "public_key" | "signature">;

/** Result of verifying a receipt. */
export const Verification = z.object({
  receipt_id: ReceiptId.nullable().describe("As the receipt names itself"),
  valid: z
    .boolean()
    .nullable()
    .describe(
      "true: signature, inputs and result all hold; false: one does not; null: the signature holds, the rest cannot be checked here",
    ),
  signature: z.enum(["valid", "invalid", "other_key"]),
  inputs: z
    .enum(["intact", "changed", "not_kept"])
    .describe("Whether the kept inputs are those that it names"),
  equal: z
    .boolean()
    .nullable()
    .describe("Whether the same model computes the same result again from them; null where it was not tried"),
  differences: z
    .array(
      z.object({
        field: z.string().describe("In the result"),
        receipt: z.string().describe("JSON of what the receipt says"),
        computed: z.string().describe("JSON of what was computed again"),
      }),
    )
    .describe("At most 50"),
  reason: z.string().describe("The same in words"),
});
export type Verification = z.infer<typeof Verification>;
