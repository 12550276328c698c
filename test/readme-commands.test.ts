import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuditService } from "../src/access/audit/audit-service.ts";
import { type App, createApp } from "../src/app/app.ts";
import { catalogue } from "../src/app/catalogue.ts";
import { readConfig } from "../src/app/config.ts";
import { createTradingService } from "../src/features/trading/trading-service.ts";
import type { Tool } from "../src/kernel/tool.ts";
import { collectingLog, stoppedClock } from "./support/context.ts";
import { suiteDir } from "./support/temp-dir.ts";
import { stand } from "./transports/cli/stand.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** What the README's code fences run of the program, comments left out, in its order. */
const COMMANDS = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  .flatMap(([, fence]) => fence!.split("\n"))
  .flatMap((line) => /^npx market-signal (.*?)(?:\s+#.*)?$/.exec(line)?.[1] ?? []);
/** A server ends when it is told to, and the doctor may ask real sources. */
const LASTING = /^(serve|stdio|doctor)\b|^agent run .* --every/;
/** Of what would take a minute, the newest closes alone. */
const SHORTER: Readonly<Record<string, readonly string[]>> = { "track replay": ["--from", "2026-11-10"] };

/** A line as a shell splits it, with single or double quotes and no escapes. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => (single ?? double ?? bare)!,
  );

/** A line with what a reader puts in place of `...`: the id shown last, or a price a little under the one shown last. */
function inFull(line: string, printed: string): string {
  const last = (pattern: RegExp) => printed.match(new RegExp(pattern, "g"))?.at(-1) ?? "";
  const price = Number(/[\d.]+/.exec(last(/price [\d.]+ USD/))?.[0]);
  return line
    .replace(/\b(tk|or|cn|rc)_\.\.\./g, (_, kind: string) => last(new RegExp(`${kind}_[0-9a-f]{20}`)))
    .replace("-price ...", `-price ${(price * 0.98).toFixed(2)}`);
}

describe("the commands of the README, on the simulated market", () => {
  const suite = suiteDir();
  let app: App;
  let printed = "";
  beforeAll(async () => {
    const settings = { DATA_DIR: join(suite.dir, "data"), MARKET_DATA: "sample", LOG_LEVEL: "silent" };
    app = await createApp(readConfig(settings), {
      clock: stoppedClock(new Date("2026-11-20T15:00:00Z")),
      log: collectingLog().log,
    });
  });
  afterAll(async () => {
    await app.close();
    suite.remove();
  });

  it("may say every listed tool by a short name, no two alike", () => {
    const listed = Object.values<Tool>(catalogue).filter((tool) => tool.listed);
    expect(listed.filter(({ cli }) => cli?.command === undefined).map(({ name }) => name)).toEqual([]);
    const short = Object.values<Tool>(catalogue).flatMap(({ cli }) => cli?.command ?? []);
    expect(new Set(short).size).toBe(short.length);
  });

  it("are many, each written once", () => {
    expect(COMMANDS.length).toBeGreaterThan(20);
    const said = COMMANDS.filter((line) => !line.includes("_..."));
    expect(new Set(said).size).toBe(said.length);
  });

  it.each(COMMANDS.filter((line) => !LASTING.test(line)))("%s", { timeout: 120_000 }, async (line) => {
    const open = { ...app, close: async () => {} };
    const { run } = stand({
      tools: Object.values(catalogue),
      host: {
        folder: suite.dir,
        open: async () => open,
        openTrading: async () => createTradingService(open),
        openAudit: async () => createAuditService(open),
      },
    });
    const words = wordsOf(inFull(line, printed));
    const { code, out, err } = await run(...words, ...(SHORTER[line] ?? []));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toBe("");
    printed += out;
    const [, file] = /--out (\S+)/.exec(line) ?? [];
    if (file !== undefined) expect(existsSync(join(suite.dir, file))).toBe(true);
  });
});
