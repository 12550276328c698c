/** Returns the note on a version of Node that is past its end; none for others. */
export const nodeNotes = (version: string): readonly string[] =>
  version.startsWith("20.")
    ? [
        `Node 20 (here ${version}) reached its end in April 2026: the server works, but Node gets no security fixes. The first release after April 2027 will need Node 22 or later`,
      ]
    : [];
