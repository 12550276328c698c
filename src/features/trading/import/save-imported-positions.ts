import type { Ports } from "../../../domain/ports.ts";
import type { ImportedPositions, PositionRecord } from "../../../domain/trading/positions-port.ts";
import type { OpeningsReader } from "../sync.ts";
import type { ImportedPosition } from "./positions.ts";

/**
 * Keeps what was told of an account elsewhere in place of what was told under its label before. A position that was
 * there on the same side keeps when it was first told and what the signal said then.
 */
export async function saveImportedPositions(
  owner: string,
  { label, positions }: { readonly label: string; readonly positions: readonly ImportedPosition[] },
  { clock, positionBook }: Pick<Ports, "clock" | "positionBook">,
  openings: OpeningsReader,
): Promise<{ readonly replaced: boolean; readonly imported: ImportedPositions }> {
  const at = clock.now().toISOString();
  const kept = (await positionBook.listImported(owner)).find((one) => one.label === label) ?? null;
  const before = ({ symbol, quantity }: ImportedPosition) =>
    kept?.positions.find((one) => one.symbol === symbol && sideOf(one.quantity) === sideOf(quantity));
  const fresh = positions.filter((position) => (before(position)?.opening ?? null) === null);
  const seen = await openings(fresh.map(({ symbol, quantity }) => ({ symbol, side: sideOf(quantity) })));
  const imported: ImportedPositions = {
    label,
    at,
    positions: positions.map((position): PositionRecord => {
      const { symbol, quantity, averagePrice } = position;
      const known = before(position);
      const opening = known?.opening ?? seen.get(symbol) ?? null;
      return { symbol, quantity, averagePrice, since: known?.since ?? at, opening };
    }),
  };
  await positionBook.saveImported(owner, imported);
  return { replaced: kept !== null, imported };
}

const sideOf = (quantity: string): "LONG" | "SHORT" => (quantity.startsWith("-") ? "SHORT" : "LONG");
