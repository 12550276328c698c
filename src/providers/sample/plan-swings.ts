import type { Band, BarPin, Knot, Outcome, Plan, SlotDraws } from "./plan.ts";

const LAST = 149;

/**
 * Returns the plan of a trend: two rises, each followed by a pullback to the previous top. If it fails, the second
 * pullback breaks that level and reverses most of the rise.
 */
export function trendPlan(pick: SlotDraws, outcome: Outcome): Plan {
  const step = pick.between("step", 3.6, 4.6);
  const pause = pick.between("pause", 2, 3);
  const [first, second] = [step, step + pause + 1];
  const [rest, top, back] = [
    pick.integer("rest", 20, 26),
    pick.integer("top", 48, 56),
    pick.integer("back", 66, 72),
  ];
  const [peak, dip] = [pick.integer("peak", 100, 108), pick.integer("dip", 118, 124)];
  const end: Knot = [LAST, outcome === "hold" ? second + 4 : first - 2];
  return swings({
    turns: [
      [rest, first + 0.4],
      [top, second + 0.4],
      [back, first],
      [peak, second + 3.4],
      [dip, second],
    ],
    end,
    printLevels: [
      { level: first + 0.1, from: rest - 3, to: rest + 6 },
      { level: second + 0.1, from: top - 3, to: top + 3 },
    ],
  });
}

/**
 * Returns the plan of five waves after a decline, and their correction. If it fails, the last wave falls below the end
 * of the first wave instead.
 */
export function impulsePlan(pick: SlotDraws, outcome: Outcome): Plan {
  const first = pick.between("first", 8, 9.5);
  const second = first * pick.between("second", 0.5, 0.6);
  const third = first * pick.between("third", 1.6, 1.75);
  const fourth = third * pick.between("fourth", 0.34, 0.4);
  const [begin, w1, w2, w3, w4] = [16, 38, 53, 86, 101];
  const start = -6.5;
  const tops = [start, start + first, start + first - second, start + first - second + third] as const;
  const low = tops[3] - fourth;
  const turns: Knot[] = [
    [begin, tops[0]],
    [w1, tops[1]],
    [w2, tops[2]],
    [w3, tops[3]],
    [w4, low],
  ];
  if (outcome === "hold") turns.push([124, low + first]);
  return swings({
    turns,
    end: outcome === "hold" ? [LAST, low + first - 4.5] : [LAST, tops[1] - 3],
    printLevels: [{ level: low + 0.1, from: w2 + 2, to: w3 }],
  });
}

/**
 * Returns the plan of an advance and three corrective waves, deep or flat. If it succeeds, the advance continues; if it
 * fails, the advance is reversed.
 */
export function correctionPlan(pick: SlotDraws, outcome: Outcome): Plan {
  const top = pick.between("top", 11, 13);
  const leg = pick.between("leg", 5.5, 6.5);
  const flat = pick.between("flat", 0, 1) < 0.4;
  const back = leg * (flat ? pick.between("rise", 0.93, 1) : pick.between("rise", 0.55, 0.65));
  const low = top - leg + back - leg * (flat ? 1.1 : 1.1 + pick.between("fall", 0, 0.2));
  const turns: Knot[] = [
    [44, top],
    [60, top - leg],
    [75, top - leg + back],
    [96, low],
  ];
  if (outcome === "fail") turns.push([110, low + 4]);
  return swings({
    turns,
    end: outcome === "hold" ? [LAST, top + 2] : [LAST, low - 5],
    printLevels: [{ level: low + 0.1, from: 4, to: 42 }],
  });
}

interface Swings {
  readonly turns: readonly Knot[];
  readonly end: Knot;
  readonly printLevels: Plan["printLevels"];
}

/**
 * Returns a path that turns exactly at the given bars and levels, and stays between the levels of two neighbouring
 * turns.
 */
function swings({ turns, end, printLevels: shelves }: Swings): Plan {
  const knots = [...turns, end];
  const pins = new Map<number, BarPin>();
  const bands: Band[] = [];
  turns.forEach(([bar, level], i) => {
    const [before, height] = turns[i - 1] ?? [-1, 0];
    const top = level > height;
    pins.set(bar, top ? { high: level, close: level - 0.4 } : { low: level, close: level + 0.4 });
    // before the first turn, there is no limit on the side where the path begins
    const open = i === 0 ? Number.POSITIVE_INFINITY : 0;
    bands.push({
      from: before + 1,
      to: bar,
      floor: top ? height - open : level,
      ceiling: top ? level : height + open,
    });
  });
  const named = (pick: (knot: Knot) => number) =>
    Object.fromEntries(turns.map((knot, i) => [`turn${i + 1}`, pick(knot)]));
  return {
    knots,
    bands,
    pins,
    printLevels: shelves,
    bars: { ...named(([bar]) => bar), end: end[0] },
    levels: named(([, level]) => level),
  };
}
