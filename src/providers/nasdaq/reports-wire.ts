import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { HEADERS } from "./client.ts";
import { Envelope } from "./wire.ts";

const BASE_URL = "https://api.nasdaq.com";
/** It answers only to its own pages. */
const PAGE = { origin: "https://www.nasdaq.com", referer: "https://www.nasdaq.com/" };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `$3.46`, `($0.29)`, `1,234.5`, a number; none where it writes `N/A` or nothing. */
export const Money = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform((told, context): number | null => {
    if (typeof told === "number") return told;
    const text = (told ?? "").trim();
    if (text === "" || text === "N/A" || text === "--") return null;
    const [, less, digits] = /^(\(|-)?\$?(\d[\d,]*(?:\.\d+)?)\)?$/.exec(text) ?? [];
    if (digits !== undefined) return Number(digits.replaceAll(",", "")) * (less === undefined ? 1 : -1);
    context.addIssue({ code: "custom", message: "no amount" });
    return z.NEVER;
  });

/** Asks for what a path answers in this shape. Rejects with ProviderFailure alone. */
export function createReportsClient(setup: ProviderSetup) {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { ...HEADERS, ...PAGE },
  });
  return async <T>(
    path: string,
    query: Readonly<Record<string, string>>,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ) => {
    const { body } = await wire.json(path, { query, signal, accept: [400] });
    const envelope = Envelope.safeParse(body);
    if (!envelope.success)
      throw new ProviderFailure("malformed", "another answer than is known", { cause: envelope.error });
    const { data, status } = envelope.data;
    if ((status.bCodeMessage ?? []).length > 0 && data === null)
      throw new ProviderFailure("unknown_symbol", "it has no such name");
    // it says so with a status of 200, and answers when asked again
    if (data === null) throw new ProviderFailure("down", "it says that something went wrong");
    const read = shape.safeParse(data);
    if (status.rCode !== 200 || !read.success)
      throw new ProviderFailure("malformed", "another answer than is known", { cause: read.error });
    return read.data;
  };
}

/** The last day of `Dec 2024`; null for other text. */
export function parseMonthEnd(text: string): string | null {
  const [, name = "", year = ""] = /^([A-Z][a-z]{2}) ?(\d{4})$/.exec(text.trim()) ?? [];
  const month = MONTHS.indexOf(name);
  return month < 0 ? null : new Date(Date.UTC(Number(year), month + 1, 0)).toISOString().slice(0, 10);
}

/** The date of `1/30/2025`; null for other text. */
export function parseUsDate(text: string): string | null {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  return toIsoDate(Number(year), Number(month) - 1, Number(day));
}

/** The date of `Wed, Jul 3, 2024`; null for other text. */
export function parseNamedDate(text: string): string | null {
  const [, month = "", day, year] = /^[A-Z][a-z]{2}, ([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  return toIsoDate(Number(year), MONTHS.indexOf(month), Number(day));
}

function toIsoDate(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month, day));
  return at.getUTCMonth() === month && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : null;
}
