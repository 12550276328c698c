interface RemoveButton {
  readonly path: string;
  readonly body: object;
  readonly label: string;
  /** What the page says afterwards. */
  readonly done: string;
}

/** A button that changes something and loads the page again. */
export const Remove = ({ path, body, label, done }: RemoveButton) => (
  <button type="button" data-remove={path} data-body={JSON.stringify(body)} data-done={done}>
    {label}
  </button>
);
