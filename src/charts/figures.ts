import { formatPrice } from "../lib/format-price.ts";

const grouped = (text: string): string => {
  const [whole = "", part] = text.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? thousands : `${thousands}.${part}`;
};

/** Formats a price as all texts do, with thousands separators: `1,234.50`, `0.43215`; never in scientific notation. */
export const priceText = (price: number): string => grouped(formatPrice(price));

/** Formats a number with fixed decimals and thousands separators, never "-0". */
export const fixedText = (value: number, decimals: number): string =>
  grouped(value.toFixed(decimals)).replace(/^-(?=[0.,]*$)/, "");

/** Formats the change from one price to another in percent, signed: `+3.1%`. */
export function changeText(from: number, to: number): string {
  const text = from === 0 ? "0.0" : fixedText((to / from - 1) * 100, 1);
  return `${text.startsWith("-") ? "" : "+"}${text}%`;
}

const STEPS = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** Formats a count with about three significant digits: `12.3M`, `950`, `0.42`. */
export function countText(count: number): string {
  const [unit, sign] = STEPS.find(([least]) => count >= least) ?? [1, ""];
  const value = count / unit;
  const decimals = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2;
  return `${fixedText(value, decimals)}${sign}`;
}

/** Formats an ISO 8601 UTC time without seconds: `2026-01-14 21:00 UTC`. */
export const momentText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Formats the label of a bar: a date stays as it is, an ISO 8601 time loses its seconds. */
export const barText = (label: string): string => (label.length > 10 ? momentText(label) : label);
