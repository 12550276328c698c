// Runs before the page is painted, so that it never shows in the wrong colours first.
const STORED = "mantine-color-scheme-value";
const stored = localStorage.getItem(STORED);
const dark =
  stored === "dark" || (stored !== "light" && !matchMedia("(prefers-color-scheme: light)").matches);
document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";
