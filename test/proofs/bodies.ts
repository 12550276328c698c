import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { readConfig } from "../../src/app/config.ts";
import { nonPricePorts } from "../../src/app/providers/non-price-ports.ts";
import { priceChains } from "../../src/app/providers/prices.ts";
import { createProviderFactory } from "../../src/app/providers/provider-factory.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import { MIN_THREAD_BYTES } from "../../src/providers/files/file-thread.ts";
import { houseclerk } from "../../src/providers/houseclerk/congress.ts";
import { createHttpClient } from "../../src/providers/shared/http-client.ts";
import { marketCache } from "../../src/store/market/market-cache.ts";
import { replayInProcess } from "../replay/replay.ts";
import { createWorld } from "../replay/shared-world.ts";
import { VENDORS } from "../replay/vendors.ts";
import { collectingLog } from "../support/context.ts";
import { BODIES, streamOf } from "../support/grown-bodies.ts";
import { install } from "../support/installation.ts";
import { KEYS } from "../support/live.ts";
import { settableClock } from "../support/providers.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { measureTurns } from "../support/turns.ts";
import { importCalls, operatorCalls } from "./operator-files.ts";
import type { Proof } from "./proof.ts";

/** Sizes of the bodies, bytes: below the maximum of most ports, and the largest. */
const SIZES = { small: 3.9e6, large: 40e6 } as const;
/** Sizes of the operator's files, bytes: below that from which a thread reads them, and beyond it. */
const FILE_SIZES = { quick: [MIN_THREAD_BYTES - 1], full: [MIN_THREAD_BYTES - 1, 40e6] } as const;
const MAX_TURN_MS = 150;
/** A Thursday, 11:00 New York. */
const START = "2026-11-19T16:00:00Z";
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Replaces the timeouts of the providers, so that a busy machine reads every body to its end. */
const PATIENCE_MS = 600_000;

/** Every port of every provider, and every reader of files, called with bodies far larger than any real one, in every wrong shape. */
export const bodies: Proof = {
  name: "bodies",
  claim:
    "No body of a provider, no file and no answer of a model, however large, nested or wrong, holds the event loop for 150 ms of processor time",

  async run({ scale, report }) {
    const { dir, remove } = suiteDir();
    const clock = settableClock(START);
    const replay = replayInProcess({ world: createWorld({ now: clock.at }), vendors: VENDORS });
    const server = await install(dir, "live", { ...replay.env, ...KEYS }, { clock, fetch: replay.fetch });
    const settings = {
      MARKET_DATA: "live",
      PROVIDERS: "all",
      KADOA_TERMS: "accepted",
      ...replay.env,
      ...KEYS,
    };
    const config = readConfig({ ...settings, DATA_DIR: dir });
    const { symbols } = server.app.ports;
    const { log } = collectingLog();
    const deps = { db: server.app.store.db, market: "live", log, symbols: symbols! };
    const memory = marketCache({ ...deps, clock });
    const instruments = ["AAPL", "BTC-USD"].map((symbol) => symbols!.resolve(symbol).instrument);
    const meter = measureTurns();
    const broken: string[] = [];
    const turns: { readonly label: string; readonly ms: number }[] = [];
    const kinds = Object.entries(BODIES);
    // a quick run calls every port once, with one kind and size each
    const rounds = kinds.length * Object.keys(SIZES).length;
    let round = 0;
    try {
      for (const [name, bodyOf] of kinds)
        for (const bytes of Object.values(SIZES)) {
          const factory = createProviderFactory(config, {
            clock,
            backgroundWaitMs: PATIENCE_MS,
            fetch: async (input, init) => {
              const response = await replay.fetch(input, init);
              const { status, headers } = response;
              if (status !== 200) return response;
              const grown = bodyOf(await response.text());
              meter.longestMs();
              const kept = [...headers].filter(([header]) => header !== "content-length");
              return new Response(streamOf(grown, bytes), { status, headers: kept });
            },
          });
          const calls = callsOf(factory, { memory, deps, instruments, now: clock.at() });
          const part = scale === "full" ? calls : calls.filter((_, i) => i % rounds === round);
          round++;
          for (const { label, call } of part) {
            // beyond its rate limit, a provider would wait for a clock that stands still
            clock.move(MINUTE);
            meter.longestMs();
            const outcome = await call(AbortSignal.timeout(PATIENCE_MS)).then(
              () => "read",
              (cause: Error) => cause.message,
            );
            const ms = meter.longestMs();
            const what = `${label}, ${name}, ${bytes / 1e6} MB`;
            turns.push({ label: what, ms });
            if (ms > MAX_TURN_MS) broken.push(`${what}: ${Math.round(ms)} ms (${outcome})`);
          }
          clock.move(-MINUTE * part.length);
          report(`${name}, ${bytes / 1e6} MB: ${turns.length} calls`);
        }
      for (const { label, call } of bombs()) {
        meter.longestMs();
        const outcome = await call();
        const ms = meter.longestMs();
        turns.push({ label, ms });
        if (ms > MAX_TURN_MS) broken.push(`${label}: ${Math.round(ms)} ms`);
        if (outcome !== "malformed") broken.push(`${label}: ${outcome}`);
      }
      const { key } = await server.key("enterprise");
      const files = [importCalls(server, key)];
      for (const bytes of FILE_SIZES[scale])
        files.push(await operatorCalls(join(dir, `files ${bytes}`), bytes));
      for (const { label, prepare, call } of files.flat()) {
        prepare();
        meter.longestMs();
        const outcome = await call().then(
          () => "read",
          (cause: Error) => cause.message,
        );
        const ms = meter.longestMs();
        turns.push({ label, ms });
        if (ms > MAX_TURN_MS) broken.push(`${label}: ${Math.round(ms)} ms (${outcome})`);
      }
      report(`files and answers of models: ${turns.length} calls`);
    } finally {
      meter.stop();
      await memory.close();
      await server.stop();
      remove();
    }
    const longest = turns.toSorted((a, b) => b.ms - a.ms)[0];
    return {
      figure: `${turns.length} calls with ${kinds.length} kinds of bodies, files and answers; longest turn ${Math.round(longest?.ms ?? 0)} ms of processor time (${longest?.label})`,
      broken,
    };
  },
};

/** Compressed bodies that grow, and one that never ends, over a real connection. */
function bombs() {
  const lists = gzipSync(Buffer.alloc(100 * 1024 * 1024, "["));
  const zip = zipSync({ "2026FD.xml": Buffer.alloc(100 * 1024 * 1024, "<a>") });
  const kinds = { gzip: lists, zip, endless: null } as const;
  return Object.entries(kinds).map(([label, body]) => ({
    label,
    async call(): Promise<string> {
      const server = createServer((_, response) => {
        if (body !== null) {
          response.setHeader("content-encoding", label === "gzip" ? "gzip" : "identity").end(body);
          return;
        }
        const chunk = Buffer.alloc(64 * 1024, "[");
        const send = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", send);
        send();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const setup = { fetch, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const request = { chamber: "house", ticker: null, since: "2026-01-01", until: "2026-06-30" } as const;
      const call =
        label === "zip"
          ? houseclerk(setup).call({ ...request, known: new Set() }, { signal })
          : createHttpClient(setup).json("/", { signal });
      const kind = await call.then(
        () => "read",
        (cause: { readonly kind?: string }) => cause.kind ?? "unexpected",
      );
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return kind;
    },
  }));
}

type Deps = Omit<Parameters<typeof nonPricePorts>[1], "memory">;

function callsOf(
  factory: ReturnType<typeof createProviderFactory>,
  {
    memory,
    deps,
    instruments,
    now,
  }: {
    readonly memory: Parameters<typeof nonPricePorts>[1]["memory"];
    readonly deps: Deps;
    readonly instruments: readonly Instrument[];
    readonly now: number;
  },
) {
  const calls: { readonly label: string; readonly call: (signal: AbortSignal) => Promise<unknown> }[] = [];
  for (const { provider } of priceChains(factory).all) {
    const instrument = instruments.find(({ asset_class }) => provider.serves.has(asset_class))!;
    const { name } = provider;
    if (provider.latest !== undefined)
      calls.push({ label: `${name} quote`, call: (signal) => provider.latest!(instrument, { signal }) });
    for (const timeframe of Object.keys(provider.reaches).slice(0, 1) as ["1d"])
      calls.push({
        label: `${name} ${timeframe}`,
        call: (signal) =>
          provider.history!(instrument, { timeframe, from: now - 30 * DAY, until: now, signal }),
      });
  }
  nonPricePorts(factory, { ...deps, memory });
  for (const { name, content, check } of factory.connected())
    if (check !== null) calls.push({ label: `${name} ${content}`, call: check });
  return calls;
}
