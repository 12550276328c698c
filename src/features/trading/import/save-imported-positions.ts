import type { Ports } from "../../../domain/ports.ts";
import type { ImportedPositions, PositionRecord } from "../../../domain/trading/positions-port.ts";
import { type OpeningsReader, samePosition } from "../position-signals.ts";
import type { ImportedPosition } from "./positions.ts";

/**
 * Replaces the positions stored under a label. A position stored before on the same side keeps its first-seen time and
 * opening signal.
 */
export async function saveImportedPositions(
  owner: string,
  { label, positions }: { readonly label: string; readonly positions: readonly ImportedPosition[] },
  { clock, positionRepository }: Pick<Ports, "clock" | "positionRepository">,
  openings: OpeningsReader,
): Promise<{ readonly replaced: boolean; readonly imported: ImportedPositions }> {
  const at = clock.now().toISOString();
  const stored = (await positionRepository.listImported(owner)).find((one) => one.label === label);
  const known = (position: Pick<ImportedPosition, "symbol" | "quantity">) =>
    samePosition(stored?.positions, position);
  const newOpenings = await openings(positions.filter((position) => known(position)?.opening == null));
  const records = positions.map(({ symbol, quantity, averagePrice }): PositionRecord => {
    const position = { symbol, quantity, averagePrice };
    const { since = at, opening = null } = known(position) ?? {};
    return { ...position, since, opening: opening ?? newOpenings.get(position.symbol) ?? null };
  });
  const imported: ImportedPositions = { label, at, positions: records };
  await positionRepository.saveImported(owner, imported);
  return { replaced: stored !== undefined, imported };
}
