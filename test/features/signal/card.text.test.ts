import { expect, it } from "vitest";
import { getSignalCard } from "../../../tools/get-signal-card.ts";
import { smallMarket } from "../../support/market.ts";
import { callerOf } from "../../support/tool-call.ts";

it("prints a signal card as sentences", async () => {
  const card = await callerOf(getSignalCard, smallMarket().ports)({ symbol: "AAPL" });
  expect(getSignalCard.terminal!(card, (_, text) => text).split("\n")).toEqual([
    "AAPL is LONG: grade A+, score 86.4 of 100, tier HOT.",
    "  Levels: entry 137.63, stop 135.87, first target 141.63, reward to risk 2.27.",
    "  Odds: from 137.38, expected +0.15 R in 20 bars: stop first in less than 1 of 100 cases, target in less than 1, neither in more than 99 (+0.15 R) (any close of this symbol: +1.96 R; stop less than 1, target less than 1, neither more than 99; about 14 independent windows).",
    "  The price is 138.00 (live_quote of 2026-01-15T14:50:00.000Z).",
    "  Conviction of large off-exchange prints: INSUFFICIENT (No provider of off-exchange prints is connected).",
    "  Wyckoff: Undetermined: No trading range in the bars given.",
    expect.stringMatching(/^ {2}Elliott: no valid count\. \S/),
    "  The price 138.00 is above the entry zone 137.13 - 137.63: reward to risk is 1.70 there.",
    "  From closed bars of fixture (XTST) to 2026-01-14T21:00:00.000Z.",
  ]);
});
