/** Returns the value of a colour of tokens.css as it is now; it changes with the theme. */
export const colorOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

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
