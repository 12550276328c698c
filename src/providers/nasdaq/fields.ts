import { z } from "zod";
import { parseIsoDate } from "../shared/timestamps.ts";

export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `$3.46`, `($0.29)`, `1,234.5`, a number; null for `N/A`, `--` and no text. */
export const Money = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform((value, context): number | null => {
    if (typeof value === "number") return value;
    const text = (value ?? "").trim();
    if (text === "" || text === "N/A" || text === "--") return null;
    const [, minus, digits] = /^(\(|-)?\$?(\d[\d,]*(?:\.\d+)?)\)?$/.exec(text) ?? [];
    if (digits !== undefined) return Number(digits.replaceAll(",", "")) * (minus === undefined ? 1 : -1);
    context.addIssue({ code: "custom", message: "not an amount" });
    return z.NEVER;
  });

/** `YYYY-MM-DD` of the last day of `Dec 2024`; null for other text. */
export function parseMonthEnd(text: string): string | null {
  const [, name = "", year = ""] = /^([A-Z][a-z]{2}) ?(\d{4})$/.exec(text.trim()) ?? [];
  const month = MONTHS.indexOf(name);
  return month < 0 ? null : new Date(Date.UTC(Number(year), month + 1, 0)).toISOString().slice(0, 10);
}

/** `YYYY-MM-DD` of `Jul 3, 2024`; null for other text. */
export function parseNamedDate(text: string): string | null {
  const [, month = "", day = "", year] = /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  const date = `${year}-${padTwo(MONTHS.indexOf(month) + 1)}-${padTwo(Number(day))}`;
  return parseIsoDate(date) === null ? null : date;
}

export const padTwo = (figure: number): string => String(figure).padStart(2, "0");
