/** Replaces the controls for a viewer, who may not save. */
export const ReadOnly = () => <p className="muted">Your role may only read; the owner can change it.</p>;

/** Replaces what only the owner may see. */
export const OwnerOnly = () => <p className="muted">Only the owner of this server sees the installation.</p>;
