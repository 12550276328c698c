import type { Instrument } from "../../src/domain/market/market.ts";
import { newYorkDay } from "../../src/lib/newyork.ts";
import { json, type Reply, type VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";
import { withoutCrumb } from "./yahoo-reports.ts";

const DAY = 86_400_000;

/** What Yahoo answers about options: all expiries with the contracts of one, the nearest unsaid; null for other questions. */
export function yahooOptions(
  request: VendorRequest,
  world: World,
  instrumentAt: (asked: string) => Instrument | null,
): Reply | null {
  const [, asked] = /^\/v7\/finance\/options\/([^/]+)$/.exec(request.path) ?? [];
  if (asked === undefined) return null;
  const refusal = withoutCrumb(request);
  if (refusal !== null) return refusal;
  const instrument = instrumentAt(asked);
  if (instrument === null || instrument.asset_class === "crypto")
    return json({ optionChain: { result: [], error: null } });
  const today = newYorkDay(world.now());
  const friday = today + ((12 - new Date(today).getUTCDay()) % 7) * DAY;
  const expiries = [0, 1, 2, 3, 4, 5].map((week) => friday + 7 * week * DAY);
  const expiry = request.query.has("date") ? Number(request.query.get("date")) * 1_000 : friday;
  const { price, at } = world.trade(instrument.symbol)!;
  const chain = expiries.includes(expiry) ? contracts(asked, { price, at, expiry }) : { calls: [], puts: [] };
  return json({
    optionChain: {
      result: [
        {
          underlyingSymbol: asked,
          expirationDates: expiries.map(seconds),
          strikes: chain.calls.map(({ strike }) => strike),
          hasMiniOptions: false,
          quote: { symbol: asked, regularMarketPrice: price, regularMarketTime: seconds(at) },
          options: [{ expirationDate: seconds(expiry), hasMiniOptions: false, ...chain }],
        },
      ],
      error: null,
    },
  });
}

interface Told {
  readonly price: number;
  readonly at: number;
  readonly expiry: number;
}

/** Five strikes around the price; the farthest put has never traded, and what it lacks is left out or 0. */
function contracts(ticker: string, { price, at, expiry }: Told) {
  const step = Math.max(1, Math.round(price / 40));
  const middle = Math.round(price / step) * step;
  const of = (type: "C" | "P") =>
    [-2, -1, 0, 1, 2].map((steps) => {
      const strike = middle + steps * step;
      const inside = Math.max(0, type === "C" ? price - strike : strike - price);
      const worth = Math.round(100 * (inside + price / (20 + 10 * Math.abs(steps)))) / 100;
      const quiet = steps === -2 && type === "P";
      return {
        contractSymbol: `${ticker.replace("-", "")}${yymmdd(expiry)}${type}${String(strike * 1_000).padStart(8, "0")}`,
        strike,
        currency: "USD",
        contractSize: "REGULAR",
        expiration: seconds(expiry),
        lastPrice: quiet ? 0 : worth,
        bid: quiet ? 0 : worth - 0.05,
        ask: worth + 0.05,
        change: 0,
        ...(quiet ? {} : { volume: 1_868, lastTradeDate: seconds(at) }),
        openInterest: quiet ? 0 : 2_952,
        impliedVolatility: quiet ? 0.00001 : 0.315,
        inTheMoney: inside > 0,
      };
    });
  return { calls: of("C"), puts: of("P") };
}

const seconds = (at: number): number => Math.floor(at / 1_000);
const yymmdd = (day: number): string => new Date(day).toISOString().slice(2, 10).replaceAll("-", "");
