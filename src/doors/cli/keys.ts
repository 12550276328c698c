import { Command } from "commander";
import type { Access } from "../../access/access.ts";
import { PLAN_RANK, type Plan, SCOPES, type Scope } from "../../domain/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { CliHost } from "./host.ts";
import { painter, tellFailure } from "./screen.ts";

interface Shown {
  readonly json: object;
  readonly text: string;
}

/** keys create | list | revoke | rotate, on the same data folder as a running server. */
export function keysCommand(host: CliHost, finish: (code: number) => void): Command {
  const paint = painter(host.out);
  const work =
    <A extends unknown[]>(task: (access: Access, ...given: A) => Promise<Shown>) =>
    async (...given: A) => {
      const { json = false } = given.findLast(
        (one) => typeof one === "object" && one !== null && !(one instanceof Command),
      ) as {
        json?: boolean;
      };
      const { access, close } = await host.openKeys();
      try {
        const shown = await task(access, ...given);
        host.out.write(json ? `${JSON.stringify(shown.json, null, 2)}\n` : `${shown.text}\n`);
        finish(0);
      } catch (thrown) {
        finish(tellFailure(thrown, { ...host, json }));
      } finally {
        await close();
      }
    };
  const once = (key: string) =>
    `${paint("bold", key)}\n${paint("dim", "It is shown this once; only its hash is kept.")}`;

  const create = new Command("create")
    .summary("make a key")
    .option("--plan <plan>", `plan of the new account: ${Object.keys(PLAN_RANK).join(", ")}`)
    .option("--account <id>", "account to make it for; a new one when left out")
    .option("--scopes <list>", `comma-separated: ${SCOPES.join(", ")} [default: read,write,trade:paper]`)
    .option("--name <text>", "what the key is for")
    .option("--expires <time>", "ISO 8601 time at which it stops working")
    .option("--json", "print JSON on stdout")
    .addHelpText(
      "before",
      "Examples:\n  market-signal keys create --plan pro\n  market-signal keys create --account owner --scopes read --name reader\n",
    )
    .action(
      work(async (access, { plan, account, scopes, name, expires }: Record<string, string | undefined>) => {
        const { key, ...made } = await access.create({
          ...(plan !== undefined && { plan: planOf(plan) }),
          ...(account !== undefined && { account }),
          ...(scopes !== undefined && { scopes: scopes.split(",").map((scope) => scope.trim()) as Scope[] }),
          ...(name !== undefined && { name }),
          ...(expires !== undefined && { expiresAt: expires }),
        });
        const { plan: granted } = await access.identify(key);
        return {
          json: { key, plan: granted, ...made },
          text: `${once(key)}\n${paint("dim", `${granted} plan, account ${made.account}, scopes ${made.scopes.join(", ")}, id ${made.id}`)}`,
        };
      }),
    );
  const list = new Command("list")
    .summary("list keys, newest first")
    .option("--account <id>", "of one account only")
    .option("--json", "print JSON on stdout")
    .action(
      work(async (access, { account }: { account?: string }) => {
        const keys = await access.list(account);
        const lines = keys.map(
          (key) =>
            `${key.id}  ...${key.last4}  ${key.state.padEnd(8)} ${key.account}  ${key.scopes.join(",")}  ${key.name}`,
        );
        return { json: { keys }, text: lines.join("\n") || "No keys." };
      }),
    );
  const revoke = new Command("revoke")
    .summary("end a key within a second")
    .argument("<id>", "id of the key, as `keys list` shows it")
    .option("--json", "print JSON on stdout")
    .action(
      work(async (access, id: string) => {
        await access.revoke(id);
        return { json: { id, revoked: true }, text: `Revoked ${id}.` };
      }),
    );
  const rotate = new Command("rotate")
    .summary("replace a key; the old one works on for a while")
    .argument("<id>", "id of the key, as `keys list` shows it")
    .option("--grace <hours>", "how long the old key works on [default: 24]")
    .option("--json", "print JSON on stdout")
    .action(
      work(async (access, id: string, { grace }: { grace?: string }) => {
        const { key, ...made } = await access.rotate(
          id,
          grace === undefined ? {} : { graceMs: hoursOf(grace) },
        );
        return { json: { key, ...made }, text: `${once(key)}\n${paint("dim", `id ${made.id}`)}` };
      }),
    );
  return new Command("keys")
    .summary("create, list, revoke or rotate API keys")
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke)
    .addCommand(rotate);
}

function planOf(text: string): Plan {
  if (Object.hasOwn(PLAN_RANK, text)) return text as Plan;
  throw new ToolError("INVALID_INPUT", `There is no plan "${text.slice(0, 40)}"`, {
    hint: `Plans: ${Object.keys(PLAN_RANK).join(", ")}.`,
  });
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (text.trim() !== "" && Number.isFinite(hours) && hours >= 0 && hours <= 24 * 365)
    return hours * 3_600_000;
  throw new ToolError("INVALID_INPUT", "--grace takes hours, 0 to 8760");
}
