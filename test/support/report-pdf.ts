import { deflateSync } from "node:zlib";

const HEAD = ["ID Owner Asset", "$200?"];

/**
 * A report in the format of the Clerk's software, unencrypted: one page, each line at its position, comments in smaller
 * type.
 */
export function reportPdf(rows: readonly (readonly string[])[]): Buffer {
  const lines = [
    ...HEAD.map((text) => ({ text, size: 12.6 })),
    ...rows.flatMap(([cells, ...remarks]) => [
      { text: cells!, size: 12 },
      ...remarks.map((text) => ({ text, size: 11.4 })),
    ]),
    { text: "* For the complete list of asset type abbreviations", size: 12 },
  ];
  const content = lines
    .map(
      ({ text, size }, i) => `BT\n/F1 ${size} Tf\n1 0 0 -1 4 ${300 + 14 * i} Tm\n<${hexOf(text)}> Tj\nET\n`,
    )
    .join("");
  const map = "begincmap\n1 beginbfrange\n<0020> <007e> <0020>\nendbfrange\nendcmap\n";
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    content,
    "<< /Type /Font /Subtype /Type0 /ToUnicode 6 0 R >>",
    map,
  ]);
}

/** A PDF of these objects in order; objects that are not dictionaries become deflated streams. */
export function pdfOf(objects: readonly string[]): Buffer {
  const parts = objects.map((object, i) => {
    if (object.startsWith("<<")) return Buffer.from(`${i + 1} 0 obj\n${object}\nendobj\n`, "latin1");
    const data = deflateSync(Buffer.from(object, "latin1"));
    return Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
      data,
      Buffer.from("\nendstream\nendobj\n"),
    ]);
  });
  return Buffer.concat([
    Buffer.from("%PDF-1.4\n"),
    ...parts,
    Buffer.from("trailer\n<< /Root 1 0 R >>\n%%EOF\n"),
  ]);
}

const hexOf = (text: string): string =>
  Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("");
