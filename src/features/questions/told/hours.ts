import { listed, type Teller } from "./told.ts";

const REGULAR = "09:30 to 16:00";
const EARLY = "13:00";
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const WEEKEND = new Set(["Sunday", "Saturday"]);

/** When US exchanges trade: the first day of a calendar, and the days of it that are unlike others. */
export const toldHours: Teller = (answer) => {
  const days = answer
    .list("market_days")
    .map((day) => ({ date: day.text("date"), kind: day.text("kind"), name: day.text("name") }));
  const [from, to] = [answer.text("from"), answer.text("to")];
  const weekday = from === null ? null : DAYS[new Date(`${from}T00:00:00Z`).getUTCDay()]!;
  const special = days.find(({ date }) => date === from);
  const isClosed = special?.kind === "closed" || WEEKEND.has(weekday ?? "");
  const ends = special?.kind === "half" ? EARLY : REGULAR.slice(-5);
  const hours = isClosed ? null : `${REGULAR.slice(0, 5)} to ${ends}`;
  const figures = {
    from,
    weekday,
    is_trading_day: !isClosed,
    hours,
    regular_hours: REGULAR,
    early_close: EARLY,
    time_zone: "America/New_York",
    to,
    other_days: days,
    source: "calendar of US exchanges",
  };
  const why = special === undefined ? "" : ` (${special.name})`;
  const today = isClosed
    ? `US exchanges are closed on ${weekday}, ${from}${why}`
    : `US exchanges trade on ${weekday}, ${from}${why}, from ${hours} New York time`;
  const others = days
    .filter(({ date }) => date !== from)
    .map(({ date, kind, name }) => `${kind === "closed" ? "closed" : `until ${EARLY}`} on ${date} (${name})`);
  const until = others.length === 0 ? `no other day until ${to} is unlike that` : listed(others);
  return {
    figures,
    sentence: `${today}. Weekdays are ${REGULAR} New York time; ${until} (${figures.source}). Crypto trades at all hours. get_calendar has other dates.`,
  };
};
