import { z } from "zod";
import { DRAWN_LIMITS, DrawnLevel } from "../../domain/drawn-levels/drawn-levels.ts";
import type { DrawnLevels, SavedLevels } from "../../domain/drawn-levels/drawn-levels-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { countRows, deleteRows, findRow, type MarketDb, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

/** Stored JSON of levels. */
export const LevelsRow = z.array(DrawnLevel);

const EMPTY: SavedLevels = { levels: [], levels_saved_at: null, note: null, note_saved_at: null };

/** Creates the repository of the drawn levels of one market. */
export function drawnLevels({ db, market }: MarketDb): DrawnLevels {
  return {
    async find(account, symbol) {
      const row = await findRow(db, "drawn_levels", { account, market, symbol });
      return row === undefined ? null : read(row);
    },
    save: (account, symbol, { levels, note, at }) =>
      accountTransaction(db, account, async (tx) => {
        const key = { account, market, symbol };
        const row = await findRow(tx, "drawn_levels", key);
        const saved: SavedLevels = {
          ...(row === undefined ? EMPTY : read(row)),
          ...(levels !== undefined && { levels, levels_saved_at: levels.length === 0 ? null : at }),
          ...(note !== undefined && { note, note_saved_at: note === null ? null : at }),
        };
        if (saved.levels.length === 0 && saved.note === null) {
          await deleteRows(tx, "drawn_levels", key);
          return saved;
        }
        const isFull =
          row === undefined &&
          (await countRows(tx, "drawn_levels", { account, market })) >= DRAWN_LIMITS.symbols;
        if (isFull)
          throw new ToolError(
            "REFUSED",
            `An account has levels and notes on at most ${DRAWN_LIMITS.symbols} symbols`,
            {
              hint: "save_levels with levels: [] and delete_note: true deletes those of a symbol.",
            },
          );
        await upsert(tx, "drawn_levels", key, { ...saved, levels: JSON.stringify(saved.levels) });
        return saved;
      }),
  };
}

const read = ({ levels, levels_saved_at, note, note_saved_at }: Schema["drawn_levels"]): SavedLevels => ({
  levels: readRow(LevelsRow, levels) ?? [],
  levels_saved_at,
  note,
  note_saved_at,
});
