import type { Command } from "commander";
import type { Access, IssuedKey } from "../../access/access.ts";
import { PLAN_RANK, type Plan, SCOPES } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import { formatTable } from "./answer.text.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost } from "./host.ts";
import { parseGraceMs, parsePlan, parseScopes } from "./key-options.ts";
import { type CommandOutput, runOwnerCommand } from "./owner-command.ts";
import { painter } from "./screen.ts";

type Options = Readonly<Record<string, string | undefined>>;
type Task = (access: Access, options: Options, id: string) => Promise<CommandOutput>;

/** keys create | list | revoke | rotate, on the same data folder as a running server. */
export function keysCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const work =
    (task: Task) =>
    async (...given: readonly unknown[]) => {
      const { json = false, ...options } = given.at(-2) as { json?: boolean } & Options;
      await runOwnerCommand(
        { out, err, finish, json },
        () => host.openKeys(),
        ({ access }) => task(access, options, String(given[0])),
      );
    };
  const issued = ({ key, ...made }: IssuedKey, plan: Plan): CommandOutput => ({
    json: { key, plan, ...made },
    lines: [
      paint("bold", key),
      paint("dim", "It is shown this once; only its hash is kept."),
      paint("dim", `${plan} plan, account ${made.account}, scopes ${made.scopes.join(", ")}, id ${made.id}`),
    ],
  });
  const planBehind = async (access: Access, { key }: IssuedKey) => (await access.identify(key)).plan as Plan;

  const create = commandWithExamples("create", "make a key", [
    "market-signal keys create --plan pro",
    "market-signal keys create --account owner --scopes read --name reader --expires 2030-01-31T00:00:00Z",
  ])
    .option("--plan <plan>", `plan of the new account: ${Object.keys(PLAN_RANK).join(", ")} [default: pro]`)
    .option("--account <id>", "account to make it for; a new one when left out")
    .option("--scopes <list>", `comma-separated: ${SCOPES.join(", ")} [default: read,write,trade:paper]`)
    .option("--name <text>", "what the key is for")
    .option("--expires <time>", "ISO 8601 time at which it stops working")
    .action(
      work(async (access, { plan, account, scopes, name, expires }) => {
        const key = await access.create({
          ...(plan !== undefined && { plan: parsePlan(plan) }),
          ...(account !== undefined && { account }),
          ...(scopes !== undefined && { scopes: parseScopes(scopes) }),
          ...(name !== undefined && { name }),
          ...(expires !== undefined && { expiresAt: expires }),
        });
        return issued(key, await planBehind(access, key));
      }),
    );
  const list = commandWithExamples("list", "list keys, newest first", [
    "market-signal keys list",
    "market-signal keys list --account owner --json",
  ])
    .option("--account <id>", "of one account only")
    .action(
      work(async (access, { account }) => {
        const keys = await access.list(account);
        const rows = keys.map(({ id, last4, state, account: of, plan, scopes, expires_at, name }) => ({
          id,
          key: `...${last4}`,
          state,
          account: of,
          plan,
          scopes: scopes.join(","),
          expires: expires_at ?? "never",
          name,
        }));
        return { json: { keys }, lines: rows.length === 0 ? ["No keys."] : formatTable(rows, paint) };
      }),
    );
  const revoke = commandWithExamples("revoke", "end a key within a second", [
    "market-signal keys revoke <id>",
  ])
    .argument("<id>", "id of the key, as `keys list` shows it")
    .action(
      work(async (access, _, id) => {
        await access.revoke(id).catch(withHint);
        return { json: { id, revoked: true }, lines: [`Revoked ${id}.`] };
      }),
    );
  const rotate = commandWithExamples("rotate", "replace a key; the old key stays valid for a grace period", [
    "market-signal keys rotate <id>",
    "market-signal keys rotate <id> --grace 0",
  ])
    .argument("<id>", "id of the key, as `keys list` shows it")
    .option("--grace <hours>", "hours the old key stays valid [default: 24]")
    .action(
      work(async (access, { grace }, id) => {
        const graced = grace === undefined ? {} : { graceMs: parseGraceMs(grace) };
        const key = await access.rotate(id, graced).catch(withHint);
        const { json, lines } = issued(key, await planBehind(access, key));
        const over = key.old_works_until <= key.created_at;
        const old = over
          ? "The old key is no longer valid."
          : `The old key works until ${key.old_works_until}.`;
        return { json, lines: [...lines, old] };
      }),
    );
  const account = commandWithExamples("account", "change what an account may do; its keys follow at once", [
    "market-signal keys account acme --plan pro",
    "market-signal keys account acme --terms 'Professional (custom)'",
  ])
    .argument("<account>", "id of the account, as `keys list` shows it")
    .option("--plan <plan>", `plan from now on: ${Object.keys(PLAN_RANK).join(", ")}`)
    .option("--terms <row>", "row of the plan schedule granted to this account; none takes it back")
    .action(
      work(async (access, { plan, terms }, id) => {
        const change = {
          ...(plan !== undefined && { plan: parsePlan(plan) }),
          ...(terms !== undefined && { terms: terms === "none" ? null : terms }),
        };
        if (Object.keys(change).length === 0)
          throw new ToolError("INVALID_INPUT", "Nothing to change", {
            hint: "Give --plan, --terms or both.",
          });
        await access.setAccount(id, change);
        return { json: { account: id, ...change }, lines: [`Changed ${id}.`] };
      }),
    );
  const group = commandWithExamples("keys", "create, list, revoke or rotate API keys; change accounts", [
    "market-signal keys create --plan pro",
    "market-signal keys list",
    "market-signal keys revoke <id>",
    "market-signal keys rotate <id>",
  ]);
  for (const one of [create, list, revoke, rotate, account])
    group.addCommand(one.option("--json", "print JSON on stdout"));
  return group;
}

/** Says where the ids are. */
function withHint(thrown: unknown): never {
  if (thrown instanceof ToolError && thrown.code === "NOT_FOUND")
    throw new ToolError("NOT_FOUND", thrown.message, { hint: "`market-signal keys list` shows the ids." });
  throw thrown;
}
