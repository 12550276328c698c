import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatRows } from "./answer.text.ts";
import { type Cli, commandWithExamples, withJson } from "./command.ts";
import type { OpenedInstallation } from "./host.ts";

const MAX_SHOWN = 50;
const MAX_ERROR_LENGTH = 200;
const STATES = ["pending", "running", "done", "dead"] as const;

/** Creates the command jobs list | retry, for background jobs that failed. */
export function jobsCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const open = () => host.open({ isExisting: true });

  const retry = commandWithExamples("retry", "do a failed job again", ["market-signal jobs retry 12"])
    .argument("<id>", "number of the job")
    .action(
      cli.action(open, async ({ jobs }: OpenedInstallation, _: { json?: boolean }, text: string) => {
        const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
        if (id === null || !(await jobs.retry(id)))
          throw new ToolError("NOT_FOUND", `There is no failed job ${plainText(text, 20)}`, {
            hint: "`market-signal jobs` lists the numbers of the failed jobs.",
          });
        return {
          json: { ok: true, id, state: "pending" },
          lines: [
            `A server or worker does job ${id} again.`,
            paint("dim", "If it belongs to a nightly run that ended: market-signal engine run --resume"),
          ],
        };
      }),
    );

  const list = commandWithExamples("list", "list the failed jobs with their reasons", [
    "market-signal jobs list",
  ]).action(
    cli.action(open, async ({ jobs }: OpenedInstallation) => {
      const [counts, dead] = await Promise.all([jobs.counts(), jobs.dead(MAX_SHOWN)]);
      const summary = STATES.map((state) => `${state} ${counts[state] ?? 0}`).join("  ");
      const rows = dead.map(({ id, kind, run, attempts, endedAt }) => {
        return { job: id, kind, run: run.slice(0, 8), attempts, failed: endedAt };
      });
      const reasons = dead.map(({ id, error }) => `${id}: ${plainText(error ?? "", MAX_ERROR_LENGTH)}`);
      const next = "market-signal jobs retry <job> does one again";
      return {
        json: { ok: true, counts, dead },
        lines: [
          summary,
          ...(rows.length === 0 ? [] : [...formatRows(rows, paint), ...reasons, paint("dim", next)]),
        ],
      };
    }),
  );

  return commandWithExamples("jobs", "list background jobs that failed in each attempt", [
    "market-signal jobs",
    "market-signal jobs retry 12",
  ])
    .addCommand(withJson(list), { isDefault: true })
    .addCommand(withJson(retry));
}
