import { tickerOf } from "../../src/market/symbols/listings.ts";
import type { WorldHeadline } from "./topics.ts";
import type { World } from "./world.ts";

/** Number of companies and funds whose headlines a wire carries, and of headlines in its feed. */
const COMPANIES = 40;
const COUNT = 100;

/** A headline on a wire, with the ticker of its company. */
export interface Release extends WorldHeadline {
  /** With its class after a dot. */
  readonly ticker: string;
  readonly company: string;
}

/** The newest headlines of the first companies and funds, newest first. */
export const releasesOf = (world: World): readonly Release[] =>
  world
    .instruments()
    .filter(({ asset_class }) => asset_class !== "crypto")
    .slice(0, COMPANIES)
    .flatMap((instrument) =>
      world.headlines(instrument).map((headline) => ({
        ...headline,
        ticker: tickerOf(instrument),
        company: instrument.name,
      })),
    )
    .sort((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, COUNT);
