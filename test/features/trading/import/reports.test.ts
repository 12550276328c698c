import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parsePositions } from "../../../../src/features/trading/import/positions.ts";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../../src/market/symbols/listings.ts";
import { describeWithData } from "../../../support/test-data.ts";

const listings = embeddedListings();
const symbols = createDirectory({
  listings,
  members: [...listings.us.values(), ...listings.tokens.values()].map(({ instrument }) => instrument),
});

/** Positions as `line: symbol quantity at price`, and other rows as `line: kind`. */
const RIGHT: Readonly<
  Record<string, { readonly positions: readonly string[]; readonly refused: readonly string[] }>
> = {
  "cash-rows.csv": { positions: ["4: AAPL 10 at 150"], refused: ["2: cash", "3: cash"] },
  "cost-per-share-or-total.tsv": { positions: ["2: AAPL 2000 at 0.09525"], refused: [] },
  "eighteen-decimals.csv": {
    positions: ["3: BTC-USD 0.5 at 60000", "2: ETH-USD 0.123456789 at 3000"],
    refused: [],
  },
  "fidelity-positions.csv": {
    positions: ["3: AAPL 10.525 at 150", "4: BRK.B 3 at 400"],
    refused: ["2: fund", "5: option", "6: fund", "7: pending"],
  },
  "guard-continental.csv": { positions: ["2: AAPL 1000 at 150.25", "3: MSFT 2.5 at 300.1"], refused: [] },
  "ibkr-activity-statement.csv": {
    positions: ["8: AAPL 40 at 150.25"],
    refused: ["9: lot", "10: lot", "12: option", "14: currency", "16: cash", "18: trade"],
  },
  "newline-in-quotes.csv": { positions: ["2: AAPL 10 at 150", "4: MSFT -5 at 300"], refused: [] },
  "option-by-asset-class.csv": { positions: ["2: AAPL 40 at 150"], refused: ["3: option"] },
  "option-in-columns.csv": { positions: [], refused: ["2: option"] },
  "side-sell.csv": {
    positions: ["2: BTC-USD -0.5 at 60000", "3: ETH-USD -2 at 3000", "4: SOL-USD -3 at 150"],
    refused: [],
  },
  "spellings-known-elsewhere.csv": {
    positions: ["4: BTC-USD 0.5 at 60000", "2,3: BRK.B 4 at 400", "5: META 1 at 100"],
    refused: [],
  },
};

describeWithData("reported exports of positions", ["reports", "positions"], (folder) => {
  const text = (file: string) => readFileSync(join(folder, file), "utf8");

  it("are all known here", () => {
    const known = [...Object.keys(RIGHT), "guard-transactions.csv"].sort();
    expect(readdirSync(folder).sort()).toEqual(known);
  });

  it.each(Object.entries(RIGHT))("are read row by row: %s", async (file, right) => {
    const { positions, refused } = await parsePositions(text(file), symbols);
    expect(
      positions.map(
        ({ lines, symbol, quantity, averagePrice }) =>
          `${lines.join()}: ${symbol} ${quantity} at ${averagePrice}`,
      ),
    ).toEqual(right.positions);
    expect(refused.map(({ line, kind }) => `${line}: ${kind}`)).toEqual(right.refused);
  });

  it("are refused with the columns found if they list transactions", async () => {
    await expect(parsePositions(text("guard-transactions.csv"), symbols)).rejects.toThrow(
      "The table lists transactions, not positions; found: Date, Action, Symbol, Description, Quantity, Price, Fees & Comm, Amount",
    );
  });

  it("say how symbols and quantities were read", async () => {
    const notes = async (file: string) =>
      (await parsePositions(text(file), symbols)).positions.flatMap((position) => position.notes);
    expect(await notes("eighteen-decimals.csv")).toEqual([
      '"BTC" was read as BTC-USD (Bitcoin), not as the fund BTC.US.',
      '"ETH" was read as ETH-USD (Ethereum), not as the fund ETH.US.',
      "The quantity 0.123456789012345678 was read as 0.123456789: nine decimals are stored.",
    ]);
    expect(await notes("spellings-known-elsewhere.csv")).toEqual([
      '"XBT" was read as BTC-USD (Bitcoin).',
      '"FB" was read as META (Meta Platforms).',
    ]);
  });
});
