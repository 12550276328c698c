import { createHash } from "node:crypto";
import type { ConsensusInput } from "../../analytics/score/consensus.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { ReceiptInput } from "../../domain/receipts/receipt.ts";
import { bytesOfColumns, columnsIn, linesBefore, type Packed, packed, unpacked } from "./bytes.ts";

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

/** One input with its exact bytes. */
interface Part extends Omit<ReceiptInput, "sha256"> {
  readonly bytes: Uint8Array;
}

/** Everything a consensus read as bytes, and what a receipt says of each part; `silent`, which is wording alone, is left out. */
export function packedInputs(input: ConsensusInput): {
  readonly bytes: Uint8Array;
  readonly inputs: readonly ReceiptInput[];
} {
  const parts = partsOf(input);
  return { bytes: packed(parts), inputs: parts.map(told) };
}

/** The same inputs again, and what a receipt says of them. Throws where the bytes are none that were packed. */
export function unpackedInputs(bytes: Uint8Array): {
  readonly input: ConsensusInput;
  readonly inputs: readonly ReceiptInput[];
} {
  const input = inputIn(unpacked(bytes));
  const again = packedInputs(input);
  if (!sameBytes(again.bytes, bytes)) throw new Error("These are no inputs of a signal");
  return { input, inputs: again.inputs };
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

const told = ({ name, bytes, rows, first, last }: Part): ReceiptInput => ({
  name,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  ...{ rows, first, last },
});

function partsOf(input: ConsensusInput): readonly Part[] {
  const { bars, benchmark, peers, universe, silent: _, ...rest } = input;
  const { prints, facts = {} } = rest;
  return [
    barsPart("bars", bars),
    ...(benchmark === null ? [] : [barsPart("benchmark", benchmark)]),
    ...peers.map((peer, i) => barsPart(`peer_${i + 1}`, peer)),
    ...(universe === null ? [] : [universePart(universe)]),
    {
      name: "facts",
      // order stays: the hash of the inputs reads it. Of prints it says only where they stood
      bytes: bytesOfText(JSON.stringify({ ...rest, ...(prints && { prints: true }) })),
      rows: Object.keys(facts).length,
      ...span(Object.values(facts).map(({ time }) => time)),
    },
    ...(prints
      ? [
          {
            name: "prints",
            bytes: bytesOfText(JSON.stringify(prints)),
            rows: prints.length,
            ...span(prints.map(({ reportedAt }) => reportedAt)),
          },
        ]
      : []),
  ];
}

function barsPart(name: string, bars: Bars): Part {
  const { timeframe, adjustment, zone, time } = bars;
  const head = JSON.stringify({ timeframe, adjustment, zone });
  return {
    name,
    bytes: bytesOfColumns(
      head,
      COLUMNS.map((column) => bars[column]),
    ),
    rows: time.length,
    ...span(time.length === 0 ? [] : [time[0]!, time.at(-1)!]),
  };
}

function universePart({ returns, own, hash }: NonNullable<ConsensusInput["universe"]>): Part {
  const head = JSON.stringify({ hash, own: own !== null });
  const columns = [Float64Array.from(returns), Float64Array.from(own === null ? [] : [own])];
  return {
    name: "universe",
    bytes: bytesOfColumns(head, columns),
    rows: returns.length,
    ...{ first: null, last: null },
  };
}

function inputIn(parts: readonly Packed[]): ConsensusInput {
  const found = new Map(parts.map(({ name, bytes }) => [name, bytes]));
  const series = (name: string): Bars | null => {
    const bytes = found.get(name);
    return bytes === undefined ? null : barsIn(bytes);
  };
  const bars = series("bars");
  const facts = found.get("facts");
  if (bars === null || facts === undefined) throw new Error("These are no inputs of a signal");
  const peers = parts.filter(({ name }) => name.startsWith("peer_")).map(({ bytes }) => barsIn(bytes));
  const universe = found.get("universe");
  const prints = found.get("prints");
  return {
    bars,
    benchmark: series("benchmark"),
    peers,
    universe: universe === undefined ? null : universeIn(universe),
    ...JSON.parse(textOf(facts)),
    ...(prints !== undefined && { prints: JSON.parse(textOf(prints)) }),
  } as ConsensusInput;
}

function barsIn(bytes: Uint8Array): Bars {
  const { head, rest } = linesBefore(bytes);
  const columns = columnsIn(rest, COLUMNS.length);
  return {
    ...Object.fromEntries(COLUMNS.map((name, i) => [name, columns[i]!])),
    ...JSON.parse(head),
  } as Bars;
}

function universeIn(bytes: Uint8Array): NonNullable<ConsensusInput["universe"]> {
  const { head, rest } = linesBefore(bytes);
  const { hash, own } = JSON.parse(head) as { readonly hash: string; readonly own: boolean };
  const [all] = columnsIn(rest, 1);
  const values = Array.from(all!);
  return own
    ? { returns: values.slice(0, -1), own: values.at(-1)!, hash }
    : { returns: values, own: null, hash };
}

/** The earliest and the latest of these moments. */
function span(times: readonly number[]): Pick<Part, "first" | "last"> {
  if (times.length === 0) return { first: null, last: null };
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))].map(
    (time) => new Date(time).toISOString(),
  );
  return { first: first!, last: last! };
}

const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
