import { Checkbox } from "@mantine/core";
import { DEFAULT_TOOLSETS, TOOLSET_DESCRIPTIONS, TOOLSETS } from "../../../kernel/toolsets.ts";

/** Returns the toolsets that the URL must name; none for the server's default. */
export const toolsetsIn = (selected: readonly string[]): readonly string[] =>
  selected.length === 0 ? [] : TOOLSETS.filter((name) => selected.includes(name));

/** Lets the owner choose the toolsets that a client lists. Default: the toolsets of the server. */
export function Toolsets({
  selected,
  onChange,
}: {
  readonly selected: readonly string[];
  readonly onChange: (toolsets: readonly string[]) => void;
}) {
  return (
    <Checkbox.Group
      label="Toolsets"
      description={`Default: most tools of ${DEFAULT_TOOLSETS.join(", ")}. Every tool can be called, listed or not; a shorter list costs the model fewer tokens.`}
      value={[...selected]}
      onChange={onChange}
    >
      <div className="toolsets">
        {TOOLSETS.map((name) => (
          <Checkbox key={name} value={name} label={name} description={TOOLSET_DESCRIPTIONS[name]} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
