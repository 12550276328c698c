import { type JobStatus, MAX_ATTEMPTS } from "../../domain/jobs-port.ts";
import type { RunFailure, RunHead } from "../../domain/nightly/engine.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { RunFindings, RunPorts } from "./run-ports.ts";

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

/** Builds the error of a run of which parts failed in each attempt. */
export const deadShards = ({ universe }: RunHead, dead: readonly JobStatus[]): ToolError =>
  new ToolError(
    "CONFLICT",
    `${dead.length} parts of the run over ${universe} failed ${MAX_ATTEMPTS} times each: the run is not finished; ${dead[0]!.error}`,
    {
      hint: "The owner of the server lists the failed parts, removes the cause and retries them.",
      command: "market-signal jobs",
      data: { jobs: dead.map(({ id }) => id) },
    },
  );

/** Builds the error of a run whose parts another process has replaced by its own. */
export const takenOver = ({ universe }: RunHead): ToolError =>
  new ToolError("CONFLICT", `Another process has resumed the run over ${universe}`, {
    hint: "It finishes the run.",
    command: "market-signal engine status",
  });

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

/** Returns the result of `work`; null after a failure, which is logged and does not fail the run. */
export async function logFailure<T>(
  event: string,
  work: () => Promise<T>,
  { head, signal }: Pick<RunFindings, "head" | "signal">,
  { log }: Pick<RunPorts, "log">,
): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    signal.throwIfAborted();
    log.warn(event, { run_id: head.run_id, cause });
    return null;
  }
}
