import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { AuditFaultKind, headText, readHead } from "../src/domain/audit/audit.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

const FAULT_DESCRIPTIONS: Readonly<Record<AuditFaultKind, string>> = {
  edited: "was changed",
  missing: "is missing",
  cut: "and later entries are missing, or an action was not logged",
  rewritten: "was replaced by another entry",
  unknown_key: "was signed with a key that no longer exists, so changes cannot be detected",
};

/** Verifies the hash-chained audit log; identifies entries of other accounts only by number. */
export const verifyAudit = defineTool({
  name: "verify_audit",
  title: "Verify audit log",
  description:
    "Checks the hash-chained audit log of this server (orders, confirmations, cancellations, connections, limits) for entries that were edited, deleted, cut off or rewritten. Use it to check that the record of trading is intact and untampered. Store the returned head elsewhere and pass it next time. Trades are in get_trade_journal; one signal is checked by verify_receipt.",
  topics: ["audit log", "audit trail", "hash chain", "log integrity", "log tampered"],
  toolset: "trading",
  plan: "pro",
  effect: "read",
  route: "GET /api/broker/audit",
  cli: { command: "audit-check", verdict: "intact" },
  needs: ["auditVerifier", "market"],
  deadlineMs: 60_000,
  input: z.strictObject({
    head: z
      .string()
      .max(100)
      .optional()
      .describe(
        "Head of an earlier verification, <number>:<64 hex digits>: the log must still contain that entry",
      ),
    full: z
      .boolean()
      .default(false)
      .describe("true: read every entry again. Default: those since the last verification"),
  }),
  output: z.object({
    ...Succeeded,
    intact: z.boolean().describe("false: see faults and head_held"),
    head_held: z.boolean().nullable().describe("true: the log contains the given head; null without a head"),
    entries: z.number().int().describe("Number of entries, of all accounts"),
    read_from: z
      .number()
      .int()
      .describe("First entry read by this call; an earlier verification found those before it unchanged"),
    verified: z
      .number()
      .int()
      .describe("Number of unchanged entries, including those of the earlier verification"),
    head: z.string().describe("Last entry of the log; store it elsewhere for later checks"),
    fault_count: z.number().int(),
    faults: z
      .array(
        z.object({
          entry: z.number().int().describe("From 1"),
          wrong: AuditFaultKind,
          in_words: z.string(),
          event: z.string().nullable(),
        }),
      )
      .describe("The first 20 faults"),
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [{ ask: "Has anybody tampered with the record of my trades?", input: {} }],
  terminal: ({ intact, head_held, entries, head, faults, fault_count, hint }, paint) =>
    [
      intact
        ? `${paint("green", "intact")} entries: ${entries}, all unchanged`
        : `${paint("red", "NOT INTACT")} faults: ${fault_count}, entries: ${entries}${head_held === false ? "; the log does not contain the given head" : ""}`,
      ...faults.map(({ in_words }) => in_words),
      `head ${head}`,
      paint("dim", hint),
    ].join("\n"),

  async handler({ head, full }, ctx) {
    const givenHead = head === undefined ? undefined : headOf(head);
    const report = await ctx.auditVerifier.check({ full });
    const { entries, read_from, verified, fault_count } = report;
    const head_held = givenHead === undefined ? null : await ctx.auditVerifier.contains(givenHead);
    return {
      intact: report.ok && head_held !== false,
      head_held,
      entries,
      read_from,
      verified,
      head: headText(report.head),
      fault_count,
      faults: report.faults.map(({ seq, wrong, entry }) => ({
        entry: seq,
        wrong,
        in_words: `Entry ${seq} ${FAULT_DESCRIPTIONS[wrong]}`,
        event: entry?.account === ctx.principal.account ? entry.event : null,
      })),
      hint: [...(read_from > 1 ? [newestOnly(read_from)] : []), hintOf(report.ok, head_held)].join(" "),
      market: ctx.market.mode,
    };
  },
});

const newestOnly = (from: number): string =>
  `Only the entries since the last verification were read, from entry ${from} on; full: true reads all.`;

const hintOf = (ok: boolean, held: boolean | null): string =>
  ok
    ? held === false
      ? "All entries are unchanged, but the log does not contain that head: the log was restored from a backup or rewritten, or the head is mistyped or from another server."
      : "Store this head on another machine and pass it to the next verification."
    : "The owner of the server sees the details in the terminal of the server, and can compare the log with an earlier export.";

function headOf(text: string) {
  const head = readHead(text);
  if (head !== null) return head;
  throw new ToolError("INVALID_INPUT", "head is not a valid head of the audit log", {
    hint: "The format is <number>:<64 hex digits>, as returned by an earlier call.",
  });
}
