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
          <svg
            viewBox="0 0 16 16"
            width="16"
            height="16"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
            <path d="M3.5 10.5h-1v-8h8v1" />
          </svg>
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
