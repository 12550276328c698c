import { type BarTimeframe, hasDateLabel } from "../../domain/market/bars.ts";
import {
  asInstrument,
  type Instrument,
  type NotListed,
  type Resolution,
} from "../../domain/market/market.ts";
import type { Provenance } from "../../domain/market/provenance.ts";
import type { Ports, Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

/** An index that a text names, as the port `indices` takes it. */
export interface FoundIndex {
  readonly resolution: Resolution;
  readonly note: string;
  /** The known instruments, and the index as a member of the market. */
  readonly symbols: Symbols;
}

/**
 * Returns the index that a text names; null if it names none, or one without a level.
 * @throws ToolError UNKNOWN_SYMBOL in a market without levels of indices
 */
export function findIndex(
  text: string,
  { symbols, indices }: Pick<Ports, "symbols" | "indices">,
): FoundIndex | null {
  const named = symbols.notListed?.(text) ?? null;
  if (named?.index === undefined) return null;
  if (indices.missing !== null) throw withoutLevel(text, indices.missing, symbols);
  const instrument = asInstrument(named.index);
  return {
    resolution: { instrument, alternatives: [] },
    note: noteOf(named),
    symbols: { ...symbols, members: () => [...symbols.members(), instrument] },
  };
}

const noteOf = ({ hint }: NotListed): string =>
  `An index is in points, has no volume and cannot be traded. ${hint}`;

/** Returns the usual refusal of an index, with the reason why it has no level here. */
function withoutLevel(text: string, missing: string, symbols: Symbols): unknown {
  try {
    return symbols.resolve(text);
  } catch (cause) {
    if (!(cause instanceof ToolError)) return cause;
    const { code, message, hint = "", data = {} } = cause;
    return new ToolError(code, message, { hint: `${hint} ${missing}.`.trim(), data, cause });
  }
}

/** @throws ToolError INVALID_INPUT for intraday bars */
export function requireDailyLevels({ symbol }: Instrument, timeframe: BarTimeframe): void {
  if (hasDateLabel(timeframe)) return;
  throw new ToolError(
    "INVALID_INPUT",
    `timeframe: ${symbol} is an index, which has daily and weekly levels`,
    {
      hint: "Pass 1d or 1w.",
      data: { errors: [{ pointer: "/timeframe", detail: "Of an index 1d or 1w" }] },
    },
  );
}

/** Returns the provenance of an index, without the unit and scope of a volume. */
export function withoutVolume<P extends Pick<Provenance, "volume_unit" | "volume_scope">>(
  provenance: P,
): Omit<P, "volume_unit" | "volume_scope"> {
  const { volume_unit: _unit, volume_scope: _scope, ...rest } = provenance;
  return rest;
}
