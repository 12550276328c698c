import type { OptionTrade } from "../../domain/options-flow/options.ts";
import type { TapeContract, TapeRow } from "./option-tape-rows.ts";

const INITIAL_CAPACITY = 16;
const PAID_SIDES = [null, "ask", "bid", "between"] as const;
const FLAGS = [null, false, true] as const;

/** Trades of one underlying, stored in columns to save memory. */
export interface TradeColumns {
  /** Adds a row. Returns false if a trade with the same id exists. */
  add(row: TapeRow): boolean;
  /** Returns trades at or after a time (epoch ms), in insertion order. */
  since(from: number): readonly OptionTrade[];
}

export function createTradeColumns(): TradeColumns {
  const contracts: TapeContract[] = [];
  const places = new Map<TapeContract, number>();
  const names = createIdSet();
  let length = 0;
  let time = new Float64Array(INITIAL_CAPACITY);
  let price = new Float64Array(INITIAL_CAPACITY);
  /** Integer columns of each trade: contract, size, trades, row number and flags. */
  let whole = new Int32Array(INITIAL_CAPACITY * 5);

  function placeOf(contract: TapeContract): number {
    const known = places.get(contract);
    if (known !== undefined) return known;
    places.set(contract, contracts.length);
    return contracts.push(contract) - 1;
  }

  return {
    add(row) {
      if (row.id !== null && !names.add(`${row.id} ${row.contract.contract}`)) return false;
      if (length === time.length) {
        time = copyInto(time, new Float64Array(2 * length));
        price = copyInto(price, new Float64Array(2 * length));
        whole = copyInto(whole, new Int32Array(10 * length));
      }
      time[length] = row.executedAt;
      price[length] = row.price;
      whole[5 * length] = placeOf(row.contract);
      whole[5 * length + 1] = row.size;
      whole[5 * length + 2] = row.trades;
      whole[5 * length + 3] = row.row;
      whole[5 * length + 4] = packFlags(row);
      length += 1;
      return true;
    },
    since(from) {
      const trades: OptionTrade[] = [];
      for (let i = 0; i < length; i++) {
        if (time[i]! < from) continue;
        const [place, size, count, row, flags] = whole.subarray(5 * i) as unknown as PackedTrade;
        const { root: _, ...contract } = contracts[place]!;
        const premium = price[i]! * size * 100;
        const paid = PAID_SIDES[flags & 3]!;
        trades.push({
          ...contract,
          id: `row-${row}`,
          price: price[i]!,
          size,
          trades: count,
          premium,
          executedAt: time[i]!,
          askPremium: paid === null ? null : paid === "ask" ? premium : 0,
          bidPremium: paid === null ? null : paid === "bid" ? premium : 0,
          sweep: FLAGS[(flags >> 2) & 3]!,
          floor: FLAGS[(flags >> 4) & 3]!,
          multileg: FLAGS[(flags >> 6) & 3]!,
        });
      }
      return trades;
    },
  };
}

type PackedTrade = readonly [number, number, number, number, number];

const packFlags = ({ paid, sweep, floor, multileg }: TapeRow): number =>
  PAID_SIDES.indexOf(paid) |
  (FLAGS.indexOf(sweep) << 2) |
  (FLAGS.indexOf(floor) << 4) |
  (FLAGS.indexOf(multileg) << 6);

function copyInto<T extends Float64Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Creates a set of names that stores 52-bit hashes. Collisions among the trades of a session are negligible. */
function createIdSet(): { add(name: string): boolean } {
  let table = new Float64Array(INITIAL_CAPACITY);
  let count = 0;
  /** Returns the slot of a hash, or the free slot where it belongs. */
  const slotOf = (within: Float64Array, hash: number): number => {
    let slot = hash % within.length;
    while (within[slot] !== 0 && within[slot] !== hash) slot = (slot + 1) % within.length;
    return slot;
  };
  return {
    add(name) {
      const hash = hash52(name);
      const slot = slotOf(table, hash);
      if (table[slot] === hash) return false;
      table[slot] = hash;
      count += 1;
      if (2 * count > table.length) {
        const larger = new Float64Array(2 * table.length);
        for (const old of table) if (old !== 0) larger[slotOf(larger, old)] = old;
        table = larger;
      }
      return true;
    },
  };
}

/** Returns a 52-bit hash of a name, never 0: FNV-1a twice, with two offsets. */
function hash52(name: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code ^ (low >>> 15), 0x01000193);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0) || 1;
}
