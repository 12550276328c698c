import { expect } from "vitest";

/** Texts of an SVG, in order. */
export const textsIn = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);

/** Expects every coordinate and every number of a path to be finite and within or near the picture. */
export function expectWithinPicture(svg: string): void {
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const numbers = [...svg.matchAll(/ (?:d|x|y|width|height)="([^"]*)"/g)].flatMap(([, value]) =>
    (value!.match(/-?[\d.]+(e[-+]?\d+)?/g) ?? []).map(Number),
  );
  expect(numbers.every(Number.isFinite)).toBe(true);
  expect(Math.max(...numbers.map(Math.abs))).toBeLessThanOrEqual(5_000);
}
