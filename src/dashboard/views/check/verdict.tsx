const WORDS = {
  ok: ["✓", "OK", "every rule that was checked passes", "LONG"],
  warn: ["◆", "WARN", "show it to the person who decides", "WARN"],
  stop: ["✗", "STOP", "do not place it", "SHORT"],
} as const;

/** The verdict of a check as a sign, a word and what it means. */
export function Verdict({ value }: { readonly value: keyof typeof WORDS }) {
  const [sign, word, meaning, tone] = WORDS[value];
  return (
    <>
      <span className={`pill verdict ${tone}`}>
        <span aria-hidden="true">{sign}</span>
        {word}
      </span>
      <span className="muted">{meaning}</span>
    </>
  );
}
