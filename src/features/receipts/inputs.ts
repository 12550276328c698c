import { createHash } from "node:crypto";
import type { ConsensusInput } from "../../analytics/score/consensus.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { ReceiptInput } from "../../domain/receipts/receipt.ts";
import {
  decodeColumns,
  encodeColumns,
  type NamedBytes,
  packParts,
  splitHeader,
  unpackParts,
} from "./bytes.ts";

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

/** One input with its exact bytes. */
interface InputPart extends Omit<ReceiptInput, "sha256"> {
  readonly bytes: Uint8Array;
}

/**
 * Packs the inputs of a consensus and describes them for the receipt. Omits `missingReasons`, which only affects the
 * wording.
 */
export function packInputs(input: ConsensusInput): {
  readonly bytes: Uint8Array;
  readonly inputs: readonly ReceiptInput[];
} {
  const parts = toParts(input);
  return { bytes: packParts(parts), inputs: parts.map(toReceiptInput) };
}

/** Decodes the output of `packInputs`. Throws for any other bytes. */
export function unpackInputs(bytes: Uint8Array): {
  readonly input: ConsensusInput;
  readonly inputs: readonly ReceiptInput[];
} {
  const input = toConsensusInput(unpackParts(bytes));
  const again = packInputs(input);
  if (!sameBytes(again.bytes, bytes)) throw new Error("The bytes are not the inputs of a signal");
  return { input, inputs: again.inputs };
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

const toReceiptInput = ({ name, bytes, rows, first, last }: InputPart): ReceiptInput => ({
  name,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  rows,
  first,
  last,
});

function toParts(input: ConsensusInput): readonly InputPart[] {
  const { bars, earlier, benchmark, peers, universe, missingReasons: _, ...rest } = input;
  const { prints, facts = {} } = rest;
  return [
    barsPart("bars", bars),
    ...(earlier === undefined ? [] : [barsPart("earlier", earlier)]),
    ...(benchmark === null ? [] : [barsPart("benchmark", benchmark)]),
    ...peers.map((peer, i) => barsPart(`peer_${i + 1}`, peer)),
    ...(universe === null ? [] : [universePart(universe)]),
    {
      name: "facts",
      // the hash depends on the key order; `prints: true` only marks the position of the prints
      bytes: encodeText(JSON.stringify({ ...rest, ...(prints && { prints: true }) })),
      rows: Object.keys(facts).length,
      ...timeRange(Object.values(facts).map(({ time }) => time)),
    },
    ...(prints
      ? [
          {
            name: "prints",
            bytes: encodeText(JSON.stringify(prints)),
            rows: prints.length,
            ...timeRange(prints.map(({ reportedAt }) => reportedAt)),
          },
        ]
      : []),
  ];
}

function barsPart(name: string, bars: Bars): InputPart {
  const { timeframe, adjustment, zone, noSplits, time } = bars;
  const head = JSON.stringify({ timeframe, adjustment, zone, noSplits });
  const columns = COLUMNS.map((column) => bars[column]);
  const range = timeRange([...time.slice(0, 1), ...time.slice(-1)]);
  return { name, bytes: encodeColumns(head, columns), rows: time.length, ...range };
}

function universePart({ returns, own, hash }: NonNullable<ConsensusInput["universe"]>): InputPart {
  const head = JSON.stringify({ hash, own: own !== null });
  const columns = [Float64Array.from(returns), Float64Array.from(own === null ? [] : [own])];
  const bytes = encodeColumns(head, columns);
  return { name: "universe", bytes, rows: returns.length, first: null, last: null };
}

function toConsensusInput(parts: readonly NamedBytes[]): ConsensusInput {
  const found = new Map(parts.map(({ name, bytes }) => [name, bytes]));
  const series = (name: string): Bars | null => {
    const bytes = found.get(name);
    return bytes === undefined ? null : decodeBars(bytes);
  };
  const bars = series("bars");
  const facts = found.get("facts");
  if (bars === null || facts === undefined) throw new Error("The bytes are not the inputs of a signal");
  const earlier = series("earlier");
  const peers = parts.filter(({ name }) => name.startsWith("peer_")).map(({ bytes }) => decodeBars(bytes));
  const universe = found.get("universe");
  const prints = found.get("prints");
  return {
    bars,
    ...(earlier && { earlier }),
    benchmark: series("benchmark"),
    peers,
    universe: universe === undefined ? null : decodeUniverse(universe),
    ...JSON.parse(decodeText(facts)),
    ...(prints !== undefined && { prints: JSON.parse(decodeText(prints)) }),
  } as ConsensusInput;
}

function decodeBars(bytes: Uint8Array): Bars {
  const { head, rest } = splitHeader(bytes);
  const columns = decodeColumns(rest, COLUMNS.length);
  return {
    ...Object.fromEntries(COLUMNS.map((name, i) => [name, columns[i]!])),
    ...JSON.parse(head),
  } as Bars;
}

function decodeUniverse(bytes: Uint8Array): NonNullable<ConsensusInput["universe"]> {
  const { head, rest } = splitHeader(bytes);
  const { hash, own } = JSON.parse(head) as { readonly hash: string; readonly own: boolean };
  const [all] = decodeColumns(rest, 1);
  const values = Array.from(all!);
  return own
    ? { returns: values.slice(0, -1), own: values.at(-1)!, hash }
    : { returns: values, own: null, hash };
}

/** Returns the earliest and latest of the given times; null for none. */
function timeRange(times: readonly number[]): Pick<InputPart, "first" | "last"> {
  if (times.length === 0) return { first: null, last: null };
  const sorted = times.toSorted((a, b) => a - b);
  return { first: new Date(sorted[0]!).toISOString(), last: new Date(sorted.at(-1)!).toISOString() };
}

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);
const decodeText = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
