/** Adds days to a `YYYY-MM-DD` date; negative `days` subtract. Default: 1. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
