import type { Config } from "../config.ts";

/** Warnings for the operator at start: a setting that sends orders and keys of a broker elsewhere. */
export const brokerNotes = ({ PROVIDER_URL_ALPACA_TRADING: url }: Config): readonly string[] =>
  url === undefined ? [] : [`orders and keys of Alpaca accounts, live ones too, go to ${url}, not to Alpaca`];
