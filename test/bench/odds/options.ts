import { parseArgs } from "node:util";
import type { AssetClass } from "../../../src/domain/market/market.ts";

const PATHS = 2_000;
const CLASSES = { us: "equity", crypto: "crypto" } as const satisfies Readonly<Record<string, AssetClass>>;

export interface OddsBenchOptions {
  /** Folders of daily files; empty: the default data. */
  readonly folders: readonly string[];
  /** Asset class of every file; null: decided per file. */
  readonly assetClass: (typeof CLASSES)[keyof typeof CLASSES] | null;
  /** True if prices are adjusted for splits, so that files are not searched for any. */
  readonly isAdjusted: boolean;
  readonly paths: number;
  readonly isWritten: boolean;
}

/**
 * Returns the options after the name of the benchmark; a `--` among them is ignored.
 * @throws TypeError for an unknown option or a wrong value
 */
export function oddsBenchOptions(args: readonly string[]): OddsBenchOptions {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    options: {
      data: { type: "string", multiple: true, default: [] },
      class: { type: "string" },
      adjusted: { type: "boolean", default: false },
      paths: { type: "string", default: String(PATHS) },
      write: { type: "boolean", default: false },
    },
  });
  const paths = Number(values.paths);
  if (!Number.isInteger(paths) || paths < 1)
    throw new TypeError(`--paths is a positive integer, not ${values.paths}`);
  const name = values.class;
  if (name !== undefined && !Object.hasOwn(CLASSES, name))
    throw new TypeError(`--class is us or crypto, not ${name}`);
  return {
    folders: values.data,
    assetClass: name === undefined ? null : CLASSES[name as keyof typeof CLASSES],
    isAdjusted: values.adjusted,
    paths,
    isWritten: values.write,
  };
}
