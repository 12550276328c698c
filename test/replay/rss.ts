/** An RSS document; each item is a map of element names to text. */
export const rssOf = (title: string, items: readonly Readonly<Record<string, string>>[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${xml(title)}</title>${items
    .map(
      (item) =>
        `<item>${Object.entries(item)
          .map(([name, text]) => `<${name}>${xml(text)}</${name}>`)
          .join("")}</item>`,
    )
    .join("")}</channel></rss>\n`;

/** Text with the characters of XML escaped. */
export const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
