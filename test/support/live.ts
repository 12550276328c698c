import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import type { AssetClass } from "../../src/domain/market/market.ts";
import { asToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { barCloseMs } from "../../src/market/calendar/calendar.ts";
import { zoneFor } from "../../src/market/prices/sanitize-bars.ts";
import { type InProcessReplay, replayInProcess } from "../replay/replay.ts";
import { createWorld } from "../replay/shared-world.ts";
import type { Vendor } from "../replay/vendor.ts";
import { VENDORS } from "../replay/vendors.ts";
import type { World, WorldBar } from "../replay/world.ts";
import { type Installation, install } from "./installation.ts";
import { settableClock } from "./providers.ts";
import { suiteDir } from "./temp-dir.ts";

/** Keys that the replayed vendors accept, by setting. */
export const KEYS: Readonly<Record<string, string>> = (() => {
  const keyOf = (vendor: string) => VENDORS.find(({ name }) => name === vendor)!.key!;
  const [id, secret] = keyOf("alpaca").split(", ") as [string, string];
  return {
    FINNHUB_TOKEN: keyOf("finnhub"),
    ALPACA_KEY_ID: id,
    ALPACA_SECRET_KEY: secret,
    MASSIVE_KEY: keyOf("massive"),
    TIINGO_TOKEN: keyOf("tiingo"),
    COINGECKO_KEY: keyOf("coingecko"),
    SEC_CONTACT: keyOf("sec"),
    UNUSUAL_WHALES_TOKEN: keyOf("unusualwhales"),
    TRADIER_TOKEN: keyOf("tradier"),
    FMP_KEY: keyOf("fmp"),
    ALPHAVANTAGE_KEY: keyOf("alphavantage"),
  };
})();

/** Stocks and funds that every replayed vendor of stocks lists. */
export const FIFTY: readonly string[] =
  "AAPL MSFT NVDA AMZN GOOGL META TSLA AVGO JPM V UNH XOM MA JNJ PG HD COST MRK ABBV CVX CRM KO PEP BAC WMT ADBE TMO MCD CSCO ACN ABT LIN AMD INTC QCOM TXN NFLX DIS NKE PFE BRK.B SPY QQQ IWM DIA GLD TLT XLF XLE ORCL".split(
    " ",
  );

/** A simulated market at an instant, its replayed vendors, and installations that call them in this process. */
export interface LiveStage {
  readonly clock: ReturnType<typeof settableClock>;
  readonly world: World;
  readonly replay: InProcessReplay;
  /** Sets the clock. */
  to(iso: string): void;
  /** Opens an installation on a folder. */
  open(dir: string, env?: Record<string, string>): Promise<Installation>;
}

/** Factor of the time limits of providers, which answer at once here: only a busy machine exceeds the usual ones. */
const TIME_SCALE = 100;

/** Sets up a stage at an instant; `replaced` vendors take the place of those with the same name. */
export function stageAt(iso: string, replaced: readonly Vendor[] = []): LiveStage {
  const clock = { ...settableClock(iso), timeScale: TIME_SCALE };
  const world = createWorld({ now: clock.at });
  const vendors = VENDORS.map((vendor) => replaced.find(({ name }) => name === vendor.name) ?? vendor);
  const replay = replayInProcess({ world, vendors });
  return {
    clock,
    world,
    replay,
    to: (moment) => clock.move(Date.parse(moment) - clock.at()),
    open: (dir, env = {}) => install(dir, "live", { ...replay.env, ...env }, { clock, fetch: replay.fetch }),
  };
}

/** Calls a tool as the owner and returns its output. */
export async function call<T extends Tool>(
  { app }: Installation,
  tool: T,
  input: InputOf<T>,
): Promise<OutputOf<T>> {
  return invoke(tool, input, { ports: app.ports, principal: app.owner, transport: "test", detail: "full" });
}

/** Calls a tool as the owner and returns code and data of the resulting error. */
export async function refusalOf<T extends Tool>(installation: Installation, tool: T, input: InputOf<T>) {
  const error = await call(installation, tool, input).then(
    () => null,
    (cause: unknown) => asToolError(cause),
  );
  expect(error, "it should refuse").not.toBeNull();
  return { code: error!.code, ...error!.data } as { readonly code: string } & Record<string, unknown>;
}

/** Number of requests each vendor has received. */
export const requestCounts = (replay: Pick<InProcessReplay, "calls">): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(replay.calls()).map(([name, calls]) => [name, calls.length]));

export const requestTotal = (replay: Pick<InProcessReplay, "calls">): number =>
  Object.values(requestCounts(replay)).reduce((sum, calls) => sum + calls, 0);

/** The correct newest closed bars, oldest first. */
export function trueBars(
  world: World,
  symbol: string,
  timeframe: Timeframe,
  limit: number,
): readonly WorldBar[] {
  const zone = zoneFor(world.instrument(symbol)!.asset_class);
  const from = world.now() - 400 * 86_400_000;
  return world
    .bars(symbol, timeframe, { from, until: world.now() })
    .filter(({ time }) => barCloseMs(time, timeframe, zone) <= world.now())
    .slice(-limit);
}

/** True for a price that differs only by rounding: stocks to the cent, tokens by 0.002%. */
export const near = (price: number, truth: number, assetClass: AssetClass | "index"): boolean =>
  Math.abs(price - truth) <= 2e-5 * truth + (assetClass === "crypto" ? 0 : 0.0051);

/** A stage at an instant and one installation on it, shared by the tests of a file or group. */
export function liveSuite(iso: string): { readonly stage: LiveStage; readonly installation: Installation } {
  const stage = stageAt(iso);
  const { dir, remove } = suiteDir();
  const suite = { stage } as { stage: LiveStage; installation: Installation };
  beforeAll(async () => {
    suite.installation = await stage.open(dir);
  });
  afterAll(async () => {
    await suite.installation.stop();
    remove();
  });
  return suite;
}

/** A stage for the tests of a file or group, and installations on separate folders. */
export interface LiveStageSuite {
  readonly stage: LiveStage;
  /** Opens an installation on a folder, which is stopped after the last test. Default: a new folder. */
  open(env?: Record<string, string>, folder?: string): Promise<Installation>;
  /** Runs a function on an installation in a folder, then stops it. Default: a new folder. */
  withInstallation<T>(
    env: Record<string, string>,
    use: (installation: Installation) => Promise<T>,
    folder?: string,
  ): Promise<T>;
}

/** Sets up a stage whose installations are stopped after the last test of the file or group. */
export function liveStage(iso: string, replaced: readonly Vendor[] = []): LiveStageSuite {
  const stage = stageAt(iso, replaced);
  const suite = suiteDir();
  const installations: Installation[] = [];
  let count = 0;
  const openOn = (env: Record<string, string>, folder = String(++count)) => {
    const dir = join(suite.dir, folder);
    mkdirSync(dir, { recursive: true });
    return stage.open(dir, env);
  };
  afterAll(async () => {
    for (const installation of installations) await installation.stop();
    suite.remove();
  });
  return {
    stage,
    async open(env = {}, folder) {
      const installation = await openOn(env, folder);
      installations.push(installation);
      return installation;
    },
    async withInstallation(env, use, folder) {
      const installation = await openOn(env, folder);
      try {
        return await use(installation);
      } finally {
        await installation.stop();
      }
    },
  };
}

/** Waits until the prediction-market contracts of a symbol, requested in the background, are saved. */
export async function contractsSaved(
  { stage, installation }: { readonly stage: LiveStage; readonly installation: Installation },
  symbol: string,
  withinMs = 30 * 60_000,
): Promise<void> {
  const { contractHistory } = installation.app.ports;
  const until = stage.clock.at();
  const newest = () => contractHistory.newest(symbol, { since: until - withinMs, until });
  await vi.waitFor(async () => expect(await newest()).not.toBeNull(), { timeout: 30_000, interval: 20 });
}
