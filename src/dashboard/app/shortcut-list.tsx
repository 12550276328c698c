import { Kbd, Modal, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { shownPages } from "./page-list.ts";

/** Lists the keyboard shortcuts. */
export default function ShortcutList({ close }: { readonly close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title="Keyboard shortcuts"
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Table verticalSpacing={6}>
        <Table.Tbody>
          <Row keys={["Ctrl", "K"]} also="/">
            Find a symbol or a page, ask a question
          </Row>
          {shownPages().map(({ key, name }) => (
            <Row key={key} keys={["g", key]}>
              Open {name}
            </Row>
          ))}
          <Row keys={["j"]} also="k">
            Next or previous row of a table
          </Row>
          <Row keys={["Esc"]}>Close the search or a dialog</Row>
          <Row keys={["?"]}>Show this list</Row>
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

const Row = ({
  keys,
  also,
  children,
}: {
  readonly keys: readonly string[];
  /** Another key that does the same. */
  readonly also?: string;
  readonly children: ReactNode;
}) => (
  <Table.Tr>
    <Table.Td className="shortcut-keys">
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
