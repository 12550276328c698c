import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuditService } from "../../src/access/audit/audit-check.ts";
import { openedAccounts } from "../../src/app/accounts.ts";
import { createApp } from "../../src/app/app.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import { describeConfig, readConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/installation.ts";
import { createTradingService } from "../../src/features/trading/trading-service.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { type Compiled, compile } from "../support/compiled.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { launch, type Program } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { testCli } from "../transports/cli/test-host.ts";
import { commandsIn, documents } from "./documents.ts";

const CLI = /^npx (?:-y )?market-signal (.*)$/;
const CURL = /^curl /;
/** Shell lines: settings, installation, and commands of other programs. Their names are checked; they are not run. */
const SHELL =
  /^(export |npm |claude mcp add |[A-Z_]+=\S+ npm start$|PUBLIC_URL=\S+ npm run |docker (compose|build|run) |sudo |echo \w+=\S+ > \S+$)/;
/** A running command ends only on a signal, `setup` needs a terminal, and `doctor` may call real providers. */
const LASTING = /^(serve|worker|stdio|setup|doctor)\b|^agent run .* --every/;
/** Replays of the newest closes only: a full replay takes a minute. */
const SHORTER: Readonly<Record<string, readonly string[]>> = { "track replay": ["--from", "2026-11-17"] };
/** Commands on the whole installation run as a process, next to the running server. */
const OF_INSTALLATION = /^(vault|config|backup)\b/;
const ADDRESS = "http://127.0.0.1:8787";
const KEY = /ms_live_\w+/;

/** Splits a line like a shell, with single or double quotes and without escapes. */
const shellWords = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => (single ?? double ?? bare)!,
  );

/**
 * The line with `tk_...` and similar placeholders replaced by the last printed id, and `-price ...` by a price below
 * the last one.
 */
function fillIn(line: string, printed: string): string {
  const last = (pattern: RegExp) => printed.match(new RegExp(pattern, "g"))?.at(-1) ?? "";
  const price = Number(/[\d.]+/.exec(last(/price [\d.]+ USD/))?.[0]);
  return line
    .replace(/\b(tk|or|cn|rc)_\.\.\./g, (_, kind: string) => last(new RegExp(`${kind}_[0-9a-f]{20}`)))
    .replace("-price ...", `-price ${(price * 0.98).toFixed(2)}`);
}

it("contains only kinds of commands that are checked", () => {
  const unknown = documents.flatMap((document) =>
    commandsIn(document)
      .filter((line) => ![CLI, CURL, SHELL].some((kind) => kind.test(line)))
      .map((line) => `${document.path}: ${line}`),
  );
  expect(unknown).toEqual([]);
});

it("names npm scripts, benchmarks, proofs and settings that exist", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const settings = new Set(describeConfig({}).map(({ name }) => name));
  const wrong = documents.flatMap(({ path, text }) => [
    ...[...text.matchAll(/npm run ([\w:]+)/g)]
      .filter(([, name]) => !(name! in scripts))
      .map(([found]) => found),
    ...[...text.matchAll(/npm run bench -- ([a-z][\w-]*)/g)]
      .filter(([, name]) => !existsSync(new URL(`../bench/${name}.ts`, import.meta.url)))
      .map(([found]) => found),
    ...[...text.matchAll(/npm run prove -- ([a-z][\w-]*)/g)]
      .filter(([, name]) => !existsSync(new URL(`../proofs/${name}.ts`, import.meta.url)))
      .map(([found]) => found),
    ...[...text.matchAll(/^([A-Z_]+)=\S+ npm start$/gm)]
      .filter(([, name]) => !settings.has(name as never))
      .map(([found]) => `${path}: ${found}`),
  ]);
  expect(wrong).toEqual([]);
});

it("names files of the deployment that exist", () => {
  const named = documents.flatMap(({ text }) => text.match(/\bdeploy\/[\w.-]+\w/g) ?? []);
  expect(new Set(named).size).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
});

it("names commands of the program that exist", () => {
  const operating =
    "serve worker stdio setup config doctor backup restore keys open engine track data mcp vault limits trades audit agent accounts completion".split(
      " ",
    );
  const names = Object.values<Tool>(catalogue).flatMap(({ name, cli }) => [
    name.replaceAll("_", "-"),
    cli?.command ?? name,
  ]);
  const known = new Set([...names, ...operating]);
  const named = documents.flatMap(({ text }) =>
    [...text.matchAll(/(?:npx market-signal|`market-signal) ([a-z][a-z-]+)/g)].map(([, name]) => name!),
  );
  expect(named.length).toBeGreaterThan(40);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

it("gives every listed tool a short command, each a different one", () => {
  const listed = Object.values<Tool>(catalogue).filter((tool) => tool.listed);
  expect(listed.filter(({ cli }) => cli?.command === undefined).map(({ name }) => name)).toEqual([]);
  const short = Object.values<Tool>(catalogue).flatMap(({ cli }) => cli?.command ?? []);
  expect(new Set(short).size).toBe(short.length);
});

/** Returns the commands of a document that are run in this process. */
const ranHere = (document: (typeof documents)[number]): readonly string[] =>
  commandsIn(document)
    .flatMap((line) => CLI.exec(line)?.[1] ?? [])
    .filter((line) => !LASTING.test(line) && !OF_INSTALLATION.test(line));

describe.each(documents.filter((document) => ranHere(document).length > 0))(
  "the commands of $path, on the simulated market",
  (document) => {
    const suite = suiteDir();
    let app: App;
    let printed = "";
    beforeAll(async () => {
      const settings = { DATA_DIR: join(suite.dir, "data"), MARKET_DATA: "sample", LOG_LEVEL: "silent" };
      app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), {
        clock: stoppedClock(new Date("2026-11-20T15:00:00Z")),
        log: collectingLog().log,
      });
    });
    afterAll(async () => {
      await app.close();
      suite.remove();
    });
    it.each(ranHere(document))("%s", { timeout: 120_000 }, async (line) => {
      const open = { ...app, close: async () => {} };
      const { run } = testCli({
        tools: Object.values(catalogue),
        host: {
          folder: suite.dir,
          open: async () => open,
          openKeys: async () => open,
          openAccounts: async () => openedAccounts(open),
          openVault: async () => open,
          openTrading: async () => createTradingService(open),
          openAudit: async () => createAuditService(open),
        } as never,
      });
      const words = shellWords(fillIn(line, printed));
      const { code, out, err } = await run(...words, ...(SHORTER[line] ?? []));
      // A command that writes its data to a file reports on stderr.
      const reported = line.startsWith("data export") ? err : out;
      expect({ code, err: line.startsWith("data export") ? "" : err }).toEqual({ code: 0, err: "" });
      expect(reported).not.toBe("");
      printed += out;
      const [, file] = /--out (\S+)/.exec(line) ?? [];
      if (file !== undefined) expect(existsSync(join(suite.dir, file))).toBe(true);
    });
  },
);

describe("the curl requests to a running server on the simulated market", () => {
  const suite = suiteDir();
  const env = { DATA_DIR: join(suite.dir, "data"), MARKET_DATA: "sample", PORT: "0", LOG_LEVEL: "error" };
  const command = async (...words: readonly string[]) => {
    const { child, seen, ended } = launch([...built.product, ...words], env);
    child.stdin.end("a secret for commands that read one".replaceAll(" ", "-"));
    return { code: await ended, ...seen };
  };
  let built: Compiled;
  let server: Program;
  let address = "";
  let key = "";
  beforeAll(async () => {
    built = await compile();
    server = launch([...built.product, "serve"], env);
    [address] = (await server.says(/http:\/\/127\.0\.0\.1:\d+/)) as unknown as [string];
    const created = await command("keys", "create", "--plan", "pro", "--scopes", "read,write,trade:paper");
    [key] = KEY.exec(created.out) ?? [""];
  }, 120_000);
  afterAll(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
    built.remove();
    suite.remove();
  });

  const ofInstallation = documents.flatMap((document) =>
    commandsIn(document)
      .flatMap((line) => CLI.exec(line)?.[1] ?? [])
      .filter((line) => OF_INSTALLATION.test(line)),
  );
  it.each(ofInstallation)("%s", { timeout: 60_000 }, async (line) => {
    expect((await command(...shellWords(line))).code).toBe(0);
  });

  const requests = documents.flatMap((document) =>
    commandsIn(document)
      .filter((line) => CURL.test(line))
      .map((line) => [document.path, line] as const),
  );
  it.each(requests)("%s: %s", { timeout: 60_000 }, async (_, line) => {
    const streams = line.includes("-sN");
    const bounded = line.replace(
      /^curl /,
      `curl --fail-with-body --silent --show-error --max-time ${streams ? 3 : 50} `,
    );
    const ran = await promisify(execFile)("sh", ["-c", bounded.replaceAll(ADDRESS, address)], {
      cwd: suite.dir,
      env: { PATH: process.env.PATH, MARKET_SIGNAL_KEY: key },
    }).catch((failed: { code: number; stdout: string; stderr: string }) => failed);
    // curl exits with 28 when a stream reaches its time limit
    const code = "code" in ran ? ran.code : 0;
    expect({
      code,
      stderr: streams ? "" : ran.stderr,
      body: code === 0 || streams ? "" : ran.stdout,
    }).toEqual({
      code: streams ? 28 : 0,
      stderr: "",
      body: "",
    });
  });
});
