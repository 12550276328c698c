import { describe, expect, test } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";

const listings = embeddedListings();
const directory = createDirectory({ members: [], listings });

type Refusal = ToolError & {
  readonly data: {
    symbol: string;
    price: null;
    candidates: Pick<Instrument, "symbol" | "name" | "asset_class">[];
  };
};
function refusal(text: string): Refusal {
  try {
    directory.resolve(text);
  } catch (error) {
    if (error instanceof ToolError) return error as Refusal;
  }
  throw new Error(`"${text}" is not refused`);
}
const candidates = (text: string) => refusal(text).data.candidates.map(({ symbol }) => symbol);

describe("an unknown symbol", () => {
  test("is rejected without a price, with the nearest names", () => {
    const error = refusal("appl");
    expect(error.code).toBe("UNKNOWN_SYMBOL");
    expect(error.message).toBe('No instrument is known as "appl"');
    expect(error.hint).toBe("Did you mean AAPL (Apple)?");
    expect(error.data).toMatchObject({ symbol: "appl", price: null, data: { price: null } });
    expect(error.data.candidates[0]).toEqual({
      symbol: "AAPL",
      name: "Apple",
      asset_class: "equity",
    });
  });

  test.each([
    ["apple", "AAPL"],
    ["google", "GOOGL"],
    ["Facebook", "META"],
    ["bitcoin", "BTC-USD"],
    ["BRKB", "BRK.B"],
    ["TLSA", "TSLA"],
    ["BTX-USD", "BTC-USD"],
    ["mcdonalds", "MCD"],
    ["apple stock", "AAPL"],
    ["ＡＡＰＬ", "AAPL"],
    ["АAPL", "AAPL"],
    ["AA\u200bPL", "AAPL"],
    ["nvidea", "NVDA"],
  ])("%o is not guessed at, but leads to %s", (text, nearest) => {
    expect(candidates(text)[0]).toBe(nearest);
    expect(candidates(text).length).toBeLessThanOrEqual(5);
  });

  test.each(["BTC-EUR", "BTC/GBP", "BTCEUR", "BTC-PERP"])("%o is rejected for its quote currency", (text) => {
    expect(refusal(text).hint).toBe("Crypto is priced in US dollars only. Did you mean BTC-USD?");
    expect(candidates(text)[0]).toBe("BTC-USD");
  });

  test.each(["ZZZQ-USD", "ZZZQ", "ZZZQUSDT", "🚀🌕", "ZZZQXWVU", "9Q9Q9Q", "BTC-USD-", "-", "$", "\u202e"])(
    "%o is unknown",
    (text) => {
      expect(refusal(text).code).toBe("UNKNOWN_SYMBOL");
    },
  );

  test("gets no suggestions if no name is close", () => {
    expect(candidates("ZZZQ-USD")).toEqual([]);
    expect(candidates("9Q9Q9Q")).toEqual([]);
    expect(refusal("9Q9Q9Q").hint).toContain("BTC-USD");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "%o gets the ordinary error for unknown names",
    (text) => {
      expect(refusal(text).code).toBe("UNKNOWN_SYMBOL");
      expect(refusal(text).data.price).toBeNull();
    },
  );

  test.each(["", "   ", "\n"])("%o is an empty symbol", (text) => {
    expect(refusal(text).message).toBe("The symbol is empty");
    expect(candidates(text)).toEqual([]);
  });

  test("is echoed with at most 40 characters, without invisible, look-alike or markup characters", () => {
    const long = refusal(`A${"Z".repeat(10_000)}`);
    expect(long.data.symbol).toBe(`A${"Z".repeat(39)}`);
    expect(refusal('AA\u200bPL"<b>\u001b[31m').message).toBe('No instrument is known as "AA?PL?b?31m"');
    expect(refusal("АAPL").data.symbol).toBe("?APL");
  });

  test("is upper-cased in ASCII only: a dotless i is not an I", () => {
    expect(refusal("ıBM").code).toBe("UNKNOWN_SYMBOL");
    expect(refusal("ſ").code).toBe("UNKNOWN_SYMBOL");
  });
});
