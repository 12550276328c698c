import { expect } from "vitest";
import type { EarningsFigure, EarningsReport, ScheduledReport } from "../../src/domain/earnings/earnings.ts";
import type { ProviderEarnings, ProviderFilings } from "../../src/domain/earnings/provider.ts";

const DATE = /^\d{4}-\d\d-\d\d$/;

const figures = ({ eps, revenue, guidance }: EarningsReport): readonly EarningsFigure[] =>
  [eps, revenue, guidance]
    .flatMap(({ actual, estimate }) => [actual, estimate])
    .filter((one) => one !== null);

const finite = (values: readonly (number | null)[]): void =>
  expect(values.filter((value) => value !== null && !Number.isFinite(value))).toEqual([]);

/** Throws unless a scheduled report is plausible. */
export function plausibleDate(one: ScheduledReport): void {
  expect(one.date).toMatch(DATE);
  finite([one.eps_estimate, one.eps_actual, one.revenue_estimate, one.revenue_actual]);
}

/** Throws unless a provider's earnings are plausible. */
export function plausibleEarnings({ reports, next }: ProviderEarnings): void {
  for (const report of reports) {
    finite(figures(report).map(({ value }) => value));
    for (const date of [report.periodEnd, report.reportDate]) expect(date ?? "2025-01-01").toMatch(DATE);
    expect(report.period.length).toBeLessThan(30);
  }
  if (next !== null) plausibleDate(next);
}

/** Throws unless filings are plausible. */
export function plausibleFilings({ releases, quarters }: ProviderFilings): void {
  finite(releases);
  for (const { end, start, filed, epsDiluted, revenue, netIncome } of quarters) {
    for (const date of [end, start, filed]) expect(date).toMatch(DATE);
    expect(start < end).toBe(true);
    finite([epsDiluted, revenue, netIncome]);
  }
}
