import { LONG, SHORT } from "../types.ts";

/**
 * Prices `multiple` times `unit` from the close of each bar that enters: above it for a LONG, under it for a SHORT,
 * the other way round for a negative multiple. NaN at other bars, and where no price can be that low.
 */
export function bracket(
  close: Float64Array,
  action: Uint8Array,
  unit: Float64Array,
  multiple: number,
): Float64Array {
  const out = new Float64Array(close.length).fill(Number.NaN);
  for (let i = 0; i < out.length; i++) {
    const entered = action[i]!;
    if (entered !== LONG && entered !== SHORT) continue;
    const price = close[i]! + (entered === LONG ? multiple : -multiple) * unit[i]!;
    if (price > 0) out[i] = price;
  }
  return out;
}
