import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { indexSessionOn } from "../../src/market/calendar/index-hours.ts";
import { indexWorld } from "./indices.ts";
import { json, type Reply } from "./vendor.ts";
import type { World } from "./world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DELAY = 15 * MINUTE;
const STEP = 5 * MINUTE;

/** Indices of the simulated market by their names here. */
const NAMES: Readonly<Record<string, string>> = { SPX: "^GSPC", VIX: "^VIX" };

/** The delayed quote of an index, and the file of its daily levels; null for other paths and unknown indices. */
export function cboeIndices(path: string, world: World): Reply | null {
  const [, quoted, listed] =
    /^\/api\/global\/(?:delayed_quotes\/quotes\/_([A-Z0-9]+)\.json|us_indices\/daily_prices\/([A-Z0-9]+)_History\.csv)$/.exec(
      path,
    ) ?? [];
  if (quoted !== undefined && quoted in NAMES) return quote(quoted, world);
  return listed === "VIX" ? history(NAMES[listed]!, world) : null;
}

/** The newest five-minute level that is at least 15 minutes old, with its time; it ends with the close of the index. */
export function delayedLevel(symbol: string, world: World) {
  const until = world.now() - DELAY - STEP;
  const indices = indexWorld(world);
  const bars = indices.bars(symbol, "5m", { from: until - 10 * DAY, until });
  const last = bars.at(-1)!;
  const day = newYorkDay(last.time);
  return {
    day,
    today: bars.filter(({ time }) => newYorkDay(time) === day),
    price: last.close,
    at: Math.min(last.time + STEP - 1_000, indexSessionOn(symbol, day)!.close),
  };
}

function quote(name: string, world: World): Reply {
  const symbol = NAMES[name]!;
  const { day, today, price, at } = delayedLevel(symbol, world);
  const before = indexWorld(world)
    .bars(symbol, "1d", { from: day - 10 * DAY, until: day - DAY })
    .at(-1)!;
  return json({
    timestamp: new Date(world.now()).toISOString().slice(0, 19).replace("T", " "),
    data: {
      symbol: `^${name}`,
      security_type: "index",
      exchange_id: 5,
      current_price: price,
      price_change: price - before.close,
      bid: 0,
      ask: 0,
      open: today[0]!.open,
      high: Math.max(...today.map(({ high }) => high)),
      low: Math.min(...today.map(({ low }) => low)),
      close: price,
      prev_day_close: before.close,
      volume: 0,
      last_trade_time: new Date(at + newYorkOffsetMs(at)).toISOString().slice(0, 19),
      tick: "up",
    },
    symbol: `_${name}`,
  });
}

/** All closed days, with six decimals; the file begins with a byte order mark and has an empty last line. */
function history(symbol: string, world: World): Reply {
  const now = world.now();
  const rows = indexWorld(world)
    .bars(symbol, "1d", { from: 0, until: now })
    .filter(({ time }) => indexSessionOn(symbol, time)!.close <= now)
    .map(({ time, ...levels }) => {
      const [year, month, day] = new Date(time).toISOString().slice(0, 10).split("-");
      const cells = [levels.open, levels.high, levels.low, levels.close].map((level) => level.toFixed(6));
      return [`${month}/${day}/${year}`, ...cells].join(",");
    });
  return {
    status: 200,
    headers: { "content-type": "text/csv" },
    body: `\uFEFF${["DATE,OPEN,HIGH,LOW,CLOSE", ...rows, ""].join("\r\n")}`,
  };
}
