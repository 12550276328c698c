import type { AssetClass } from "../../../domain/market/market.ts";
import { ROW_KINDS, type RowKind } from "./row-kinds.ts";

const POSITION_NAMES = {
  equity: ["share position", "share positions"],
  etf: ["ETF position", "ETF positions"],
  crypto: ["coin position", "coin positions"],
} as const satisfies Readonly<Record<AssetClass, readonly [string, string]>>;

interface TakenFor {
  readonly source: string;
  readonly positions: readonly { readonly assetClass: AssetClass }[];
  readonly refused: readonly { readonly kind: RowKind }[];
  /** Number of positions left out because their cost is doubtful. */
  readonly doubtful: number;
}

/**
 * Returns the sentence `taken_for`: the recognised export, its positions by class, and the omitted rows by kind.
 */
export function takenFor({ source, positions, refused, doubtful }: TakenFor): string {
  const read = counted(
    POSITION_NAMES,
    positions.map(({ assetClass }) => assetClass),
  );
  const left = [
    ...counted(
      ROW_KINDS,
      refused.map(({ kind }) => kind),
    ),
    ...(doubtful === 0
      ? []
      : [count(doubtful, ["position with a doubtful cost", "positions with a doubtful cost"])]),
  ];
  const rest = left.length === 0 ? "" : `; ${listed(left)} left out`;
  return `${source}: ${read.length === 0 ? "no position" : listed(read)}${rest}.`;
}

/** Returns the number of each kind, in the order of the names. */
const counted = <Kind extends string>(
  names: Readonly<Record<Kind, readonly [string, string]>>,
  kinds: readonly Kind[],
): readonly string[] =>
  (Object.keys(names) as Kind[]).flatMap((kind) => {
    const number = kinds.filter((one) => one === kind).length;
    return number === 0 ? [] : [count(number, names[kind])];
  });

const count = (number: number, [one, several]: readonly [string, string]): string =>
  `${number} ${number === 1 ? one : several}`;

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
