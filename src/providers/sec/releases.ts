import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { parseNewYorkTime } from "../shared/timestamps.ts";
import type { Submissions } from "./wire.ts";

const HOUR = 3_600_000;
/** New York hours in which EDGAR accepts filings. */
const OPENS = 6 * HOUR;
const CLOSES = 22 * HOUR + 60_000;

/**
 * Returns the times at which a company announced results (8-K, item 2.02), epoch ms, newest first. They are
 * labelled UTC, but in some responses they are New York times, which filings outside EDGAR's hours reveal. If
 * both are possible, the later one is used, so that no fact is known too early.
 */
export function releasesOf({ filings: { recent } }: Submissions): readonly number[] {
  const stamps = recent.acceptanceDateTime.map((text) => text.slice(0, 19));
  const asUtc = stamps.map((text) => Date.parse(`${text}Z`));
  const possibleAsUtc = asUtc.every((at) => {
    const clock = (((at + newYorkOffsetMs(at)) % (24 * HOUR)) + 24 * HOUR) % (24 * HOUR);
    return clock >= OPENS && clock <= CLOSES;
  });
  const asNewYork = stamps.map((text) => parseNewYorkTime(text));
  const impossibleAsNewYork = stamps.some((text) => {
    const [hours = 0, minutes = 0] = text.slice(11).split(":").map(Number);
    const clock = hours * HOUR + minutes * 60_000;
    return clock < OPENS || clock > CLOSES;
  });
  const times = possibleAsUtc && impossibleAsNewYork ? asUtc : asNewYork;
  return recent.form
    .flatMap((form, i) => {
      const at = times[i];
      const results = (recent.items[i] ?? "").split(",").includes("2.02");
      return form.startsWith("8-K") && results && typeof at === "number" && !Number.isNaN(at) ? [at] : [];
    })
    .sort((a, b) => b - a);
}
