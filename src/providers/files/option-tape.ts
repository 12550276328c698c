import { open } from "node:fs/promises";
import type { OptionTrade } from "../../domain/options.ts";
import type { TradeProvider } from "../../market/live/flow-tape.ts";
import { SourceFailure } from "../../market/live/source.ts";
import { osiOf } from "../osi.ts";
import { usTicker } from "../us-ticker.ts";
import { splitLine, toNumber } from "./csv.ts";

/** A tape of a session of the busiest names takes about so much; a longer file is refused. */
const MOST_BYTES = 256 * 1024 * 1024;
const NEEDED = ["executed_at", "contract", "price", "size"] as const;
const KNOWN = [...NEEDED, "bid", "ask", "sweep", "floor", "multileg", "trades", "id"] as const;
type Column = (typeof KNOWN)[number];

/** What is read of a file: the trades, and how many rows could not be read. */
export interface OptionTape {
  readonly trades: readonly (OptionTrade & { readonly root: string })[];
  readonly dropped: number;
}

/**
 * Option trades of a CSV file: a header that names columns in any order, one trade a row. `executed_at` is ISO 8601 with its
 * zone, `contract` an OSI symbol without padding, `price` dollars a share, `size` contracts. Further columns that may be
 * there: `bid`, `ask` (quotes of the moment), `sweep`, `floor`, `multileg` (1 or 0), `trades` (how many it is made of), `id`.
 * What was paid at the offer or above counts as bought, at the bid or below as sold, in between as neither. Throws
 * SourceFailure "malformed" for a header that lacks a needed column.
 */
export function readOptionTape(text: string): OptionTape {
  const [head = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const names = splitLine(head, ",").map((name) => name.toLowerCase());
  const at = new Map(KNOWN.map((column) => [column, names.indexOf(column)]));
  const missing = NEEDED.filter((column) => at.get(column) === -1);
  if (missing.length > 0)
    throw new SourceFailure("malformed", `a tape without the columns ${missing.join(", ")}`);
  const rows = lines.filter((line) => line.trim() !== "");
  const trades = rows.flatMap((line, i) => {
    const cells = splitLine(line, ",");
    return tradeOf((column) => cells[at.get(column)!], i);
  });
  return { trades, dropped: rows.length - trades.length };
}

function tradeOf(cell: (column: Column) => string | undefined, i: number): OptionTape["trades"] {
  const number = (column: Column) => toNumber(cell(column), false);
  const [price, size, bid, ask] = [number("price"), number("size"), number("bid"), number("ask")];
  const written = cell("executed_at") ?? "";
  const executedAt = /T.*(Z|[+-]\d\d:\d\d)$/.test(written) ? Date.parse(written) : Number.NaN;
  const name = nameOf(cell("contract") ?? "");
  if (name === null || !(price > 0) || !(size > 0) || Number.isNaN(executedAt)) return [];
  const premium = price * size * 100;
  const quoted = bid > 0 && ask >= bid;
  const count = number("trades");
  const { root, ...terms } = name;
  return [
    {
      id: cell("id") || `row-${i + 1}`,
      contract: cell("contract")!,
      ...terms,
      root,
      ...{ price, size, premium, executedAt },
      trades: count >= 1 ? Math.floor(count) : 1,
      askPremium: quoted ? (price >= ask ? premium : 0) : null,
      bidPremium: quoted ? (price <= bid && price < ask ? premium : 0) : null,
      sweep: flagOf(cell("sweep")),
      floor: flagOf(cell("floor")),
      multileg: flagOf(cell("multileg")),
    },
  ];
}

function nameOf(contract: string): ReturnType<typeof osiOf> | null {
  try {
    return osiOf(contract);
  } catch {
    return null;
  }
}

const flagOf = (cell: string | undefined): boolean | null =>
  cell === "1" || cell?.toLowerCase() === "true"
    ? true
    : cell === "0" || cell?.toLowerCase() === "false"
      ? false
      : null;

/**
 * A tape of one's own: a file that is read again when it has changed, so that something else may write it. A tape of which no
 * row can be read is malformed; one that is not there is down.
 */
export function optionTapeFile(path: string): TradeProvider {
  let kept: { readonly stamp: string; readonly tape: OptionTape } | null = null;

  async function current(): Promise<OptionTape> {
    const file = await open(path).catch((cause: unknown) => {
      throw new SourceFailure("down", "a file that cannot be opened", { cause });
    });
    try {
      const { size, mtimeMs } = await file.stat();
      const stamp = `${size} ${mtimeMs}`;
      if (kept?.stamp === stamp) return kept.tape;
      if (size > MOST_BYTES) throw new SourceFailure("malformed", `a tape of more than ${MOST_BYTES} bytes`);
      const tape = readOptionTape(await file.readFile("utf8"));
      if (tape.trades.length === 0 && tape.dropped > 0)
        throw new SourceFailure("malformed", "a tape of which no row can be read");
      kept = { stamp, tape };
      return tape;
    } finally {
      await file.close();
    }
  }

  return {
    name: "tapefile",
    budget: { calls: 600, perMs: 60_000, atOnce: 4 },
    async ask({ instrument, from }) {
      const root = usTicker(instrument).replace(".", "");
      const { trades } = await current();
      return {
        trades: trades
          .filter((trade) => trade.root === root && trade.executedAt >= from)
          .map(({ root: _, ...trade }) => trade),
        completeFrom: Number.NEGATIVE_INFINITY,
      };
    },
  };
}
