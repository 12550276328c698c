/** A weekday on which US exchanges are closed, or close at 13:00 New York time. */
interface MarketDay {
  readonly date: string;
  readonly kind: "closed" | "half";
  readonly name: string;
}

export interface Hours {
  readonly state: "pre" | "regular" | "post" | "closed";
  /** Name of the holiday of today; null on other days. */
  readonly holiday: string | null;
  /** When the regular session opens next, or closes if it is open, ms. */
  readonly next: { readonly kind: "opens" | "closes"; readonly at: number };
}

const ZONE = "America/New_York";
const PARTS = new Intl.DateTimeFormat("en-CA", {
  timeZone: ZONE,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});
const OPEN = "09:30";
const CLOSE = "16:00";
const HALF_DAY_CLOSE = "13:00";
const HOUR_MS = 3_600_000;
/** More days than US exchanges are ever closed in a row. */
const MAX_DAYS = 14;

/** Returns date and time in New York. */
function newYork(ms: number): { readonly date: string; readonly time: string } {
  const part = Object.fromEntries(PARTS.formatToParts(ms).map(({ type, value }) => [type, value]));
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}` };
}

/** Returns the time at which clocks in New York show a date and time, ms. */
function fromNewYork(date: string, time: string): number {
  const utc = Date.parse(`${date}T${time}:00Z`);
  const offsets = [4, 5].map((hours) => utc + hours * HOUR_MS);
  return offsets.find((ms) => newYork(ms).time === time) ?? offsets[1]!;
}

const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay());

/** Returns the hours of US exchanges at `now`; `days` are the holidays and half days to come. */
export function hoursAt(now: number, days: readonly MarketDay[]): Hours {
  const { date, time } = newYork(now);
  const dayOf = (day: string) => days.find((one) => one.date === day);
  const isOpenOn = (day: string) => !isWeekend(day) && dayOf(day)?.kind !== "closed";
  const close = dayOf(date)?.kind === "half" ? HALF_DAY_CLOSE : CLOSE;
  const holiday = dayOf(date)?.name ?? null;
  if (isOpenOn(date) && time < OPEN)
    return {
      state: time >= "04:00" ? "pre" : "closed",
      holiday,
      next: { kind: "opens", at: fromNewYork(date, OPEN) },
    };
  if (isOpenOn(date) && time < close)
    return { state: "regular", holiday, next: { kind: "closes", at: fromNewYork(date, close) } };
  let day = nextDate(date);
  for (let i = 0; i < MAX_DAYS && !isOpenOn(day); i++) day = nextDate(day);
  const afterHours = close === CLOSE ? "20:00" : "17:00";
  return {
    state: isOpenOn(date) && time < afterHours ? "post" : "closed",
    holiday,
    next: { kind: "opens", at: fromNewYork(day, OPEN) },
  };
}

/** Returns a span of time in words, such as 2 d 3 h or 45 min. */
export function spanText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
