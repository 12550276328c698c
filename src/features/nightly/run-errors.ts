import type { RunFailure, RunHead } from "../../domain/nightly/engine.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Builds the error of an incomplete run, which must not replace a complete one. */
export const tooFewRead = ({ universe, members }: RunHead, lost: number): ToolError =>
  new ToolError(
    "UPSTREAM_UNAVAILABLE",
    `${lost} of the ${members.length} symbols of ${universe} could not be read: the run is not finished`,
    {
      hint: "The owner of the server resumes the run once the providers respond.",
      command: "market-signal engine run --resume",
      data: { failures: lost },
    },
  );

/** Builds the error of a run without results, which must not replace an older run. */
export function emptyRun({ universe }: RunHead, failures: readonly RunFailure[]): ToolError {
  const [first] = failures;
  const short = failures.every(({ code }) => code === "NOT_ENOUGH_DATA" || code === "UNKNOWN_SYMBOL");
  return new ToolError(
    short ? "NOT_ENOUGH_DATA" : "UPSTREAM_UNAVAILABLE",
    `No symbol of ${universe} could be computed${first === undefined ? "" : `; ${first.symbol}: ${first.message}`}`,
    {
      hint: "The owner of the server resumes the run once the providers respond.",
      command: "market-signal engine run --resume",
      data: { failures: failures.length },
    },
  );
}
