/** Returns the value of a token of tokens.css. */
export type Colors = (name: string) => string;

/** Returns the colours as they are now; they change with the theme. Each is read once, as a chart draws often. */
export function readColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (name) => {
    const value = known.get(name) ?? style.getPropertyValue(`--${name}`).trim();
    known.set(name, value);
    return value;
  };
}

/** Returns a colour of six hex digits with an opacity of two. */
export const withOpacity = (color: string, opacity: string): string =>
  color.length === 7 ? `${color}${opacity}` : color;

/** Calls back when the theme changes. Returns a function that ends this. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme", "data-mantine-color-scheme", "style"],
  });
  return () => observer.disconnect();
}

/** Colours of what a mark or level means. */
export const TONES = {
  up: "chart-up",
  down: "chart-down",
  accent: "accent",
  warn: "warn",
  flat: "flat",
} as const;
