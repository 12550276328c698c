import { ActionIcon, Menu } from "@mantine/core";
import { useState } from "react";
import type { Input, ToolName } from "../../api/tools.ts";
import { callTexts } from "./call-texts.ts";

/** A menu that copies the call behind a panel in the form of other callers. */
export function CopyAs<Name extends ToolName>({
  tool,
  input,
}: {
  readonly tool: Name;
  readonly input: Input<Name>;
}) {
  const [copied, setCopied] = useState<string | null>(null);
  return (
    <Menu position="bottom-end" onClose={() => setCopied(null)} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Copy this call of ${tool}`}>
          <span aria-hidden="true">⧉</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {callTexts(tool, input, location.origin).map(({ name, text }) => (
          <Menu.Item
            key={name}
            closeMenuOnClick={false}
            onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(name))}
          >
            {copied === name ? `${name}: copied` : `Copy as ${name}`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
