import type { Ports } from "../../../domain/ports.ts";
import type { ImportedPositions, PositionRecord } from "../../../domain/trading/positions-port.ts";
import type { OpeningsReader } from "../sync.ts";
import type { ImportedPosition } from "./positions.ts";

/**
 * Replaces the positions stored under a label. A position already known on the same side keeps its first-seen time and
 * opening signal.
 */
export async function saveImportedPositions(
  owner: string,
  { label, positions }: { readonly label: string; readonly positions: readonly ImportedPosition[] },
  { clock, positionRepository }: Pick<Ports, "clock" | "positionRepository">,
  openings: OpeningsReader,
): Promise<{ readonly replaced: boolean; readonly imported: ImportedPositions }> {
  const at = clock.now().toISOString();
  const stored =
    (await positionRepository.listImported(owner)).find((candidate) => candidate.label === label) ?? null;
  const storedPosition = ({ symbol, quantity }: ImportedPosition) =>
    stored?.positions.find(
      (candidate) => candidate.symbol === symbol && sideOf(candidate.quantity) === sideOf(quantity),
    );
  const unseen = positions.filter((position) => (storedPosition(position)?.opening ?? null) === null);
  const newOpenings = await openings(
    unseen.map(({ symbol, quantity }) => ({ symbol, side: sideOf(quantity) })),
  );
  const imported: ImportedPositions = {
    label,
    at,
    positions: positions.map((position): PositionRecord => {
      const { symbol, quantity, averagePrice } = position;
      const known = storedPosition(position);
      const opening = known?.opening ?? newOpenings.get(symbol) ?? null;
      return { symbol, quantity, averagePrice, since: known?.since ?? at, opening };
    }),
  };
  await positionRepository.saveImported(owner, imported);
  return { replaced: stored !== null, imported };
}

const sideOf = (quantity: string): "LONG" | "SHORT" => (quantity.startsWith("-") ? "SHORT" : "LONG");
