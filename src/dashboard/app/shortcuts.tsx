import { Kbd, Modal, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { PAGES } from "./page-list.ts";

/** Time in which the second key of a pair must follow the first. */
const PAIR_MS = 1_200;
const TYPING = "input, textarea, select, [contenteditable=true]";

/** Listens to the keys of every page, and lists them for "?". */
export function useShortcuts({ search }: { readonly search: () => void }) {
  const [opened, help] = useDisclosure(false);
  const [, open] = useLocation();
  const pressedG = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      const follows = event.timeStamp - pressedG.current < PAIR_MS;
      pressedG.current = event.key === "g" ? event.timeStamp : 0;
      const page = follows ? PAGES.find(({ key }) => key === event.key) : undefined;
      const act =
        page !== undefined
          ? () => open(page.href)
          : event.key === "/"
            ? search
            : event.key === "?"
              ? help.toggle
              : null;
      if (act === null) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open, search, help.toggle]);
  return {
    showHelp: help.open,
    help: (
      <Modal
        opened={opened}
        onClose={help.close}
        title="Keys"
        lockScroll={false}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Table verticalSpacing={6}>
          <Table.Tbody>
            <Row keys={["Ctrl", "K"]} also="/">
              Find a symbol or a page, ask a question
            </Row>
            {PAGES.map(({ key, name }) => (
              <Row key={key} keys={["g", key]}>
                Open {name}
              </Row>
            ))}
            <Row keys={["j"]} also="k">
              Next or previous row of a table
            </Row>
            <Row keys={["Esc"]}>Close what lies on the page</Row>
            <Row keys={["?"]}>Show these keys</Row>
          </Table.Tbody>
        </Table>
      </Modal>
    ),
  };
}

const Row = ({
  keys,
  also,
  children,
}: {
  readonly keys: readonly string[];
  /** Another key that does the same. */
  readonly also?: string;
  readonly children: React.ReactNode;
}) => (
  <Table.Tr>
    <Table.Td>
      {keys.map((key) => (
        <Kbd key={key} mr={4}>
          {key}
        </Kbd>
      ))}
      {also !== undefined && (
        <>
          or <Kbd>{also}</Kbd>
        </>
      )}
    </Table.Td>
    <Table.Td>{children}</Table.Td>
  </Table.Tr>
);
