import { expect, it } from "vitest";
import { notesOn } from "../../src/signals/notes.ts";
import { pictureOf } from "../../src/signals/picture.ts";
import { smallMarket } from "../support/market.ts";

it("says that bars are old from the fifth day on", async () => {
  const { ports } = smallMarket();
  const picture = await pictureOf(
    { symbol: "AAPL", timeframe: "1d", signal: new AbortController().signal },
    ports,
  );
  const after = (ms: number) => notesOn(picture, new Date(Date.parse(picture.decidedAt) + ms));
  expect(after(5 * 86_400_000 - 1)).toEqual([]);
  expect(after(5 * 86_400_000)).toEqual([
    "The newest closed 1d bar is 5 days old: it closed 2026-01-14T21:00:00.000Z.",
  ]);
});
