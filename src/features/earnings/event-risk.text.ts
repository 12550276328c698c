import type { EventRisk } from "../../domain/earnings/calendar.ts";

/** Maximum number of days ahead for which a holiday is shown. */
const MAX_HOLIDAY_DAYS = 7;

/** Formats the events before a plan ends, one line each, and an unknown earnings date. */
export const formatEventRisk = (risk: EventRisk): readonly string[] => [
  ...formatUpcomingEarnings(risk),
  ...(risk.reports && risk.earnings === null ? [`no earnings date: ${risk.earnings_reason}`] : []),
  ...(risk.holiday?.within_horizon && risk.holiday.days <= MAX_HOLIDAY_DAYS
    ? [
        `${risk.holiday.date}: ${risk.holiday.name}, US exchanges ${risk.holiday.kind === "half" ? "close early" : "closed"}`,
      ]
    : []),
];

/** Formats the earnings before a plan ends on one line; empty if there are none or their date is unknown. */
export const formatUpcomingEarnings = ({ earnings }: EventRisk): readonly string[] =>
  earnings?.within_horizon
    ? [
        `${earnings.date}: earnings, ${inDays(earnings.days)}, before the plan ends${earnings.confirmed ? "" : "; the date is not confirmed"}`,
      ]
    : [];

const inDays = (days: number): string => (days === 0 ? "today" : days === 1 ? "in 1 day" : `in ${days} days`);
