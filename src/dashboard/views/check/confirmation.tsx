import type { ReactNode } from "react";

/** Says who confirms an order, and where. */
export const Confirmation = ({ children }: { readonly children: ReactNode }) => (
  <p className="confirmation">
    <span aria-hidden="true">◆</span> {children}
  </p>
);
