import type { AnswerReader } from "./answer-reader.ts";

const REGULAR = "09:30 to 16:00";
const EARLY = "13:00";
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns the hours of US exchanges on the first day of a calendar, and the days with other hours. */
export function tradingHours(answer: AnswerReader) {
  const days = answer
    .list("market_days")
    .map((day) => ({ date: day.text("date"), kind: day.text("kind"), name: day.text("name") }));
  const [from, to] = [answer.text("from"), answer.text("to")];
  const weekday = from === null ? null : DAYS[new Date(`${from}T00:00:00Z`).getUTCDay()]!;
  const special = days.find(({ date }) => date === from);
  const isClosed = special?.kind === "closed" || weekday === "Sunday" || weekday === "Saturday";
  const openHours = special?.kind === "half" ? REGULAR.replace("16:00", EARLY) : REGULAR;
  const figures = {
    from,
    weekday,
    is_trading_day: !isClosed,
    hours: isClosed ? null : openHours,
    regular_hours: REGULAR,
    early_close: EARLY,
    time_zone: "America/New_York",
    to,
    other_days: days,
    source: "calendar of US exchanges",
  };
  const day = `${weekday}, ${from}${special === undefined ? "" : ` (${special.name})`}`;
  const today = isClosed
    ? `US exchanges are closed on ${day}.`
    : `US exchanges trade on ${day}, from ${openHours} New York time.`;
  const others = days
    .filter(({ date }) => date !== from)
    .map(({ date, kind, name }) => `${kind === "closed" ? "closed" : `until ${EARLY}`} on ${date} (${name})`);
  const rest = others.length === 0 ? `no exceptions until ${to}` : others.join(", ");
  return {
    figures,
    text: `${today} Weekdays: ${REGULAR} New York time; ${rest}. Crypto trades at all hours. get_calendar has other dates.`,
  };
}
