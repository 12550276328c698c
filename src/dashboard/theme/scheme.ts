// Runs before the page is painted, so that it never shows in the wrong colours first.
const STORED = "mantine-color-scheme-value";
const stored = storedScheme();
const dark =
  stored === "dark" || (stored !== "light" && !matchMedia("(prefers-color-scheme: light)").matches);
document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";

function storedScheme(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null; // the browser lets pages store nothing
  }
}
