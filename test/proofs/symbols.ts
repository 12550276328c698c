import fc from "fast-check";
import type { Symbols } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { createLiveDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { type LongLists, longLists } from "../support/long-lists.ts";
import type { Proof } from "./proof.ts";

const NAMES = 1_000;
const RESOLUTIONS = { quick: 2_000, full: 10_000 } as const;
const STRANGERS = { quick: 200, full: 1_000 } as const;

/** A way to write an instrument, and its expected resolution. */
interface Spelling {
  readonly text: string;
  readonly symbol: string;
  readonly asset_class: string;
  /**
   * Title in the file, which a name may only shorten; null for a token and for an instrument with a name of our own.
   */
  readonly title: string | null;
  /** The alternative that must also be reported; null if there is none. */
  readonly alternative: string | null;
}

/** Listed stocks, funds and tokens in every spelling; the expected results are derived from the lists themselves. */
export const symbols: Proof = {
  name: "symbols",
  claim:
    "Every listed name, in any spelling, resolves to its listed instrument, and an unlisted name resolves to none",

  async run({ scale, seed }) {
    const lists = await longLists();
    const directory = createLiveDirectory({ listings: lists.listings }).symbols;
    const known = knownOf(lists);
    const draws = (count: number, salt: number) => drawn(known.ways, { count, seed: seed + salt });
    const refused = draws(NAMES, 1).filter(({ text }) => directory.find(text) === null);
    const wrong = draws(RESOLUTIONS[scale], 2).flatMap((spelling) => faultOf(spelling, directory));
    const strangers = unlisted(known.taken, { count: STRANGERS[scale], seed });
    const guessed = strangers.filter((text) => !isRefused(text, directory));
    return {
      figure: `${known.ways.length} listings: ${refused.length} of ${NAMES} valid names refused, ${wrong.length} of ${RESOLUTIONS[scale]} resolutions wrong, ${guessed.length} of ${strangers.length} unlisted names read as something`,
      broken: [
        ...refused.map(({ text, symbol }) => `${text} refused, which is ${symbol}`),
        ...wrong,
        ...guessed.map((text) => `${text} is listed nowhere`),
      ],
    };
  },
};

interface Known {
  /** For each instrument, every way to write it. */
  readonly ways: readonly (readonly Spelling[])[];
  /** Everything that is already the name of an instrument. */
  readonly taken: ReadonlySet<string>;
}

/** Expected resolutions, by rules written independently of the code under test. */
function knownOf({ file, tokens }: LongLists): Known {
  const embedded = embeddedListings();
  const bases = new Set([
    ...embedded.tokens.keys(),
    ...tokens.map(({ base }) => base).filter((base) => /^[A-Z0-9]+$/.test(base)),
  ]);
  const rows = file
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split("|"))
    .filter((cells) => cells.length === 12 && cells[1]!.trim() !== "" && cells[7] === "N");
  const listed = new Map(rows.map((cells) => [cells[1]!, cells[5] === "Y" ? "etf" : "equity"]));
  const titles = new Map(rows.map((cells) => [cells[1]!, cells[2]!.trim().replace(/\s+/g, " ")]));
  const taken = new Set([...listed.keys(), ...bases, ...embedded.us.keys()]);
  const tokenFirst = (ticker: string) =>
    listed.get(ticker) === "etf" && embedded.tokens.get(ticker)?.major === true;

  const us = [...listed].map(([written, asset_class]) => {
    const ticker = written.replace(/\$(.?)$/, "-P$1");
    const symbol = tokenFirst(ticker) ? `${ticker}.US` : ticker;
    const alternative = !bases.has(ticker) ? null : tokenFirst(ticker) ? symbol : `${ticker}-USD`;
    const title = embedded.us.has(ticker) ? null : titles.get(written)!;
    const stock = { symbol, asset_class, title, alternative };
    const bare = tokenFirst(ticker)
      ? { symbol: `${ticker}-USD`, asset_class: "crypto", title: null, alternative }
      : stock;
    return [
      ...[written, ticker, `$${ticker}`, ...otherWays(written, taken)].map((text) => ({ text, ...bare })),
      { ...stock, text: `${ticker}.US`, alternative: null },
    ];
  });
  const pairs = [...bases].map((base) => {
    const pair = { symbol: `${base}-USD`, asset_class: "crypto", title: null, alternative: null };
    const marked = ["-", "/", "_"].flatMap((mark) => [`${base}${mark}USD`, `${base}${mark}USDT`]);
    const joined = [`${base}USDT`, `${base}USDC`, ...(base.length > 1 ? [`${base}USD`] : [])];
    const bare = listed.has(base) || embedded.us.has(base) ? [] : [base];
    return [...marked, ...joined.filter((text) => !taken.has(text)), ...bare].map((text) => ({
      text,
      ...pair,
    }));
  });
  return { ways: [...us, ...pairs], taken };
}

/** How providers and tapes write what the file writes as `BRK.B`, `ABR$D`, `ACHR.W`, `AIIA.U` and `AIIA.R`. */
function otherWays(written: string, taken: ReadonlySet<string>): readonly string[] {
  const [, root, mark, letter = ""] = /^([A-Z]+)([.$])([A-Z]?)$/.exec(written) ?? [];
  if (mark === undefined) return [];
  if (mark === "$") {
    const tape = taken.has(`${root}P${letter}`) ? [] : [`${root}p${letter}`];
    const dashed = taken.has(`${root}.${letter}`) ? [] : [`${root}-${letter}`];
    return [`${root}.PR${letter}`, `${root}/P${letter}`, ...tape, ...dashed];
  }
  const kinds: Readonly<Record<string, readonly string[]>> = {
    W: [".WS", "+", "-WT"],
    U: ["=", "-UN"],
    R: ["^", "-RT"],
  };
  return ["-", "/", "_"]
    .map((dash) => root + dash + letter)
    .concat((kinds[letter] ?? []).map((end) => root + end));
}

function drawn(
  ways: readonly (readonly Spelling[])[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Spelling[] {
  const number = fc.noBias(fc.nat());
  return fc.sample(fc.tuple(number, number, number), { numRuns: count, seed }).map(([which, way, dress]) => {
    const forms = ways[which % ways.length]!;
    const spelling = forms[way % forms.length]!;
    return { ...spelling, text: dressed(spelling.text, dress) };
  });
}

/** Changes the case and adds spaces around; a text with a lower-case letter keeps its case, which is significant. */
function dressed(text: string, dress: number): string {
  const cased = /[a-z]/.test(text)
    ? text
    : [...text].map((letter, i) => ((dress >> (i % 12)) & 1 ? letter : letter.toLowerCase())).join("");
  return `${["", " ", "\t"][dress % 3]}${dress % 5 === 0 ? text : cased}${["", "  ", "\n"][dress % 7] ?? ""}`;
}

function faultOf(
  { text, symbol, asset_class, title, alternative }: Spelling,
  directory: Symbols,
): readonly string[] {
  const found = directory.find(text);
  const read = found?.instrument;
  const others = found?.alternatives.map((other) => other.symbol) ?? [];
  const right =
    read?.symbol === symbol &&
    read.asset_class === asset_class &&
    (title === null || title.startsWith(read.name.replace("…", ""))) &&
    (alternative === null || others.includes(alternative));
  return right
    ? []
    : [
        `${text} is ${read?.symbol} (${read?.name}) alternative ${others.join()}, not ${symbol} alternative ${alternative}`,
      ];
}

/** Six-letter texts that are neither a listed symbol nor a pair. */
const unlisted = (
  taken: ReadonlySet<string>,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly string[] =>
  fc
    .sample(
      fc.string({ unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"), minLength: 6, maxLength: 6 }),
      {
        numRuns: count,
        seed,
      },
    )
    .filter((text) => !taken.has(text) && !/USD[TC]?$/.test(text));

function isRefused(text: string, directory: Symbols): boolean {
  try {
    directory.resolve(text);
    return false;
  } catch (cause) {
    return cause instanceof ToolError && cause.code === "UNKNOWN_SYMBOL";
  }
}
