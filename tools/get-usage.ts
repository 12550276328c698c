import { z } from "zod";
import { isLocalOwner, OWNER_ACCOUNT, type Principal } from "../src/domain/accounts/access.ts";
import { KEYLESS_ACCOUNT, USAGE_DAYS, USAGE_GROUPS } from "../src/domain/accounts/usage-port.ts";
import { Success } from "../src/domain/answers.ts";
import type { Ports } from "../src/domain/ports.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { misspeltName, nearestNames } from "../src/lib/nearest-names.ts";
import { plainText } from "../src/lib/plain-text.ts";
import { shellWord } from "../src/lib/shell-quote.ts";

const DAY_MS = 86_400_000;

// Clients write `null` for an omitted field, so neither a tool nor an account of that name can be requested.
/** Name of a tool or of a command, with `_` or `-`. */
const TOOL_NAME = /^(?!(?:null|none)$)[A-Za-z][\w-]*$/;
const ACCOUNT = /^(?!(?:null|none)$)\S{1,64}$/;

const COUNTS = {
  calls: z.number().int().describe("Calls, including failed ones; the steps of an agent are not counted"),
  failed: z.number().int().describe("Calls that ended with an error"),
  characters: z.number().int().describe("Characters of the answers as JSON; tokens are not counted"),
};

/** Returns the calls of an account in past days by day, tool or key, not including this call. */
export const getUsage = defineTool({
  name: "get_usage",
  title: "Get usage",
  description:
    "Returns usage statistics: how many calls an account made per day, tool or key over up to 400 days, how many failed, and the characters of their output. Use it to find which tools agents call the most, or which keys cause the usage. get_quota has the limits.",
  topics: [
    "usage history",
    "usage report",
    "calls by tool",
    "calls by key",
    "calls by day",
    "call statistics",
  ],
  toolset: "system",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/usage",
  listed: "toolset",
  cli: { command: "usage", showsToolNames: true, needsData: true },
  needs: ["usage", "clock", "toolSearch"],
  input: z.object({
    by: z.enum(USAGE_GROUPS).default("day").describe("Grouping of the rows"),
    days: z
      .number()
      .int()
      .min(1)
      .max(USAGE_DAYS)
      .default(30)
      .describe("Number of days (UTC), including today"),
    tool: z
      .string()
      .max(64)
      .regex(TOOL_NAME, "must be the name of a tool, such as get_quote")
      .optional()
      .describe("Only calls of this tool, such as get_quote"),
    key: z.uuid().optional().describe("Only calls with the key of this id"),
    account: z
      .string()
      .max(64)
      .regex(ACCOUNT, "must be the id of an account")
      .optional()
      .describe("Default: the account of the caller. Another account requires the admin scope"),
  }),
  output: z.object({
    ok: Success,
    from: z.iso.date(),
    to: z.iso.date().describe("Today, UTC"),
    ...COUNTS,
    by: z.enum(USAGE_GROUPS),
    rows: z
      .array(
        z.object({
          name: z.string().nullable().describe("null: without a key"),
          key_id: z.string().nullable(),
          calls: z.number().int(),
          failed: z.number().int(),
          characters: z.number().int(),
        }),
      )
      .describe("Days newest first, without days that have no calls; tools and keys with most calls first"),
  }),
  examples: [
    { ask: "How many calls a day did we make?", input: {} },
    { ask: "Which tools do my agents call most?", input: { by: "tool" } },
    { ask: "How often was get_quote called?", input: { tool: "get_quote" } },
  ],
  terminal: ({ from, to, calls, failed, characters, rows }, paint) => {
    const named = rows.map((row) => ({ ...row, text: row.name ?? row.key_id ?? "without a key" }));
    const width = Math.max(0, ...named.map(({ text }) => text.length));
    return [
      `${paint("bold", "Usage")}, ${from} to ${to}: ${countOf(calls)}, ${failed} failed, ${characters} characters`,
      ...named.map(
        (row) =>
          `${row.text.padEnd(width)}  ${countOf(row.calls)}, ${row.failed} failed, ${row.characters} characters`,
      ),
    ].join("\n");
  },

  async handler({ by, days, tool: word, key, account: requested }, { usage, clock, toolSearch, principal }) {
    const account = requested ?? principal.account;
    authorizeAccount(account, principal);
    const named = word === undefined ? undefined : findTool(word, toolSearch);
    const tool = word === undefined ? undefined : (named ?? word);
    const now = clock.now().getTime();
    const [from, to] = [now - (days - 1) * DAY_MS, now].map((at) => new Date(at).toISOString().slice(0, 10));
    const sums = await usage.read({ account, tool, key, since: from!, by });
    if (sums.length === 0) {
      if (account !== principal.account) await assertAccount(account, usage);
      if (word !== undefined && named === undefined) throw unknownTool(word, toolSearch);
    }
    const total = (field: keyof typeof COUNTS) => sums.reduce((sum, row) => sum + row[field], 0);
    return {
      from: from!,
      to: to!,
      calls: total("calls"),
      failed: total("failed"),
      characters: total("characters"),
      by,
      rows: sums.map(({ name, label, ...counts }) =>
        by === "key" ? { name: label, key_id: name, ...counts } : { name, key_id: null, ...counts },
      ),
    };
  },
});

/** Throws SCOPE_REQUIRED for another account without the scope admin, except at the server itself. */
function authorizeAccount(account: string, principal: Principal): void {
  if (account === principal.account || principal.scopes.includes("admin") || isLocalOwner(principal)) return;
  throw new ToolError("SCOPE_REQUIRED", 'The usage of another account needs the "admin" scope', {
    hint: "Omit account to get the usage of your own account.",
    command: `market-signal usage --account ${shellWord(account)}`,
    data: { required_scope: "admin" },
  });
}

/** Returns the name of the tool with a name or command; undefined for an unknown one. */
function findTool(word: string, toolSearch: Ports["toolSearch"]): string | undefined {
  const wanted = word.toLowerCase().replaceAll("-", "_");
  const named = toolSearch.names();
  return named.find(({ name, command }) => [name, command?.replaceAll("-", "_")].includes(wanted))?.name;
}

function unknownTool(word: string, toolSearch: Ports["toolSearch"]): ToolError {
  const names = toolSearch.names().map(({ name }) => name);
  return new ToolError("INVALID_INPUT", `There is no tool ${word}`, {
    hint: `Did you mean ${nearestNames(word, names)[0]}?`,
  });
}

/** Throws NOT_FOUND with the nearest name for an account that is not stored. */
async function assertAccount(account: string, usage: Ports["usage"]): Promise<void> {
  const accounts = await usage.accounts();
  if (accounts.includes(account) || [OWNER_ACCOUNT, KEYLESS_ACCOUNT].includes(account)) return;
  const meant = misspeltName(account, [...accounts, OWNER_ACCOUNT]);
  throw new ToolError("NOT_FOUND", `There is no account ${plainText(account, 64)}`, {
    hint: meant === undefined ? "List the accounts first." : `Did you mean ${meant}?`,
    command: "market-signal accounts list",
  });
}

const countOf = (calls: number): string => (calls === 1 ? "1 call" : `${calls} calls`);
