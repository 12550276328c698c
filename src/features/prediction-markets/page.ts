import type {
  Contract,
  LadderRow,
  ListedContract,
  PriceLevelRow,
} from "../../domain/prediction-markets/contracts.ts";
import { ToolError } from "../../kernel/errors.ts";
import { rowOf } from "./query.ts";

/** Most contracts of a page, ladders and rungs of a ladder, by detail. */
export const PAGE_LIMITS = {
  full: { contracts: 100, ladders: 6, rungs: 100 },
  concise: { contracts: 4, ladders: 1, rungs: 4 },
} as const;
type Detail = keyof typeof PAGE_LIMITS;

/**
 * Returns the contracts after the one that a cursor names, at most `limit`, with the cursor of the next page; null on
 * the last page. Throws INVALID_INPUT if the cursor names none of the contracts.
 */
export function contractPage(
  contracts: readonly Contract[],
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): { readonly shown: readonly Contract[]; readonly next_cursor: string | null } {
  const start = cursor === undefined ? 0 : contracts.findIndex((one) => cursorOf(one) === cursor) + 1;
  if (cursor !== undefined && start === 0)
    throw new ToolError("INVALID_INPUT", "The cursor names no contract of this list", {
      hint: "Pass next_cursor of the previous page with the same filters, or omit it for the first page.",
      data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the previous page" }] },
    });
  const shown = contracts.slice(start, start + limit);
  const last = shown.at(-1);
  const isEnd = last === undefined || start + limit >= contracts.length;
  return { shown, next_cursor: isEnd ? null : cursorOf(last) };
}

const cursorOf = ({ venue, id }: Contract): string => Buffer.from(`${venue} ${id}`).toString("base64url");

/** Returns a contract with its price level; without the fields of full detail in a concise answer. */
export function listedContract(
  contract: Contract,
  price_level: PriceLevelRow | null,
  detail: Detail,
): ListedContract & { readonly price_level: PriceLevelRow | null } {
  const row = rowOf(contract);
  if (detail === "full") return { ...row, price_level };
  const { spread, volume_24h, liquidity, liquidity_unit, open_interest, status, ...concise } = row;
  return { ...concise, price_level };
}

/** Returns the first ladders, each with the rungs nearest to a probability of one half. */
export const ladderPage = (ladders: readonly LadderRow[], detail: Detail): readonly LadderRow[] =>
  ladders.slice(0, PAGE_LIMITS[detail].ladders).map((ladder) => {
    const nearest = [...ladder.rungs].sort((a, b) => distance(a) - distance(b));
    const shown = new Set(nearest.slice(0, PAGE_LIMITS[detail].rungs));
    return { ...ladder, rungs: ladder.rungs.filter((rung) => shown.has(rung)) };
  });

const distance = ({ probability }: LadderRow["rungs"][number]): number =>
  probability === null ? 1 : Math.abs(probability - 0.5);
