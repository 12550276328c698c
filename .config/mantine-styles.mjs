import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const CLASS = /\bm_[0-9a-f]{6,8}\b/g;
const stylesheet = createRequire(import.meta.url).resolve("@mantine/core/styles.css");

/** Returns the classes of Mantine's components that a text names. */
export const mantineClasses = (text) => new Set(text.match(CLASS) ?? []);

/**
 * Makes `@mantine/core/styles.css` consist of the styles of the components that the scripts use, in the order of the
 * whole file: a tenth of it.
 */
export const usedMantineStyles = (scripts) => ({
  name: "used-mantine-styles",
  setup({ onLoad }) {
    onLoad({ filter: /@mantine\/core\/styles\.css$/ }, () => ({
      contents: stylesOf(mantineClasses(scripts)),
      loader: "css",
    }));
  },
});

function stylesOf(used) {
  const whole = readFileSync(stylesheet, "utf8");
  const folder = join(dirname(stylesheet), "styles");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".css") && !name.endsWith(".layer.css"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .filter((text) => {
      const classes = [...mantineClasses(text)];
      return classes.length === 0 || classes.some((name) => used.has(name));
    })
    .map((text) => ({ text, at: whole.indexOf(text.trim().slice(0, 400)) }))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join("\n");
}
