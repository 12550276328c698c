/** A text whose parts between backticks are code. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <>
    {text.split("`").map((part, i, parts) =>
      // the last backtick has no partner if their number is odd
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      i % 2 === 1 && i < parts.length - 1 ? <code key={i}>{part}</code> : part,
    )}
  </>
);
