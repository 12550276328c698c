import { z } from "zod";
import { Iso, MarketMode } from "../answers.ts";
import { Timeframe } from "../market/bars.ts";
import { SignalOdds } from "../odds/odds.ts";
import { Conviction, Signal } from "../signal/signal.ts";

/** Maximum number of receipts stored per account and market. */
export const MAX_RECEIPTS = 10_000;

export const ReceiptId = z
  .string()
  .regex(/^rc_[0-9a-f]{20}$/, "must be an id returned by issue_receipt: rc_ and 20 hexadecimal digits")
  .describe(
    `Id returned by issue_receipt: rc_ and 20 hexadecimal digits. The ${MAX_RECEIPTS} newest receipts of the account are stored.`,
  );

/** Maximum number of receipts per account and market whose inputs are stored: the newest. */
export const MAX_STORED_INPUTS = 1_000;

export const ReceiptInput = z.object({
  name: z
    .string()
    .regex(/^(bars|earlier|benchmark|peer_\d{1,3}|universe|facts|prints)$/)
    .describe(
      "bars, earlier (bars before them), benchmark, peer_1 onwards, universe, facts (with the asset class) or prints",
    ),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("SHA-256 of the stored bytes"),
  rows: z.number().int().min(0),
  first: Iso.nullable().describe("Time of the earliest row; null if rows have no time"),
  last: Iso.nullable().describe("Time of the latest row; null if rows have no time"),
});
export type ReceiptInput = z.infer<typeof ReceiptInput>;

const ExactScore = z.number().nullable().describe("0-100, 50 neutral; null when its data is missing");

/**
 * Result of a signal as determined by its inputs. Its figures are signed and computed again by a verification, so they
 * are exact.
 */
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
  score: ExactScore,
  entry_zone: z.object({ low: z.number(), high: z.number() }),
  stop_loss: z.number(),
  targets: z.array(z.number()),
  reward_to_risk: z.number().describe("From the zone's worse edge to the first target"),
  break_even_win_rate: z.number().describe("1 / (1 + reward_to_risk)"),
  component_scores: z.object({
    trend: ExactScore,
    momentum: ExactScore,
    volume: ExactScore,
    relative_strength: ExactScore,
    volatility: ExactScore,
  }),
  ics: Conviction.extend({
    currentScore: z.number().nullable().describe("0-100; null with reason"),
    volume_proxy: z.number().nullable().describe("0-100 from volume alone; not a measure of institutions"),
    hold_rate: z.number().nullable().describe("Share of tests that held, 0-1"),
    control_rate: z
      .number()
      .nullable()
      .describe("Share of tests that held at comparable levels without prints, 0-1"),
  }),
  coverage: z.number().describe("Share of the model's weight that had data, 0-1"),
  close: z.number().describe("Of the decision bar"),
  drivers: z
    .array(z.object({ id: z.string(), value: z.number().nullable() }))
    .describe("-1 bearish to 1 bullish"),
  confidence: z.number().optional().describe("As in get_signal; not in receipts of consensus-1.0.0"),
  odds: SignalOdds.nullable()
    .optional()
    .describe("Odds of the levels, null without; not in receipts of consensus-1.0.0"),
});
export type ReceiptResult = z.infer<typeof ReceiptResult>;

/** Inputs, model and result of one signal, signed by the installation that computed it. */
export const Receipt = z.object({
  receipt_id: ReceiptId,
  version: z.literal(1),
  symbol: z.string(),
  timeframe: Timeframe,
  market: z.object({ mode: MarketMode, id: z.string() }),
  source: z.string().describe("Provider of the bars"),
  venue: z.string(),
  adjustment: z.enum(["raw", "split", "total_return", "unknown"]).describe("Adjustment of the bars"),
  issued_at: Iso,
  as_of: Iso.nullable().describe("The requested time; null: now"),
  decided_at: Iso.describe("Close time of the decision bar: no input is later"),
  model_version: z.string(),
  inputs: z.array(ReceiptInput),
  inputs_hash: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe("Input hash as in the signal's response"),
  result: ReceiptResult,
  public_key: z.string().describe("Ed25519, 32 bytes in base64url"),
  signature: z
    .string()
    .describe("Ed25519 in base64url, over JSON with sorted keys of everything except the signature"),
});
export type Receipt = z.infer<typeof Receipt>;

export type UnsignedReceipt = Omit<Receipt, "public_key" | "signature">;

/** Result of verifying a receipt. */
export const Verification = z.object({
  receipt_id: ReceiptId.nullable().describe("As in the receipt"),
  valid: z
    .boolean()
    .nullable()
    .describe(
      "true: signature, inputs and result all match; false: at least one does not; null: the signature is valid, the rest cannot be checked here",
    ),
  signature: z.enum(["valid", "invalid", "other_key"]),
  inputs: z
    .enum(["intact", "changed", "not_stored"])
    .describe("Match of the stored inputs with the hashes in the receipt"),
  equal: z
    .boolean()
    .nullable()
    .describe("true: the same model computes the same result from the inputs; null if not computed"),
  differences: z
    .array(
      z.object({
        field: z.string().describe("Path within the result"),
        receipt: z.string().describe("JSON of the value in the receipt"),
        computed: z.string().describe("JSON of the recomputed value"),
      }),
    )
    .describe("At most 50"),
  reason: z.string().describe("Summary in words"),
});
export type Verification = z.infer<typeof Verification>;
