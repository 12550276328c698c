import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBacktest } from "../../tools/run-backtest.ts";
import { flatCsv } from "../support/csv-folder.ts";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { openTransportClients, type TransportClient } from "../support/transport-clients.ts";

/** Weekdays from Monday 2024-01-01 on, without 1 and 15 January, which are holidays. */
const DAYS = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2024, 0, 2 + i)))
  .filter((day) => ![0, 6].includes(day.getUTCDay()) && day.getUTCDate() !== 15)
  .map((day) => day.toISOString().slice(0, 10));

const barsOf = (count: number, priceOf: (i: number) => number) =>
  flatCsv(...DAYS.slice(0, count).map((day, i) => `${day} ${priceOf(i)}`));

describe("a backtest of the members of a list in a folder of files", () => {
  const suite = suiteDir();
  const folder = join(suite.dir, "bars");
  const [start, left] = [DAYS[0]!, DAYS[14]!];
  const files = {
    "AAPL_1d.csv": barsOf(28, (i) => 100 + i),
    "MSFT_1d.csv": barsOf(28, () => 50),
    "TWTR_1d.csv": barsOf(10, (i) => 20 - i),
    "memberships.csv": `list,symbol,from,to
My list,AAPL,${start},${left}
My list,MSFT,${start},
My list,TWTR,${start},
My list,XOM,${start},
`,
  };
  let installation: Installation;
  let transports: readonly TransportClient[];
  beforeAll(async () => {
    mkdirSync(folder);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    installation = await install(suite.dir, `files:${folder}`);
    transports = await openTransportClients(installation);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    await installation.stop();
    suite.remove();
  });

  it("is the same over every transport", async () => {
    const input = {
      ...{ members: "my LIST", strategy: "buy_hold", cash: 3_000, commission: 0, slippage: 0 },
      ...{ fractional: true, picture: false, detail: "full" },
    };
    for (const { name, call } of transports) {
      const answer = await call(runBacktest, input);
      expect(answer, name).not.toHaveProperty("code");
      const { data } = answer as unknown as {
        data: {
          symbols: string[];
          trades: { symbol: string; exit_time: string; exit_price: number; exit_reason: string }[];
          open_trades: { symbol: string }[];
          warnings: string[];
        };
      };
      expect(data.symbols, name).toEqual(["AAPL", "MSFT", "TWTR"]);
      expect(
        data.trades.map(({ symbol, exit_time, exit_price, exit_reason }) => [
          symbol,
          exit_time,
          exit_price,
          exit_reason,
        ]),
        name,
      ).toEqual([
        ["TWTR", DAYS[9], 11, "end"],
        ["AAPL", DAYS[15], 115, "decision"],
      ]);
      expect(
        data.open_trades.map(({ symbol }) => symbol),
        name,
      ).toEqual(["MSFT"]);
      expect(data.warnings.join(), name).toContain("left out (XOM)");
    }
  }, 60_000);
});
