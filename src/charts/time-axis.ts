export interface TimeTick {
  readonly index: number;
  readonly text: string;
  /** True if a larger unit begins there too: a year among months, a day among hours. */
  readonly major: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const every =
  (ms: number, offset = 0) =>
  (time: number) =>
    Math.floor((time + offset) / ms);
const months = (time: number): number => {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
};
const year = (time: number): number => new Date(time).getUTCFullYear();
const day = every(DAY);

const clock = (time: number): string => new Date(time).toISOString().slice(11, 16);
const date = (time: number): string =>
  `${new Date(time).getUTCDate()} ${MONTHS[new Date(time).getUTCMonth()]}`;
const month = (time: number): string => MONTHS[new Date(time).getUTCMonth()]!;

interface Unit {
  /** Bars with the same number belong together. */
  readonly key: (time: number) => number;
  readonly text: (time: number) => string;
  readonly larger: Omit<Unit, "larger">;
}

const byYear = { key: year, text: (time: number) => String(year(time)) };
const byDay = { key: day, text: date };
const datedYear = { key: year, text: (time: number) => `${date(time)} ${year(time)}` };
const HOURS = [0.25, 0.5, 1, 2, 4, 12];
/** Finest first; Monday begins a week. */
const UNITS: readonly Unit[] = [
  ...HOURS.map((hours) => ({ key: every(hours * HOUR), text: clock, larger: byDay })),
  ...[DAY, 2 * DAY].map((length) => ({ key: every(length), text: date, larger: datedYear })),
  { key: every(7 * DAY, 3 * DAY), text: date, larger: datedYear },
  { key: months, text: month, larger: byYear },
  { key: (time) => Math.floor(months(time) / 3), text: month, larger: byYear },
  { ...byYear, larger: { key: () => 0, text: byYear.text } },
];

/**
 * Returns the time labels, in UTC: at the first bar of each unit, for the finest unit whose labels are about `gap`
 * pixels apart; `slot` is the width of a bar in pixels. If no unit fits, labels the first and last bar, or only the
 * last if there is no room for both.
 */
export function timeTicks(time: Float64Array, slot: number, gap = 70): readonly TimeTick[] {
  const length = time.length;
  const starts = ({ key }: Unit): number[] => {
    const found: number[] = [];
    for (let i = 1; i < length; i++) if (key(time[i]!) !== key(time[i - 1]!)) found.push(i);
    return found;
  };
  const daily = time.every((start) => start % DAY === 0);
  for (const unit of daily ? UNITS.slice(HOURS.length) : UNITS) {
    const found = starts(unit);
    if (found.length === 0) break;
    if (found.length * gap > length * slot) continue;
    const apart = found.filter((index, i) => i === 0 || (index - found[i - 1]!) * slot >= gap * 0.9);
    return apart.map((index, i) => tick(unit, time, index, apart[i - 1] ?? 0));
  }
  const ends = length * slot >= 2 * gap && length > 1 ? [0, length - 1] : length > 0 ? [length - 1] : [];
  return ends.map((index) => ({ index, text: dateTimeText(time[index]!), major: false }));
}

function tick({ text, larger }: Unit, time: Float64Array, index: number, before: number): TimeTick {
  const major = larger.key(time[index]!) !== larger.key(time[before]!);
  return { index, text: (major ? larger.text : text)(time[index]!), major };
}

const dateTimeText = (time: number): string =>
  time % DAY === 0 ? `${date(time)} ${year(time)}` : `${date(time)} ${clock(time)}`;
