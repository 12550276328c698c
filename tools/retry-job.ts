import { z } from "zod";
import { OWNER_ACCOUNT } from "../src/domain/accounts/access.ts";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { plainText } from "../src/lib/plain-text.ts";

const MAX_LISTED = 50;
const MAX_ERROR_LENGTH = 200;

/** Lists the background jobs of the server that failed, and has one done again. */
export const retryJob = defineTool({
  name: "retry_job",
  title: "Retry a failed job",
  description:
    "Retries a failed background job; stores that it waits again. Returns what happens next, job counts and the failed jobs with reasons; without input only lists them (owner or scope admin). Use it when a nightly run stays incomplete. get_health shows providers.",
  topics: ["failed job", "background jobs", "retry a job", "dead letters", "job queue", "nightly run failed"],
  toolset: "system",
  plan: "member",
  effect: "write",
  destructive: true,
  listed: "toolset",
  route: "POST /api/v1/jobs",
  cli: { command: "jobs" },
  needs: ["failedJobs", "market"],
  input: z.object({
    retry: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("Number of the failed job to do again. Default: only lists the failed jobs"),
  }),
  output: z.object({
    ...Succeeded,
    retried: z.boolean().describe("true: this call has a job done again"),
    hint: z.string(),
    counts: z
      .array(z.object({ kind: z.string(), state: z.string(), count: z.number().int() }))
      .describe("Number of jobs by kind and state: pending, running, done or dead (failed)"),
    failed: z
      .array(
        z.object({
          job: z.number().int().describe("Number of the job"),
          kind: z.string(),
          run: z.string().describe("Id of the work of which it is a part"),
          attempts: z.number().int().describe("Number of attempts, all failed"),
          error: z.string().nullable().describe("Why the last attempt failed"),
          failed_at: z.iso.datetime().nullable(),
        }),
      )
      .describe(`Failed jobs, newest first, at most ${MAX_LISTED}; empty without the scope admin`),
    market: MarketMode,
  }),
  examples: [{ ask: "Which background jobs of this server failed?", input: {} }],
  terminal: ({ hint, counts, failed }, paint) =>
    [
      ...counts.map(({ kind, state, count }) => `${kind} ${state} ${count}`),
      ...failed.map(
        ({ job, kind, run, attempts, error }) =>
          `${paint("bold", `${job}`)} ${kind} of run ${run.slice(0, 8)}, ${attempts} attempts: ${error}`,
      ),
      paint("dim", hint),
    ].join("\n"),

  async handler({ retry }, { failedJobs, principal, market }) {
    const isOperator = principal.account === OWNER_ACCOUNT || principal.scopes.includes("admin");
    if (retry !== undefined && !isOperator)
      throw new ToolError("SCOPE_REQUIRED", 'Retrying a job needs the "admin" scope', {
        hint: "The owner of the server retries it, because it is work for all accounts.",
        command: `market-signal jobs --retry ${retry}`,
        data: { required_scope: "admin" },
      });
    const next = retry === undefined ? null : await failedJobs.retry(retry);
    const counts = await failedJobs.counts();
    const failed = isOperator ? await failedJobs.list(MAX_LISTED) : [];
    return {
      retried: next !== null,
      hint:
        next ?? (counts.some(({ state }) => state === "dead") ? hintFor(isOperator) : "No job has failed."),
      counts: [...counts],
      failed: failed.map(({ id, kind, run, attempts, error, endedAt }) => {
        const reason = error === null ? null : plainText(error, MAX_ERROR_LENGTH);
        return { job: id, kind, run, attempts, error: reason, failed_at: endedAt };
      }),
      market: market.mode,
    };
  },
});

const hintFor = (isOperator: boolean): string =>
  isOperator
    ? "Remove the cause, then pass the number of a job as retry."
    : "The owner of the server sees the failed jobs.";
