import type { EventRisk } from "../../domain/earnings/calendar.ts";

/** How far ahead a holiday is worth a line. */
const MAX_HOLIDAY_DAYS = 7;

/** What comes before a plan ends, a line each; that no date of a company's earnings is known too. */
export const formatEventRisk = (risk: EventRisk): readonly string[] => [
  ...formatUpcomingEarnings(risk),
  ...(risk.reports && risk.earnings === null ? [`no date of earnings: ${risk.earnings_reason}`] : []),
  ...(risk.holiday?.within_horizon && risk.holiday.days <= MAX_HOLIDAY_DAYS
    ? [
        `${risk.holiday.date}: ${risk.holiday.name}, US exchanges ${risk.holiday.kind === "half" ? "end early" : "closed"}`,
      ]
    : []),
];

/** Earnings that come before a plan ends, in a line; none where they do not, or where it is not known. */
export const formatUpcomingEarnings = ({ earnings }: EventRisk): readonly string[] =>
  earnings?.within_horizon
    ? [
        `${earnings.date}: earnings, ${inDays(earnings.days)}, before the plan ends${earnings.confirmed ? "" : "; the date is not confirmed"}`,
      ]
    : [];

const inDays = (days: number): string => (days === 0 ? "today" : days === 1 ? "in 1 day" : `in ${days} days`);
