import { findByName } from "../../../domain/market/resolve-name.ts";
import type { Ports } from "../../../domain/ports.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { type DoubtfulCost, doubtfulCosts } from "./check-costs.ts";
import { type ImportedPosition, parsePositions, type RejectedLine } from "./positions.ts";
import { takenFor } from "./taken-for.ts";

export interface ReadImport {
  /** Sentence that names the recognised export, its positions and the omitted rows. */
  readonly takenFor: string;
  readonly positions: readonly ImportedPosition[];
  readonly refused: readonly RejectedLine[];
  readonly doubtful: readonly DoubtfulCost[];
  /** Number of lines that are totals, headings, footers or facts. */
  readonly otherLines: number;
}

export interface ImportRequest {
  readonly csv: string;
  /** Symbols whose costs are accepted however far they are from the market price. */
  readonly acceptCosts: readonly string[];
}

/**
 * Reads a CSV export completely: positions, rejected rows, and positions whose cost is doubtful. Stores nothing.
 * @throws ToolError INVALID_INPUT if there is no table of positions, or an accepted cost names no position in it
 */
export async function readImport(
  { csv, acceptCosts }: ImportRequest,
  ports: Pick<Ports, "symbols" | "quotes" | "market"> & { readonly signal: AbortSignal },
): Promise<ReadImport> {
  const parsed = await parsePositions(csv, ports.symbols);
  const { source, positions, ignored } = parsed;
  const accepted = acceptedSymbols(acceptCosts, positions, ports.symbols);
  const doubtful = await doubtfulCosts(
    positions.filter(({ symbol }) => !accepted.has(symbol)),
    ports,
  );
  const undecided = positions.filter((position) => position.undecided && !accepted.has(position.symbol));
  const doubted = new Set(doubtful.map(({ position }) => position));
  const left = new Set([...doubted, ...undecided]);
  const refused = [
    ...parsed.refused,
    ...undecided.filter((one) => !doubted.has(one)).flatMap((one) => one.undecided ?? []),
  ].sort((a, b) => a.line - b.line);
  const taken = positions.filter((position) => !left.has(position));
  return {
    takenFor: takenFor({ source, positions: taken, refused, doubtful: doubtful.length }),
    positions: taken,
    refused,
    doubtful,
    otherLines: ignored.length,
  };
}

function acceptedSymbols(
  names: readonly string[],
  positions: readonly ImportedPosition[],
  symbols: Ports["symbols"],
): ReadonlySet<string> {
  const known = new Set(positions.map(({ symbol }) => symbol));
  const read = names.map((name) => ({ name, symbol: findByName(name, symbols)?.instrument.symbol ?? name }));
  const other = read.find(({ symbol }) => !known.has(symbol));
  if (other !== undefined)
    throw new ToolError(
      "INVALID_INPUT",
      `accept_costs names ${plainText(other.name, 40)}, which is not a position in the CSV`,
      { hint: "Pass the symbols that cost_doubtful lists." },
    );
  return new Set(read.map(({ symbol }) => symbol));
}

/** Returns the error for a CSV without an importable row; its data lists the rejected rows and doubtful costs. */
export function nothingImported({ takenFor, refused, doubtful }: ReadImport): ToolError {
  const costs = doubtful.map(doubtfulCost);
  const symbols = costs.map(({ symbol }) => symbol);
  const [first] = refused;
  const message =
    costs.length === 0
      ? "No line of the CSV could be read as a position"
      : "No position was imported: the cost of each is far from its market price";
  const hints = [
    takenFor,
    ...(first === undefined ? [] : [`Line ${first.line}: ${first.why}.`]),
    ...(costs.length === 0
      ? []
      : [`If the costs are right, repeat the call with accept_costs: ${symbols.slice(0, 10).join(", ")}.`]),
  ];
  return new ToolError("INVALID_INPUT", message, {
    hint: refused.length + costs.length === 0 ? "The CSV has no rows." : hints.join(" "),
    data: { taken_for: takenFor, refused, cost_doubtful: costs },
  });
}

/** Returns a position with a doubtful cost as answers list it. */
export const doubtfulCost = ({ position, price, priceSource, priceTime, factor }: DoubtfulCost) => ({
  symbol: position.symbol,
  quantity: position.quantity,
  cost: position.averagePrice,
  price,
  price_source: priceSource,
  price_time: priceTime,
  factor: Number(factor.toPrecision(3)),
  lines: [...position.lines],
});
