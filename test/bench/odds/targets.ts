import type { Section } from "./results.ts";
import { COVERS, HORIZONS, type Horizon } from "./walk.ts";

type Bounds = readonly [least: number, most: number];
const ANY = Number.POSITIVE_INFINITY;

/** Expected coverage in percent, by horizon and by central range of `COVERS`. */
const COVER: Readonly<Record<Horizon, readonly Bounds[]>> = {
  5: [
    [47, 53],
    [77, 83],
    [87.5, 92],
  ],
  20: [
    [47, 53],
    [77, 83],
    [87.5, 92],
  ],
  60: [
    [46, 54],
    [77, 84],
    [87, 93],
  ],
};
/** Minimum coverage of the 90 % range of stocks in its worst year, percent; coins have too few years. */
const WORST_YEAR = { 5: 82, 20: 82, 60: 72 } as const;
/** Minimum share of the base's CRPS that is avoided, percent. */
const CRPS = {
  equity: { 5: 0.5, 20: 0.3, 60: 0.7 },
  crypto: { 5: 0, 20: 0.4, 60: 0.9 },
} as const;
/** Maximum calibration error of touch odds, percentage points. */
const CALIBRATION = { equity: 1.2, crypto: 2.2 } as const;

/** A figure of a section with its expected bounds. */
export interface Checked {
  readonly name: string;
  /** By horizon: figure in percent or points, null if undefined. */
  readonly figures: readonly (number | null)[];
  readonly bounds: readonly Bounds[];
}

/** Returns the figures with expected bounds, in the order of the table. */
export function checkedOf({ paths, assetClass }: Section): readonly Checked[] {
  const of = (
    name: string,
    figure: (i: number) => number | null,
    bounds: (horizon: Horizon) => Bounds,
  ): Checked => ({
    name,
    figures: paths.map((_, i) => figure(i)),
    bounds: HORIZONS.map(bounds),
  });
  const percent = (value: number | null | undefined) => (value == null ? null : 100 * value);
  return [
    ...COVERS.map((cover, range) =>
      of(
        `coverage of the ${100 * cover} % range`,
        (i) => percent(paths[i]!.cover[range]),
        (horizon) => COVER[horizon][range]!,
      ),
    ),
    ...(assetClass === "crypto"
      ? []
      : [
          of(
            "worst year of the 90 % range",
            (i) => percent(paths[i]!.years[COVERS.indexOf(0.9)]![0]?.cover),
            (horizon) => [WORST_YEAR[horizon], ANY],
          ),
        ]),
    of(
      "CRPS better than the base, %",
      (i) => percent(paths[i]!.crpsOverBase.value),
      (horizon) => [CRPS[assetClass][horizon], ANY],
    ),
    of(
      "calibration error of touch odds, points",
      (i) => percent(paths[i]!.calibration),
      () => [0, CALIBRATION[assetClass]],
    ),
  ];
}

/** Returns the figures outside their bounds, as text. */
export const missesOf = (section: Section): readonly string[] =>
  checkedOf(section).flatMap(({ name, figures, bounds }) =>
    figures.flatMap((figure, i) => {
      const [least, most] = bounds[i]!;
      return figure === null || (figure >= least && figure <= most)
        ? []
        : `${name} at ${HORIZONS[i]} bars: ${figure.toFixed(2)}, expected ${boundsText(bounds[i]!)}`;
    }),
  );

export const boundsText = ([least, most]: Bounds): string =>
  most === ANY ? `at least ${least}` : least === 0 ? `at most ${most}` : `${least} to ${most}`;
