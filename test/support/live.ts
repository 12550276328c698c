import { afterAll, beforeAll, expect } from "vitest";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import type { AssetClass } from "../../src/domain/market/market.ts";
import { asToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { barCloseMs } from "../../src/market/calendar/calendar.ts";
import { zoneFor } from "../../src/market/prices/sanitize-bars.ts";
import { type Replay, startReplay } from "../replay/server.ts";
import { createWorld } from "../replay/shared-world.ts";
import type { Vendor } from "../replay/vendor.ts";
import { VENDORS } from "../replay/vendors.ts";
import type { World, WorldBar } from "../replay/world.ts";
import { type Installation, install } from "./installation.ts";
import { movedClock } from "./providers.ts";
import { suiteDir } from "./temp-dir.ts";

/** Keys with which every vendor of the replay answers. */
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

/** A made-up world at a moment, its vendors on this machine, and installations that ask them. */
export interface LiveStage {
  readonly clock: ReturnType<typeof movedClock>;
  readonly world: World;
  readonly replay: Replay;
  /** Moves the clock to a moment. */
  to(iso: string): void;
  /** Opens an installation on a folder. */
  open(dir: string, env?: Record<string, string>): Promise<Installation>;
  close(): Promise<void>;
}

/** Raises a stage at a moment; `retold` answers in the place of the vendor of its name. */
export async function stageAt(iso: string, retold: readonly Vendor[] = []): Promise<LiveStage> {
  const clock = movedClock(iso);
  const world = createWorld({ now: clock.at, data: null });
  const vendors = VENDORS.map((vendor) => retold.find(({ name }) => name === vendor.name) ?? vendor);
  const replay = await startReplay({ world, vendors });
  return {
    clock,
    world,
    replay,
    to: (moment) => clock.move(Date.parse(moment) - clock.at()),
    open: (dir, env = {}) => install(dir, "live", { ...replay.env, ...env }, { clock }),
    close: () => replay.close(),
  };
}

/** What a tool answers its owner, or the code and facts of its refusal. */
export async function told<T extends Tool>(
  { app }: Installation,
  tool: T,
  input: InputOf<T>,
): Promise<OutputOf<T>> {
  return invoke(tool, input, { ports: app.ports, principal: app.owner, transport: "test", detail: "full" });
}

export async function refused<T extends Tool>(house: Installation, tool: T, input: InputOf<T>) {
  const error = await told(house, tool, input).then(
    () => null,
    (cause: unknown) => asToolError(cause),
  );
  expect(error, "it was to refuse").not.toBeNull();
  return { code: error!.code, ...error!.data } as { readonly code: string } & Record<string, unknown>;
}

/** Calls that the vendors have received, by vendor. */
export const heard = (replay: Replay): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(replay.calls()).map(([name, calls]) => [name, calls.length]));

export const heardInAll = (replay: Replay): number =>
  Object.values(heard(replay)).reduce((sum, calls) => sum + calls, 0);

/** The newest closed bars in truth, oldest first. */
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

/** Vendors round: stocks to the cent, tokens to a share of their price. */
export const near = (price: number, truth: number, assetClass: AssetClass): boolean =>
  Math.abs(price - truth) <= 2e-5 * truth + (assetClass === "crypto" ? 0 : 0.0051);

/** A stage at a moment and one installation on it, for the tests of a file or a group: there from before the first to after the last. */
export function liveSuite(iso: string): { readonly stage: LiveStage; readonly house: Installation } {
  const suite = suiteDir();
  const stood = {} as { stage: LiveStage; house: Installation };
  beforeAll(async () => {
    stood.stage = await stageAt(iso);
    stood.house = await stood.stage.open(suite.dir);
  });
  afterAll(async () => {
    await stood.house.stop();
    await stood.stage.close();
    suite.remove();
  });
  return stood;
}
