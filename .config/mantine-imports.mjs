import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const index = join(
  dirname(createRequire(import.meta.url).resolve("@mantine/core/styles.css")),
  "esm/index.mjs",
);
/** Files of Mantine by the name that they export. */
const files = new Map(
  [...readFileSync(index, "utf8").matchAll(/^import \{([^}]*)\} from "(.*)";$/gm)].flatMap(([, names, path]) =>
    names.split(",").map((name) => [name.trim(), join(dirname(index), path)]),
  ),
);

/** Returns an import from the whole of Mantine as imports from the files of its names. */
const direct = (statement, names) => {
  const list = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (!list.every((name) => name.startsWith("type ") || files.has(name))) return statement;
  return list
    .filter((name) => !name.startsWith("type "))
    .map((name) => `import { ${name} } from ${JSON.stringify(files.get(name))};`)
    .join(" ");
};

/**
 * Makes each page import the files of the components that it uses, because those that only some pages use are bundled
 * with the shared code of all pages otherwise.
 */
export const directMantineImports = {
  name: "direct-mantine-imports",
  setup({ onLoad }) {
    onLoad({ filter: /(src\/dashboard\/.*\.tsx?|@mantine\/spotlight\/esm\/.*\.mjs)$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /^import \{([^}]*)\} from "@mantine\/core";/gm,
        (statement, names) => direct(statement, names),
      ),
      loader: path.endsWith(".tsx") ? "tsx" : path.endsWith(".ts") ? "ts" : "js",
    }));
  },
};
