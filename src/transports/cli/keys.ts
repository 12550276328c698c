import type { Command } from "commander";
import type { Access, IssuedKey } from "../../access/access.ts";
import { ownerPrincipal } from "../../access/callers.ts";
import { PLAN_RANK, type Plan, SCOPES } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import { formatRows } from "./answer.text.ts";
import { type Cli, type CommandOutput, commandWithExamples, withJson } from "./command.ts";
import type { OpenedKeys, OpenOptions } from "./host.ts";
import { parseGraceMs, parsePlan, parseScopes } from "./key-options.ts";

interface Options {
  readonly plan?: string;
  readonly account?: string;
  readonly scopes?: string;
  readonly name?: string;
  readonly expires?: string;
  readonly grace?: string;
  readonly json?: boolean;
}
/** The first key of an installation may be created before its first start. */
const CREATES_FOLDER: OpenOptions = { isExisting: false };
type Task = (access: Access, options: Options, id: string) => Promise<CommandOutput>;

/**
 * Creates the command keys create | list | revoke | rotate. It works while a server uses the same data folder.
 */
export function keysCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const action = (task: Task, { isExisting = true }: OpenOptions = {}) =>
    cli.action(
      () => host.openKeys({ isExisting }),
      ({ access }: OpenedKeys, options: Options, id: string) => task(access, options, id),
    );
  const issued = async (access: Access, { key, ...facts }: IssuedKey): Promise<CommandOutput> => {
    const plan = (await access.identify(key)).plan as Plan;
    const { account, scopes, id, expires_at } = facts;
    // the command line uses the owner account without a key
    const isNewAccount = account !== ownerPrincipal().account && (await access.list(account)).length === 1;
    const shared = isNewAccount ? " (new: it shares no quota, watchlists or trades with others)" : "";
    return {
      json: { key, plan, ...facts },
      lines: [
        paint("bold", key),
        paint("dim", "The key is shown only once; the server stores only its hash."),
        paint("dim", `${plan} plan, account ${account}${shared}, scopes ${scopes.join(", ")}, id ${id}`),
        paint("dim", expires_at === null ? "It does not expire." : `It expires at ${expires_at}.`),
      ],
    };
  };

  const create = commandWithExamples("create", "create a key", [
    "market-signal keys create --plan pro",
    "market-signal keys create --account owner --scopes read --name reader --expires 2030-01-31T00:00:00Z",
  ])
    .option("--plan <plan>", `plan of the new account: ${Object.keys(PLAN_RANK).join(", ")} [default: pro]`)
    .option(
      "--account <id>",
      "account of the key, such as owner; created if it does not exist. Default: a new account",
    )
    .option("--scopes <list>", `comma-separated: ${SCOPES.join(", ")} [default: read,write,trade:paper]`)
    .option("--name <text>", "label of the key")
    .option("--expires <time>", "time at which the key expires, ISO 8601, or never [default: in a year]")
    .action(
      action(async (access, { plan, account, scopes, name, expires }) => {
        const key = await access.create({
          ...(plan !== undefined && { plan: parsePlan(plan) }),
          ...(account !== undefined && { account }),
          ...(scopes !== undefined && { scopes: parseScopes(scopes) }),
          ...(name !== undefined && { name }),
          ...(expires !== undefined && { expiresAt: expires === "never" ? null : expires }),
        });
        return issued(access, key);
      }, CREATES_FOLDER),
    );
  const list = commandWithExamples("list", "list keys, newest first", [
    "market-signal keys list",
    "market-signal keys list --account owner --json",
  ])
    .option("--account <id>", "only keys of this account")
    .action(
      action(async (access, { account: only }) => {
        const keys = await access.list(only);
        const rows = keys.map(
          ({ id, last4, state, account, plan, scopes, expires_at, last_used_at, name }) => ({
            id,
            key: `...${last4}`,
            state,
            account,
            plan,
            scopes: scopes.join(","),
            expires: expires_at ?? "never",
            used: last_used_at === null ? "never" : `${last_used_at.slice(0, 13)}Z`,
            name,
          }),
        );
        return { json: { keys }, lines: rows.length === 0 ? ["No keys."] : formatRows(rows, paint) };
      }),
    );
  const revoke = commandWithExamples("revoke", "revoke a key; it stops working within a second", [
    "market-signal keys revoke <id>",
  ])
    .argument("<id>", "id of the key, as `keys list` shows it")
    .action(
      action(async (access, _, id) => {
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
      action(async (access, { grace }, id) => {
        const options = grace === undefined ? {} : { graceMs: parseGraceMs(grace) };
        const key = await access.rotate(id, options).catch(withHint);
        const { json, lines } = await issued(access, key);
        const hasGrace = key.old_works_until > key.created_at;
        const oldKey = hasGrace
          ? `The old key works until ${key.old_works_until}.`
          : "The old key is no longer valid.";
        return { json, lines: [...lines, oldKey] };
      }),
    );
  const group = commandWithExamples("keys", "create, list, revoke or rotate API keys", [
    "market-signal keys create --plan pro",
    "market-signal keys list",
    "market-signal keys revoke <id>",
    "market-signal keys rotate <id>",
  ]);
  for (const command of [create, list, revoke, rotate]) group.addCommand(withJson(command));
  return group;
}

/** Rethrows an error; adds a hint to NOT_FOUND that names the command which lists the ids. */
function withHint(thrown: unknown): never {
  if (thrown instanceof ToolError && thrown.code === "NOT_FOUND")
    throw new ToolError("NOT_FOUND", thrown.message, { hint: "`market-signal keys list` shows the ids." });
  throw thrown;
}
