import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import * as agents from "../../agents/index.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import * as tools from "../../tools/index.ts";

interface Layer {
  /** Folders or files that it may import in addition to itself. */
  readonly may: readonly string[];
  readonly packages?: RegExp;
}

/** The layers and packages that each layer may import. Anything not listed is forbidden. */
const LAYERS: Readonly<Record<string, Layer>> = {
  "src/lib": {
    may: [],
    packages:
      /^(big\.js$|lru-cache$|csv-parse\/sync$|p-limit$|pino|rate-limiter-flexible|standardwebhooks$|stemmer$|string-width$|@resvg\/resvg-js|ws$|node:)/,
  },
  "src/domain": { may: ["src/lib"], packages: /^zod$/ },
  "src/analytics": { may: ["src/domain", "src/lib"] },
  "src/charts": { may: ["src/analytics", "src/domain", "src/lib"] },
  "src/kernel": { may: ["src/domain", "src/lib"], packages: /^(zod|node:crypto)$/ },
  "src/market": {
    may: ["src/domain", "src/kernel/errors.ts", "src/lib"],
    packages: /^(cockatiel|lru-cache|node:timers\/promises)$/,
  },
  "src/store": {
    may: ["src/domain", "src/kernel/errors.ts", "src/lib"],
    packages: /^(node:|zod$|kysely$|lru-cache$|p-limit$|better-sqlite3$|pg$|@a2a-js\/sdk(\/server|$))/,
  },
  "src/jobs": { may: ["src/domain", "src/kernel/errors.ts", "src/lib"], packages: /^node:/ },
  "src/client": { may: [], packages: /^eventsource-parser$/ },
  "src/access": {
    may: ["src/domain", "src/kernel/errors.ts", "src/lib"],
    packages: /^(node:|jose$|lru-cache$|rate-limiter-flexible$|better-auth(\/|$)|@better-auth\/)/,
  },
  "src/features": {
    may: ["src/domain", "src/analytics", "src/market", "src/kernel", "src/lib"],
    packages: /^(lru-cache|p-limit|node:(crypto|timers\/promises))$/,
  },
  "src/compute": {
    may: ["src/charts", "src/domain", "src/features", "src/kernel/errors.ts", "src/lib"],
    packages: /^(lru-cache|piscina|node:(os|worker_threads))$/,
  },
  "src/providers": {
    may: ["src/domain", "src/market", "src/kernel/errors.ts", "src/lib"],
    packages: /^(?!hono|@hono|@modelcontextprotocol)/,
  },
  "src/transports": {
    may: ["src/kernel", "src/domain", "src/access", "src/lib"],
    packages:
      /^(node:|zod$|hono(\/|$)|@hono\/|@modelcontextprotocol\/|@a2a-js\/sdk(\/|$)|commander$|prom-client$|ipaddr\.js$|lru-cache$|canonicalize$|nodemailer$)/,
  },
  "src/dashboard": {
    may: [
      "src/client",
      "src/lib",
      "tools",
      // texts that the command line and the home page show too
      "src/domain/installation",
      "src/kernel/toolsets.ts",
      "src/transports/cli/mcp-config.ts",
      "src/transports/cli/mcp-snippets.ts",
      "src/transports/connect.ts",
      // the reason of an error, which pages answer by a link
      "src/domain/accounts/people.ts",
      // the hours of exchanges, which are by rule
      "src/market/calendar/market-days.ts",
      "src/market/calendar/trading-hours.ts",
    ],
    packages: /^(react(-dom(\/client)?)?$|@mantine\/|@tanstack\/|lightweight-charts$|wouter$|zod$)/,
  },
  tools: {
    may: ["src/kernel", "src/domain", "src/analytics", "src/features", "src/charts", "src/lib"],
    packages: /^zod$/,
  },
  agents: {
    may: ["tools", "src/kernel", "src/domain", "src/analytics", "src/features", "src/lib"],
    packages: /^zod$/,
  },
};

/** Files of `features` that may import another topic than `signal`. */
const ALLOWED_TOPICS = [
  "agents/routed-request.text.ts -> trading",
  "check/receipt.ts -> receipts",
  "check/report.ts -> earnings",
  "check/snapshot/field-names.ts -> trading",
  "check/snapshot/fields.ts -> trading",
  "check/snapshot/holdings.ts -> trading",
  "check/snapshot/instrument.ts -> trading",
  "claims/record-claim.ts -> check",
  "nightly/replay-run.ts -> track-record",
  "nightly/scan.ts -> earnings",
  "nightly/scoring.ts -> track-record",
  "nightly/settle-calls.ts -> track-record",
  "nightly/track.ts -> track-record",
  "prediction-markets/edge-news-side.ts -> news",
  "prediction-markets/edge-sides.ts -> news",
  "receipts/verify-check.ts -> check",
  "requests/details/odds.ts -> odds",
  "requests/details/price-levels.ts -> odds",
  "requests/price-odds-calls.ts -> odds",
  "requests/results/contracts.ts -> odds",
  "signal/analysis.text.ts -> earnings",
  "signal/analysis.ts -> earnings",
  "signal/answer.text.ts -> trading",
  "signal/catalysts.ts -> news",
  "signal/enhanced-parts.ts -> prediction-markets",
  "signal/facts.ts -> news",
  "signal/facts.ts -> prediction-markets",
  "signal/signal.text.ts -> earnings",
];

/** Files in `tools` and `agents` that define none: the index files and code shared by the trading agents. */
const NO_DEFINITION = new Set(["index.ts", "pass-actions.ts"]);

/** Test files that belong to other projects of vitest.config.ts. */
const NOT_UNIT =
  /\.integration\.test\.ts$|^test\/([^/]+\.test\.ts$|(app|architecture|contract|dashboard|docs|live|proofs|providers|replay|store|transports)\/)/;
const OPENS =
  /^node:(child_process|dgram|http|https|net|tls)$|\/support\/(child|compiled|csv-folder|doors|http|installation|live|program|receiver|temp-dir)\.ts$/;

interface Rule {
  readonly in: RegExp;
  readonly unless?: RegExp;
  readonly text: RegExp;
  readonly why: string;
}
/** A process has one event loop, so its state is that of the process. */
const EVENT_LOOP = /^src\/lib\/event-loop\.ts$/;
/** Memory belongs to the process, so its budget and the iterations of the event loop do too. */
const CACHE_BUDGET = /^src\/lib\/(event-loop|bounded-cache)\.ts$/;
const PURE = /^(src\/(kernel|analytics|charts|domain)|tools|agents)\//;
const NEVER: readonly Rule[] = [
  {
    in: /./,
    unless: /^src\/app\/config\.ts$/,
    text: /process\.env|import\.meta\.env/,
    why: "only src/app/config.ts reads the environment",
  },
  {
    in: PURE,
    text: /Date\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|randomUUID/,
    why: "time and chance come through ports",
  },
  {
    in: /^src\/analytics\//,
    unless: /^src\/analytics\/news\/weights\.ts$/, // words of headlines
    text: /\basync\b|\bawait\b|Promise</,
    why: "analytics waits for nothing",
  },
  {
    in: /./,
    unless: /^src\/kernel\/invoke\.ts$/,
    text: /\.handler\b/,
    why: "only invoke calls a handler",
  },
  {
    in: /^src\/(kernel|market|features|store|access|transports|charts)\//,
    text: /\b(alpaca|finnhub|tradier|cboe|yahoo|unusual_whales|massive_key)/i,
    unless: /^src\/features\/requests\//, // words of questions
    why: "only app and providers name data providers",
  },
  { in: /./, text: /console\.(log|info|debug)\(/, why: "stdout belongs to the protocols" },
  {
    in: /./,
    unless: CACHE_BUDGET,
    text: /^(export )?(let|var) /m,
    why: "no state lives in a module",
  },
  {
    in: /^(src|tools|agents)\//,
    unless: /^src\/lib\/bounded-cache\.ts$/,
    text: /\bnew LRUCache\b/,
    why: "caches are made by createBoundedCache, which holds them to one budget",
  },
  {
    in: /^(src|tools|agents)\//,
    unless: CACHE_BUDGET,
    text: /^(export )?const \w+(: [^=]+)? = new (Map|Set|WeakMap)(<[^;]*>)?\(\);/m,
    why: "no map that grows lives in a module",
  },
  { in: /./, text: /\b(TODO|FIXME|XXX|HACK)\b/, why: "what is missing is not promised in a comment" },
  { in: PURE, text: /\bfetch\(|globalThis|setInterval\(/, why: "a tool uses only its ports" },
  {
    in: PURE,
    unless: /^src\/kernel\/invoke\.ts$/,
    text: /\bDate\.now\b|getRandomValues|hrtime|setTimeout/,
    why: "only the deadline of a call has a timer",
  },
  {
    in: /./,
    text: /\bcreateRequire\b(?!\(import\.meta\.url\)\(")|\bimport\((?!")/,
    why: "what is imported is written out",
  },
  { in: /./, text: /node:process|process\[/, why: "the process is reached only by its global" },
  {
    in: /./,
    unless: /^src\/(main|app\/program|transports\/mcp\/stdio)\.ts$/,
    text: /process\.stdout/,
    why: "a transport writes to the stream it is given",
  },
  {
    in: /./,
    unless: EVENT_LOOP,
    text: /^(export )?const \w+(: [^=]+)? = (new (Map|WeakMap|Set)(<[^>]*>)?\(\)|\[\]|\{\});/m,
    why: "no module has state",
  },
  {
    in: /./,
    unless: /^src\/main\.ts$/,
    text: /^(setInterval|setTimeout|process\.on)\(/m,
    why: "nothing happens on import",
  },
  {
    in: /^src\/analytics\//,
    text: /^import (?!type )[^;]*"[./]+\/domain\/(?!market\/bars\.ts)|^import [^;]*"[./]+\/lib\/(log|version|limiter)\.ts"/m,
    why: "analytics takes types of the domain, and no package by way of a leaf but exact decimals",
  },
];

/** Views and charts are drawn by pages and, without the rest of the dashboard, inside chats. */
const DRAWN_IN_CHATS = /^src\/dashboard\/(views|charts|mcp)\//;

const filesUnder = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules/"))
        .map((file) => `${root}/${file}`)
        .sort()
    : [];
const files = ["src", "tools", "agents"].flatMap(filesUnder);
const tests = filesUnder("test");
/** Caches by file, since every rule reads all files. */
function cachedByFile<T>(of: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return (file) => {
    if (!known.has(file)) known.set(file, of(file));
    return known.get(file)!;
  };
}
const text = cachedByFile((file) => readFileSync(file, "utf8"));
const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);
const layerOf = (file: string): string | undefined => Object.keys(LAYERS).find((layer) => isIn(file, layer));
/** Removes comments, which could hide the module that names are imported from. */
const uncommented = (file: string): string => text(file).replace(/^\s*\/\/[^\n]*$|\/\*.*?\*\//gms, "");
const importsOf = cachedByFile((file) =>
  [
    ...uncommented(file).matchAll(
      /^(?:import|export)\s[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\b(?:import|createRequire\(import\.meta\.url\))\("([^"]+)"\)/gm,
    ),
  ].map((found) => (found[1] ?? found[2] ?? found[3])!),
);
const targetOf = (file: string, specifier: string): string => normalize(join(dirname(file), specifier));
const neighboursOf = (file: string): string[] =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => targetOf(file, specifier));

describe("the source tree", () => {
  it("imports only what each layer may import", () => {
    const forbidden = files.flatMap((file) => {
      const layer = layerOf(file);
      if (layer === undefined) return [];
      const { may, packages } = LAYERS[layer]!;
      return importsOf(file)
        .filter((specifier) =>
          specifier.startsWith(".")
            ? ![layer, ...may].some((place) => isIn(targetOf(file, specifier), place))
            : !packages?.test(specifier),
        )
        .map((specifier) => `${file} imports ${specifier}`);
    });
    expect(forbidden).toEqual([]);
  });

  it("separates the topics of features, except for signal and the listed exceptions", () => {
    const topicOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1];
    const crossing = files.flatMap((file) => {
      const topic = topicOf(file);
      if (topic === undefined) return [];
      const others = neighboursOf(file).map(topicOf);
      return others
        .filter((other) => other !== undefined && other !== topic && other !== "signal")
        .map((other) => `${file.slice("src/features/".length)} -> ${other}`);
    });
    expect([...new Set(crossing)].sort()).toEqual(ALLOWED_TOPICS);
  });

  it("assigns every file to a layer", () => {
    expect(files.filter((file) => !layerOf(file) && !isIn(file, "src/app"))).toEqual(["src/main.ts"]);
  });

  it("draws views without the parts of pages, and takes only types from tools", () => {
    const guilty = files
      .filter((file) => DRAWN_IN_CHATS.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (specifier) =>
              /^(@mantine|@tanstack|wouter)/.test(specifier) ||
              /^src\/dashboard\/(app|pages|api\/client)/.test(targetOf(file, specifier)),
          )
          .map((specifier) => `${file} imports ${specifier}`),
      );
    expect(guilty).toEqual([]);
    const importing = files.filter(
      (file) => isIn(file, "src/dashboard") && neighboursOf(file).some((target) => isIn(target, "tools")),
    );
    expect(importing).toEqual(["src/dashboard/api/tools.ts"]);
    expect(text("src/dashboard/api/tools.ts")).not.toMatch(/^import (?!type )/m);
  });

  it("allows only the executable to import the composition root", () => {
    const importers = files.filter(
      (file) => !isIn(file, "src/app") && neighboursOf(file).some((target) => isIn(target, "src/app")),
    );
    expect(importers).toEqual(["src/main.ts"]);
  });

  it("allows only the composition root to import providers", () => {
    const importers = files.filter(
      (file) =>
        !["src/app", "src/providers"].some((place) => isIn(file, place)) &&
        neighboursOf(file).some((target) => isIn(target, "src/providers")),
    );
    expect(importers).toEqual([]);
  });

  it.each(NEVER)("never: $why", ({ in: where, unless, text: forbidden }) => {
    const guilty = files.filter(
      (file) => where.test(file) && !unless?.test(file) && forbidden.test(text(file)),
    );
    expect(guilty).toEqual([]);
  });

  it("mentions no tool or agent by name in a transport or in the kernel", () => {
    const names = Object.entries<Tool>(catalogue).flatMap(([key, { name, route }]) => [
      name,
      name.replaceAll("_", "-"),
      key,
      route.split(" ")[1]!.replace(/\/:.*$/, ""),
    ]);
    // A path with further characters is a different path.
    const says = (body: string, name: string) => new RegExp(`${name}(?![\\w/])`).test(body);
    const checked = files.filter((file) => /^src\/(transports|kernel)\//.test(file));
    const naming = checked.flatMap((file) =>
      names.filter((name) => says(text(file), name)).map((name) => `${file}: ${name}`),
    );
    expect(naming).toEqual([]);
  });

  it("allows no tool to import another: shared code is in a lower layer", () => {
    const tool = (file: string) => isIn(file, "tools") && file !== "tools/index.ts";
    expect(files.filter(tool).filter((file) => neighboursOf(file).some(tool))).toEqual([]);
  });

  it("separates providers from each other; they share only src/providers/shared, which imports none of them", () => {
    const providerOf = (file: string) => /^src\/providers\/(?!shared\/)([^/]+)\//.exec(file)?.[1];
    const crossing = filesUnder("src/providers").filter((file) =>
      neighboursOf(file).some(
        (target) => providerOf(target) !== undefined && providerOf(target) !== providerOf(file),
      ),
    );
    expect(crossing).toEqual([]);
  });

  it("has no import cycles", () => {
    const graph = new Map(files.map((file) => [file, neighboursOf(file)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      if (path.includes(file) || done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it.each(Object.entries<Readonly<Record<string, Tool>>>({ tools, agents }))(
    "has one definition per file of %s, listed once, named after the file, with its contract test",
    (folder, listed) => {
      const inFolder = files
        .filter((file) => isIn(file, folder))
        .map((file) => file.slice(folder.length + 1));
      expect(inFolder.filter((file) => file.includes("/"))).toEqual([]);
      const own = inFolder
        .filter((file) => !NO_DEFINITION.has(file))
        .map((file) => file.slice(0, -".ts".length));
      const names = Object.values(listed).map(({ name }) => name);
      expect(own.map((file) => file.replaceAll("-", "_")).sort()).toEqual(names.sort());
      const contractOf = (file: string) => `test/${folder}/${file}.test.ts`;
      expect(
        own.filter(
          (file) => !existsSync(contractOf(file)) || !/^\s*toolContract\(/m.test(text(contractOf(file))),
        ),
      ).toEqual([]);
      const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      expect(Object.entries(listed).filter(([key, { name }]) => key !== camel(name))).toEqual([]);
    },
  );

  it("lists the tools run by each agent, and for no other tool", () => {
    const names = new Set(Object.values(tools).map(({ name }) => name as string));
    for (const { name, toolset, uses = [] } of Object.values<Tool>(agents)) {
      expect({ name, toolset }).toEqual({ name, toolset: "agents" });
      expect(uses.length, `${name} uses`).toBeGreaterThan(0);
      expect(uses.filter((one) => !names.has(one))).toEqual([]);
    }
    expect(Object.values<Tool>(tools).filter(({ uses }) => uses !== undefined)).toEqual([]);
  });

  it("has topics for every tool, each phrase of one tool alone, in lower case", () => {
    const all = Object.values<Tool>(catalogue).flatMap(({ name, topics = [] }) =>
      topics.map((topic) => ({ name, topic })),
    );
    for (const { name, topics = [] } of Object.values<Tool>(catalogue))
      expect(topics.length, `topics of ${name}`).toBeGreaterThanOrEqual(4);
    expect(all.filter(({ topic }) => topic !== topic.toLowerCase().trim())).toEqual([]);
    expect(all.filter(({ topic }, i) => all.findIndex((other) => other.topic === topic) !== i)).toEqual([]);
  });

  it("has no file longer than 300 lines", () => {
    expect(files.filter((file) => text(file).split("\n").length > 300)).toEqual([]);
  });

  it("allows each leaf at most one package", () => {
    const packagesOf = (file: string) =>
      importsOf(file).filter((specifier) => !/^(\.|node:)/.test(specifier));
    expect(filesUnder("src/lib").filter((file) => new Set(packagesOf(file)).size > 1)).toEqual([]);
    expect(filesUnder("src/lib").filter((file) => packagesOf(file).includes("pino"))).toEqual([
      "src/lib/log.ts",
    ]);
  });

  it("places every test at the path of the code under test", () => {
    const lost = tests
      .filter(
        (file) =>
          file.endsWith(".test.ts") &&
          !/^test\/(architecture|bench|contract|docs|live|proofs|replay)\//.test(file),
      )
      .map((file) => dirname(file).slice("test/".length))
      .filter((place) => !["test", ""].includes(place))
      .map((place) => (place === "tools" || place === "agents" ? place : `src/${place}`))
      .filter((place) => !existsSync(place) && !existsSync(`${place}.ts`));
    expect([...new Set(lost)]).toEqual([]);
  });

  // At run time, test/support/no-io.ts blocks access through other modules.
  it("allows no unit test to import code that opens a socket, a process or a folder", () => {
    const unit = tests.filter((file) => file.endsWith(".test.ts") && !NOT_UNIT.test(file));
    const opening = unit.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => OPENS.test(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(opening).toEqual([]);
  });

  it("has no file or folder with a meaningless name such as utils or helpers", () => {
    const empty = /\/(utils?|helpers?|common|managers?|services?|misc)(\/|\.ts$)/;
    expect([...files, ...tests].filter((file) => empty.test(file))).toEqual([]);
  });
});
