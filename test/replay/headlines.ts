import type { Instrument } from "../../src/domain/market/market.ts";
import type { World } from "./world.ts";

const HOUR = 3_600_000;

/** A made-up headline of the world. */
export interface WorldHeadline {
  readonly id: string;
  readonly title: string;
  readonly publisher: string;
  readonly url: string;
  /** Epoch ms, a whole second. */
  readonly at: number;
}

const LINES = [
  [2, "raises outlook on strong demand", "Desk One"],
  [20, "to hold annual meeting", "Desk Two"],
  [50, "falls after warning on weak orders", "Desk Three"],
] as const;

/** Headlines of an instrument as every vendor tells them, newest first; none of what the world does not know. */
export const headlinesOf = (instrument: Instrument | null, world: World): readonly WorldHeadline[] =>
  instrument === null
    ? []
    : LINES.map(([hours, words, publisher]) => ({
        id: `${instrument.symbol}-${hours}`,
        title: `${instrument.name} ${words}`,
        publisher,
        url: `https://news.example.com/${instrument.symbol.toLowerCase()}/${hours}`,
        at: Math.floor((world.now() - hours * HOUR) / 1_000) * 1_000,
      }));

/** An RSS document of some items, each of elements by name. */
export const rssOf = (title: string, items: readonly Readonly<Record<string, string>>[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${xml(title)}</title>${items
    .map(
      (item) =>
        `<item>${Object.entries(item)
          .map(([name, text]) => `<${name}>${xml(text)}</${name}>`)
          .join("")}</item>`,
    )
    .join("")}</channel></rss>\n`;

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
