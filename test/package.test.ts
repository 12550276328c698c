import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { v0_3 } from "@anthropic-ai/mcpb";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { catalogue } from "../src/app/catalogue.ts";
import { describeConfig } from "../src/app/config.ts";
import { createSkills } from "../src/app/skills.ts";
import { launch, type Program } from "./support/program.ts";
import { suiteDir, tempDir } from "./support/temp-dir.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** Runs a command to its end and returns what it printed. @throws Error with both streams if it fails */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** The compiled part of better-sqlite3 takes minutes and only Node 20 uses it: it comes from the repository. */
function addSqlite(modules: string): void {
  if (!process.versions.node.startsWith("20.")) return;
  for (const name of ["better-sqlite3", "bindings", "file-uri-to-path"])
    cpSync(join(ROOT, "node_modules", name), join(modules, name), { recursive: true });
}

/** Returns the built program, the file names of the tarball, and the folder into which it was installed. */
function packAndInstall(dir: string) {
  const source = join(dir, "source");
  mkdirSync(source);
  for (const name of ["package.json", "README.md", "LICENSE", "mcp.json"])
    cpSync(join(ROOT, name), join(source, name));
  run(process.execPath, [join(ROOT, ".config/build.mjs"), join(source, "dist")], ROOT);
  const packed = run("npm", ["pack", source, "--ignore-scripts", "--json", "--pack-destination", dir], dir);
  const [{ filename, files }] = JSON.parse(packed);
  const user = join(dir, "user");
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("npm", ["install", join(dir, filename), "--prefer-offline", "--ignore-scripts", "--no-audit"], user);
  addSqlite(join(user, "node_modules"));
  return { dist: join(source, "dist"), files: files.map(({ path }: { path: string }) => path), user };
}

/** Starts a server over stdio in an empty data folder, and calls a tool that it lists. */
async function expectQuoteOverStdio(started: {
  command: string;
  args: string[];
  cwd: string;
}): Promise<void> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { PATH: process.env.PATH!, DATA_DIR: join(tempDir(), "data"), MARKET_DATA: "sample" };
  await client.connect(new StdioClientTransport({ ...started, env, stderr: "pipe" }));
  onTestFinished(() => client.close());
  expect(client.getServerVersion()).toMatchObject({ version: manifest.version });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("get_quote");
  const { structuredContent } = await client.callTool({ name: "get_quote", arguments: { symbol: "AAPL" } });
  expect(structuredContent).toMatchObject({ symbol: "AAPL", data: { source: "sample" } });
  const { contents } = await client.readResource({ uri: "skill://morning/SKILL.md" });
  expect(contents).toMatchObject([{ text: expect.stringContaining("# Morning report") }]);
}

/** Returns the names of the packages in notices. */
const namesIn = (notices: string): readonly string[] =>
  [...notices.matchAll(/^-{80}\n(\S+) \S+\nLicence: /gm)].map(([, name]) => name!);

/** Returns the notice of a package: from its name to the next line. */
const noticeOf = (notices: string, name: string): string | undefined =>
  notices.split(`\n${"-".repeat(80)}\n`).find((notice) => notice.startsWith(`${name} `));

/** Returns the texts of the licence of an installed package; if it has none, the sentence that says so. */
function licenceTexts(folder: string): readonly string[] {
  const legal = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = legal.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return texts.length === 0 ? ["contains no text of its licence"] : texts;
}

/** A program that uses the typed client; the marked lines must not compile. */
const CONSUMER = `
import { createClient, MarketSignalError, type ToolOutput } from "market-signal/client";
declare const process: { readonly argv: readonly string[] };
const [, , url, key] = process.argv as [string, string, string, string];
const client = createClient({ url, key });

const quote: ToolOutput<"get_quote"> = await client.call("get_quote", { symbol: "AAPL" });
const price: number = quote.data.price;
const scan = await client.call("scan_symbols", { symbols: ["AAPL", "NVDA"] });
const health = await client.call("get_health");

// @ts-expect-error there is no such tool
const unknown = () => client.call("no_such_tool");
// @ts-expect-error the symbol is missing
const missing = () => client.call("get_quote");
// @ts-expect-error a symbol is a text
const wrong = () => client.call("get_quote", { symbol: 5 });
// @ts-expect-error quotes have no such field
const field = () => quote.nonsense;

const failure = await client.call("get_quote", { symbol: "NOSUCH" }).catch((cause: unknown) => cause);
if (!(failure instanceof MarketSignalError)) throw failure;
const { code, status, retryable } = failure;

const stop = new AbortController();
const events: string[] = [];
for await (const event of client.stream("stream_quotes", { symbols: ["AAPL"] }, { signal: stop.signal })) {
  events.push(event.event === "quote" ? \`quote of \${event.data.symbol}\` : event.event);
  if (event.event === "quote") break;
}
console.log(
  JSON.stringify({
    symbol: quote.symbol,
    priced: typeof price,
    scanned: scan.results.length,
    health: health.status,
    failure: { code, status, retryable, request_id: failure.request_id?.length, hint: failure.hint !== null },
    events,
  }),
);
`;

/** Packages that pages and views import. */
const PAGE_PACKAGES = [
  ...[
    "@mantine/core",
    "@mantine/hooks",
    "@mantine/spotlight",
    "@tanstack/react-query",
    "@tanstack/react-table",
  ],
  ...["lightweight-charts", "preact", "react", "react-dom", "wouter"],
];

/** Returns the names of the packages that an installed one needs. */
function dependenciesOf(name: string): readonly string[] {
  const file = join(ROOT, "node_modules", name, "package.json");
  const { dependencies = {}, peerDependencies = {} } = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : {};
  return Object.keys({ ...dependencies, ...peerDependencies });
}

describe("the packed package", () => {
  const suite = suiteDir();
  let dist: string;
  let files: readonly string[];
  let user: string;
  let server: Program | undefined;
  beforeAll(() => {
    ({ dist, files, user } = packAndInstall(suite.dir));
  }, 240_000);
  afterAll(() => {
    server?.child.kill("SIGKILL");
    suite.remove();
  });

  it("holds the program, its workers, the client and its types, and nothing of one machine", () => {
    const names = files.map((path) =>
      path
        .replace(/^(dist\/dashboard\/(assets|views)\/).*/, "$1*")
        .replace(/-[0-9A-Z]{8}(-[0-9A-Z]{8})?\./, "-*."),
    );
    expect([...new Set(names)].sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "dist/audit-worker.js",
        "dist/THIRD_PARTY_NOTICES",
        "dist/chunk-*.js",
        "dist/client-error.d.ts",
        "dist/client-tools.d.ts",
        "dist/client.d.ts",
        "dist/client.js",
        "dist/compute-worker.js",
        ...[
          "app.webmanifest",
          "apple-touch-icon.png",
          "icon-192.png",
          "icon-512.png",
          "icon-maskable.png",
        ].map((file) => `dist/dashboard/${file}`),
        ...["assets/*", "icon.svg", "index.html", "views/*"].map((file) => `dist/dashboard/${file}`),
        "dist/files-worker.js",
        "dist/main.js",
        "dist/postgres-side-*.js",
        "dist/program-*.cjs",
        "dist/program-*.js",
        "dist/requests.model",
        ...createSkills()
          .all()
          .map(({ name }) => `dist/skills/${name}/SKILL.md`),
        "dist/upkeep-worker.js",
        "mcp.json",
        "package.json",
      ].sort(),
    );
  });

  it("carries the licence of every package in the program, as its source maps name them", () => {
    const notices = readFileSync(join(dist, "THIRD_PARTY_NOTICES"), "utf8");
    const maps = readdirSync(dist).filter((name) => name.endsWith(".map"));
    const sources = maps.flatMap((name) => JSON.parse(readFileSync(join(dist, name), "utf8")).sources);
    const bundled = new Set<string>(
      sources.flatMap((path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    );
    bundled.add("eventsource-parser"); // in the client, which has no source map
    // pages have no source maps: they contain these packages, and of those that these need what they use
    const pages = [...PAGE_PACKAGES];
    for (const name of pages)
      pages.push(...dependenciesOf(name).filter((dependency) => !pages.includes(dependency)));
    const others = namesIn(notices).filter((name) => !bundled.has(name));
    expect(others.filter((name) => !pages.includes(name))).toEqual([]);
    expect(PAGE_PACKAGES.filter((name) => !others.includes(name))).toEqual([]);
    for (const name of others) bundled.add(name);
    // a package in two versions has two notices
    expect([...new Set(namesIn(notices))]).toEqual([...bundled].sort());
    // a part of the MCP library that is not published by itself
    expect(noticeOf(notices, "@modelcontextprotocol/core-internal")).toContain(
      "Licence: that of the package which contains it",
    );
    bundled.delete("@modelcontextprotocol/core-internal");
    for (const name of bundled)
      for (const text of licenceTexts(join(ROOT, "node_modules", name)))
        expect(noticeOf(notices, name), name).toContain(text);
    const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/hono/package.json"), "utf8"));
    expect(noticeOf(notices, "hono")).toMatch(`hono ${version}\nLicence: MIT\n`);
    // published within the MCP library
    expect(noticeOf(notices, "ajv")).toMatch(/^ajv 8\.\d+\.\d+\nLicence: MIT\n/);
  });

  it("can be read by another user than the one who built it, such as that of a service", () => {
    const unreadable = readdirSync(dist).filter(
      (file) => (statSync(join(dist, file)).mode & 0o044) !== 0o044,
    );
    expect(unreadable).toEqual([]);
  });

  it.each([
    ["SIGTERM", "the npm process"],
    ["SIGINT", "the whole group, as a terminal sends it"],
  ] as const)("started by npm start, ends on %s to %s, with an open stream", async (signal, receiver) => {
    const source = join(suite.dir, "source");
    if (!existsSync(join(source, "node_modules")))
      symlinkSync(join(ROOT, "node_modules"), join(source, "node_modules"));
    const dataDir = join(tempDir(), "data");
    const env = { HOME: dataDir, DATA_DIR: dataDir, MARKET_DATA: "sample", PORT: "0", LOG_LEVEL: "error" };
    const npm = launch(["setsid", "npm", "start"], env, source);
    onTestFinished(() => void npm.child.kill("SIGKILL"));
    const [, url] = await npm.says(/docs\s+(http:\S+)\/docs/);
    const key = readFileSync(join(dataDir, "first-key.txt"), "utf8").trim();
    const stream = await fetch(`${url}/api/mcp/sse`, { headers: { authorization: `Bearer ${key}` } });
    const text = stream.text();
    const { pid } = npm.child;
    process.kill(receiver === "the npm process" ? pid! : -pid!, signal);
    expect(await npm.ended).toBe(0);
    // the end of the process closes the stream, after its last whole event
    expect(await text).toMatch(/\n\n$/);
    await expect(fetch(`${url}/livez`)).rejects.toThrow("fetch failed");
  });

  it("speaks MCP over stdio, started by npx in an empty data folder", async () => {
    await expectQuoteOverStdio({ command: "npx", args: ["market-signal", "stdio"], cwd: user });
  });

  it("makes a bundle that a desktop host starts, with a manifest of its schema", async () => {
    const file = join(suite.dir, "market-signal.mcpb");
    run(process.execPath, [join(ROOT, ".config/build-mcpb.mjs"), dist, file], ROOT);
    const bundle = join(suite.dir, "bundle");
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(file)))) {
      mkdirSync(dirname(join(bundle, name)), { recursive: true });
      writeFileSync(join(bundle, name), bytes);
    }
    const described = v0_3.McpbManifestSchema.parse(
      JSON.parse(readFileSync(join(bundle, "manifest.json"), "utf8")),
    );
    expect(described).toMatchObject({ name: manifest.name, version: manifest.version, license: "MIT" });
    const { command, args = [], env = {} } = described.server.mcp_config!;
    expect(Object.values(env)).toEqual(
      Object.keys(described.user_config!).map((name) => `\${user_config.${name}}`),
    );
    const settings = describeConfig({}).map(({ name }) => name);
    expect(Object.keys(env).filter((name) => !settings.includes(name))).toEqual([]);
    const notices = readFileSync(join(bundle, "THIRD_PARTY_NOTICES"), "utf8");
    const shipped = readdirSync(join(bundle, "node_modules"), { recursive: true, encoding: "utf8" })
      .filter((path) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map(dirname);
    expect(shipped).toEqual(expect.arrayContaining(["dejavu-fonts-ttf", "piscina", "@resvg/resvg-js"]));
    expect(namesIn(notices)).toEqual(shipped.sort());
    expect(notices).toContain("Bitstream Vera Fonts Copyright");
    expect(readFileSync(join(bundle, "dist/THIRD_PARTY_NOTICES"), "utf8")).toBe(
      readFileSync(join(dist, "THIRD_PARTY_NOTICES"), "utf8"),
    );
    addSqlite(join(bundle, "node_modules"));
    const placed = args.map((text) => text.replace(/^\$\{__dirname\}/, bundle));
    await expectQuoteOverStdio({ command, args: placed, cwd: bundle });
  });

  it.each([
    ["node16", { module: "node16", moduleResolution: "node16" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ])("gives a consumer types without further packages: %s", (name, options) => {
    const project = join(user, name);
    mkdirSync(project);
    writeFileSync(join(project, "consumer.ts"), CONSUMER);
    const compilerOptions = {
      ...options,
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      strict: true,
      rootDir: ".",
    };
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["consumer.ts"] }),
    );
    run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project], project);
  });

  it("has a client that calls a server, reads its errors and follows a stream", async () => {
    const dataDir = join(tempDir(), "data");
    const env = { DATA_DIR: dataDir, MARKET_DATA: "sample", PORT: "0", LOG_LEVEL: "error" };
    expect(run("npx", ["market-signal", "--version"], user).trim()).toBe(manifest.version);
    // npx would leave the server running when it is killed
    server = launch([join(user, "node_modules/.bin/market-signal"), "serve"], env, user);
    const [, url] = await server.says(/docs\s+(http:\S+)\/docs/);
    const key = readFileSync(join(dataDir, "first-key.txt"), "utf8").match(/ms_\w+/)![0];
    const printed = run(process.execPath, ["node16/consumer.js", url!, key], user);
    expect(JSON.parse(printed)).toEqual({
      symbol: "AAPL",
      priced: "number",
      scanned: 2,
      health: "healthy",
      failure: { code: "UNKNOWN_SYMBOL", status: 422, retryable: false, request_id: 36, hint: true },
      events: ["hello", "quote of AAPL"],
    });
  });

  it("has a client with the route of every tool", async () => {
    const script =
      'import("market-signal/client").then((client) => console.log(Object.keys(client).sort().join()))';
    expect(run(process.execPath, ["-e", script], user).trim()).toBe("MarketSignalError,createClient");
    const text = readFileSync(join(user, "node_modules/market-signal/dist/client.js"), "utf8");
    const unrouted = Object.values(catalogue).filter(
      ({ name, route }) => !text.includes(`"${name}": ${JSON.stringify(route)}`),
    );
    expect(unrouted.map(({ name }) => name)).toEqual([]);
  });
});
