import { z } from "zod";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { parseTimeInUtc } from "../shared/timestamps.ts";

export interface UnusualWhalesSetup extends ProviderSetup {
  readonly key: string;
}

/** Client id that the vendor's notes for programs ask for; it is the same for everyone. */
const CLIENT_ID = "100001";

/**
 * Creates the client of the REST API, with token and client id in headers. A malformed symbol or date gives a 422.
 */
export const unusualWhalesApi = ({ key, ...setup }: UnusualWhalesSetup): ApiGet =>
  createApi(setup, {
    baseUrl: "https://api.unusualwhales.com",
    headers: { authorization: `Bearer ${key}`, "UW-CLIENT-API-ID": CLIENT_ID },
    accept: [404, 422],
    refusal: (_, status) => (status === 404 || status === 422 ? "unknown_symbol" : null),
  });

/** ISO 8601, in some documents with a space instead of the T, in UTC if it names no zone; converted to epoch ms. */
export const Instant = z
  .string()
  .transform((text) => parseTimeInUtc(text.replace(" ", "T")))
  .refine((at) => !Number.isNaN(at));

/** A boolean, or one written as text; null if it is missing. */
export const FlagOrNull = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .nullish()
  .transform((flag) => flag ?? null);
