import type { Child } from "hono/jsx";

interface Page {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** Script that runs before the page is painted. */
  readonly first?: string;
  /** Default: none. */
  readonly icon?: string;
  readonly children: Child;
}

/** Renders a page to HTML. The page loads only from this server and contains no inline style or script. */
export const pageOf = (page: Page): string => `<!doctype html>\n${(<Shell {...page} />).toString()}\n`;

const Shell = ({ title, style, script, first, icon = "data:,", children }: Page) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <link rel="icon" href={icon} />
      {first !== undefined && <script src={first}></script>}
      <link rel="stylesheet" href={style} />
      {script !== undefined && <script src={script} defer></script>}
    </head>
    <body>{children}</body>
  </html>
);
