/** What a text for a model must not contain, since the client of a model cannot do it. */
const REFUSED: readonly RegExp[] = [
  // command lines
  /(?<![\w/:.-])market-signal [a-z]/,
  /(?<![\w-])np[mx] [a-z-]/,
  /(?<![^\s`"'])--[a-z]/,
  // paths of this server, except in the URL of another site
  /(?<![\w.:/-])\/(api|docs|openapi|livez|readyz|metrics|\.well-known)\b/,
  /\b(GET|POST|PUT|PATCH|DELETE) \//,
  // a change of the URL of the connection
  /\b(toolsets|readonly)=/,
];

/** Returns each command line, path and change of the connection in a text, with the text around it. */
export const refusedInModelText = (text: string): readonly string[] =>
  REFUSED.flatMap((pattern) => {
    const { index } = pattern.exec(text) ?? {};
    return index === undefined ? [] : [text.slice(Math.max(0, index - 60), index + 60)];
  });
