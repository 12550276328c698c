import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";

// Draws what a command of the built program prints in a terminal, for the README:
// node .config/draw-terminal.mjs docs/images/terminal.png signal AAPL
const COLUMNS = 96;
const FONT = 15;
const ADVANCE = FONT * 0.602; // of DejaVu Sans Mono
const LINE = 22;
const MARGIN = 24;
const TOP = 54;
const SCREEN = "#1e222a";
const TEXT = "#d8dee9";
const COLOURS = { 31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef", 35: "#c678dd", 36: "#56b6c2" };
const DIM = "#8b93a3";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, , file, ...words] = process.argv;

/** Returns what a command prints in a terminal of COLUMNS columns, with its colours. */
function runInTerminal() {
  const quoted = [process.execPath, join(root, "dist/main.js"), ...words].map((word) => `'${word}'`).join(" ");
  const env = { ...process.env, TERM: "xterm-256color" };
  const options = { encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync("script", ["-qefc", `stty cols ${COLUMNS} rows 60; ${quoted}`, "/dev/null"], options);
}

/** Returns the parts of each line with their style. A style goes on over the end of a line. */
function styledLines(text) {
  let style = {};
  return text.split(/\r*\n/).map((line) =>
    line.split(/(?=\x1b\[)/).flatMap((part) => {
      const [, codes, rest] = /^(?:\x1b\[([\d;]*)m)?(.*)$/s.exec(part);
      for (const code of (codes ?? "").split(";").filter((one) => one !== "").map(Number)) style = styled(style, code);
      return rest === "" ? [] : [{ text: rest, ...style }];
    }),
  );
}

/** Returns a style after one code of a terminal. @see https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ */
function styled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  return { ...style, colour: COLOURS[code] };
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the parts of a line, each at its column. Full and empty bars are rectangles, because glyphs leave gaps. */
function drawLine(parts, y) {
  let column = 0;
  return parts.flatMap(({ text, bold, dim, colour = dim ? DIM : TEXT }) =>
    (text.match(/█+|░+|[^█░]+/g) ?? []).map((run) => {
      const x = MARGIN + column * ADVANCE;
      column += run.length;
      const opacity = run[0] === "█" ? 1 : 0.25;
      if (/^[█░]/.test(run))
        return `<rect x="${x}" y="${y - 14}" width="${run.length * ADVANCE}" height="17" fill="${colour}" opacity="${opacity}"/>`;
      return `<text x="${x}" y="${y}" xml:space="preserve" fill="${colour}"${bold ? ' font-weight="bold"' : ""}>${escaped(run)}</text>`;
    }),
  );
}

const lines = styledLines(runInTerminal().trimEnd());
const prompt = [
  { text: "$ ", dim: true },
  { text: ["npx market-signal", ...words].join(" "), bold: true },
];
const width = Math.ceil(COLUMNS * ADVANCE + 2 * MARGIN);
const height = TOP + (lines.length + 1) * LINE;
const buttons = ["#ff5f56", "#c69026", "#3fb950"].map(
  (fill, index) => `<circle cx="${MARGIN + index * 23}" cy="20" r="6.5" fill="${fill}"/>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans Mono" font-size="${FONT}">
<rect width="${width}" height="${height}" rx="10" fill="${SCREEN}"/>${buttons.join("")}
${[prompt, ...lines].flatMap((parts, index) => drawLine(parts, TOP + index * LINE)).join("\n")}
</svg>`;
const fonts = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
const fontFiles = ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"].map((name) => join(fonts, name));
const options = { font: { fontFiles, loadSystemFonts: false }, fitTo: { mode: "zoom", value: 1.5 } };
writeFileSync(file, new Resvg(svg, options).render().asPng());
