import { z } from "zod";
import { Failure } from "../answers.ts";
import { TimeframeText } from "../market/bars.ts";
import { outsideText } from "../outside-text.ts";
import { ConnectionId, Positive } from "../trading/trading.ts";

/** Context of a task besides its symbols; the answering tool decides which fields it accepts. */
export const TaskContext = z.strictObject({
  timeframe: TimeframeText.optional(),
  connection_id: ConnectionId.optional().describe("Broker connection, for trade_proposal"),
  risk_pct: Positive.optional().describe("Percent of equity a trade may lose, for trade_proposal"),
});

/** Result of one call of a task, for one symbol, for all of them or for none: the tool's output, or an error. */
export const TaskResult = z.object({
  symbol: z
    .string()
    .nullable()
    .describe("Symbol as requested; null: the result covers all symbols, or the task takes none"),
  skill: z.string().describe("Tool that returned the result"),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("Complete output of that tool; null with an error"),
  error: Failure.nullable().describe("Why there is no answer"),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** Notice passed on with skill results that contain untrusted text. */
export const RESULT_OUTSIDE_TEXT = outsideText("Fields listed in the outside_text of each result");
export const ANALYSIS_OUTSIDE_TEXT = outsideText("Fields listed in the outside_text of each analysis result");

/** Returns true if a skill result contains untrusted text. */
export const holdsOutsideText = (results: readonly Pick<TaskResult, "data">[]): boolean =>
  results.some(({ data }) => data?.outside_text !== undefined);

/** Maximum number of symbols of one task. */
export const MAX_SYMBOLS = 20;
