import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/installation.ts";
import { nonPricePorts } from "../../src/app/providers/non-price-ports.ts";
import { priceChains } from "../../src/app/providers/prices.ts";
import { createProviderFactory, type ProviderFactory } from "../../src/app/providers/provider-factory.ts";
import type { Guardable } from "../../src/domain/providers/provider.ts";
import { withExtendedHours } from "../../src/market/prices/provider-order.ts";
import { liveQuotes } from "../../src/market/prices/quotes.ts";
import { openFiles } from "../../src/providers/files/open.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { collectingLog } from "../support/context.ts";
import { csvFolder, flatCsv } from "../support/csv-folder.ts";
import { KEYS } from "../support/live.ts";
import { settableClock, shortMemory } from "../support/providers.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = settableClock("2026-01-15T16:00:00Z");
const { log } = collectingLog();
const noFetch = () => Promise.reject(new TypeError("no network"));

/** Names of the methods of an object, with those of its class. */
function methodsOf(port: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = port; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
  return [...names].filter((name) => typeof (port as Record<string, unknown>)[name] === "function");
}

/** The methods of each port of `own` that the port of the same name of `composed` lacks. */
const lost = (own: object, composed: object): readonly string[] =>
  Object.entries(own).flatMap(([name, port]) => {
    if (typeof port !== "object" || port === null) return [];
    const kept = (composed as Record<string, object | undefined>)[name];
    const left = new Set(kept === undefined ? [] : methodsOf(kept));
    return methodsOf(port)
      .filter((method) => !left.has(method))
      .map((method) => `${name}.${method}`);
  });

async function withApp<T>(marketData: string, use: (app: App) => T | Promise<T>): Promise<T> {
  const settings = { DATA_DIR: join(tempDir(), "data"), MARKET_DATA: marketData, ...KEYS };
  const app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), { log, clock, fetch: noFetch });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

/** Adds a provider as its adapter built it, and as the program calls it, for each one that a factory creates. */
function recordingInto(
  created: { name: string; content: string; own: object; composed: object }[],
  factory: ProviderFactory,
): ProviderFactory {
  return {
    ...factory,
    create(name, build, options) {
      const own: Guardable[] = [];
      const guards = factory.create(
        name,
        (setup) => {
          const provider = build(setup);
          own.push(provider);
          return provider;
        },
        options,
      );
      for (const [i, { provider: composed }] of guards.entries())
        created.push({ name, content: options.content, own: own[i]!, composed });
      return guards;
    },
  };
}

describe("the composed ports", () => {
  it("of the live market have every member of each adapter, all but the budget unchanged", async () => {
    const created: Parameters<typeof recordingInto>[0] = [];
    const settings = {
      DATA_DIR: join(tempDir(), "data"),
      MARKET_DATA: "live",
      KADOA_NONCOMMERCIAL: "yes",
      ...KEYS,
    };
    const config = readConfig(settings);
    const factory = recordingInto(created, createProviderFactory(config, { fetch: noFetch, clock }));
    const { all } = priceChains(factory);
    await withApp("live", ({ store, ports: { symbols } }) => {
      const { memory } = shortMemory();
      nonPricePorts(factory, { log, db: store.db, market: "test", memory, symbols });
    });
    expect(created.length).toBeGreaterThan(25);
    for (const { name, content, own, composed } of created) {
      const changed = [...new Set([...Object.keys(own), ...methodsOf(own)])].filter(
        (key) => key !== "budget" && (composed as never)[key] !== (own as never)[key],
      );
      expect([name, content, changed]).toEqual([name, content, []]);
    }
    for (const guarded of withExtendedHours(all))
      expect(methodsOf(guarded.provider)).toEqual(
        methodsOf(all.find(({ provider }) => provider.name === guarded.provider.name)!.provider),
      );
    expect(all.filter(({ provider }) => provider.latestOf).map(({ provider }) => provider.name)).toEqual([
      "alpaca",
      "yahoo",
    ]);
  });

  it("of the live market have every method of the ports that they wrap", async () => {
    const { memory } = shortMemory();
    const quotes = liveQuotes({ chain: () => [], memory, clock });
    expect(methodsOf(quotes)).toContain("prefetch");
    await withApp("live", ({ live, ports }) => {
      expect(lost({ quotes }, live!.ports)).toEqual([]);
      expect(lost(live!.ports, ports)).toEqual([]);
      expect(methodsOf(ports.quotes)).toContain("countCalls");
    });
  });

  it("of the simulated market and of files have every method of the ports that they wrap", async () => {
    const { market: _, members: _members, ...sample } = sampleMarket({ clock });
    await withApp("sample", ({ ports }) => expect(lost(sample, ports)).toEqual([]));
    const dir = csvFolder({ "AAPL.csv": flatCsv("2026-01-13 100", "2026-01-14 101") });
    const { quotes, bars } = await openFiles({ dir, clock });
    await withApp(`files:${dir}`, ({ ports }) => expect(lost({ quotes, bars }, ports)).toEqual([]));
  });
});

describe("a function that wraps a port with optional methods", () => {
  const sources = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => ({ file: join(folder, file), text: readFileSync(join(folder, file), "utf8") }));

  /** Names of the interfaces of the domain with an optional method. */
  const interfaces = sources("src/domain").flatMap(({ text }) =>
    [...text.matchAll(/export interface (\w+)[^{]*\{([\s\S]*?)\n\}/g)].flatMap(([, name, body]) =>
      /^ {2}\w+\?[(<]/m.test(body!) ? [name!] : [],
    ),
  );

  /** The wrapped parameter and the body of each function of a source that returns what it is given. */
  const wrappersIn = (text: string, port: string) =>
    [
      ...text.matchAll(
        new RegExp(
          `(?:<(\\w+) extends ${port}>)?\\(([^()]*)\\): (\\w+) (?:=>|\\{)(.*,$|[\\s\\S]*?\\n\\})`,
          "gm",
        ),
      ),
    ].flatMap(([, generic, parameters, returned, body]) => {
      const type = generic ?? port;
      const name = new RegExp(`\\b(\\w+): ${type}\\b`).exec(parameters!)?.[1];
      return returned === type && name !== undefined ? [{ name, body: body! }] : [];
    });

  it("spreads it, so that none is lost", () => {
    expect(interfaces).toEqual(expect.arrayContaining(["Quotes", "PriceProvider", "Broker"]));
    const found = interfaces.flatMap((port) =>
      sources("src").flatMap(({ file, text }) =>
        wrappersIn(text, port).map(({ name, body }) => ({ file, spreads: body.includes(`...${name}`) })),
      ),
    );
    expect(found.map(({ file }) => file)).toEqual(
      expect.arrayContaining(["src/market/health.ts", "src/market/prices/fill-volume.ts"]),
    );
    expect(found.filter(({ spreads }) => !spreads)).toEqual([]);
  });
});
