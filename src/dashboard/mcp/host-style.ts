import type { HostContext } from "./bridge.ts";

/** Red, green and blue, 0-255 each. */
type Rgb = readonly [number, number, number];

/** Colours of a host from which those of the views follow. */
export interface HostColors {
  readonly background: Rgb;
  readonly text: Rgb;
  /** null: the host states none. */
  readonly muted: Rgb | null;
}

/** How much of the text is in each of the colours between it and the background. */
const SHARES = { "surface-2": 0.06, grid: 0.06, line: 0.14 } as const;
const MUTED_SHARE = 0.68;

/** Returns the tokens of tokens.css that follow from the colours of a host. In hex, as charts draw with them on a canvas. */
export function tokensOf({ background, text, muted }: HostColors): Readonly<Record<string, string>> {
  const mixed = (share: number) => hexOf(mix(background, text, share));
  return {
    bg: hexOf(background),
    surface: hexOf(background),
    text: hexOf(text),
    muted: muted === null ? mixed(MUTED_SHARE) : hexOf(muted),
    ...Object.fromEntries(Object.entries(SHARES).map(([name, share]) => [name, mixed(share)])),
  };
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((value, index) => value + (to[index]! - value) * share) as unknown as Rgb;

const hexOf = (color: Rgb): string =>
  `#${color.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

/** Takes over the theme and the variables of the host; its background and text give the tokens. */
export function applyHostStyle({ theme, styles }: HostContext): void {
  const root = document.documentElement;
  if (theme !== undefined) root.dataset.theme = theme;
  for (const [variable, value] of Object.entries(styles?.variables ?? {}))
    if (variable.startsWith("--") && value) root.style.setProperty(variable, value);
  const colors = hostColors(root);
  if (colors === null) return;
  for (const [name, value] of Object.entries(tokensOf(colors))) root.style.setProperty(`--${name}`, value);
}

/** Returns the colours of the host as they are in its theme; null without an opaque background and a text. */
function hostColors(root: HTMLElement): HostColors | null {
  const background = readColor(root, "--color-background-primary", null);
  if (background === null) return null;
  const text = readColor(root, "--color-text-primary", background);
  if (text === null) return null;
  return { background, text, muted: readColor(root, "--color-text-secondary", background) };
}

/**
 * Returns the colour of a variable, which may have any notation; a translucent one over what is behind it. null if it
 * is not set, or is translucent with nothing behind it.
 */
function readColor(root: HTMLElement, variable: string, behind: Rgb | null): Rgb | null {
  if (root.style.getPropertyValue(variable) === "") return null;
  const probe = document.createElement("i");
  probe.style.color = `var(${variable})`;
  root.append(probe);
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d")!;
  context.fillStyle = getComputedStyle(probe).color;
  probe.remove();
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  const color: Rgb = [red!, green!, blue!];
  if (alpha === 255) return color;
  return behind === null ? null : mix(behind, color, alpha! / 255);
}
