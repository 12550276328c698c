/** Stands where somebody would save something who may not. */
export const ReadOnly = () => <p className="muted">Your role may only read; the owner can change it.</p>;

/** Stands where only the owner may look. */
export const OwnerOnly = () => <p className="muted">Only the owner of this server sees the installation.</p>;
